# SPDX-License-Identifier: BSD-3-Clause
"""The build under test, and the launcher of its MPI."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from stretto.errors import UserError
from stretto.launch.mpi import find_mpi
from stretto.native.programs import cached_variable

ROOT = Path(__file__).resolve().parents[2]


def default_build() -> Path:
    """The build of the MPI in the environment, such as `make bench MPI=openmpi`."""
    mpi = os.environ.get("MPI", "mpich")
    return ROOT / "build" / (mpi if mpi in ("mpich", "openmpi") else "loaded")


def build(directory: Path, *targets: str) -> Path:
    """Builds the targets, makes stretto use its native programs, and returns their directory."""
    command = ["cmake", "--build", str(directory), "--target", *targets]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    os.environ["STRETTO_BUILD"] = str(directory)
    return directory / "bin"


def cached(directory: Path, variable: str) -> str:
    """A variable of the build's CMake cache.

    Raises:
        UserError: There is no build, or no such variable.
    """
    value = cached_variable(directory, variable)
    if value is None:
        raise UserError(f"{directory}: no build of stretto, for its CMake cache has no {variable}")
    return value


def mpiexec_of(directory: Path) -> str:
    """The launcher of the MPI for which `directory` was built."""
    return cached(directory, "STRETTO_MPIEXEC")


def launcher(directory: Path, ranks: int) -> list[str]:
    """The command line that starts this many ranks with the build's MPI."""
    mpiexec = mpiexec_of(directory)
    options = ["--allow-run-as-root", "--oversubscribe"] if find_mpi(mpiexec).family == "openmpi" else []
    return [mpiexec, *options, "-n", str(ranks)]


def shown(command: Sequence[str]) -> str:
    """A launch line for a page of results, without the place of the launcher."""
    return " ".join((Path(command[0]).name, *command[1:]))
