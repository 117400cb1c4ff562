# SPDX-License-Identifier: BSD-3-Clause
"""A cluster of 2 to 4 hosts on one machine: network namespaces, a bridge between them, shaped links.

Everything lives in the namespaces of one guard process (`guard.py`) and has no name outside of them.
The kernel therefore removes it with that process. docs/emulation.md gives the reasons for each piece.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from stretto.errors import RunError, UserError
from stretto.launch import linux
from stretto.launch.cores import share_cores
from stretto.launch.job import Job, OnTick
from stretto.launch.mpi import MpiLibrary
from stretto.launch.mpiexec import Launch, emulated_launch
from stretto.launch.session import Ended, Refused, Session
from stretto.native.programs import native_library

MIN_HOSTS, MAX_HOSTS = 2, 4
_MIN_RATE, _MAX_RATE = 10e6, 10e9
_LATENESS_S = 64e-6  # how late a shaper's timer may be: docs/decisions/emulated-network.md
_MIN_BURST_BYTES = 2048  # a packet
# Of a command for the network. It waits until the kernel has removed earlier namespaces, which takes seconds
# where ranks spin on all cores.
_LONGEST_S = 60.0
_UNITS = {"kbit": 1e3, "mbit": 1e6, "gbit": 1e9}
_SLEEP = "libstretto_sleep.so"
_NEEDS = "emulation needs the right to make namespaces (root, or CAP_SYS_ADMIN and CAP_NET_ADMIN)"

# Remote shell for every MPI. Like ssh, it joins its arguments and passes them to a shell on the host.
_AGENT = """#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
name=$1; shift
case $name in
%s*) echo "no host $name in this cluster" >&2; exit 255 ;;
esac
exec nsenter --target "$pid" --net --uts --ipc --mount -- $bind /bin/sh -c "$*"
"""


@dataclass(frozen=True)
class EmulatedNetwork:
    """Number of hosts, and the rate at which each sends and receives: `500mbit` is 500 * 10^6 bits/s.

    Raises:
        UserError: hosts outside of 2 to 4, or a rate that is malformed or outside of 10mbit to 10gbit.
    """

    hosts: int = 2
    rate: str = "500mbit"
    ranks_per_host: int = 1

    def __post_init__(self) -> None:
        if not MIN_HOSTS <= self.hosts <= MAX_HOSTS:
            raise UserError(f"--hosts {self.hosts}: an emulated cluster has {MIN_HOSTS} to {MAX_HOSTS} hosts")
        if not _MIN_RATE <= self.rate_bits_per_s <= _MAX_RATE:
            raise UserError(f"--rate {self.rate}: must lie between 10mbit and 10gbit")

    @property
    def rate_bits_per_s(self) -> float:
        """The rate of a link in each direction."""
        match = re.fullmatch(r"(\d+(?:\.\d+)?)(kbit|mbit|gbit)", self.rate.lower())
        if match is None:
            raise UserError(f"--rate {self.rate}: write a number and kbit, mbit or gbit, such as 500mbit")
        return float(match[1]) * _UNITS[match[2]]

    @property
    def burst_bytes(self) -> int:
        """The shaper's burst: the bytes that a link sends in `_LATENESS_S`, to make up for a late timer."""
        return max(_MIN_BURST_BYTES, round(self.rate_bits_per_s / 8 * _LATENESS_S))

    def __str__(self) -> str:
        return f"htb {self.rate}"

    def check_ranks(self, ranks: int) -> None:
        """Raises UserError when the ranks, in equal blocks, are not `ranks_per_host` on each host."""
        each = -(-ranks // self.hosts)
        if self.ranks_per_host == 1 and each > 1:
            raise UserError(
                f"more ranks ({ranks}) than emulated hosts ({self.hosts}): "
                f"give at most -n {self.hosts}"
                + (f", or up to --hosts {MAX_HOSTS}" if self.hosts < MAX_HOSTS else "")
                + f", or --ranks-per-node {each}"
            )
        if each != self.ranks_per_host:
            raise UserError(
                f"--ranks-per-node {self.ranks_per_host}: {ranks} ranks on --hosts {self.hosts} are {each} "
                f"on each: give -n {self.hosts * self.ranks_per_host}"
            )


@contextmanager
def emulated_cluster(network: EmulatedNetwork) -> Iterator[Cluster]:
    """Builds the cluster, and takes it down on exit.

    Raises:
        UserError: this process may not make namespaces.
        RunError: a part of it could not be made (iproute2 missing, no htb in this kernel, ...).
    """
    if not linux.may_make_namespaces():
        raise UserError(f"--on emulated: {_NEEDS}; use sudo, or --on local")
    try:
        with Session("cluster") as session:
            yield Cluster(network, session)
    except Refused as refused:
        raise UserError(f"--on emulated: {_NEEDS}; the kernel refused: {refused}") from refused


class Cluster:
    """The hosts of one emulated network, and a front end that starts jobs on them."""

    def __init__(self, network: EmulatedNetwork, session: Session) -> None:
        self.network = network
        self.session = session
        self.hosts = tuple(f"emulated-{host}" for host in range(network.hosts))
        self.addresses = tuple(f"10.57.0.{host + 1}" for host in range(network.hosts))
        self.agent = session.directory / "agent"
        self._build()

    def launch(self, mpi: MpiLibrary, job: Job) -> Launch:
        """The launch line of an MPI job whose ranks are on the hosts in equal blocks.

        More ranks than cores sleep while they wait, so that those that compute have a core.

        Raises:
            UserError: the library for that is not built.
        """
        if job.ranks > len(os.sched_getaffinity(0)):
            job = job.preloading(native_library(_SLEEP, "none"))
        return emulated_launch(mpi, job, self.hosts, self.agent, self.session.directory)

    def run(self, mpi: MpiLibrary, job: Job, on_tick: OnTick | None = None) -> Ended:
        """Runs an MPI job on the hosts, beginning with the first."""
        launch = self.launch(mpi, job)
        return self.session.wait(self.session.start(launch.argv, launch.env), job.timeout_s, on_tick)

    def _build(self) -> None:
        names = {"emulated-front": "10.57.0.254", **dict(zip(self.hosts, self.addresses))}
        hosts_file = self.session.directory / "hosts"
        lines = ["127.0.0.1 localhost", *(f"{address} {name}" for name, address in names.items())]
        hosts_file.write_text("\n".join(lines) + "\n", encoding="ascii")
        self.session.query({"front": "emulated-front", "hosts_file": str(hosts_file)}, "front")
        cores = share_cores(self.network.hosts)
        holders = [
            self.session.query({"host": name, "cpus": cores[index]}, "pid")["pid"]
            for index, name in enumerate(self.hosts)
        ]
        self._ip(
            None,
            "link set lo up",
            "link add switch type bridge",
            "link set switch up",
            "addr add 10.57.0.254/24 dev switch",
        )
        for index, holder in enumerate(holders):
            self._ip(
                None,
                f"link add port{index} type veth peer name eth0 netns {holder}",
                f"link set port{index} master switch",
                f"link set port{index} up",
            )
            self._ip(
                index, "link set lo up", f"addr add {self.addresses[index]}/24 dev eth0", "link set eth0 up"
            )
            self._shape(index, "eth0")
            if self.network.hosts > 2:  # with two hosts, the sender's shaper limits the receiver, too
                self._shape(None, f"port{index}")
        self._write_agent(holders, cores)

    def _ip(self, host: int | None, *commands: str) -> None:
        for command in commands:
            self._do(host, "ip", *command.split())

    def _shape(self, host: int | None, device: str) -> None:
        """Shapes a link with htb and a small burst; docs/emulation.md gives the reasons."""
        rate = f"{int(self.network.rate_bits_per_s)}bit"
        burst = f"{self.network.burst_bytes}b"
        self._do(host, "tc", *f"qdisc add dev {device} root handle 1: htb default 1".split())
        limits = f"rate {rate} ceil {rate} burst {burst} cburst {burst} quantum 65536"
        self._do(host, "tc", *f"class add dev {device} parent 1: classid 1:1 htb {limits}".split())

    def _do(self, host: int | None, *argv: str) -> None:
        ended = self.session.run(argv, on_host=host, timeout_s=_LONGEST_S)
        if ended.status != 0:
            reason = (ended.stderr.strip() or f"status {ended.status}").splitlines()[0]
            if ended.timed_out:
                reason = f"no end after {_LONGEST_S:g} s; try again"
            missing = " (install iproute2)" if ended.status == 127 else ""
            raise RunError(f"the emulated network could not be made: {' '.join(argv)}: {reason}{missing}")

    def _write_agent(self, holders: list[int], cores: list[list[int]]) -> None:
        cases = ""
        for name, address, holder, own in zip(self.hosts, self.addresses, holders, cores):
            bind = "taskset -c " + ",".join(str(core) for core in own) if own else ""
            cases += f"{name}|{address}) pid={holder}; bind='{bind}' ;;\n"
        self.agent.write_text(_AGENT % cases, encoding="ascii")
        Path(self.agent).chmod(0o700)
