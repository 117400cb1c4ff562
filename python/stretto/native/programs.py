# SPDX-License-Identifier: BSD-3-Clause
"""Where the native programs and libraries are: they are built once for every MPI."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from stretto.errors import UserError

Build = Literal["mpich", "openmpi", "simgrid", "none"]

_FAMILIES = ("mpich", "openmpi", "simgrid")


def project_root() -> Path | None:
    """The source tree that this package lies in; None for an installed package."""
    root = Path(__file__).resolve().parents[3]
    return root if (root / "CMakeLists.txt").is_file() else None


def native_program(name: str, build: Build, mpiexec: Path | None = None) -> Path:
    """The native program `name` as built for `build` (`none`: a program without MPI, most builds have it).

    Looks in the build directory that STRETTO_BUILD names, in this package (`_native/FAMILY/bin`), then in
    the source tree (`build/PRESET/bin`). Where several builds are for the same family, the one made with
    the MPI that `mpiexec` belongs to is taken, and with Open MPI no other: its releases don't mix.

    Raises:
        UserError: it is in none of them.
    """
    fitting = [directory for directory in _directories(build) if _is_program(directory / name)]
    fitting = _made_for(fitting, build, mpiexec)
    if fitting:
        return fitting[0] / name
    raise _not_built(name, build, mpiexec)


def native_library(name: str, build: Build, mpiexec: Path | None = None) -> Path:
    """The library `name` that is preloaded into programs of the MPI `build`; it lies in `lib`, next to `bin`.

    Looks where `native_program` does, and in `lib/stretto/FAMILY` of an installation.

    Raises:
        UserError: it is in none of them.
    """
    directories = [directory.parent / "lib" for directory in _directories(build)]
    fitting = [directory for directory in directories if (directory / name).is_file()]
    fitting = _made_for(fitting, build, mpiexec)
    installed = Path(sys.prefix) / "lib" / "stretto" / build / name
    if fitting:
        return fitting[0] / name
    if installed.is_file():
        return installed
    raise _not_built(name, build, mpiexec)


def _made_for(directories: list[Path], build: Build, mpiexec: Path | None) -> list[Path]:
    """Those of `directories` (`bin` or `lib` of a build) that go with this MPI, best first."""
    if mpiexec is None:
        return directories
    same = [directory for directory in directories if _made_with(directory, mpiexec) is True]
    unknown = [directory for directory in directories if _made_with(directory, mpiexec) is None]
    return [*same, *unknown, *(directories if build == "mpich" else [])]


def _not_built(name: str, build: Build, mpiexec: Path | None) -> UserError:
    what = name if build == "none" else f"{name} for {build}" + (f" of {mpiexec}" if mpiexec else "")
    return UserError(
        f"{what} is not built: run `make setup` in the source tree, "
        "or set STRETTO_BUILD to a build directory of that MPI"
    )


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _directories(build: Build) -> Iterator[Path]:
    """The `bin` directories of all builds for `build`, in the order in which they are asked."""
    chosen = os.environ.get("STRETTO_BUILD")
    if chosen and _fits(Path(chosen), build):
        yield Path(chosen).absolute() / "bin"
    for family in _FAMILIES if build == "none" else (build,):
        yield Path(__file__).resolve().parents[1] / "_native" / family / "bin"
    root = project_root()
    if root is not None and (root / "build").is_dir():
        for directory in sorted((root / "build").iterdir()):
            if directory.name != "sanitize" and _fits(directory, build):
                yield directory / "bin"


def _fits(directory: Path, build: Build) -> bool:
    return build == "none" or cached_variable(directory, "STRETTO_MPI") in (build, None)


def _made_with(bin_directory: Path, mpiexec: Path) -> bool | None:
    """Whether the build used the MPI of `mpiexec`; None where it does not say."""
    recorded = cached_variable(bin_directory.parent, "STRETTO_MPIEXEC")
    if recorded is None:
        return None
    return os.path.realpath(recorded) == os.path.realpath(mpiexec)


def cached_variable(directory: Path, variable: str) -> str | None:
    """A variable of a build directory's CMake cache; None where there is no cache or no such variable."""
    try:
        cache = (directory / "CMakeCache.txt").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    entry = re.search(rf"^{variable}:\w+=(.+)$", cache, re.MULTILINE)
    return entry[1] if entry else None
