# SPDX-License-Identifier: BSD-3-Clause
"""How much longer a program takes on another network, by a replay: its ranks wait for each other there."""

from __future__ import annotations

from collections.abc import Sequence

from stretto.data.sweep import TRACED
from stretto.data.trace import TraceFile
from stretto.data.trace_directory import record_count
from stretto.errors import CheckError, RunError, UserError
from stretto.native.replay import run_replay
from stretto.potential.sites import Network

MAX_RECORDS = 10_000_000
"""Records beyond which a replay would take longer than the rest of an analysis."""


def longer_s(traces: Sequence[TraceFile], network: Network) -> float | None:
    """Seconds, over all ranks; None where the trace is too long for a replay, or cannot be replayed.

    Args:
        traces: Of all ranks, in one directory.
        network: A network on which the trace was not recorded.
    """
    if not network.replayed or record_count(traces) > MAX_RECORDS:
        return None
    directory = str(traces[0].path.parent)
    try:
        found = run_replay([directory, f"--loggp={network.replayed}", f"--level={TRACED}"])
    except (UserError, RunError, CheckError):
        return None
    return float(found["all_ranks_s"]) - float(found["trace"]["all_ranks_s"])
