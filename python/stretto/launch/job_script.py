# SPDX-License-Identifier: BSD-3-Clause
"""Job scripts for Slurm and PBS that run a command of stretto."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from stretto.errors import UserError
from stretto.launch.papers_job import ARCHIVE, DIRECTORY
from stretto.options.batch import BatchRequest
from stretto.options.declare import Request

_MARGIN_S = 300  # nodes boot, and file systems wake up
_UNKNOWN_S = 3600  # a program's own time is not known


@dataclass(frozen=True)
class _Job:
    name: str
    nodes: int
    per_node: int
    cores: int
    seconds: int
    partition: str
    account: str

    @property
    def clock(self) -> str:
        """The time limit as HH:MM:SS."""
        return f"{self.seconds // 3600:02}:{self.seconds // 60 % 60:02}:{self.seconds % 60:02}"


def job_script(batch: BatchRequest, request: Request) -> str:
    """The script of a job that runs the command `request`.

    Raises:
        UserError: no batch system is named or found, or the nodes are too few for the ranks per node.
    """
    # exec: the batch system's signals reach stretto, which leaves readable results.
    return _script(batch, [request], ["exec " + shlex.join([_program(), *batch.command])])


def papers_script(batch: BatchRequest, requests: Mapping[tuple[str, ...], Request]) -> str:
    """The script of a job that runs commands one after another. A command that fails leaves the others.

    It packs what there is after each of them: a job that the batch system ends leaves an archive, too.

    Raises:
        UserError: As job_script().
    """
    pack = f"tar -czf {ARCHIVE}.new {DIRECTORY} && mv {ARCHIVE}.new {ARCHIVE}"
    lines = [line for words in requests for line in (shlex.join([_program(), *words]), pack)]
    return _script(batch, list(requests.values()), lines)


def _script(batch: BatchRequest, requests: Sequence[Request], lines: Sequence[str]) -> str:
    system = batch.system or _system_here()
    job = _job(batch, requests)
    head = _slurm_lines(job) if system == "slurm" else _pbs_lines(job)
    place = ['cd "$PBS_O_WORKDIR"'] if system == "pbs" else []
    return "\n".join(["#!/bin/sh", *head, *place, *lines]) + "\n"


def _job(batch: BatchRequest, requests: Sequence[Request]) -> _Job:
    request = requests[0]  # all have the same layout
    on = getattr(request, "on", "local")
    per_node = getattr(request, "ranks_per_node", None)
    ranks = _ranks(batch, request, per_node)
    if on == "simulated":  # one process has all ranks
        ranks = per_node = 1
    elif on == "emulated":  # all hosts are on one machine
        ranks = per_node = max(ranks, getattr(request, "hosts", 1))
    nodes = batch.nodes or -(-ranks // (per_node or 1))
    each = per_node or -(-ranks // nodes)
    if nodes * each < ranks:
        raise UserError(
            f"--nodes {nodes}: {ranks} ranks with --ranks-per-node {each} need {-(-ranks // each)}"
        )
    return _Job(
        f"stretto-{batch.command[0]}",
        nodes,
        each,
        batch.cores or each,
        batch.time or sum(_seconds(one) for one in requests),
        batch.partition,
        batch.account,
    )


def _ranks(batch: BatchRequest, request: Request, per_node: int | None) -> int:
    given = getattr(request, "ranks", None)
    if "ranks" in request.given and given is not None:
        return int(given)
    if per_node is not None and batch.nodes is not None:
        return per_node * batch.nodes
    if per_node is not None and given is not None:
        return per_node * 2
    return int(given or batch.nodes or 1)


def counts_ranks(batch: BatchRequest, request: Request) -> bool:
    """Whether the job asks for the ranks that it starts: those of a command's own launcher are not known."""
    own = bool(getattr(request, "command", ())) and getattr(request, "ranks", 1) is None
    return not own or batch.nodes is not None or getattr(request, "on", "local") != "local"


def _seconds(request: Request) -> int:
    """The time limit of a job: what the command may take, and a margin for the rest."""
    times = [getattr(request, "timeout", None), _budget(request)]
    known = next((time for time in times if time is not None), None)
    return round(known) + _MARGIN_S if known is not None else _UNKNOWN_S


def _budget(request: Request) -> float | None:
    native = getattr(request, "native", None)
    return float(native()["budget_s"]) if callable(native) else None


def _slurm_lines(job: _Job) -> list[str]:
    wanted: Mapping[str, object] = {
        "job-name": job.name,
        "nodes": job.nodes,
        "ntasks-per-node": job.per_node,
        "cpus-per-task": max(1, job.cores // job.per_node),
        "time": job.clock,
        "output": f"{job.name}-%j.out",
        "partition": job.partition,
        "account": job.account,
    }
    return [f"#SBATCH --{name}={shlex.quote(str(value))}" for name, value in wanted.items() if value != ""]


def _pbs_lines(job: _Job) -> list[str]:
    lines: list[Sequence[str]] = [
        ("-N", job.name),
        ("-l", f"select={job.nodes}:ncpus={job.cores}:mpiprocs={job.per_node}"),
        ("-l", "place=scatter"),
        ("-l", f"walltime={job.clock}"),
        ("-j", "oe"),
    ]
    lines += [(flag, value) for flag, value in (("-q", job.partition), ("-A", job.account)) if value]
    return [f"#PBS {flag} {value}" for flag, value in lines]


def _system_here() -> str:
    for command, system in (("sbatch", "slurm"), ("qsub", "pbs")):
        if shutil.which(command):
            return system
    raise UserError("neither sbatch nor qsub is here: say --system slurm or --system pbs")


def _program() -> str:
    """The path of this very stretto."""
    own = Path(sys.prefix) / "bin" / "stretto"
    if own.is_file():
        return str(own)
    return shutil.which("stretto") or "stretto"
