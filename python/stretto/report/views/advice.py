# SPDX-License-Identifier: BSD-3-Clause
"""Shows advice on a schedule as a few lines of prose or as the members of a JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from stretto.data.results import AxisValue
from stretto.data.sizes import said_share, shown_duration
from stretto.model.advice import TOLERANCE, Advice, Candidate
from stretto.model.collective.choice import Choice
from stretto.model.crossover import Crossover
from stretto.model.parameters import Source
from stretto.report.screen import Part
from stretto.report.views.collectives import advised_choices_view, choice_members
from stretto.report.views.crossover import crossover_lines, crossover_members
from stretto.report.views.predictions import figure

_MAX_RIVALS = 4  # that are named; the document has all


def advice_view(
    result: Sequence[Advice], crossovers: Sequence[Crossover], choices: Sequence[Choice]
) -> Iterator[Part]:
    """Advice on schedules, where one schedule overtakes another, and the choices of collectives."""
    blocks = [advice_lines(advice) for advice in result]
    blocks += [crossover_lines(crossing) for crossing in crossovers]
    for index, lines in enumerate(blocks):
        if index:
            yield ""
        yield from lines
    if result and choices:
        yield ""
    if choices:
        yield from advised_choices_view(choices)


def advice_document(
    source: Source,
    ranks: int,
    result: Sequence[Advice],
    crossovers: Sequence[Crossover],
    choices: Sequence[Choice],
    protocols: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The document of `stretto advise`; with `--explain`, the `protocols` of the runtime, too."""
    explained = {} if protocols is None else {"runtime": dict(protocols)}
    return {
        **explained,
        "profile": source.file,
        "ranks": ranks,
        "tolerance": TOLERANCE,
        "draws": source.draws,
        "advice": [advice_members(advice) for advice in result],
        "crossovers": [crossover_members(crossing) for crossing in crossovers],
        "collectives": [choice_members(choice) for choice in choices],
    }


def advice_members(advice: Advice) -> dict[str, Any]:
    """The members of a JSON document; times in seconds, each figure with its 95 % interval."""
    return {
        "subject": advice.subject,
        "problem": dict(advice.problem),
        "verdict": "decided" if advice.decided else "undecided",
        "choice": dict(advice.leading.choice) if advice.decided else None,
        "confidence": advice.confidence,
        "leading": _candidate(advice.leading),
        "rivals": [_candidate(rival) for rival in advice.rivals],
        "candidates": [_candidate(candidate) for candidate in advice.candidates],
    }


def _candidate(candidate: Candidate) -> dict[str, Any]:
    gain = candidate.gain
    return {
        **candidate.choice,
        "time_s": figure(candidate.time_s),
        "gain": None if gain is None else figure(gain.gain),
        "gain_bound": None if gain is None else figure(gain.bound),
        "gain_fraction": None if gain is None else figure(gain.fraction),
    }


def advice_lines(advice: Advice) -> list[str]:
    """A few lines of prose, at most 80 columns where the names allow it."""
    sizes = ", ".join(f"{name} {_value(name, value)}" for name, value in advice.problem.items())
    what = _words(advice.leading) if advice.decided else "undecided"
    lines = [f"{advice.subject}: {what}", f"  for {sizes}"]
    if not advice.decided:
        lines.append(f"  {_words(advice.leading)} leads, within {said_share(TOLERANCE)} of the best in")
        lines.append(f"  {said_share(advice.confidence)} of the draws; better in some by more than that:")
        lines += [f"    {_words(rival)}" for rival in advice.rivals[:_MAX_RIVALS]]
        if len(advice.rivals) > _MAX_RIVALS:
            lines.append(f"    and {len(advice.rivals) - _MAX_RIVALS} more")
    time = figure(advice.leading.time_s)
    assert time is not None
    ends = [shown_duration(time[name] or 0.0) for name in ("value", "ci95_low", "ci95_high")]
    lines.append(f"  {ends[0]} ({ends[1]} to {ends[2]})" + _gain_words(advice.leading))
    if advice.decided:
        lines.append(
            f"  within {said_share(TOLERANCE)} of the best in {said_share(advice.confidence)} of the draws"
        )
    return lines


def _gain_words(candidate: Candidate) -> str:
    if candidate.gain is None:
        return ""
    gain, bound = candidate.gain.gain[0], candidate.gain.bound[0]
    return f", {gain:.2f} times as fast as bulk-synchronous of {bound:.2f} possible"


def _words(candidate: Candidate) -> str:
    """`chunks=64 over mpi-rma, progress none`."""
    rest = dict(candidate.choice)
    schedule, transport, progress = (rest.pop(name, None) for name in ("schedule", "transport", "progress"))
    words = [str(schedule)] if schedule else []
    if schedule in ("exchange", "slabs", "pencils"):
        rest.pop("chunks", None)
    words += [f"{name}={value}" for name, value in rest.items()]
    if schedule == "chunks":
        words.pop(0)
    over = f" over {transport}" if transport else ""
    return " ".join(words) + over + (f", progress {progress}" if progress else "")


def _value(name: str, value: AxisValue) -> str:
    return shown_duration(float(value)) if name.endswith("_s") else f"{value}"
