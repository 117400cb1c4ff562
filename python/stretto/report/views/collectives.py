# SPDX-License-Identifier: BSD-3-Clause
"""Shows predictions and choices of collectives as tables of 80 columns and as JSON members."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from stretto.data.groups import grouped
from stretto.data.sizes import format_size, said_change, said_share, shown_duration
from stretto.model.collective.choice import Choice
from stretto.model.collective.functions import Prediction
from stretto.model.collective.two_phase import Gain, TwoPhase
from stretto.report.screen import Column, Part, prose, table


@dataclass(frozen=True)
class PredictedCall:
    """The choice for a call, and the grids to show."""

    choice: Choice
    grids: Sequence[TwoPhase]


def prediction_members(prediction: Prediction) -> dict[str, Any]:
    """Seconds with the 95 % interval, and whether they were measured; nulls and the reason without them."""
    members = {"value": prediction.time_s, "ci95_low": prediction.low_s, "ci95_high": prediction.high_s}
    if not prediction.known:
        return {**members, "reason": prediction.reason}
    return {**members, "measured": True} if prediction.measured else members


def gain_members(gain: Gain | None) -> dict[str, Any] | None:
    """A fraction of the flat call's time, with its 95 % interval."""
    if gain is None:
        return None
    return {"value": gain.value, "ci95_low": gain.ci95_low, "ci95_high": gain.ci95_high}


def choice_members(choice: Choice) -> dict[str, Any]:
    """One row of the table of `stretto advise`."""
    return {
        "operation": choice.operation,
        "members": choice.members,
        "size_bytes": choice.size_bytes,
        "use": choice.use,
        "flat_s": prediction_members(choice.flat),
        "best": two_phase_members(choice.best) if choice.best else None,
        "gain": gain_members(choice.gain),
        "reason": choice.reason,
    }


def two_phase_members(two: TwoPhase) -> dict[str, Any]:
    """A grid with its time in all and of its phases."""
    return {
        "grid": str(two.grid),
        "segments": two.segments,
        "time_s": prediction_members(two.total),
        "leader_s": prediction_members(two.leader),
        "concurrent_s": prediction_members(two.concurrent),
    }


def choices_view(choices: Sequence[Choice]) -> Iterator[Part]:
    """One table an operation and number of ranks; below it why rows have no figures."""
    groups = grouped(choices, lambda choice: (choice.operation, choice.members))
    for (operation, members), selected in groups.items():
        yield f"{operation} among {members}"
        heads = columns(2, "size", "use", "best", "flat", "two-phase", "gain", "95 %")
        yield table(heads, map(_cells, selected))
        measured = [choice for choice in selected if choice.flat.measured and _best_is_measured(choice)]
        if measured:
            sizes = ", ".join(format_size(choice.size_bytes) for choice in measured)
            yield prose(f"Measured, not predicted by functions: {sizes}.")
        for reason in dict.fromkeys(choice.reason for choice in selected if choice.reason):
            yield prose(reason)


def _best_is_measured(choice: Choice) -> bool:
    return choice.best is not None and choice.best.total.measured


def columns(words: int, *heads: str) -> list[Column]:
    """The first of these heads are of words, so many of them; the others of figures."""
    return [Column(head, words=index < words) for index, head in enumerate(heads)]


def _cells(choice: Choice) -> list[str]:
    best = choice.best
    return [
        format_size(choice.size_bytes),
        choice.use,
        best_cell(choice),
        duration(choice.flat),
        duration(best.total) if best else "-",
        said_change(choice.gain.value, 1) if choice.gain else "-",
        gain_interval(choice.gain),
    ]


def best_cell(choice: Choice) -> str:
    """The fastest grid, with the segments that its message is cut into."""
    if choice.best is None:
        return "-"
    cut = f", {choice.best.segments}" if choice.best.segments > 1 else ""
    return f"{choice.best.grid}{cut}"


def duration(prediction: Prediction) -> str:
    return "-" if prediction.time_s is None else shown_duration(prediction.time_s)


def time_cell(prediction: Prediction) -> str:
    """`12.5 us ±3 %`, or `-` where there is no prediction."""
    if prediction.time_s is None:
        return "-"
    return f"{shown_duration(prediction.time_s)} ±{said_share(prediction.deviation)}"


def gain_interval(gain: Gain | None) -> str:
    return f"{said_change(gain.ci95_low)} to {said_change(gain.ci95_high)}" if gain else "-"


def advised_choices_view(choices: Sequence[Choice]) -> Iterator[Part]:
    """One table: operation and size, what to use, what it gains over flat."""
    yield f"collectives among {choices[0].members}: gain of the best grid over flat, 95 %"
    rows = [
        [
            "" if before is not None and before.operation == choice.operation else choice.operation,
            choice.use,
            format_size(choice.size_bytes),
            duration(choice.flat),
            best_cell(choice),
            said_change(choice.gain.value, 1) if choice.gain else "-",
            gain_interval(choice.gain),
        ]
        for before, choice in zip([None, *choices], choices)
    ]
    yield table(columns(2, "operation", "use", "size", "flat", "best", "gain", "95 %"), rows)
    for reason in dict.fromkeys(choice.reason for choice in choices if choice.reason):
        yield prose(reason)


def grids_view(calls: Sequence[PredictedCall]) -> Iterator[Part]:
    """One table a call: flat, then the grids."""
    for call in calls:
        choice, flat = call.choice, call.choice.flat
        yield f"{choice.operation} of {format_size(choice.size_bytes)} among {choice.members}"
        rows = [["flat", time_cell(flat), "", "", "", ""]]
        rows += [
            [
                str(two.grid),
                time_cell(two.total),
                time_cell(two.leader),
                time_cell(two.concurrent),
                said_change(two.gain.value, 1) if two.gain else "-",
                gain_interval(two.gain),
            ]
            for two in call.grids
        ]
        yield table(columns(1, "grid", "time", "leader", "concurrent", "gain", "95 %"), rows)
        missing = [flat.reason, *(two.total.reason for two in call.grids)]
        for reason in dict.fromkeys(reason for reason in missing if reason):
            yield prose(reason)


def calls_document(profile: str, algorithm: str, calls: Sequence[PredictedCall]) -> dict[str, Any]:
    """The document of `stretto predict collective`."""
    return {
        "subject": "collective",
        "profile": profile,
        "algorithm": algorithm,
        "rows": [
            {
                **choice_members(call.choice),
                "grids": [{**two_phase_members(two), "gain": gain_members(two.gain)} for two in call.grids],
            }
            for call in calls
        ],
    }
