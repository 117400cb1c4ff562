# SPDX-License-Identifier: BSD-3-Clause
"""What a progress thread would save a traced program, and why it would save nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stretto.data.sweep import TRACED
from stretto.data.trace import TraceFile
from stretto.native.replay import run_replay
from stretto.potential.messages import potential_of
from stretto.potential.sites import Cost

_HOLDS = 0.1
"""A replay that misses the program's own time by no more shows that the network is the program's."""
_SHORT_BYTES = 64 << 10
"""The call for a longer message may copy a part of it."""


@dataclass(frozen=True)
class ReplayedTimes:
    """The trace's time in seconds: recorded, and replayed with progress in calls, by a thread, offloaded."""

    recorded_s: float
    inside_calls_s: float
    thread_s: float
    offload_s: float

    def deviation(self) -> float:
        """How far the replay of the program as it is lies from its recorded time, relative to it."""
        return self.inside_calls_s / self.recorded_s - 1

    def holds(self) -> bool:
        """Whether the replay of the program as it is hardly misses its recorded time."""
        return abs(self.deviation()) <= _HOLDS

    def saved_s(self) -> float:
        """What the thread saves. Where the replay of the program as it is takes longer than the program did,
        it exaggerates the waits that the thread ends; where it takes less, it lacks time that stays.
        """
        return min(self.inside_calls_s, self.recorded_s) - self.thread_s


def replayed_times(directory: Path, network: str, interval_s: float) -> ReplayedTimes:
    """Replays a trace under three progress models, on a network with an eager limit.

    Raises:
        UserError: it is not a trace.
        RunError, CheckError: a replay failed.
    """
    models = ("inside-calls", f"thread={interval_s!r}s", "offload")
    found = [replay_with_progress(directory, network, model) for model in models]
    recorded_s = float(found[0]["trace"]["span_s"])
    return ReplayedTimes(recorded_s, *(float(one["makespan_s"]) for one in found))


def replay_with_progress(directory: Path, network: str, model: str) -> dict[str, Any]:
    """Replays a trace as it was recorded, under a progress model. Raises as `run_replay`."""
    return run_replay(
        [str(directory), f"--loggp={network}", f"--progress-model={model}", f"--level={TRACED}"]
    )


@dataclass(frozen=True)
class Calls:
    """What a program does with MPI.

    Attributes:
        operations: Messages and collectives that were started, blocking or not.
        nonblocking: Of them, those with a request.
        mean_bytes: The largest mean size of a call site's nonblocking operations.
        blocked_s: Time in the calls that send, receive and wait, a rank on average.
        overhead_s: The mean time of a call that starts to send a short message; 0: there is none.
    """

    operations: int
    nonblocking: int
    mean_bytes: int
    blocked_s: float
    overhead_s: float = 0.0


def calls_of(traces: Sequence[TraceFile]) -> Calls:
    """Counts the calls of a trace."""
    sites = potential_of(traces, Cost(0.0, 0.0)).sites
    started = [site for site in sites if site.nonblocking]
    short = [one for one in started if one.side == "send" and one.size_bytes <= one.count * _SHORT_BYTES]
    return Calls(
        operations=sum(site.count for site in sites),
        nonblocking=sum(site.nonblocking for site in sites),
        mean_bytes=max((site.size_bytes // site.count for site in started), default=0),
        blocked_s=sum(site.blocked_s for site in sites) / len(traces),
        overhead_s=sum(one.starting_s for one in short) / max(sum(one.nonblocking for one in short), 1),
    )
