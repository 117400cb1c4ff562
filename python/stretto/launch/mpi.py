# SPDX-License-Identifier: BSD-3-Clause
"""Finds the MPI to use: the embedded one, the user's, or the one that an option names."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from stretto.errors import UserError
from stretto.native.mpi_families import FAMILIES, Family
from stretto.native.programs import project_root

_INTEL = re.compile(r"Intel\(R\) MPI Library\b.*?Version (\d[\w.]*)")


@dataclass(frozen=True)
class MpiLibrary:
    """An installed MPI, identified by its launcher.

    Attributes:
        standard_abi: The program to run is linked with this MPI's library of the standard ABI.
        is_intel: Whether it is Intel's derivative of MPICH, whose launcher has other options.
    """

    family: Family
    version: str
    mpiexec: Path
    standard_abi: bool = False
    is_intel: bool = False

    @property
    def bin(self) -> Path:
        """The directory of the launcher and of its compiler wrappers."""
        return self.mpiexec.parent

    @property
    def major(self) -> int:
        """The first number of the version."""
        return int(self.version.split(".")[0])


def find_mpi(name_or_path: str | None = None) -> MpiLibrary:
    """The MPI to run with.

    Args:
        name_or_path: `mpich` or `openmpi`; the path of an mpiexec, of its directory, or of the prefix that
            holds bin/mpiexec; None for the first that is found: embedded in this Python environment or in
            the project's, on PATH, then the project's own .mpi/openmpi.

    Raises:
        UserError: no MPI was found, or `name_or_path` is not an MPI.
    """
    if name_or_path is None or name_or_path in FAMILIES:
        for library in installed_mpis():
            if name_or_path in (None, library.family):
                return library
        requested = "no MPI" if name_or_path is None else f"no {name_or_path}"
        raise UserError(
            f"{requested} found (looked for mpiexec next to {sys.executable} and on PATH): run `make setup`, "
            "load a module, or name an mpiexec with --mpi"
        )
    path = Path(os.path.expanduser(name_or_path))  # that of Path raises where there is no such user
    for candidate in (path, path / "bin" / "mpiexec", path / "mpiexec"):
        if candidate.is_file():
            named = _identify(candidate.absolute())
            if named is None:
                raise UserError(
                    f"{candidate}: neither MPICH's mpiexec nor Open MPI's (by what --version says)"
                )
            return named
    raise UserError(f"--mpi {name_or_path}: neither mpich, openmpi, an mpiexec nor a prefix with bin/mpiexec")


def installed_mpis() -> Iterator[MpiLibrary]:
    """Every MPI that is found without a name, each once, in order of preference."""
    seen = set()
    for candidate in _candidates():
        real = candidate.resolve()
        if real not in seen:
            seen.add(real)
            library = _identify(candidate)
            if library is not None:
                yield library


def _candidates() -> Iterator[Path]:
    root = project_root()
    embedded = [Path(sys.prefix)] + ([root / ".venv"] if root is not None else [])
    on_path = ("mpiexec", *(name for family in FAMILIES.values() for name in family.launchers))
    candidates = [prefix / "bin" / "mpiexec" for prefix in embedded]
    candidates += [Path(result).absolute() for result in map(shutil.which, on_path) if result is not None]
    if root is not None:
        candidates.append(root / ".mpi" / "openmpi" / "bin" / "mpiexec")
    yield from (candidate for candidate in candidates if candidate.is_file())


def _identify(mpiexec: Path) -> MpiLibrary | None:
    if not os.access(mpiexec, os.X_OK):
        return None
    try:
        printed = subprocess.run(
            [str(mpiexec), "--version"],
            capture_output=True,
            text=True,
            timeout=20,
            stdin=subprocess.DEVNULL,
            check=False,
        ).stdout
    except (OSError, subprocess.TimeoutExpired):
        return None
    return identify(printed, mpiexec)


def identify(printed: str, mpiexec: Path) -> MpiLibrary | None:
    """Reads what `mpiexec --version` printed; None for a launcher that is neither MPICH's nor Open MPI's."""
    for name, family in FAMILIES.items():
        if version := family.versions.search(printed):
            return MpiLibrary(name, version[1], mpiexec)
    intel = _INTEL.search(printed)
    return None if intel is None else MpiLibrary("mpich", intel[1], mpiexec, is_intel=True)
