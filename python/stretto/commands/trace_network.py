# SPDX-License-Identifier: BSD-3-Clause
"""The networks that give the messages of a trace their costs: the one it was recorded on, and a named one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from stretto.data.installed_profile import newest_installed
from stretto.data.profile import Profile
from stretto.data.profile_file import read_profile
from stretto.data.published import profile_path
from stretto.data.sizes import said_duration, shown_bandwidth
from stretto.data.trace import TraceFile
from stretto.errors import UserError
from stretto.model.replay_network import replay_network
from stretto.options.traces import PotentialRequest
from stretto.potential.core_shortage import CoreShortage
from stretto.potential.shown_network import shown_network
from stretto.potential.sites import DEFAULT_EAGER_BYTES, Cost, Network
from stretto.report.screen import tell


def recorded_network(traces: Sequence[TraceFile], shortage: CoreShortage) -> Network | None:
    """The network on which a trace was recorded: the profile of its machine and MPI, else what the trace
    shows; None where neither says anything, as where the ranks waited for cores.

    Raises:
        UserError: a trace is damaged.
    """
    for path in newest_installed():
        try:
            profile = read_profile(path)
            if _is_of(profile, traces):
                return _profile_network(path, profile, "this machine's profile")
        except UserError:
            continue  # it is of no use here
    cost = None if shortage.hides_network else shown_network(traces)
    return Network(cost, "the times of this trace's own messages") if cost is not None else None


def asked_network(request: PotentialRequest, recorded: Network | None) -> Network | None:
    """The network that options name; None where they name none. What they leave out is as recorded.

    Raises:
        UserError: the named profile has no sends, or half a network is named and the rest is not known.
    """
    if request.profile is not None:
        path = profile_path(request.profile)
        return _profile_network(path, read_profile(path), f"the network of {request.profile}")
    if request.latency is None and request.bandwidth is None:
        return None
    if recorded is None and (request.latency is None or request.bandwidth is None):
        given, missing = (
            ("--bandwidth", "--latency") if request.latency is None else ("--latency", "--bandwidth")
        )
        raise UserError(f"{given}: this trace does not show the rest of its network; give {missing}, too")
    latency_s, gap = request.latency, 1 / request.bandwidth if request.bandwidth is not None else None
    if latency_s is None:
        latency_s = recorded.cost.latency_s if recorded is not None else 0.0
    if gap is None:
        gap = recorded.cost.gap_s_per_byte if recorded is not None else 0.0
    bandwidth = f" and {shown_bandwidth(1 / gap)}" if gap > 0 else ""
    return Network(
        Cost(latency_s, gap),
        f"a network of {said_duration(latency_s)}{bandwidth}",
        replayed=f"L={latency_s!r},G={gap!r}",
    )


def _profile_network(path: Path, profile: Profile, name: str) -> Network:
    """That of a profile's sends. UserError where it has none."""
    sends = replay_network(profile, path)
    tell(sends.note)
    overhead_s = sends.overhead_send_s + sends.overhead_receive_s
    cost = Cost(sends.latency_s, sends.gap_s_per_byte, overhead_s, sends.times)
    return Network(cost, name, sends.eager_bytes or DEFAULT_EAGER_BYTES, sends.text)


def _is_of(profile: Profile, traces: Sequence[TraceFile]) -> bool:
    """Whether the profile was measured on the trace's hosts with its MPI."""
    mpi, hosts = profile.machine.mpi, set(profile.machine.hosts)
    return (
        mpi is not None
        and mpi.library.split()[:3] == traces[0].header.library.split()[:3]
        and {one.header.host for one in traces} <= hosts
    )
