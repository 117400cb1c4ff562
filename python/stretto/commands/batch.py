# SPDX-License-Identifier: BSD-3-Clause
"""`stretto batch`: writes a job script for another command of stretto."""

from __future__ import annotations

from stretto.commands import request_of
from stretto.launch.job_script import job_script
from stretto.options.batch import BatchRequest


def batch(request: BatchRequest) -> None:
    """Print a job script that runs another command: `stretto batch probe -n 2 -o pair > job.sh`.

    It asks for a node for each rank, or for the nodes that --ranks-per-node comes to. Options of `batch`
    stand before the command, whose own options are checked here and not on the cluster.
    """
    print(job_script(request, request_of(request.command)), end="")
