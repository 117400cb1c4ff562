# SPDX-License-Identifier: BSD-3-Clause
"""Runs a job on this machine with mpiexec, or with srun on the nodes of a SLURM allocation."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

from stretto.errors import Interrupted, UserError
from stretto.launch import linux
from stretto.launch.cores import usable_cores
from stretto.launch.job import Job, OnTick, Outcome
from stretto.launch.mpi import MpiLibrary
from stretto.launch.mpiexec import Launch, local_launch, slurm_launch
from stretto.launch.session import Ended, Refused, Session, interruptible


def run_local(mpi: MpiLibrary, job: Job, on_tick: OnTick | None = None) -> Outcome:
    """Runs `job` to its end; none of its processes outlives this call or this process.

    Raises:
        UserError: the program cannot be run, or there is fewer than one rank.
        RunError: the process that guards the run was killed.
    """
    check_job(job)
    try:
        with interruptible(), local_session() as session:
            launch = launch_here(mpi, job)
            env = {"TMPDIR": str(session.directory), **launch.env}  # for Open MPI's session files
            return outcome(session.wait(session.start(launch.argv, env), job.timeout_s, on_tick))
    except Interrupted as interrupted:
        return interrupted_outcome(interrupted)


def launch_here(mpi: MpiLibrary, job: Job) -> Launch:
    """The launch line on this machine, or by srun on the nodes of this process's SLURM allocation."""
    srun = _srun()
    return slurm_launch(mpi, job, srun) if srun else local_launch(mpi, job, usable_cores())


@contextmanager
def local_session() -> Iterator[Session]:
    """A guard with a PID namespace where one helps and is granted."""
    with ExitStack() as stack:
        session = None
        # srun's tasks are children of the nodes' daemons, which a PID namespace here cannot contain.
        if _srun() is None and linux.may_make_namespaces():
            with suppress(Refused):  # root in a container without namespaces: the guard uses ids
                session = stack.enter_context(Session("processes"))
        yield session or stack.enter_context(Session("none"))


def spans_nodes() -> bool:
    """Whether this process is in a SLURM allocation of several nodes, and can start ranks on them."""
    return _srun() is not None


def _srun() -> str | None:
    nodes = os.environ.get("SLURM_JOB_NUM_NODES", os.environ.get("SLURM_NNODES", "1"))
    if "SLURM_JOB_ID" in os.environ and nodes.isdigit() and int(nodes) > 1:
        return shutil.which("srun")
    return None


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
