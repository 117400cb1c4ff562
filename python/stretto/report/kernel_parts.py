# SPDX-License-Identifier: BSD-3-Clause
"""Runs of kernels on a page: what each spent its time on, and which way was fastest."""

from __future__ import annotations

from collections.abc import Sequence

from stretto.data.groups import grouped
from stretto.data.kernel_run import KernelResult
from stretto.report.blocks import Block, Column, Figure, Paragraph, Span, Table, Words
from stretto.report.figures import Spec, bars_at, label, layout
from stretto.report.kernel_gains import gain_blocks
from stretto.report.prose import Strong
from stretto.report.units import microseconds, ratio, significant

_CAPTION = (
    "Time of each run, divided by what the slowest rank did: starting transfers (init), computing (work), "
    "waiting for data (sync), returning buffers (barrier)."
)


def kernel_sentence(runs: Sequence[KernelResult]) -> list[str]:
    """The fastest way of the problem that was run in most ways, in parts."""
    problems = grouped(runs, lambda run: run.problem)
    most = max(problems.values(), key=len)
    wrong = [run for run in runs if not run.verified]
    if wrong:
        return [Strong(f"{wrong[0].problem}, {wrong[0].way}: wrong result.")]
    fastest = min(most, key=lambda run: run.time_s)
    said = [f"Of {len(most)} ways to run {fastest.problem}, ", Strong(fastest.way), " is fastest: "]
    said.append(f"{significant(fastest.time_s)} s")
    others = [run for run in most if run is not fastest]
    if not others:
        return [f"{fastest.problem}, {fastest.way}, takes ", Strong(f"{significant(fastest.time_s)} s"), "."]
    slowest = max(others, key=lambda run: run.time_s)
    if fastest.time_s > 0:
        said.append(f"; {slowest.way} takes {ratio(slowest.time_s / fastest.time_s)} times as long")
    return [*said, "."]


def kernel_blocks(runs: Sequence[KernelResult]) -> list[Block]:
    """One plot a problem, the gains over ranks, and a table of all runs."""
    blocks: list[Block] = [
        _plot(name, members) for name, members in grouped(runs, lambda run: run.problem).items()
    ]
    columns = [
        Column("Kernel", words=True),
        Column("Way", words=True),
        Column("Time", "s"),
        Column("Rate", "Mop/s"),
        Column("Messages"),
        Column("Result", words=True),
        Column("File", words=True),
    ]
    rows: list[list[Words]] = [
        [
            run.problem,
            run.way,
            significant(run.time_s),
            significant(run.mops),
            str(run.messages),
            "verified" if run.verified else Strong("wrong"),
            Span(run.source, "interval"),
        ]
        for run in runs
    ]
    blocks += gain_blocks(runs)
    blocks.append(Table(columns, rows, "Runs of kernels"))
    blocks.append(Paragraph("One run each, without intervals: repeat a run before you rest on it.", "aside"))
    return blocks


def _plot(name: str, runs: Sequence[KernelResult]) -> Figure:
    names = [
        f"{label(run.way)}<br>{label(run.source)}" if _twice(run, runs) else label(run.way) for run in runs
    ]
    timers = dict.fromkeys(timer for run in runs for timer in run.timers_s)
    data: list[Spec] = [
        bars_at(timer, index, names, [_height(run, timer) for run in runs])
        for index, timer in enumerate(timers)
    ]
    axes = layout(
        {"type": "category", "dataname": "way"},
        {"title": "time, s", "rangemode": "tozero"},
        barmode="stack",
        showlegend=True,
    )
    conditions = f"{name}; one run each."
    return Figure({"data": data, "layout": axes}, f"{name}: time by timer", _CAPTION, conditions=conditions)


def _height(run: KernelResult, timer: str) -> tuple[float, str]:
    time_s = run.timers_s.get(timer, 0.0)
    return time_s, f"{run.way}, {timer}: {microseconds(time_s)} µs"


def _twice(run: KernelResult, runs: Sequence[KernelResult]) -> bool:
    return sum(other.way == run.way for other in runs) > 1
