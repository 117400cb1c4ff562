# SPDX-License-Identifier: BSD-3-Clause
"""How a gain is shown: the answer in a sentence, the line for the job script, or one JSON document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from stretto.data.sizes import format_duration
from stretto.potential.gain import Gain
from stretto.report.screen import Part, prose


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
        "verdict": "saves" if gain.runs.saves() else "costs" if gain.runs.costs() else "nothing",
        "reason": gain.reason() or None,
        "no_prediction": gain.prediction.missing or None,
        "note": gain.note() or None,
        "line": gain.line,
        "runs": {"plain_s": list(gain.runs.plain_s), "gained_s": list(gain.runs.changed_s)},
    }


def gain_view(gain: Gain) -> Iterator[Part]:
    """The answer, the figures behind it, and what to do next."""
    saved = gain.runs.saved()
    span = f"{_percent(saved.value)} % ({_percent(saved.ci95_low)} to {_percent(saved.ci95_high)})"
    library = " and ".join(gain.libraries)
    if gain.runs.saves():
        yield prose(f"{gain.program}: {library} saves {span}, {_predicted(gain)}", 0)
    elif gain.runs.costs():
        cost = f"{_percent(-saved.value)} % ({_percent(-saved.ci95_high)} to {_percent(-saved.ci95_low)})"
        why = f", and nothing to gain: {gain.reason()}" if gain.reason() else ""
        yield prose(f"{gain.program}: {library} costs {cost}{why}", 0)
    else:
        yield prose(f"{gain.program}: nothing to gain from {library}, because {gain.reason()}", 0)
    plain, changed = format_duration(gain.runs.plain()), format_duration(gain.runs.changed())
    figures = "" if gain.runs.saves() else f": saves {span}, {_predicted(gain)}"
    if gain.runs.costs():
        figures = f", {_predicted(gain, ' to save')}"
    yield prose(f"{plain} as it is, {changed} with it, {gain.runs.pairs} pairs of runs{figures}")
    if gain.prediction.missing:
        yield prose(f"no prediction: {gain.prediction.missing}")
    if note := gain.note():
        yield prose(note)
    yield ""
    if gain.runs.saves():
        yield "For the job script:"
        yield f"  {gain.line}"
    else:
        if gain.runs.costs():
            yield "What costs time: docs/progress.md, When it cannot help"
        yield "What else could help: stretto trace -o TRACE -- COMMAND; stretto potential TRACE"


def _predicted(gain: Gain, what: str = "") -> str:
    predicted = gain.predicted()
    return "not predicted" if predicted is None else f"predicted{what} {_percent(predicted)} %"


def _percent(part: float) -> str:
    """With one decimal where it is small."""
    percent = 100 * part
    return f"{percent:.0f}" if abs(percent) >= 9.5 else f"{percent:.1f}"
