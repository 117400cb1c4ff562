# SPDX-License-Identifier: BSD-3-Clause
"""Where the time in calls of a synthetic trace goes, as the commands ask for it."""

from collections.abc import Sequence
from dataclasses import asdict

from stretto.data.trace import TraceFile
from stretto.potential.blocked import TimeUse, crowded_ranks, time_use_in
from stretto.potential.core_shortage import shortage_of
from stretto.potential.messages import analysed
from stretto.potential.sites import Cost


def time_use(traces: Sequence[TraceFile], cost: Cost) -> TimeUse:
    """`cost` says how long a message is on its way."""
    shortage = shortage_of(traces)
    answer = analysed(traces, "time", **asdict(cost), crowded=crowded_ranks(traces, shortage))
    return time_use_in(answer, traces, shortage)
