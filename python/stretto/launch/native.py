# SPDX-License-Identifier: BSD-3-Clause
"""Where the native programs are: they are built once for every MPI family."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Literal

from stretto.errors import UserError

Build = Literal["mpich", "openmpi", "simgrid", "none"]

_PRESETS: dict[Build, tuple[str, ...]] = {
    "mpich": ("mpich",),
    "openmpi": ("openmpi",),
    "simgrid": ("simulated",),
    "none": ("mpich", "openmpi", "simulated"),
}


def project_root() -> Path | None:
    """The source tree that this package lies in; None for an installed package."""
    root = Path(__file__).resolve().parents[3]
    return root if (root / "CMakeLists.txt").is_file() else None


def native_program(name: str, build: Build) -> Path:
    """The native program `name` as built for `build` (`none`: a program without MPI, any build has it).

    Looks in the build directory that STRETTO_BUILD names, in this package (`_native/FAMILY/bin`), then in
    the source tree (`build/PRESET/bin`).

    Raises:
        UserError: it is in none of them.
    """
    for directory in _directories(build):
        program = directory / name
        if program.is_file() and os.access(program, os.X_OK):
            return program
    what = name if build == "none" else f"{name} for {build}"
    raise UserError(f"{what} is not built: run `make setup` in the source tree, or set STRETTO_BUILD to a build directory")


def _directories(build: Build) -> list[Path]:
    found = []
    chosen = os.environ.get("STRETTO_BUILD")
    if chosen and (build == "none" or _built_for(Path(chosen)) in (build, None)):
        found += [Path(chosen).absolute() / "bin", Path(chosen).absolute()]
    families = [build] if build != "none" else ["mpich", "openmpi", "simgrid"]
    package = Path(__file__).resolve().parents[1]
    found += [package / "_native" / family / "bin" for family in families]
    root = project_root()
    if root is not None:
        found += [root / "build" / preset / "bin" for preset in _PRESETS[build]]
    return found


def _built_for(directory: Path) -> str | None:
    """The MPI family of a build directory, by its CMake cache; None where it has none."""
    try:
        cache = (directory / "CMakeCache.txt").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    entry = re.search(r"^STRETTO_MPI:\w+=(\w+)$", cache, re.MULTILINE)
    return entry[1] if entry else None
