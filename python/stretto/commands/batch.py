# SPDX-License-Identifier: BSD-3-Clause
"""`stretto batch`: writes a job script for another command of stretto."""

from __future__ import annotations

from stretto.commands import request_of
from stretto.launch.job_script import job_script, papers_script
from stretto.launch.papers_job import commands
from stretto.options.batch import BatchRequest


def batch(request: BatchRequest) -> None:
    """Print a job script that runs another command: `stretto batch probe -n 2 -o pair > job.sh`.

    It asks for a node for each rank, or for the nodes that --ranks-per-node comes to. Options of `batch`
    stand before the command, whose own options are checked here and not on the cluster.

    `stretto batch papers -n 32 > job.sh` measures what the papers show, and packs it for the page of their
    claims: `make papers MEASURED=papers-run.tar.gz`. Behind `papers` stand options of `stretto probe`.
    """
    if request.command[0] == "papers":
        requests = {words: request_of(words) for words in commands(request.command[1:])}
        print(papers_script(request, requests), end="")
    else:
        print(job_script(request, request_of(request.command)), end="")
