# SPDX-License-Identifier: BSD-3-Clause
"""Finds the native programs and libraries; there is one build per MPI."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from stretto.errors import UserError
from stretto.native.mpi_families import FAMILIES, STANDARD_ABI, Build

RECORDER = "libstretto_trace.so"
_WITH_PROGRAMS: tuple[Build, ...] = (STANDARD_ABI, *FAMILIES, "simgrid")


def project_root() -> Path | None:
    """The source tree that contains this package; None for an installed package."""
    root = Path(__file__).resolve().parents[3]
    return root if (root / "CMakeLists.txt").is_file() else None


def native_program(name: str, build: Build, mpiexec: Path | None = None) -> Path:
    """The native program `name` as built for `build` (`none`: a program without MPI, which most builds have).

    Searches the build directory that STRETTO_BUILD names, this package (`_native/FAMILY/bin`), then the
    source tree (`build/PRESET/bin`). Of several builds for one family, it takes the one made with the MPI
    of `mpiexec`, and in a source tree the newest program without MPI. For Open MPI it takes no other build,
    because its releases are incompatible. A build for MPI's standard ABI serves each MPI that has a library
    of it.

    Raises:
        UserError: none of these directories has the program.
    """
    builds: list[Build] = [build] if build in ("none", "simgrid") else [build, STANDARD_ABI]
    if cached_variable(Path(os.environ.get("STRETTO_BUILD", "")), "STRETTO_MPI") == STANDARD_ABI:
        builds.reverse()  # it was chosen
    searched = [directory for one in builds for directory in _directories(one)]
    fitting = [directory for directory in searched if _is_program(directory / name)]
    fitting = _made_for(fitting, build, mpiexec)
    if not fitting:
        raise _not_built(name, build, mpiexec)
    if build == "none" and not os.environ.get("STRETTO_BUILD") and fitting[0].parents[1].name == "build":
        return max((one / name for one in fitting), key=lambda one: one.stat().st_mtime)
    return fitting[0] / name


def native_library(name: str, build: Build, mpiexec: Path | None = None) -> Path:
    """The library `name` to preload into programs of the MPI `build`; it lies in `lib`, next to `bin`.

    A program and what is preloaded into it have the same handles, so `build` is exact here: `mpi-abi` for
    programs of MPI's standard ABI. Searches the directories of `native_program`, and `lib/stretto/FAMILY`
    of an installation.

    Raises:
        UserError: none of these directories has the library.
    """
    directories = [directory.parent / "lib" for directory in _directories(build)]
    fitting = [directory for directory in directories if (directory / name).is_file()]
    fitting = _made_for(fitting, build, mpiexec)
    installed = Path(sys.prefix) / "lib" / "stretto" / build / name
    if fitting:
        return fitting[0] / name
    if installed.is_file():
        return installed
    target = "recorder" if name == RECORDER else "setup"
    # The build with the embedded MPI has the libraries for the standard ABI of any MPI.
    raise _not_built(name, build, None if name.endswith("_abi.so") else mpiexec, target)


def interface_headers() -> Path:
    """The directory that has `stretto/stretto.h`, the C interface of this stretto."""
    root = project_root()
    return (
        root / "include" if root is not None else Path(__file__).resolve().parents[1] / "_native" / "include"
    )


def interface_libraries(family: str | None) -> Iterator[Path]:
    """The libraries `libstretto.so` of the C interface for a family of MPI, or for any, best first.

    Searches the build directory that STRETTO_BUILD names, this package and the source tree.
    """
    places = [Path(__file__).resolve().parents[1] / "_native"]
    if "STRETTO_BUILD" in os.environ:
        places.insert(0, Path(os.environ["STRETTO_BUILD"]).absolute())
    root = project_root()
    if root is not None and (root / "build").is_dir():
        places += [one for one in sorted((root / "build").iterdir()) if one.name != "sanitize"]
    for place in places:
        for one in (*FAMILIES, STANDARD_ABI) if family is None else (family,):
            file = place / "lib" / "stretto" / one / "libstretto.so"
            if file.is_file():
                yield file


def library_prefix() -> Path:
    """The prefix below which pip has installed headers, libraries, and files of CMake and pkg-config.

    Raises:
        UserError: The package is that of a source tree, which is installed by CMake.
    """
    prefix = Path(__file__).resolve().parents[1] / "_native"
    if (prefix / "lib" / "cmake" / "stretto").is_dir():
        return prefix
    raise UserError(
        "--prefix: the libraries of a source tree are not installed: "
        "run `cmake --install build/mpich --prefix PREFIX`, and use that PREFIX"
    )


def standard_abi_directory(mpiexec: Path) -> Path | None:
    """The directory of the launcher's MPI that has the library of MPI's standard ABI; None: it has none."""
    for name in ("lib", "lib64"):
        directory = mpiexec.parent.parent / name
        if next(directory.glob("libmpi_abi.so*"), None) is not None:
            return directory
    return None


def library_path(program: Path, mpiexec: Path) -> dict[str, str]:
    """The variables with which a program for MPI's standard ABI finds the library of this launcher's MPI."""
    directory = standard_abi_directory(mpiexec)
    if directory is None or not _is_abi(program.parent):
        return {}
    others = [directory, *filter(None, os.environ.get("LD_LIBRARY_PATH", "").split(":"))]
    return {"LD_LIBRARY_PATH": ":".join(map(str, others))}


def _is_abi(directory: Path) -> bool:
    """Whether `bin` or `lib` is of a build for MPI's standard ABI."""
    build = directory.parent
    return STANDARD_ABI in (build.name, cached_variable(build, "STRETTO_MPI"))


