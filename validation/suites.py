# SPDX-License-Identifier: BSD-3-Clause
"""Test suites of others and our own under the preloaded progress library: the same result as without it.

mpi4py's suite is that of its source distribution; this project's is the program of all its MPI tests.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from bench.harness.builds import build, mpiexec_of
from bench.harness.checks import Check, Checks, Result, Table, yes_or_no
from bench.harness.runner import Context
from stretto.errors import RunError
from stretto.launch.job import Job
from stretto.launch.local import launch_here
from stretto.launch.mpi import MpiLibrary, find_mpi
from stretto.launch.preload import preload_variables

_TIMEOUT_S = 1200
_MPI4PY_LINE = re.compile(
    r"^(?P<test>\w+ \([\w.]+\)).*? \.\.\. (?:.* )?(?P<end>ok|FAIL|ERROR|skipped|expected failure)\b",
    re.MULTILINE,
)
_GOOGLETEST_LINE = re.compile(
    r"^\[ +(?P<end>OK|FAILED|SKIPPED) +\] (?P<test>[\w./]+)(?: \(\d+ ms\))?$", re.MULTILINE
)

Outcomes = Mapping[str, str]
"""By test, and rank where each rank reports its own: how it ended."""


def run(context: Context) -> Iterator[Result]:
    """Each suite on each number of ranks, without and with the library."""
    mpi = find_mpi(mpiexec_of(context.build))
    # With an interval there is a thread, too, where ranks share cores.
    library = {**preload_variables(["progress"], mpi), "STRETTO_POLL_INTERVAL_S": "0.001"}
    cells: list[tuple[str, ...]] = []
    checks: list[Check] = []
    for suite in _suites(context, mpi):
        for ranks in context.options.suite_ranks:
            plain, preloaded = (suite.outcomes(ranks, env) for env in ({}, library))
            differing = sorted(
                test for test in plain.keys() | preloaded.keys() if plain.get(test) != preloaded.get(test)
            )
            cells.append(
                (suite.name, str(ranks), str(len(plain)), *_counts(plain), "; ".join(differing[:3]) or "-")
            )
            checks.append(
                yes_or_no(f"{suite.name}, {ranks} ranks: all as without", "plain", plain == preloaded)
            )
    columns = ("suite", "ranks", "outcomes", "passed", "skipped", "failed without", "differing")
    title = f"Test suites under libstretto_progress.so: {mpi.family} {mpi.version}"
    yield Table(title, columns, cells)
    yield Checks(title, checks)


def _counts(outcomes: Outcomes) -> tuple[str, str, str]:
    ends = [end.lower() for end in outcomes.values()]
    passed, skipped = sum(end in ("ok", "expected failure") for end in ends), ends.count("skipped")
    return str(passed), str(skipped), str(len(ends) - passed - skipped)


class _Suite:
    """A program that runs tests; every rank writes what it reports to a file of its own.

    `pattern` matches a line with the groups `test` and `end`.
    """

    def __init__(
        self,
        name: str,
        mpi: MpiLibrary,
        command: Callable[[int], Sequence[str]],
        pattern: re.Pattern[str],
        output: Path,
    ) -> None:
        self.name, self._mpi, self._command, self._pattern = name, mpi, command, pattern
        self._output = output

    def outcomes(self, ranks: int, env: Mapping[str, str]) -> Outcomes:
        """How each test ended on each rank that reports it, and the exit status."""
        self._output.mkdir(parents=True, exist_ok=True)
        for old in self._output.glob("rank-*"):
            old.unlink()
        file = f"{self._output}/rank-$PMI_RANK$OMPI_COMM_WORLD_RANK"
        job = Job(
            Path("/bin/sh"), ("-c", f'exec "$@" > {file} 2>&1', "sh", *self._command(ranks)), ranks, env
        )
        launch = launch_here(self._mpi, job)
        try:
            done = subprocess.run(
                launch.argv,
                env=launch.environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=_TIMEOUT_S,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return {"exit status": f"no end after {_TIMEOUT_S} s"}
        found = {"exit status": "ok" if done.returncode == 0 else str(done.returncode)}
        for one in sorted(self._output.glob("rank-*")):
            for match in self._pattern.finditer(one.read_text(encoding="utf-8", errors="replace")):
                found[f"{one.name}: {match['test']}"] = match["end"]
        if len(found) == 1:
            raise RunError(f"{self.name} on {ranks} ranks reported no test: see {self._output}")
        return found


def _suites(context: Context, mpi: MpiLibrary) -> Iterator[_Suite]:
    build(context.build, "mpi_tests")
    program = context.build / "tests" / "mpi_tests"
    yield _Suite(
        "stretto",
        mpi,
        lambda ranks: (str(program), f"--ranks={ranks}", f"--gtest_filter={_filter(context.build, ranks)}"),
        _GOOGLETEST_LINE,
        context.output / "stretto",
    )
    if find_spec("mpi4py") is None:
        raise RunError("mpi4py is not installed: pip install mpi4py")
    main = _mpi4py_sources(context.output) / "test" / "main.py"
    os.environ["MPI4PY_LIBMPI"] = _library_of(program)
    yield _Suite(
        "mpi4py",
        mpi,
        lambda ranks: (sys.executable, str(main), "-v", *_without(ranks)),
        _MPI4PY_LINE,
        context.output / "mpi4py",
    )


def _without(ranks: int) -> list[str]:
    """mpi4py's tests that spawn: with ranks that share cores they take minutes, and they test no request.

    Those of pools spawn on one rank only, which never ends under Open MPI 5, without the library, too.
    """
    names = ("spawn", "dynproc", *(("util_pool",) if ranks == 1 else ()))
    return [word for name in names for word in ("-e", name)]


def _filter(directory: Path, ranks: int) -> str:
    """The tests that CTest runs on so many ranks; where it has none, those of the runtime on any number."""
    words = ("ctest", "--test-dir", str(directory), "--show-only=json-v1")
    listed = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    begins = "--gtest_filter="
    filters = [
        word.removeprefix(begins)
        for test in listed["tests"]
        if f"--ranks={ranks}" in test.get("command", ())
        for word in test["command"]
        if word.startswith(begins)
    ]
    return ":".join(dict.fromkeys(filters)) or "*Onesided*-OnesidedLarge.*:OnesidedManyRanks.*"


def _library_of(program: Path) -> str:
    """The MPI library that a program loads."""
    loaded = subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=True).stdout
    found = re.search(r"^\s*libmpi\.so\S* => (\S+)", loaded, re.MULTILINE)
    if found is None:
        raise RunError(f"{program}: loads no libmpi.so")
    return found[1]


def _mpi4py_sources(directory: Path) -> Path:
    """mpi4py's source distribution of the installed version, which has its tests."""
    name = f"mpi4py-{version('mpi4py')}"
    if not (directory / name).is_dir():
        words = ("download", "--quiet", "--no-deps", "--no-binary", "mpi4py", name.replace("-", "=="))
        subprocess.run([sys.executable, "-m", "pip", *words, "-d", str(directory)], check=True)
        with tarfile.open(directory / f"{name}.tar.gz") as archive:
            archive.extractall(directory, filter="data")
    return directory / name
