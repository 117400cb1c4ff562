# SPDX-License-Identifier: BSD-3-Clause
"""Launch lines on the nodes of a cluster: srun, flux run, mpiexec over hosts, or the user's template."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Mapping

from stretto.errors import UserError
from stretto.launch.job import Job
from stretto.launch.layout import Layout, Placement
from stretto.launch.mpi import MpiLibrary
from stretto.launch.mpiexec import Launch, open_mpi_env, rank_variables
from stretto.native.mpi_families import FAMILIES

_FIELD = re.compile(r"\{(\w*)\}")


def cluster_launch(mpi: MpiLibrary, job: Job, layout: Layout, placed: Placement) -> Launch:
    """The launch line of a job on `placed.nodes`.

    Raises:
        UserError: the launch template is wrong.
    """
    if layout.launcher is not None:
        return template_launch(layout.launcher, job, placed)
    if placed.system == "Flux" and (flux := shutil.which("flux")):
        return flux_launch(job, placed, flux)
    if placed.system == "Slurm" and (srun := shutil.which("srun")):
        interface = slurm_pmi(mpi, srun)
        if interface is not None:
            return slurm_launch(job, placed, srun, interface)
    return hosts_launch(mpi, job, placed)


def slurm_launch(job: Job, placed: Placement, srun: str, interface: str) -> Launch:
    """One step of this process's Slurm job. An empty `interface` leaves it to SLURM_MPI_TYPE."""
    options = [
        f"--nodes={len(placed.nodes)}", f"--nodelist={','.join(placed.nodes)}", f"--ntasks={placed.ranks}",
        "--distribution=block", "--kill-on-bad-exit=1", "--cpu-bind=cores",
    ]  # fmt: skip
    if placed.requested or placed.per_node == 1:  # else as many as the job has cores there
        options.append(f"--ntasks-per-node={placed.per_node}")
    if interface:
        options.append(f"--mpi={interface}")
    if "SLURM_STEP_ID" in os.environ:  # of an interactive step, which holds the job's cores
        options.append("--overlap")
    return Launch((srun, *options, *_ranks_command(job)), {})


def slurm_pmi(mpi: MpiLibrary, srun: str) -> str | None:
    """The process manager interface of an MPI under this Slurm, for `srun --mpi`.

    Returns:
        Empty where SLURM_MPI_TYPE names it; None where Slurm has none that the MPI speaks.
    """
    if "SLURM_MPI_TYPE" in os.environ:
        return ""
    spoken = FAMILIES[mpi.family].slurm_pmi
    try:
        listed = subprocess.run([srun, "--mpi=list"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return spoken[0]
    known = (listed.stdout + listed.stderr).split()
    return next((name for name in spoken if name in known), None)


def flux_launch(job: Job, placed: Placement, flux: str) -> Launch:
    """A job of this process's Flux instance."""
    options = [f"--nodes={len(placed.nodes)}", f"--ntasks={placed.ranks}", "-o", "cpu-affinity=per-task"]
    return Launch((flux, "run", *options, *_ranks_command(job)), {})


def hosts_launch(mpi: MpiLibrary, job: Job, placed: Placement) -> Launch:
    """The MPI's own mpiexec over named hosts; it starts its daemons by the batch system, else by ssh."""
    tail = [*rank_variables(mpi, job.env), "-n", str(placed.ranks), str(job.program), *job.arguments]
    if mpi.family == "mpich":
        options = ["-hosts", ",".join(placed.nodes), "-ppn", str(placed.per_node)]
        return Launch((str(mpi.mpiexec), *options, *tail), {})
    slots = ",".join(f"{node}:{placed.per_node}" for node in placed.nodes)
    options = ["--host", slots, "--map-by", f"ppr:{placed.per_node}:node"]
    return Launch((str(mpi.mpiexec), *options, *tail), open_mpi_env())


def template_launch(template: str, job: Job, placed: Placement) -> Launch:
    """The user's launch line: {command}, {ranks}, {ppn}, {nodes} and {hosts} are filled in.

    Raises:
        UserError: it lacks {command}, or has an unknown field or unbalanced quotes.
    """
    fields: Mapping[str, Callable[[], str]] = {
        "ranks": lambda: str(placed.ranks),
        "ppn": lambda: str(placed.per_node),
        "nodes": lambda: str(len(placed.counts)),
        "hosts": lambda: _named(placed),
        "command": lambda: shlex.join(_ranks_command(job)),
    }

    def fill(found: re.Match[str]) -> str:
        if found[1] not in fields:
            known = ", ".join(f"{{{name}}}" for name in fields)
            raise UserError(f"--launcher: {found[0]} is unknown; it knows {known}")
        return fields[found[1]]()

    try:
        words = shlex.split(template)
    except ValueError as error:
        raise UserError(f"--launcher: {str(error).lower()}") from None
    if not any("{command}" in word for word in words[1:]):
        raise UserError("--launcher: lacks {command}, such as in 'mpiexec -n {ranks} -ppn {ppn} {command}'")
    if shutil.which(words[0]) is None:
        raise UserError(f"--launcher: {words[0]}: no such command")
    argv: list[str] = []
    for word in words:
        argv += _ranks_command(job) if word == "{command}" else [_FIELD.sub(fill, word)]
    return Launch(tuple(argv), open_mpi_env())


def shown_launch(launch: Launch) -> str:
    """A launch line as a user would type it."""
    variables = [f"{name}={value}" for name, value in launch.env.items() if value is not None]
    return " ".join(shlex.quote(word) for word in [*variables, *launch.argv])


def _named(placed: Placement) -> str:
    if not placed.nodes:
        raise UserError("--launcher: {hosts} needs nodes; give --hostfile, or start in a batch job")
    return ",".join(placed.nodes)


def _ranks_command(job: Job) -> list[str]:
    """The command of a rank. The launcher is no MPI program, and must not have what a rank preloads."""
    variables = [f"{name}={value}" for name, value in job.env.items()]
    program = [str(job.program), *job.arguments]
    return ["env", *variables, *program] if variables else program
