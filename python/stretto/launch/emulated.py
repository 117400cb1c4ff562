# SPDX-License-Identifier: BSD-3-Clause
"""Runs a job on an emulated cluster, after a self-test of its network."""

from __future__ import annotations

from collections.abc import Callable

from stretto.errors import Interrupted
from stretto.launch.cluster import EmulatedNetwork, emulated_cluster
from stretto.launch.job import Job, OnTick, Outcome
from stretto.launch.local import check_job, interrupted_outcome, outcome
from stretto.launch.mpi import MpiLibrary
from stretto.launch.selftest import SelfTest, self_test
from stretto.launch.session import interruptible
from stretto.native.programs import native_program


def run_emulated(
    mpi: MpiLibrary,
    job: Job,
    network: EmulatedNetwork,
    on_tick: OnTick | None = None,
    on_self_test: Callable[[SelfTest], None] | None = None,
) -> Outcome:
    """Builds the cluster, tests it, runs `job` with equal blocks of ranks on its hosts, and takes it down.

    `on_self_test` receives the self-test's results before the job starts. The job's time limit does not
    include the self-test.

    Raises:
        UserError: ranks that do not match the hosts, no permission to make namespaces, or a missing program.
        RunError: the cluster could not be built, the self-test failed, or the guard was killed.
    """
    check_job(job)
    network.check_ranks(job.ranks)
    netload = native_program("stretto-netload", "none")
    try:
        with interruptible(), emulated_cluster(network) as cluster:
            result = self_test(cluster, netload)
            if on_self_test is not None:
                on_self_test(result)
            return outcome(cluster.run(mpi, job, on_tick))
    except Interrupted as interrupted:
        return interrupted_outcome(interrupted)
