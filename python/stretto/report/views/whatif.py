# SPDX-License-Identifier: BSD-3-Clause
"""Shows a what-if analysis: normalised times over networks, or one JSON document."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from stretto.data.sizes import format_size, said_duration, said_share, shown_bandwidth, shown_duration
from stretto.data.sweep import TRACED
from stretto.potential.core_shortage import remarks
from stretto.potential.whatif import (
    NO_DATA_TIMES,
    TOLERATED,
    WhatIf,
    WhatIfRow,
    bandwidth_needs,
    latency_tolerances,
)
from stretto.report.screen import Column, Part, comment, prose, table

_ALL_EAGER = (
    "This assumes that a send of any size ends before its message arrives; with `--eager 64KiB` sends of "
    "longer ones wait for their receivers, as in most MPIs."
)
_ACROSS = 6  # latencies in one table


def whatif_document(result: WhatIf) -> dict[str, Any]:
    """The document of `stretto whatif`."""
    return {
        **result.shortage.document(),
        **result.part.document(),
        "reference_s": result.reference_s,
        "bounds": dict(result.bounds),
        "trace": dict(result.trace),
        "network": asdict(result.base) | {"eager_bytes": result.eager_bytes},
        "missing_levels": _missing_levels(result),
        "rows": [asdict(row) for row in result.rows],
        "bandwidth_needed": [asdict(one) for one in bandwidth_needs(result)],
        "latency_tolerated": [asdict(one) for one in latency_tolerances(result)],
    }


def whatif_view(result: WhatIf) -> Iterator[Part]:
    """The answer, the trace and the settings, then one table a progress model and level."""
    for text in remarks(result.part, result.shortage):
        yield prose(text, 0)
    yield prose(_answer(result), 0)
    for text in _heads(result):
        yield from comment(text)
    for model, level in itertools.product(result.models, result.levels):
        of_model = [row for row in result.rows if row.progress_model == model]
        yield from _table(result, [row for row in of_model if row.level == level])
        yield from _needed(result, model, level)


def _answer(result: WhatIf) -> str:
    """The times on the fastest and on the slowest network, next to the recorded one."""
    model, level = result.models[0], result.levels[0]
    rows = [row for row in result.rows if (row.progress_model, row.level) == (model, level)]
    ordered = sorted(rows, key=lambda row: (-row.bandwidth_bytes_per_s, row.latency_s))
    which = "as traced" if level == TRACED else f"at level {level}"
    times = [
        f"{said_duration(row.time_s)} at {shown_bandwidth(row.bandwidth_bytes_per_s)} and "
        f"{shown_duration(row.latency_s)} latency"
        for row in dict.fromkeys((ordered[0], ordered[-1]))
    ]
    recorded = said_duration(result.trace["span_s"])
    answer = f"Predicted run time {which}: {', '.join(times)}. It took {recorded} when it was recorded."
    return answer if result.eager_bytes is not None else f"{answer} {_ALL_EAGER}"


def _heads(result: WhatIf) -> Iterator[str]:
    """The trace and the effective settings."""
    base, trace = result.base, result.trace
    span, compute = shown_duration(trace["span_s"]), shown_duration(trace["compute_s"])
    yield (
        f"{result.name}: {trace['messages']} messages, {trace['collectives']} calls of collectives; "
        f"{span} recorded, {compute} of it computation; the rest was spent in calls, and is replaced by the "
        "time that the network takes"
    )
    yield (
        f"{trace['produced']} messages have production times, {trace['consumed']} consumption times; "
        f"reference (zero latency, 5 GB/s) {shown_duration(result.reference_s)}; "
        + "; ".join(f"{name} {shown_duration(time_s)}" for name, time_s in result.bounds.items())
    )
    eager = "all sizes" if result.eager_bytes is None else f"up to {format_size(result.eager_bytes)}"
    yield (
        f"overheads {shown_duration(base.overhead_send_s)} + {shown_duration(base.overhead_receive_s)}, "
        f"gap {shown_duration(base.gap_s)}, eager {eager}"
        + (
            f"; {base.node_ranks} ranks a node, {shown_duration(base.node_latency_s)} between them"
            if base.node_ranks
            else ""
        )
    )
    if count := trace.get("one_sided", 0):
        how = "; ".join(f"{model}: {_who_moves(model)}" for model in result.models)
        yield f"{count} one-sided operations are messages of the prediction. {how}"
    if missing := _missing_levels(result):
        yield f"only level traced: {missing}"
    if trace["as_computation"]:
        named = ", ".join(f"{count} {name}" for name, count in trace["as_computation"].items())
        yield f"these calls are not modelled, their recorded time counts as computation: {named}"


def _who_moves(model: str) -> str:
    """What one-sided operations need at their target under a progress model."""
    if model == "offload":
        return "the network moves their data"
    return "a thread of the target answers" if model.startswith("thread") else "their target must call MPI"


def _missing_levels(result: WhatIf) -> str:
    """Why the trace has no levels but `traced`; empty where it has."""
    if result.trace["produced"] or result.trace["consumed"]:
        return ""
    return f"the trace {NO_DATA_TIMES}"


def _table(result: WhatIf, rows: Sequence[WhatIfRow]) -> Iterator[Part]:
    yield ""
    yield f"normalised time, level {rows[0].level}, progress {rows[0].progress_model}"
    times = {(row.bandwidth_bytes_per_s, row.latency_s): row.normalised_time for row in rows}
    for start in range(0, len(result.latencies_s), _ACROSS):
        shown = result.latencies_s[start : start + _ACROSS]
        yield table(
            [Column(""), *(Column(shown_duration(latency_s)) for latency_s in shown)],
            (
                [shown_bandwidth(bandwidth), *(f"{times[bandwidth, one]:.3f}" for one in shown)]
                for bandwidth in reversed(result.bandwidths)
            ),
        )
    tolerated = next(
        one.latency_s
        for one in latency_tolerances(result)
        if (one.level, one.progress_model) == (rows[0].level, rows[0].progress_model)
    )
    what = "below all of these" if tolerated is None else shown_duration(tolerated)
    if tolerated == max(result.latencies_s):
        what = f"{what} or more; --latency ends there"
    best = shown_bandwidth(max(result.bandwidths))
    yield f"latency that costs at most {said_share(TOLERATED)} at {best}: {what}"


def _needed(result: WhatIf, model: str, level: str) -> Iterator[Part]:
    needs = [one for one in bandwidth_needs(result) if (one.progress_model, one.level) == (model, level)]
    cells = [
        "none" if one.bandwidth_bytes_per_s is None else shown_bandwidth(one.bandwidth_bytes_per_s)
        for one in needs
    ]
    if cells:
        best = shown_bandwidth(max(result.bandwidths))
        yield prose(f"bandwidth that equals {TRACED} at {best}: {', '.join(cells)}", 0)
