# SPDX-License-Identifier: BSD-3-Clause
"""How a gain is shown: the answer in a sentence, the line for the job script, or one JSON document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from stretto.data.pairs import MAX_PAIRS
from stretto.data.sizes import shown_duration
from stretto.model.statistics import Estimate
from stretto.potential.gain import Gain
from stretto.report.screen import Part, prose

_RECORDING = ("stretto trace -o TRACE -- COMMAND", "stretto potential TRACE")


def gain_document(gain: Gain) -> dict[str, Any]:
    """The document of `stretto gain`."""
    saved = gain.runs.saved()
    return {
        "plain_s": gain.runs.plain(),
        "gained_s": gain.runs.changed(),
        "saved": saved.value,
        "ci95_low": saved.ci95_low,
        "ci95_high": saved.ci95_high,
        "predicted": gain.predicted(),
        "library": ",".join(gain.libraries),
        "verdict": gain.verdict(),
        "runs_to_decide": _more(gain),
        "reason": gain.reason() or None,
        "no_prediction": gain.prediction.missing or None,
        "predicted_wrong_by": gain.prediction.wrong_by if gain.predicted() is not None else None,
        "why_wrong": gain.prediction.why_wrong or None,
        "network": gain.prediction.network.removeprefix("network: ") or None,
        "note": gain.note() or None,
        "line": gain.line,
        "runs": {"plain_s": list(gain.runs.plain_s), "gained_s": list(gain.runs.changed_s)},
    }


def gain_view(gain: Gain, recording: Sequence[str] = _RECORDING) -> Iterator[Part]:
    """The answer, the figures behind it, and what to do next; `recording`: the commands that show what limits
    the program.
    """
    otherwise = ["What else could help:", *(f"  {line}" for line in recording)]
    saved, reason = gain.runs.saved(), gain.reason()
    library = " and ".join(gain.libraries)
    verdict = gain.verdict()
    match verdict:
        case "saves":
            answer, figures = f"{library} {_effect(saved)}, {_predicted(gain)}", ""
            next_lines = ["For the job script:", f"  {gain.line}"]
        case "costs":
            why = f", and nothing to gain: {reason}" if reason else ""
            answer, figures = f"{library} {_effect(saved)}{why}", f", {_predicted(gain, ' to save')}"
            next_lines = ["What costs time: docs/progress.md, When it cannot help", *otherwise]
        case "nothing":
            answer = f"nothing to gain from {library}, because {reason}"
            figures = f": in a pair it {_effect(saved)}, {_predicted(gain)}"
            next_lines = otherwise
        case _:
            answer = f"{verdict}: {library} {_effect(saved)}; {_what_decides(gain)}"
            figures, next_lines = f", {_predicted(gain)}", otherwise
    yield prose(f"{gain.program}: {answer}", 0)
    plain, changed = shown_duration(gain.runs.plain()), shown_duration(gain.runs.changed())
    yield prose(
        f"{plain} as it is, {changed} with it, the medians of {gain.runs.pairs} pairs of runs{figures}"
    )
    if gain.prediction.missing:
        yield prose(f"no prediction: {gain.prediction.missing}")
    if gain.prediction.why_wrong:
        yield prose(f"why the prediction may be wrong: {gain.prediction.why_wrong}")
    if gain.prediction.network:
        yield prose(gain.prediction.network)
    if note := gain.note():
        yield prose(note)
    if verdict != "too busy" and (busy := gain.busy()):
        yield prose(f"{busy}, which widens the interval")
    yield ""
    yield from next_lines


def _more(gain: Gain) -> int | None:
    """The number of runs that would decide what these do not; None where they do, or none would."""
    return gain.runs.pairs_to_decide() if gain.verdict() in ("undecided", "too busy") else None


def _what_decides(gain: Gain) -> str:
    more = _more(gain)
    runs = (
        f"`--runs {more}` would decide" if more else f"{MAX_PAIRS} runs that differ so much would not decide"
    )
    if gain.verdict() != "too busy":
        return runs
    return f"{gain.busy()}; wait until they end" + (f", or {runs}" if more else "")


def _effect(saved: Estimate) -> str:
    """What is saved in a pair of runs, or what that costs."""
    if saved.value < 0:
        return f"costs {_span(-saved.value, -saved.ci95_high, -saved.ci95_low)}"
    return f"saves {_span(saved.value, saved.ci95_low, saved.ci95_high)}"


def _span(value: float, low: float, high: float) -> str:
    """A part of the time with its interval."""
    return f"{_percent(value)} % ({_percent(low)} to {_percent(high)})"


def _predicted(gain: Gain, what: str = "") -> str:
    predicted = gain.predicted()
    if predicted is None:
        return "not predicted"
    wrong = f" (may be wrong by {_percent(gain.prediction.wrong_by)})" if gain.prediction.why_wrong else ""
    return f"predicted{what} {_percent(predicted)} %{wrong}"


def _percent(part: float) -> str:
    """With one decimal where it is small, without a sign on zero."""
    percent = round(100 * part, 1) + 0.0
    return f"{percent:.0f}" if abs(percent) >= 9.5 else f"{percent:.1f}"