def _made_for(directories: list[Path], build: Build, mpiexec: Path | None) -> list[Path]:
    """The compatible ones of `directories` (`bin` or `lib` of a build) for this MPI, best first."""
    if mpiexec is None:
        return directories
    if standard_abi_directory(mpiexec) is None:
        directories = [directory for directory in directories if not _is_abi(directory)]
    same = [directory for directory in directories if _made_with(directory, mpiexec) is True]
    unknown = [directory for directory in directories if _made_with(directory, mpiexec) is None]
    others = [directory for directory in directories if build == "mpich" or _is_abi(directory)]
    return [*same, *unknown, *others]


def _not_built(name: str, build: Build, mpiexec: Path | None, target: str = "setup") -> UserError:
    what = name if build == "none" else f"{name} for {build}" + (f" of {mpiexec}" if mpiexec else "")
    compiler = None if mpiexec is None else compiler_of(mpiexec)
    command = f"MPI={compiler} make {target}" if compiler else "make setup"
    return UserError(
        f"{what} is not built: run `{command}` in the source tree, "
        "or set STRETTO_BUILD to a build directory of that MPI"
    )


def compiler_of(mpiexec: Path) -> Path | None:
    """The C++ compiler wrapper that belongs to a launcher, such as mpicxx.openmpi to mpiexec.openmpi."""
    wrapper = mpiexec.with_name("mpicxx" + "".join(mpiexec.suffixes))
    return wrapper if wrapper.is_file() else None


def _is_program(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _directories(build: Build) -> Iterator[Path]:
    """The `bin` directories of all builds for `build`, in search order."""
    chosen = os.environ.get("STRETTO_BUILD")
    if chosen and _fits(Path(chosen), build):
        yield Path(chosen).absolute() / "bin"
    for family in _WITH_PROGRAMS if build == "none" else (build,):
        yield Path(__file__).resolve().parents[1] / "_native" / family / "bin"
    root = project_root()
    if root is not None and (root / "build").is_dir():
        for directory in sorted((root / "build").iterdir()):
            if directory.name != "sanitize" and _fits(directory, build):
                yield directory / "bin"


def _fits(directory: Path, build: Build) -> bool:
    return build == "none" or cached_variable(directory, "STRETTO_MPI") in (build, None)


def _made_with(bin_directory: Path, mpiexec: Path) -> bool | None:
    """Whether the build used the MPI of `mpiexec`; None where that is unknown."""
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
