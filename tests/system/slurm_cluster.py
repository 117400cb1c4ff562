# SPDX-License-Identifier: BSD-3-Clause
"""A real Slurm of three nodes on one machine: the emulated cluster's hosts, with a slurmd in each.

slurmctld and munged run on the front end. All of it lives in the namespaces of the cluster's guard, so the kernel
removes it with the guard. It is for tests of launching, never of time.
"""

import os
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from stretto.launch import linux
from stretto.launch.cluster import Cluster, EmulatedNetwork, emulated_cluster
from stretto.launch.session import Ended, Running

_NEEDED = ("slurmctld", "slurmd", "srun", "salloc", "munged")
_START_S = 40.0  # generous: until all nodes are idle
NAME = "testbed"
PARTITION = "short"

_CONFIGURATION = """\
ClusterName={name}
SlurmctldHost=emulated-front
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={state}/munge.socket
CredType=cred/munge
StateSaveLocation={state}/ctld
SlurmdSpoolDir={state}/%n
SlurmctldPidFile={state}/ctld.pid
SlurmdPidFile={state}/%n.pid
SlurmctldLogFile={state}/ctld.log
SlurmdLogFile={state}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
TmpFS={state}/local
JobAcctGatherType=jobacct_gather/none
MpiDefault=pmi2
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
InactiveLimit=0
NodeName={nodes} CPUs=4 Boards=1 SocketsPerBoard=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=100 State=UNKNOWN
PartitionName={partition} Nodes={nodes} Default=YES MaxTime=60 State=UP OverSubscribe=NO
"""


def missing() -> str:
    """What this machine lacks for a Slurm; empty: nothing."""
    if not linux.may_make_namespaces():
        return "NO RIGHT TO MAKE NAMESPACES: launching by Slurm is not tested; be root"
    absent = [name for name in _NEEDED if _path(name) is None]
    if absent:
        return f"NO {', '.join(absent)}: launching by Slurm is not tested; install slurm-wlm and munge"
    return ""


def _path(name: str) -> str | None:
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


class Slurm:
    """A Slurm whose commands run on its front end."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._state = cluster.session.directory / "slurm"
        self.nodes = cluster.hosts
        self._daemons: list[Running] = []
        self._configure()
        self._start()

    @property
    def environment(self) -> dict[str, str]:
        """The variables with which Slurm's commands find this cluster."""
        return {"SLURM_CONF": str(self._state / "slurm.conf")}

    def run(
        self, command: Sequence[str], timeout_s: float = 60.0, env: Mapping[str, str] | None = None
    ) -> Ended:
        """Runs a command on the front end to its end."""
        return self._cluster.session.wait(self.start(command, env), timeout_s)

    def start(self, command: Sequence[str], env: Mapping[str, str] | None = None) -> Running:
        """Starts a command on the front end."""
        return self._cluster.session.start(command, {**self.environment, **(env or {})})

    def wait(self, running: Running, timeout_s: float = 60.0) -> Ended:
        """Waits for a command's end."""
        return self._cluster.session.wait(running, timeout_s)

    def processes(self, name: str) -> list[str]:
        """The command lines of the processes of all nodes that run a program of that name."""
        listed = self.run(["ps", "-e", "-o", "args="], 20).stdout.splitlines()
        return [line for line in listed if line.split() and Path(line.split()[0]).name == name]

    def logs(self) -> str:
        """The ends of the daemons' logs."""
        parts = []
        for path in sorted(self._state.glob("*.log")):
            parts.append(f"--- {path.name}\n{path.read_text(encoding='utf-8', errors='replace')[-1500:]}")
        return "\n".join(parts)

    def _configure(self) -> None:
        for name in ("", "ctld", "munge", "local", *self.nodes):
            (self._state / name).mkdir(mode=0o700, exist_ok=True)
        text = _CONFIGURATION.format(
            name=NAME, partition=PARTITION, state=self._state, nodes=",".join(self.nodes)
        )
        (self._state / "slurm.conf").write_text(text, encoding="ascii")
        (self._state / "cgroup.conf").write_text(
            "CgroupAutomount=no\nCgroupPlugin=cgroup/v1\n", encoding="ascii"
        )
        key = self._state / "munge" / "key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)

    def _start(self) -> None:
        munge = self._state / "munge"
        self._daemon(
            None, "munged", "--foreground", "--force", f"--socket={self._state}/munge.socket",
            f"--key-file={munge}/key", f"--pid-file={munge}/pid", f"--log-file={self._state}/munge.log",
            f"--seed-file={munge}/seed",
        )  # fmt: skip
        self._daemon(None, "slurmctld", "-D", "-i")
        for index, node in enumerate(self.nodes):
            # Slurm's PMIx needs a directory of the node's own.
            local = str(self._state / "local")
            self._cluster.session.run(["mount", "-t", "tmpfs", "tmpfs", local], on_host=index, timeout_s=10)
            self._daemon(index, "slurmd", "-D", "-N", node)
        deadline = time.monotonic() + _START_S
        while True:
            idle = self.run(["sinfo", "--noheader", "--Node", "--states=idle", "--format=%N"], 20)
            if sorted(idle.stdout.split()) == sorted(self.nodes):
                return
            if time.monotonic() > deadline or any(one.status is not None for one in self._daemons):
                shown = self.run(["sinfo", "--Node", "--long"], 20)
                raise RuntimeError(f"Slurm did not start: {shown.stdout}{shown.stderr}\n{self.logs()}")
            time.sleep(0.2)

    def _daemon(self, host: int | None, name: str, *options: str) -> None:
        argv = [_path(name) or name, *options]
        self._daemons.append(self._cluster.session.start(argv, self.environment, on_host=host))


@contextmanager
def slurm_cluster(nodes: int = 3) -> Iterator[Slurm]:
    """Starts a Slurm of so many nodes, and removes it on exit."""
    with emulated_cluster(EmulatedNetwork(hosts=nodes, rate="1gbit")) as cluster:
        yield Slurm(cluster)
