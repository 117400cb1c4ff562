# SPDX-License-Identifier: BSD-3-Clause
"""`stretto batch`: writes a job script for another command of stretto."""

from __future__ import annotations

from stretto.commands import request_of
from stretto.launch.job_script import counts_ranks, job_script, papers_script
from stretto.launch.papers_job import commands
from stretto.options.batch import BatchRequest
from stretto.report.screen import tell


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
        command = request_of(request.command)
        print(job_script(request, command), end="")
        if not counts_ranks(request, command):
            tell(
                "the ranks that the command's own launcher starts are not counted: the job asks for one node "
                "and one core; give --nodes and --cores before the command"
            )
