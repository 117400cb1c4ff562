# SPDX-License-Identifier: BSD-3-Clause
"""Copies of a folder of sources, in which a program is built; the folder itself is only read."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from stretto.errors import RunError, UserError
from stretto.launch.session import Session

_IN_FOLDER = 'cd -- "$0" && eval "$1"'
_SHOWN_LINES = 10  # of the output of a build that failed
_LEFT_OUT = frozenset({".git", ".hg", ".svn", ".venv"})
_WRAPPERS = {
    "cc": ("STRETTO_CC", ("mpicc",)),
    "cxx": ("STRETTO_CXX", ("mpicxx", "mpic++", "mpiCC")),
    "fc": ("STRETTO_FC", ("mpifort", "mpif90", "mpif77")),
}
"""The compilers of an MPI in whose place a watched build calls stretto's."""


@dataclass(frozen=True)
class Built:
    """A copy, and the program that was built in it."""

    folder: Path
    program: Path


def copy_sources(folder: Path, to: Path, texts: Mapping[Path, bytes], without: Sequence[Path]) -> None:
    """Copies a folder, and writes these texts in place of its files. All of them count as changed, so that
    `make` builds what depends on them. Links stay links; `without`: folders that are left out.

    Raises:
        UserError: the folder cannot be copied.
    """

    def ignored(directory: str, names: list[str]) -> set[str]:
        here = Path(directory).resolve()
        return {name for name in names if name in _LEFT_OUT or (here / name) in without}

    try:
        shutil.copytree(folder, to, symlinks=True, ignore=ignored)
        for path, text in texts.items():
            (to / path.relative_to(folder)).write_bytes(text)
    except (OSError, shutil.Error) as error:
        raise UserError(f"{folder}: cannot be copied to be built ({error})") from None


def build(command: str, folder: Path, program: Path, variables: Mapping[str, str]) -> Built:
    """Builds in a copy. `program`: its path below the folder, or only its name.

    Raises:
        RunError: the command failed.
        UserError: it built no such program there.
    """
    begun = time.time()
    with Session("none") as session:  # a compiler outlives the shell that is ended
        done = session.wait(session.start(["/bin/sh", "-c", _IN_FOLDER, str(folder), command], variables))
    if done.status != 0:
        tail = (done.stdout + done.stderr).splitlines()[-_SHOWN_LINES:]
        raise RunError("\n".join([f"--verify: '{command}' ended with {done.status} in a copy", *tail]))
    # The clocks of files may be some milliseconds behind.
    places = [program]
    if len(program.parts) == 1 and not (folder / program).exists():
        places = [one.relative_to(folder) for one in folder.rglob(program.name)]
    made = [
        folder / one
        for one in places
        if (folder / one).is_file()
        and os.access(folder / one, os.X_OK)
        and (folder / one).stat().st_mtime > begun - 1
    ]
    if len(made) != 1:
        many = f"{len(made)} programs" if made else "no program"
        raise UserError(f"--verify: '{command}' built {many} {program} in a copy of the sources")
    return Built(folder, made[0])


def watching_compilers(directory: Path) -> dict[str, str]:
    """The variables of a build whose `mpicc` and the like instrument the program for the recorder. Writes the
    scripts that do so to a directory.
    """
    directory.mkdir()
    for function, (variable, names) in _WRAPPERS.items():
        for name in names:
            real = shutil.which(name)
            if real is None:
                continue
            run = f"from stretto.commands.compilers import {function}; {function}()"
            script = directory / name
            script.write_text(f"#!/bin/sh\n{variable}='{real}' exec '{sys.executable}' -c '{run}' \"$@\"\n")
            script.chmod(0o755)
    return {"PATH": f"{directory}{os.pathsep}{os.environ.get('PATH', os.defpath)}"}


def contents(folder: Path) -> dict[str, str]:
    """A digest of each file below a folder, by its path."""
    return {
        one.relative_to(folder).as_posix(): hashlib.sha256(one.read_bytes()).hexdigest()
        for one in sorted(folder.rglob("*"))
        if one.is_file() and not one.is_symlink()
    }


def written(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str]:
    """What a run left behind: files that are new or have another content, and "" for those that are gone."""
    found = {name: digest for name, digest in after.items() if before.get(name) != digest}
    return found | dict.fromkeys(set(before) - set(after), "")
