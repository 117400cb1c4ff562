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

    def environment(self) -> dict[str, str]:
        """The environment of this process with the changes."""
        changed = {**os.environ, **self.env}
        return {name: value for name, value in changed.items() if value is not None}


def local_launch(mpi: MpiLibrary, job: Job, cores: Sequence[int]) -> Launch:
    """All ranks on this machine, each bound to its own core of `cores` where there are enough of them.

    More ranks than cores are not bound, and they yield the core while they wait (as MPICH always does).
    """
    bound = job.ranks <= len(cores)
    if mpi.family == "mpich":
        binding = _hydra_binding(mpi, [str(core) for core in cores[: job.ranks]]) if bound else []
        return Launch((str(mpi.mpiexec), *binding, *_job(mpi, job)), {})
    options = ["--oversubscribe"] if mpi.major < 5 else ["--map-by", ":OVERSUBSCRIBE"]
    if bound and _all_cores_are_available():
        options = ["--bind-to", "core", "--map-by", "core"]
    else:
        options += ["--bind-to", "none"]
    if not bound:
        options += _YIELD
    return Launch((str(mpi.mpiexec), *options, *_job(mpi, job)), open_mpi_env())


def _hydra_binding(mpi: MpiLibrary, cores: Sequence[str]) -> list[str]:
    """Options that bind rank i to `cores[i]`."""
    if mpi.is_intel:
        return ["-genv", "I_MPI_PIN_PROCESSOR_LIST", ",".join(cores)]
    return ["-bind-to", "user:" + ",".join(cores)]


def emulated_launch(mpi: MpiLibrary, job: Job, hosts: Sequence[str], agent: Path, directory: Path) -> Launch:
    """Ranks on the first hosts in equal blocks, over TCP on eth0; the remote shell `agent` starts them.

    The transports are forced, because different host names do not keep an MPI from using shared memory.
    Ranks of one host share memory: MPICH without UCX, Open MPI by a transport of its own.
    `directory` holds session files, which would conflict with those of another cluster in /tmp.
    """
    each = -(-job.ranks // len(hosts))
    used = hosts[: -(-job.ranks // each)]
    env: dict[str, str | None] = {name: None for name in os.environ if name.startswith("SLURM_")}
    env |= {"TMPDIR": str(directory)}
    if mpi.family == "mpich":
        # The embedded build has both OFI and UCX; each of them has to use the network.
        env |= _UCX_OVER_TCP | {"FI_PROVIDER": "tcp", "FI_TCP_IFACE": "eth0"}
        start = "bootstrap" if mpi.is_intel else "launcher"
        options = [f"-{start}", "ssh", f"-{start}-exec", str(agent)]
        options += ["-hosts", ",".join(used), "-ppn", str(each)]
        return Launch((str(mpi.mpiexec), *options, *_job(mpi, job)), env)
    env |= open_mpi_env()
    options = ["--host", ",".join(f"{host}:{each}" for host in used), "--bind-to", "none"]
    btl = "tcp,self"
    # Open MPI 4's osc/rdma does not work over btl/tcp: one-sided operations go through UCX.
    osc = "rdma" if mpi.major >= 5 else "ucx"
    if each > 1:
        options += ["--map-by", "slot"]
        btl += ",sm" if mpi.major >= 5 else ",vader"
        osc += ",sm"  # of windows that the ranks of a host share
    options += _mca(pml="ob1", btl=btl, btl_tcp_if_include="eth0")
    if job.ranks > len(os.sched_getaffinity(0)):
        options += _YIELD
    if mpi.major >= 5:
        options += ["--prtemca", "plm", "ssh", "--prtemca", "plm_ssh_agent", str(agent), *_mca(osc=osc)]
        return Launch((str(mpi.mpiexec), *options, *_job(mpi, job)), env)
    env |= _UCX_OVER_TCP
    options += _mca(plm="rsh", plm_rsh_agent=str(agent), plm_rsh_no_tree_spawn="1", osc=osc)
    forwarded = [word for name in _UCX_OVER_TCP for word in ("-x", name)]
    return Launch((str(mpi.mpiexec), *options, *forwarded, *_job(mpi, job)), env)


def rank_variables(mpi: MpiLibrary, variables: Mapping[str, str]) -> list[str]:
    """Options of mpiexec that set variables on the ranks, and not on mpiexec itself."""
    if mpi.family == "openmpi":
        return [word for name, value in variables.items() for word in ("-x", f"{name}={value}")]
    return [word for name, value in variables.items() for word in ("-genv", name, value)]


def _job(mpi: MpiLibrary, job: Job) -> list[str]:
    return [*rank_variables(mpi, job.env), "-n", str(job.ranks), str(job.program), *job.arguments]


_YIELD = ("--mca", "mpi_yield_when_idle", "1")
_UCX_OVER_TCP: dict[str, str | None] = {"UCX_TLS": "tcp,self", "UCX_NET_DEVICES": "eth0"}


def open_mpi_env() -> dict[str, str | None]:
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
