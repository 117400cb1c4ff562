# SPDX-License-Identifier: BSD-3-Clause
"""MPICH's own test suite, from Debian's source package, built for the MPI of a build."""

from __future__ import annotations

import subprocess
import tarfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from stretto.errors import RunError

_COMMON = ("dtpools", "util")
_LIMIT_S = 180.0
"""The suite's own limit of a program for which a list says nothing else."""


@dataclass(frozen=True)
class Case:
    """A line of one of the suite's lists: a program of a directory, on so many ranks."""

    directory: str
    program: str
    ranks: int
    arguments: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    limit_s: float = _LIMIT_S

    @property
    def name(self) -> str:
        """Directory, program, ranks, arguments and variables."""
        words = [f"{name}={value}" for name, value in self.environment]
        return " ".join((f"{self.directory}/{self.program}", str(self.ranks), *self.arguments, *words))


def read_cases(text: str, directory: str) -> Iterator[Case]:
    """The cases of a list, each once. Conditions on versions of MPI or MPICH, and expected failures, do not
    matter here: a case is compared with itself.
    """
    cases: dict[Case, None] = {}
    for line in text.splitlines():
        words = line.partition("#")[0].split()
        if len(words) < 2:
            continue
        program = words[0]
        ranks = int(words[1]) if words[1].isdigit() else 2
        options = [word.partition("=")[::2] for word in words if "=" in word]
        limit = next((float(value) for key, value in options if key == "timeLimit"), _LIMIT_S)
        variables = tuple(value.partition("=")[::2] for key, value in options if key == "env")
        arguments = tuple(value for key, value in options if key == "arg")
        cases[Case(directory, program, ranks, arguments, variables, limit)] = None
    yield from cases


def fetched(directory: Path) -> Path:
    """The suite's sources under `directory`, which apt-get fetches there once, with lists of its own."""
    if found := sorted(directory.glob("mpich-*/test/mpi/configure")):
        return found[0].parent
    (directory / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    source = directory / "suite.list"
    source.write_text("".join(f"deb-src {one}\n" for one in _repositories()), encoding="utf-8")
    options = {
        "Dir::Etc::sourcelist": source,
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": directory / "lists",
        "Dir::Cache::pkgcache": "",
        "Dir::Cache::srcpkgcache": "",
    }
    apt = ["apt-get", *(word for name, value in options.items() for word in ("-o", f"{name}={value}"))]
    _run([*apt, "update"], directory)
    _run([*apt, "source", "--download-only", "mpich"], directory)
    archives = sorted(directory.glob("mpich_*.orig.tar.*"))
    if not archives:
        raise RunError(f"{directory}: Debian's source package of mpich has no archive here")
    with tarfile.open(archives[-1]) as archive:
        members = [
            member for member in archive if "/test/mpi/" in member.name and "/modules/" not in member.name
        ]
        archive.extractall(directory, members, filter="data")
    return fetched(directory)


def _repositories() -> list[str]:
    """Debian's repositories that this machine takes packages from: address, release and component."""
    shown = (
        "--format",
        "$(REPO_URI) $(RELEASE) $(COMPONENT)",
        "Created-By: Packages",
        "Origin: Debian",
        "Label: Debian",
    )
    done = subprocess.run(["apt-get", "indextargets", *shown], capture_output=True, text=True, check=False)
    if not done.stdout.strip():
        raise RunError(
            "the suite is fetched by apt-get from Debian, and this machine has no list of its packages"
        )
    return sorted(set(done.stdout.splitlines()))


def built(source: Path, directory: Path, compiler: Path, parts: Sequence[str]) -> None:
    """Configures the suite, and builds what of `parts` compiles: a program that does not is no case."""
    directory.mkdir(parents=True, exist_ok=True)
    if not (directory / "config.status").is_file():
        options = ("--disable-cxx", "--disable-fortran")
        _run([str(source / "configure"), f"MPICC={compiler}", f"CC={compiler}", *options], directory)
    for part in (*_COMMON, *parts):
        command = ["make", "-k", "-j2", "-C", part, "all"]
        with (directory / "make.log").open("a", encoding="utf-8") as log:
            subprocess.run(command, cwd=directory, stdout=log, stderr=log, check=False)


def cases_of(source: Path, directory: Path, part: str) -> Iterator[Case]:
    """The cases of a part, and of the directories in its list, whose programs were built. A list with
    conditions is in the build's directory.
    """
    lists = [place / part / "testlist" for place in (directory, source)]
    text = next((one.read_text(encoding="utf-8") for one in lists if one.is_file()), "")
    yield from (one for one in read_cases(text, part) if (directory / part / one.program).is_file())
    for line in text.splitlines():
        words = line.partition("#")[0].split()
        if len(words) == 1 and (directory / part / words[0]).is_dir():
            yield from cases_of(source, directory, f"{part}/{words[0]}")


def _run(command: Sequence[str], directory: Path) -> None:
    with (directory / "suite.log").open("a", encoding="utf-8") as log:
        done = subprocess.run(command, cwd=directory, stdout=log, stderr=log, check=False)
    if done.returncode != 0:
        raise RunError(f"{command[0]} ended with {done.returncode}: see {directory / 'suite.log'}")
