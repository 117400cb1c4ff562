# SPDX-License-Identifier: BSD-3-Clause
"""Checks that a launch line puts ranks where they were requested, by a program that prints its host."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

from stretto.errors import RunError, UserError
from stretto.launch.job import Job
from stretto.launch.launchers import cluster_launch, shown_launch
from stretto.launch.layout import Layout, Placement
from stretto.launch.mpi import MpiLibrary
from stretto.launch.session import Session

_LIMIT_S = 120.0
_SHOWN = 6  # hosts in a message


def check_placement(session: Session, mpi: MpiLibrary, layout: Layout, placed: Placement) -> None:
    """Starts `uname -n` on every rank, and compares the hosts' numbers of ranks with the requested ones.

    Raises:
        UserError: the ranks are elsewhere.
        RunError: the launch line starts no ranks.
    """
    job = Job(Path(shutil.which("uname") or "/bin/uname"), ("-n",), placed.ranks)
    launch = cluster_launch(mpi, job, layout, placed)
    ended = session.wait(session.start(launch.argv, launch.env), _LIMIT_S)
    found = Counter(line.split()[-1] for line in ended.stdout.splitlines() if line.strip())
    if ended.status != 0 or ended.timed_out or found.total() != placed.ranks:
        raise RunError(
            f"the ranks cannot be started by: {shown_launch(launch)}\n{ended.stderr.strip()[-2000:]}".rstrip()
        )
    if not placed.holds_for(found):
        raise UserError(
            f"{placed} requested, but {_shown(found)}: correct --ranks-per-node, --hostfile or --launcher, "
            "or ask the batch system for as many cores on each node (probe --dry-run shows the launch line)"
        )


def _shown(found: Counter[str]) -> str:
    parts = [f"{host} has {count}" for host, count in found.most_common(_SHOWN)]
    return ", ".join(parts) + (", ..." if len(found) > _SHOWN else "")
