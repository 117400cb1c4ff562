# SPDX-License-Identifier: BSD-3-Clause
"""The one screen of `stretto probe`: at most 24 lines of 80 columns.

The answer as a sentence, a table by size, what would help and what it costs, what that means for a program,
latency and bandwidth, what was measured on what, and the next command.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stretto.data.run_directory import REPORT
from stretto.model.load import missing_cores
from stretto.report.answer import (
    Answer,
    confidence,
    in_order,
    is_too_busy,
)
from stretto.report.answer_words import (
    help_text,
    meaning_text,
    place_name,
    short_name,
    verdict_text,
    within,
)
from stretto.report.busy import busy_sentence
from stretto.report.origin import BELOW_A_SEGMENT, origin
from stretto.report.prose import capital
from stretto.report.screen import Column, Part, cut, labelled, plain_text, prose, table
from stretto.report.select import OverlapPoint, is_below_a_segment, size_of
from stretto.report.units import grouped, megabytes_per_second, microseconds, percent, ratio, size_label

LINES = 24
_LABEL = 13  # cells of the names in front of lines
_MAX_SIZES, _FEWEST_SIZES = 6, 3  # rows of the table; fewer where the rest needs the lines
_LONGEST_NOTE = 160  # cells
_MEANING, _TRANSFER = "30 % halo", "Transfer"
_SPARED = (_MEANING, _TRANSFER)
_QUESTION = "Can MPI communicate while I compute, here?"
_CAPTION = "Share of a halo exchange that equally long computation hides, % (95 % interval):"


@dataclass(frozen=True)
class Next:
    """Where the run's files are, and the command to try on a program."""

    directory: str
    command: str = ""


def answer_view(answers: Sequence[Answer], following: Next, notes: Sequence[str] = ()) -> Iterator[Part]:
    """The screen. `answers`: of the node, of the network, or of both; `notes`: what was not measured, why."""
    # What is left out where the rest needs the lines: sizes in between, then whole lines.
    shorter: list[tuple[int, tuple[str, ...]]]
    shorter = [(sizes, ()) for sizes in range(_MAX_SIZES, _FEWEST_SIZES - 1, -1)]
    shorter += [(_FEWEST_SIZES, _SPARED[: count + 1]) for count in range(len(_SPARED))]
    for sizes, spared in shorter:
        parts = list(_parts(list(in_order(answers)), following, notes, sizes, spared))
        if len(plain_text(parts).splitlines()) <= LINES:
            break
    yield from parts


def _parts(
    ordered: Sequence[Answer],
    following: Next,
    notes: Sequence[str],
    sizes: int,
    spared: Sequence[str],
) -> Iterator[Part]:
    yield prose(_answer(ordered), indent=0, style="bold")
    yield prose(_CAPTION, indent=0, style="dim")
    yield _table(ordered, sizes)
    lines = [
        ("What helps", help_text(ordered)),
        (_MEANING, meaning_text(ordered)),
        (_TRANSFER, _transfer(ordered)),
        ("Measured", _measured(ordered, notes)),
        ("Page", f"{following.directory}/{REPORT}"),
    ]
    lines += [("" if index else "Next", command) for index, command in enumerate(_following(following))]
    yield labelled([line for line in lines if line[0] not in spared], _LABEL)


def _answer(answers: Sequence[Answer]) -> str:
    said = " ".join(f"{capital(within(answer))} {verdict_text(answer.stretches)}." for answer in answers)
    busy = max((answer for answer in answers if answer.is_busy), key=_missing, default=None)
    if busy is None:
        return f"{_QUESTION} {said}"
    return f"{busy_sentence(busy.load, busy.disturbed, within(busy))} {_QUESTION} {said}"


def _missing(answer: Answer) -> tuple[float, float]:
    return missing_cores(answer.load) if answer.load is not None else 0.0, answer.disturbed


def _table(answers: Sequence[Answer], max_sizes: int) -> Part:
    columns = [Column("Size")]
    for answer in answers:
        name = place_name(answer)
        columns.append(Column(f"{name}" if len(answers) > 1 else "plain MPI"))
        if answer.others:
            columns.append(Column(short_name(answer.series)))
        if len(answers) == 1:
            columns += [Column("T_c(us)"), Column("kappa")]
    sizes = _sizes(answers)
    if len(sizes) > max_sizes:  # spread evenly, the smallest and the largest among them
        sizes = [sizes[round(i * (len(sizes) - 1) / (max_sizes - 1))] for i in range(max_sizes)]
    return table(columns, [_cells(size, answers) for size in sizes])


