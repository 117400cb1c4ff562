# SPDX-License-Identifier: BSD-3-Clause
"""`stretto advise`: what to choose on the machine of a profile, and how sure that is. One file a subject."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from stretto.commands.advice_request import AdviceRequest
from stretto.commands.advise_collectives import collective_choices, print_collective_choices
from stretto.commands.advise_ft import advise_about_ft
from stretto.commands.advise_spmv import advise_about_spmv
from stretto.commands.collective_view import choice_members
from stretto.commands.model_options import (
    JsonOption,
    ProfileOption,
    RanksOption,
    RateOption,
    flops_rate_of,
    ranks_of,
    source_of,
)
from stretto.commands.prediction_view import figure
from stretto.data.results import AxisValue
from stretto.data.sizes import format_duration
from stretto.errors import UserError
from stretto.model.advice import TOLERANCE, Advice, Candidate
from stretto.model.collective.choice import Choice

# What is asked of each subject; none where the profile says nothing about it.
SUBJECTS: tuple[Callable[[AdviceRequest], list[Advice]], ...] = (advise_about_ft, advise_about_spmv)


def advise(
    profile: ProfileOption,
    ranks: RanksOption = None,
    rows: Annotated[
        int | None, typer.Option(metavar="N", help="FT: rows of a rank.  [default: few and many]")
    ] = None,
    row_length: Annotated[int | None, typer.Option(metavar="R", help="FT: complex doubles in a row.")] = None,
    scale: Annotated[
        str,
        typer.Option(metavar="F|balance", help="FT: transforms of each row, or as long as communication."),
    ] = "balance",
    matrix_rows: Annotated[
        int | None, typer.Option(metavar="N", help="SPMV: order of the matrix.  [default: 1048576]")
    ] = None,
    nonzeros: Annotated[
        float | None, typer.Option(metavar="RATIO", help="SPMV: nonzeros over N squared.  [default: balance]")
    ] = None,
    flops_rate: RateOption = None,
    as_json: JsonOption = False,
) -> None:
    """What to choose: schedule, pieces, prefetch, transport, progress; or undecided, and between what."""
    source = source_of(profile)
    choices = collective_choices(source.profile, ranks)
    if choices and ranks is None and source.profile.machine.ranks is None:
        ranks = choices[0].members
    request = AdviceRequest(
        source,
        ranks_of(source, ranks),
        rows,
        row_length,
        scale,
        matrix_rows,
        nonzeros,
        flops_rate_of(flops_rate),
    )
    found = [advice for subject in SUBJECTS for advice in subject(request)]
    if not found and not choices:
        raise UserError(
            f"{profile}: has nothing to advise on; `stretto probe loggp,overlap` measures what it takes"
        )
    if as_json:
        print(json.dumps(_document(request, found, choices), indent=1, allow_nan=False))
        return
    for index, advice in enumerate(found):
        print(("\n" if index else "") + "\n".join(_lines(advice)))
    if found and choices:
        print()
    if choices:
        print_collective_choices(choices)


def _document(request: AdviceRequest, found: Sequence[Advice], choices: Sequence[Choice]) -> dict[str, Any]:
    return {
        "profile": request.source.file,
        "ranks": request.ranks,
        "tolerance": TOLERANCE,
        "draws": request.source.draws,
        "advice": [_members(advice) for advice in found],
        "collectives": [choice_members(choice) for choice in choices],
    }


def _members(advice: Advice) -> dict[str, Any]:
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


def _lines(advice: Advice) -> list[str]:
    """A few lines of prose, at most 80 columns where the names allow it."""
    sizes = ", ".join(f"{name} {_value(name, value)}" for name, value in advice.problem.items())
    what = _words(advice.leading) if advice.decided else "undecided"
    lines = [f"{advice.subject}: {what}", f"  for {sizes}"]
    if not advice.decided:
        lines.append(f"  {_words(advice.leading)} leads, within {TOLERANCE:.0%} of the best in")
        lines.append(f"  {advice.confidence:.0%} of the draws; better in some by more than that:")
        lines += [f"    {_words(rival)}" for rival in advice.rivals]
    time = figure(advice.leading.time_s)
    assert time is not None
    ends = [format_duration(time[name] or 0.0) for name in ("value", "ci95_low", "ci95_high")]
    lines.append(f"  {ends[0]} ({ends[1]} to {ends[2]})" + _gain_words(advice.leading))
    if advice.decided:
        lines.append(f"  within {TOLERANCE:.0%} of the best in {advice.confidence:.0%} of the draws")
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
    return format_duration(float(value)) if name.endswith("_s") else f"{value}"
