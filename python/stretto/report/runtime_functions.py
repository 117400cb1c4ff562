# SPDX-License-Identifier: BSD-3-Clause
"""Runtime functions: coefficients, ranges, errors, and time over p (figures 2, 5 of the two-phase paper)."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from stretto.data.collectives import RuntimeFunction, Summand, Term
from stretto.data.groups import grouped
from stretto.data.profile import Profile
from stretto.data.sizes import said_share
from stretto.model.collective.deviations import measured_calls
from stretto.model.collective.functions import Functions, GroupCall, call_times
from stretto.model.collective.measured import Call
from stretto.report.blocks import Block, Figure, Folded, Group, present, titled
from stretto.report.document import Document
from stretto.report.figure_cells import tables
from stretto.report.figure_table import FigureTable, Head
from stretto.report.figures import Spec, curve, layout, log_axis, marks
from stretto.report.units import compact_size, size_label

_MAX_SIZES = 4  # curves in a picture
_HEADS = (
    Head("Operation", words=True),
    Head("Group", words=True),
    Head("p"),
    Head("Bytes"),
    Head("Time (us, b in bytes)", words=True),
    Head("+-%"),
)
_OF_P = {
    "1": "",
    "log2-p": "log2(p)",
    "ceil-log2-p": "ceil(log2 p)",
    "floor-log2-(p-1)": "floor(log2(p-1))",
    "p-log2-p": "p log2(p)",
    "p-ceil-log2-p": "p ceil(log2 p)",
    "p-1": "(p-1)",
}


def formula(function: RuntimeFunction) -> str:
    """The function in µs of p and b: `12 + 0.0034 b ceil(log2 p)`."""
    if function.phases_overlap is not None:
        return f"{said_share(function.phases_overlap)} of the shorter phase hidden by segments"
    if function.sum_of is not None:
        return " + ".join(map(_summand, function.sum_of))
    return " + ".join(map(_term, function.terms or ())).replace("+ -", "- ") or "0"


def _summand(one: Summand) -> str:
    return f"{one.operation}({one.of_b.replace(' ', '')})"


def _term(term: Term) -> str:
    value = "?" if term.coefficient.value is None else f"{term.coefficient.value * 1e6:.3g}"
    factors = [value, "b" if term.of_b == "b" else "", _OF_P.get(term.of_p, term.of_p)]
    return " ".join(filter(None, factors))


def function_cells(function: RuntimeFunction) -> list[str]:
    """Operation, group, range of p and of b, the formula, and half of its interval in percent."""
    alone = function.members_min == function.members_max
    members = str(function.members_min) if alone else f"{function.members_min}-{function.members_max}"
    sizes = f"{compact_size(function.size_min_bytes)}-{compact_size(function.size_max_bytes)}"
    error = "-" if function.deviation is None else f"{100 * function.deviation:.1f}"
    group = ", ".join(filter(None, [function.phase or "all", function.locality]))
    return [function.operation, group, members, sizes, formula(function), error]


def function_tables(profile: Profile | None) -> Iterator[FigureTable]:
    """A table for each algorithm that has functions."""
    functions = profile.collectives if profile is not None else ()
    for algorithm, members in grouped(functions, lambda one: one.algorithm).items():
        title = f"Runtime functions of {algorithm} collectives"
        yield FigureTable("", title, _HEADS, [function_cells(one) for one in members])


def function_blocks(document: Document, algorithm: str) -> Sequence[Block]:
    """Measured and predicted flat calls over p, and the functions' coefficients."""
    profile = document.profile or Profile(())
    functions = dataclasses.replace(Functions.of(profile, algorithm), measured=())
    calls = [
        call
        for call in measured_calls(document.results.rows)
        if call.algorithm == algorithm and call.grid is None and call.quantity == "total"
    ]
    names = dict.fromkeys(call.operation for call in calls)
    plots = [_over_p(functions, name, [call for call in calls if call.operation == name]) for name in names]
    blocks: list[Block] = []
    if drawn := present(plots):
        blocks.append(Group("maps", drawn))
    own = dataclasses.replace(
        profile, collectives=tuple(one for one in profile.collectives if one.algorithm == algorithm)
    )
    if described := tables(function_tables(own)):
        blocks.append(Folded("Runtime functions: coefficients, ranges and errors", described))
    return blocks


def _over_p(functions: Functions, operation: str, calls: Sequence[Call]) -> Group | None:
    """Time over p: a mark for each measurement, and a line for the function, by size."""
    ranks = sorted({call.members for call in calls})
    if len(ranks) < 2:
        return None
    traces: list[Spec] = []
    times: list[float] = []
    for index, size in enumerate(_some(sorted({call.size_bytes for call in calls}))):
        name = size_label(size)
        points = [
            (
                float(call.members),
                call.time_s * 1e6,
                None,
                None,
                f"{name}, p {call.members}: {call.time_s * 1e6:.4g} µs",
            )
            for call in sorted(calls, key=lambda one: one.members)
            if call.size_bytes == size
        ]
        traces.append(marks(name, index, points))
        between = range(ranks[0], ranks[-1] + 1)
        asked = between if len(between) <= 64 else ranks
        answers = call_times(functions, [GroupCall(operation, p, size) for p in asked])
        known = [(float(p), one.time_s * 1e6) for p, one in zip(asked, answers, strict=True) if one.time_s]
        if known:
            line = curve(f"{name}, function", index, [p for p, _ in known], [time for _, time in known])
            traces.append(line | {"showlegend": False})
        times += [time for _, time, *_ in points] + [time for _, time in known]
    spec = {
        "data": traces,
        "layout": layout({"title": "ranks p", "dataname": "p"}, log_axis(times, "time, µs"), showlegend=True),
    }
    caption = "Marks are measured flat calls, lines the runtime function."
    return titled("map", operation, Figure(spec, f"time of {operation} over p", caption, height=290))


def _some(sizes: Sequence[int]) -> list[int]:
    """A few sizes from the smallest to the largest."""
    if len(sizes) <= _MAX_SIZES:
        return list(sizes)
    step = (len(sizes) - 1) / (_MAX_SIZES - 1)
    return [sizes[round(index * step)] for index in range(_MAX_SIZES)]
