# SPDX-License-Identifier: BSD-3-Clause
"""One page of several things: runs side by side, runs of kernels, traces of applications."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from stretto.data.groups import grouped
from stretto.data.kernel_run import KernelResult
from stretto.report.blocks import Block, Figure, Headlines, SideBySide, figures_in, mapped
from stretto.report.document import Document
from stretto.report.html import Part, page, run_parts
from stretto.report.kernel_parts import kernel_blocks, kernel_sentence
from stretto.report.origin import names
from stretto.report.trace_document import TraceDocument
from stretto.report.trace_levels import needed_figure
from stretto.report.trace_page import program_name, trace_parts, trace_sentence


@dataclass(frozen=True)
class Subjects:
    """What a page shows: runs by the name of their directory, runs of kernels, traces."""

    runs: Sequence[tuple[str, Document]] = ()
    kernels: Sequence[KernelResult] = ()
    traces: Sequence[TraceDocument] = ()


def render_together(subjects: Subjects) -> str:
    """The whole page; the answers of all subjects come first."""
    answers: list[Block] = []
    parts: list[Part] = []
    of_runs = _side_by_side([(name, run_parts(document)) for name, document in subjects.runs])
    for part in of_runs:
        if part.anchor == "answer":
            answers += part.blocks
        else:
            parts.append(part)
    said = [trace_sentence(trace) for trace in subjects.traces]
    if subjects.kernels:
        said.append(kernel_sentence(subjects.kernels))
        parts.append(Part("kernels", "Runs of kernels", kernel_blocks(subjects.kernels), bool(of_runs)))
    if said:
        answers.append(Headlines(said))
    for index, trace in enumerate(subjects.traces):
        several = len(subjects.traces) > 1
        found = trace_parts(trace, f"trace-{index + 1}-" if several else "", bool(of_runs))
        name = f"{program_name(trace)}: " if several else ""
        parts += [replace(part, title=f"{name}{part.title}") for part in found]
    parts += _needed(subjects.traces, bool(of_runs))
    titles = _titles(subjects)
    return page(
        title=f"stretto: {', '.join(titles)}",
        heading=_heading(subjects),
        dateline="; ".join(_datelines(subjects)),
        parts=[Part("answer", "The answer", answers), *parts],
        script="timeline.js" if subjects.traces else "",
    )


def same_axes(figures: Sequence[Figure]) -> list[Figure]:
    """The figures with the ranges and ticks of all of them, so that equal heights mean equal values."""
    ranges = {
        axis: _shared(figure.spec["layout"].get(axis, {}) for figure in figures)
        for axis in ("xaxis", "yaxis")
    }
    changed = []
    for figure in figures:
        layout = {**figure.spec["layout"]}
        for axis, shared in ranges.items():
            layout[axis] = {**layout.get(axis, {}), **shared}
        changed.append(replace(figure, spec={**figure.spec, "layout": layout}))
    return changed


def _shared(axes: Iterable[dict[str, Any]]) -> dict[str, Any]:
    known = [axis for axis in axes if "range" in axis]
    if not known:
        return {}
    shared: dict[str, Any] = {
        "range": [min(axis["range"][0] for axis in known), max(axis["range"][1] for axis in known)]
    }
    ticks = {
        at: text for axis in known for at, text in zip(axis.get("tickvals", ()), axis.get("ticktext", ()))
    }
    return shared | (
        {"tickvals": sorted(ticks), "ticktext": [ticks[at] for at in sorted(ticks)]} if ticks else {}
    )


def _side_by_side(runs: Sequence[tuple[str, list[Part]]]) -> list[Part]:
    """The parts of one run; of several, each part with a column a run."""
    if len(runs) == 1:
        return runs[0][1]
    anchors = dict.fromkeys(part.anchor for _, parts in runs for part in parts)
    found = []
    for anchor in anchors:
        mine = [(name, part) for name, parts in runs for part in parts if part.anchor == anchor]
        columns = _aligned([(name, part.blocks) for name, part in mine])
        first = mine[0][1]
        found.append(Part(anchor, first.title, [SideBySide(columns)], all(part.folded for _, part in mine)))
    return found


def _aligned(columns: Sequence[tuple[str, Sequence[Block]]]) -> list[tuple[str, Sequence[Block]]]:
    """Figures of the same label get the same axes in all columns."""
    all_figures = (figure for _, blocks in columns for figure in figures_in(blocks))
    labels = grouped(all_figures, lambda figure: figure.label)
    shared = {label: same_axes(figures) for label, figures in labels.items() if len(figures) > 1}
    taken = dict.fromkeys(shared, 0)

    def change(figure: Figure) -> Figure:
        if figure.label not in shared:
            return figure
        taken[figure.label] += 1
        return shared[figure.label][taken[figure.label] - 1]

    return [(name, mapped(blocks, change)) for name, blocks in columns]


def _needed(traces: Sequence[TraceDocument], folded: bool) -> list[Part]:
    """The bandwidth that several applications need, side by side."""
    with_levels = [
        (f"{index}. {program_name(trace)}", trace.what_if)
        for index, trace in enumerate(traces, 1)
        if trace.what_if is not None and len(trace.what_if.levels) > 1
    ]
    if len(with_levels) < 2:
        return []
    return [
        Part("bandwidth-needed", "Bandwidth that the applications need", [needed_figure(with_levels)], folded)
    ]


def _titles(subjects: Subjects) -> list[str]:
    found = [name for name, _ in subjects.runs] + [program_name(trace) for trace in subjects.traces]
    return found or ["kernels"]


def _heading(subjects: Subjects) -> str:
    if len(subjects.runs) > 1:
        return "How much communication hides under computation: " + " and ".join(
            name for name, _ in subjects.runs
        )
    if subjects.runs:
        return f"How much communication hides under computation on {names(subjects.runs[0][1])[0]}?"
    if subjects.traces:
        programs = ", ".join(dict.fromkeys(program_name(trace) for trace in subjects.traces))
        return f"What communication costs {programs}, and how much of it could hide"
    return "What kernels spend their time on"


def _datelines(subjects: Subjects) -> list[str]:
    several = len(subjects.runs) > 1
    found = [f"{name}: {names(run)[1]}" if several else names(run)[1] for name, run in subjects.runs]
    for trace in subjects.traces:
        header = trace.header
        when, mpi = header.created_utc.replace("T", " ").replace("Z", " UTC"), header.library or "unknown MPI"
        found.append(f"trace of {program_name(trace)}: {when}, {mpi}, {header.ranks} ranks")
    return found or [f"{len(subjects.kernels)} runs."]
