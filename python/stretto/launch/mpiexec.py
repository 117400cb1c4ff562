# SPDX-License-Identifier: BSD-3-Clause
"""Launch lines: the options of each MPI's mpiexec. Pure functions; nothing is run here."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from stretto.launch.job import Job
from stretto.launch.mpi import MpiLibrary


@dataclass(frozen=True)
class Launch:
    """A command line, and the changes of its environment (None removes a variable)."""

    argv: tuple[str, ...]
    env: Mapping[str, str | None]


def local_launch(mpi: MpiLibrary, job: Job, cores: Sequence[int]) -> Launch:
    """All ranks on this machine, each bound to its own core of `cores` where there are enough of them.

    More ranks than cores are not bound, and they yield the core while they wait (as MPICH always does).
    """
    bound = job.ranks <= len(cores)
    env: dict[str, str | None] = dict(job.env)
    if mpi.family == "mpich":
        binding = ["-bind-to", "user:" + ",".join(str(core) for core in cores[: job.ranks])] if bound else []
        return Launch((str(mpi.mpiexec), *binding, *_hydra_job(job)), env)
    env |= _open_mpi_env()
    options = ["--oversubscribe"] if mpi.major < 5 else ["--map-by", ":OVERSUBSCRIBE"]
    if bound and _all_cores_are_available():
        options = ["--bind-to", "core", "--map-by", "core"]
    else:
        options += ["--bind-to", "none"]
    if not bound:
        options += ["--mca", "mpi_yield_when_idle", "1"]
    return Launch((str(mpi.mpiexec), *options, *_open_mpi_job(job)), env)


def slurm_launch(mpi: MpiLibrary, job: Job, srun: str) -> Launch:
    """One step of this process's SLURM allocation. SLURM_MPI_TYPE, if set, overrides the default type."""
    kind = [] if "SLURM_MPI_TYPE" in os.environ else [f"--mpi={'pmi2' if mpi.family == 'mpich' else 'pmix'}"]
    options = [f"--ntasks={job.ranks}", "--kill-on-bad-exit=1", "--cpu-bind=cores", *kind]
    return Launch((srun, *options, str(job.program), *job.arguments), dict(job.env))


def emulated_launch(mpi: MpiLibrary, job: Job, hosts: Sequence[str], agent: Path, directory: Path) -> Launch:
    """One rank on each of the first hosts, over TCP on eth0; the remote shell `agent` starts them.

    The transports are forced, because different host names do not keep an MPI from using shared memory.
    `directory` holds session files, which would conflict with those of another cluster in /tmp.
    """
    used = hosts[: job.ranks]
    env: dict[str, str | None] = {name: None for name in os.environ if name.startswith("SLURM_")}
    env |= dict(job.env) | {"TMPDIR": str(directory)}
    if mpi.family == "mpich":
        # The embedded build has both OFI and UCX; each of them has to use the network.
        env |= _UCX_OVER_TCP | {"FI_PROVIDER": "tcp", "FI_TCP_IFACE": "eth0"}
        options = ["-launcher", "ssh", "-launcher-exec", str(agent), "-hosts", ",".join(used), "-ppn", "1"]
        return Launch((str(mpi.mpiexec), *options, *_hydra_job(job)), env)
    env |= _open_mpi_env()
    options = ["--host", ",".join(f"{host}:1" for host in used), "--bind-to", "none"]
    options += _mca(pml="ob1", btl="tcp,self", btl_tcp_if_include="eth0")
    if mpi.major >= 5:
        options += ["--prtemca", "plm", "ssh", "--prtemca", "plm_ssh_agent", str(agent), *_mca(osc="rdma")]
        return Launch((str(mpi.mpiexec), *options, *_open_mpi_job(job)), env)
    # Open MPI's osc/rdma does not work over btl/tcp: one-sided operations go through UCX.
    env |= _UCX_OVER_TCP
    options += _mca(plm="rsh", plm_rsh_agent=str(agent), plm_rsh_no_tree_spawn="1", osc="ucx")
    forwarded = [word for name in _UCX_OVER_TCP for word in ("-x", name)]
    return Launch((str(mpi.mpiexec), *options, *forwarded, *_open_mpi_job(job)), env)


_UCX_OVER_TCP: dict[str, str | None] = {"UCX_TLS": "tcp,self", "UCX_NET_DEVICES": "eth0"}


def _hydra_job(job: Job) -> list[str]:
    return ["-n", str(job.ranks), str(job.program), *job.arguments]


def _open_mpi_job(job: Job) -> list[str]:
    forwarded = [word for name in job.env for word in ("-x", name)]
    return [*forwarded, "-n", str(job.ranks), str(job.program), *job.arguments]


def _open_mpi_env() -> dict[str, str | None]:
    """Open MPI needs two variables before it runs as root."""
    if os.geteuid() != 0:
        return {}
    return {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "PRTE_ALLOW_RUN_AS_ROOT": "1",
        "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    }


def _mca(**parameters: str) -> list[str]:
    return [word for name, value in parameters.items() for word in ("--mca", name, value)]


def _all_cores_are_available() -> bool:
    """Whether this process may use every core; Open MPI's binding ignores a narrower affinity."""
    return len(os.sched_getaffinity(0)) == os.cpu_count()
