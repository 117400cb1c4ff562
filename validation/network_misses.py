# SPDX-License-Identifier: BSD-3-Clause
"""Why a time on another network was not predicted: what the traces of both runs say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from stretto.data.sizes import said_duration
from stretto.data.trace_directory import open_trace
from stretto.potential.messages import potential_of
from stretto.potential.shown_network import shown_network
from stretto.potential.sites import Cost

TOLERANCE = 0.1
_EXPLAINS = 0.5
"""The part of a miss from which on one cause explains it."""


@dataclass(frozen=True)
class TracedRun:
    """What a trace says of its run.

    Attributes:
        span_s: From the first MPI_Init's end to the last MPI_Finalize.
        computed_s: Outside of the calls that send, receive and wait, a rank on average.
        waited: The largest part of its time that a rank waited for a core.
        call: The call whose messages blocked most, and their mean size in bytes.
        shown_s: The time of such a message as the trace shows it; None where too few receives waited.
        probed_s: The same as the probe has measured it on the network of the run.
    """

    span_s: float
    computed_s: float
    waited: float
    call: str
    call_bytes: int
    shown_s: float | None = None
    probed_s: float | None = None


@dataclass(frozen=True)
class Prediction:
    """Runs at a rate, one for each turn, what was predicted of each, and the runs that were replayed.

    Attributes:
        recorded: At the recorded rate; `predicted_s` are replays of these.
    """

    rate: str
    predicted_s: Sequence[float]
    measured: Sequence[TracedRun]
    recorded: Sequence[TracedRun]

    def ratios(self) -> list[float]:
        """Predicted over measured, of each turn."""
        return [one / run.span_s for one, run in zip(self.predicted_s, self.measured, strict=True)]

    def error(self) -> float:
        """The median of the turns."""
        return median(self.ratios()) - 1


def traced_run(directory: Path, span_s: float, network: Cost) -> TracedRun:
    """What a trace says. UserError where it is damaged.

    Args:
        directory: The trace.
        span_s: Its span as its replay has read it.
        network: The network of the run as the probe has measured it.
    """
    traces = open_trace(directory)
    sites = potential_of(traces, Cost(0.0, 0.0)).sites
    blocked_s = sum(site.blocked_s for site in sites) / len(traces)
    waits = [one.heads.core_wait for one in traces]
    most = max(sites, key=lambda site: site.blocked_s, default=None)
    waited = max((one.waited_s / one.of_s for one in waits if one.of_s), default=0.0)
    if most is None:
        return TracedRun(span_s, span_s - blocked_s, waited, "no call", 0)
    size = most.size_bytes // max(most.count, 1)
    shown = shown_network(traces) if most.side in ("send", "receive") else None
    shown_s = shown.of(size) if shown is not None else None
    return TracedRun(span_s, span_s - blocked_s, waited, most.call, size, shown_s, network.of(size))


def _probed_of_shown(run: TracedRun) -> float | None:
    """A message's time in the probe, of its time in the program, where others may share its link."""
    return run.probed_s / run.shown_s if run.probed_s and run.shown_s else None


def reason(found: Prediction, here: Prediction) -> str:
    """Why a prediction misses by more than a tenth; empty where it does not.

    Args:
        found: The prediction.
        here: The replay at the recorded rate.
    """
    if abs(found.error()) <= TOLERANCE:
        return ""
    measured_s = median(run.span_s for run in found.measured)
    miss_s = found.error() * measured_s
    waited = max(run.waited for run in (*found.measured, *found.recorded))
    computed_s = median(run.computed_s for run in found.recorded)
    there_s = median(run.computed_s for run in found.measured)
    times = [run.span_s for run in found.measured]
    if waited >= _EXPLAINS * abs(found.error()):
        return f"a rank waited {100 * waited:.0f} % of its time for a core"
    if (computed_s - there_s) / miss_s >= _EXPLAINS:
        times_s = f"{said_duration(there_s)} there, {said_duration(computed_s)} where it was recorded"
        return f"its computation took {times_s}"
    if max(times) - min(times) >= abs(miss_s):
        return f"runs there take {min(times):.2f} to {max(times):.2f} s"
    most = found.measured[0]
    where = f"{most.call} of {most.call_bytes} bytes on average"
    usual = _probed_of_shown(here.measured[0]) if abs(here.error()) <= TOLERANCE else None
    if (
        most.shown_s
        and most.probed_s
        and ((most.probed_s / most.shown_s / (usual or 1.0) - 1) / found.error() >= _EXPLAINS)
    ):
        return (
            f"a message of {most.call_bytes} bytes takes {said_duration(most.shown_s)} in the program, "
            f"{said_duration(most.probed_s)} in the probe"
        )
    if found is not here and here.error() / found.error() >= _EXPLAINS:
        return f"the replay at the recorded rate misses alike ({100 * here.error():+.0f} %): {where}"
    return f"the model of {where}"
