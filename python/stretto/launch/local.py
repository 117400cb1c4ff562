# SPDX-License-Identifier: BSD-3-Clause
"""Runs a job on this machine with mpiexec, or on the nodes of a cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from stretto.errors import Interrupted, UserError
from stretto.launch import linux
from stretto.launch.cores import usable_cores
from stretto.launch.job import Job, OnTick, Outcome
from stretto.launch.launchers import cluster_launch
from stretto.launch.layout import HERE, Layout, Placement, place
from stretto.launch.mpi import MpiLibrary
from stretto.launch.mpiexec import Launch, local_launch
from stretto.launch.placement_check import check_placement
from stretto.launch.session import Ended, Refused, Session, interruptible


def run_local(mpi: MpiLibrary, job: Job, on_tick: OnTick | None = None, layout: Layout = HERE) -> Outcome:
    """Runs `job` to its end; none of its processes outlives this call or this process.

    Raises:
        UserError: the program cannot be run, there is fewer than one rank, or the layout is impossible.
        RunError: the process that guards the run was killed.
    """
    check_job(job)
    placed = place(layout, job.ranks)
    try:
        with interruptible(), local_session(placed) as session:
            launch = launch_here(mpi, job, layout)
            if placed is None:
                env = {"TMPDIR": str(session.directory), **launch.env}  # for Open MPI's session files
            else:  # other nodes lack that directory; their ranks use what is local to their node
                check_placement(session, mpi, layout, placed)
                env = dict(launch.env)
            return outcome(session.wait(session.start(launch.argv, env), job.timeout_s, on_tick))
    except Interrupted as interrupted:
        return interrupted_outcome(interrupted)


def launch_here(mpi: MpiLibrary, job: Job, layout: Layout = HERE) -> Launch:
    """The launch line on this machine, or on the nodes that the layout comes to."""
    placed = place(layout, job.ranks)
    if placed is None:
        return local_launch(mpi, job, usable_cores())
    return cluster_launch(mpi, job, layout, placed)


@contextmanager
def local_session(placed: Placement | None = None) -> Iterator[Session]:
    """A guard with a PID namespace where one helps and is granted."""
    with ExitStack() as stack:
        session = None
        # Ranks on other nodes are children of those nodes' daemons, which a namespace here cannot contain.
        if placed is None and linux.may_make_namespaces():
            with suppress(Refused):  # root in a container without namespaces: the guard uses ids
                session = stack.enter_context(Session("processes"))
        yield session or stack.enter_context(Session("none"))


def check_job(job: Job) -> None:
    """Raises UserError unless the job can be run."""
    if job.ranks < 1:
        raise UserError(f"-n {job.ranks}: a run needs at least one rank")
    if not (job.program.is_file() and os.access(job.program, os.X_OK)):
        raise UserError(f"{job.program}: not an executable program")


def outcome(ended: Ended) -> Outcome:
    """The outcome of a job, from how its launcher ended."""
    code = ended.status if ended.status >= 0 else 128 - ended.status
    if ended.timed_out:
        return Outcome("timeout", code, ended.stdout, ended.stderr, ended.seconds)
    return Outcome("done" if code == 0 else "failed", code, ended.stdout, ended.stderr, ended.seconds)


def interrupted_outcome(interrupted: Interrupted) -> Outcome:
    """The outcome of a run that a signal to stretto ended."""
    return Outcome("interrupted", 128 + interrupted.signum, "", str(interrupted), 0.0)