def _sizes(answers: Sequence[Answer]) -> list[int]:
    """Those that all places have; where that is none, those of any place."""
    each = [{p.size_bytes for p in answer.plain} for answer in answers]
    return sorted(set.intersection(*each) or set.union(*each))


def _cells(size: int, answers: Sequence[Answer]) -> list[str]:
    cells = [size_label(size)]
    for answer in answers:
        plain = next((p for p in answer.plain if p.size_bytes == size), None)
        cells.append(_cell(plain, with_word=True))
        other = answer.other_at(size)
        if answer.others:
            cells.append(_cell(other, with_word=len(answers) == 1))
        if len(answers) == 1:
            time_s = plain.value("T_c") if plain is not None else None
            kappa = plain.value("kappa") if plain is not None else None
            cells.append("-" if time_s is None else microseconds(time_s))
            cells.append("-" if kappa is None else ratio(kappa))
    return cells


def _cell(point: OverlapPoint | None, with_word: bool) -> str:
    row = point.row("eta") if point is not None else None
    if row is None:
        return "-"
    if row.value is None:
        return "too busy" if is_too_busy(row) else "unresolved"
    interval = "" if row.ci95_low is None or row.ci95_high is None else _interval(row.ci95_low, row.ci95_high)
    word = f" {confidence(row)}" if with_word else ""
    return f"{percent(row.value)}{interval}{word}"


def _interval(low: float, high: float) -> str:
    return f" ({percent(low)}..{percent(high)})"


def _transfer(answers: Sequence[Answer]) -> str:
    said = []
    for answer in answers:
        parts = []
        if answer.latency is not None and answer.latency.value is not None:
            size = size_label(size_of(answer.latency) or 0)
            parts.append(f"{microseconds(answer.latency.value)} us ({size})")
        if answer.bandwidth is not None and answer.bandwidth.value is not None:
            rate = grouped(megabytes_per_second(answer.bandwidth.value))
            parts.append(f"{rate} MB/s ({size_label(size_of(answer.bandwidth) or 0)})")
        if parts:
            said.append(f"{', '.join(parts)} {within(answer)}")
    return f"{'; '.join(said)}." if said else "Latency and bandwidth were not measured."


def _measured(answers: Sequence[Answer], notes: Sequence[str]) -> str:
    run = origin(answers[0].header)
    library = re.split(r" \(|,|\. ", run.mpi)[0].replace(" Version:", "")
    said = [f"{_time(run.created_utc)}: {run.ranks} ranks, {library}, {run.name}{_load(answers)}."]
    for answer in answers:
        name = place_name(answer)
        if name == "one node" and len(answers) == 1:
            said.append("One node: its shared memory is not a network.")
        if name == "emulated network":
            said.append(f"Emulated: {_rate(answer)} TCP between namespaces{_bound(answer)}.")
            if is_below_a_segment(row for p in answer.plain if (row := p.row("eta")) is not None):
                said.append(f"{BELOW_A_SEGMENT}.")
    reasons = dict.fromkeys(reason for answer in answers if (reason := answer.why_rough))
    said += [f"About, rough: {reason}." for reason in reasons]
    return " ".join([*said, *(cut(note, _LONGEST_NOTE) for note in notes)])


def _rate(answer: Answer) -> str:
    return origin(answer.header).network.removeprefix("htb ")


def _time(created_utc: str) -> str:
    """`2026-11-21T05:30:00Z` to the minute."""
    return f"{created_utc[:10]} {created_utc[11:16]} UTC" if created_utc[10:11] == "T" else created_utc


def _load(answers: Sequence[Answer]) -> str:
    known = [answer.during for answer in answers if answer.during is not None]
    if not known:
        return ""
    if any(answer.is_busy for answer in answers):
        return ""  # the first sentence says it
    most = max(known, key=lambda one: one.others_cores)
    return f", quiet: others used {most.others_cores:.1f} of {most.cores} cores"


def _bound(answer: Answer) -> str:
    if answer.bound is None or answer.bound.value is None:
        return ""
    return f", where raw TCP hides {percent(answer.bound.value)} %"


def _following(following: Next) -> list[str]:
    return [*([following.command] if following.command else []), f"stretto show {following.directory} all"]
