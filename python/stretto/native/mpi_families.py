# SPDX-License-Identifier: BSD-3-Clause
"""The families of MPI libraries that stretto knows, and what tells one from another.

An MPI of a new family is one more row here. Its launch lines are in `stretto.launch` (`mpiexec`, `launchers`,
`launcher_options`), the settings that `stretto tune` tries in `stretto.launch.knobs`, and what its headers
decide in src/mpi and src/progress.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Family = Literal["mpich", "openmpi"]


@dataclass(frozen=True)
class MpiFamily:
    """What MPIs of one family have in common.

    Attributes:
        versions: What `mpiexec --version` prints, as a regular expression whose group is the version.
        launchers: Names on PATH of its own launcher, besides `mpiexec`.
        library: The file name of its library, as a regular expression.
        slurm_pmi: The process manager interfaces that it speaks, as `srun --mpi` calls them, best first.
    """

    versions: re.Pattern[str]
    launchers: tuple[str, ...]
    library: str
    slurm_pmi: tuple[str, ...]


FAMILIES: Mapping[Family, MpiFamily] = {
    # With the MPIs that are compatible with MPICH's ABI, such as Intel's.
    "mpich": MpiFamily(
        versions=re.compile(r"HYDRA build details:.*?Version:\s+(\d[\w.]*)", re.DOTALL),
        launchers=("mpiexec.mpich", "mpiexec.hydra"),
        library=r"libmpi(?:ch)?\.so\.12",
        slurm_pmi=("pmi2", "cray_shasta", "pmix"),
    ),
    "openmpi": MpiFamily(
        versions=re.compile(r"\((?:Open MPI|OpenRTE)\)\s+(\d[\w.]*)"),
        launchers=("mpiexec.openmpi",),
        library=r"libmpi\.so\.[1-9]0",  # since 1.7
        slurm_pmi=("pmix",),
    ),
}

STANDARD_ABI: Literal["mpi-abi"] = "mpi-abi"
"""Builds for MPI's standard ABI, which serve each MPI that has a library of it; so far MPICH alone."""

STANDARD_ABI_LIBRARY = r"libmpi_abi\.so"

Build = Literal[Family, "mpi-abi", "simgrid", "none"]
"""What native programs are built for; `none`: programs without MPI."""
