# SPDX-License-Identifier: BSD-3-Clause
"""The network that gives the messages of a trace their costs: the named one, else this machine's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from stretto.data.installed_profile import newest_installed
from stretto.data.profile import Profile
from stretto.data.profile_file import read_profile
from stretto.data.published import profile_path
from stretto.data.trace import TraceFile
from stretto.errors import UserError
from stretto.model.replay_network import replay_network
from stretto.options.traces import PotentialRequest
from stretto.potential.sites import Cost
from stretto.report.screen import tell

SLIDES = Cost(4e-6, 1 / 945e6)
"""The network of the cluster in the slides of Sancho and others."""


def message_cost(request: PotentialRequest, traces: Sequence[TraceFile]) -> tuple[Cost, str]:
    """The cost of messages, and what network that is.

    Raises:
        UserError: the named profile has no sends.
    """
    if request.profile is not None:
        return profile_cost(profile_path(request.profile)), str(request.profile)
    if request.latency is not None or request.bandwidth is not None:
        latency_s = SLIDES.latency_s if request.latency is None else request.latency
        gap = SLIDES.gap_s_per_byte if request.bandwidth is None else 1 / request.bandwidth
        return Cost(latency_s, gap), "the network of --latency and --bandwidth"
    return usual_cost(traces)


def usual_cost(traces: Sequence[TraceFile]) -> tuple[Cost, str]:
    """The cost of messages where no network was named."""
    for path in newest_installed():
        try:
            profile = read_profile(path)
            if _is_of(profile, traces):
                return profile_cost(path, profile), "this machine's profile"
        except UserError:
            continue  # it is of no use here
    return SLIDES, "a network of 4 us and 945 MB/s, as this machine has no profile (`stretto fit --install`)"


def profile_cost(path: Path, profile: Profile | None = None) -> Cost:
    """The cost of a profile's sends. UserError where it has none."""
    sends = replay_network(profile or read_profile(path), path)
    tell(sends.note)
    overhead_s = sends.overhead_send_s + sends.overhead_receive_s
    return Cost(sends.latency_s, sends.gap_s_per_byte, overhead_s, sends.times)


def _is_of(profile: Profile, traces: Sequence[TraceFile]) -> bool:
    """Whether the profile was measured on the trace's hosts with its MPI."""
    mpi, hosts = profile.machine.mpi, set(profile.machine.hosts)
    return (
        mpi is not None
        and mpi.library.split()[:3] == traces[0].header.library.split()[:3]
        and {one.header.host for one in traces} <= hosts
    )
