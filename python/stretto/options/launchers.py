# SPDX-License-Identifier: BSD-3-Clause
"""Commands that start the ranks of an MPI program."""

from __future__ import annotations

from pathlib import Path

from stretto.errors import UserError

LAUNCHERS = ("mpiexec", "mpirun", "orterun", "prterun")
# Those of batch systems, which have nothing of an MPI.
BATCH_LAUNCHERS = ("srun", "flux", "jsrun", "aprun")
SIMULATORS = ("smpirun",)


def is_launcher(path: str) -> bool:
    """Whether a command starts ranks, by its name."""
    return launcher_name(path) in (*LAUNCHERS, *BATCH_LAUNCHERS, *SIMULATORS)


def refuse_launcher(path: str) -> None:
    """Raises UserError where a command starts ranks itself."""
    if is_launcher(path):
        raise UserError(f"{path}: stretto starts the ranks here; give the program alone after --")


def launcher_name(path: str) -> str:
    """`mpiexec` of `/usr/bin/mpiexec.mpich`."""
    return Path(path).name.split(".")[0]
