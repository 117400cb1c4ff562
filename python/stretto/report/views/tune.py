# SPDX-License-Identifier: BSD-3-Clause
"""How the result of a search is shown: the answer, a table of all settings, and the environment file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stretto.data.pairs import MAX_PAIRS
from stretto.data.shell import comment, quoted, sourced
from stretto.data.sizes import said_share
from stretto.model.paired_runs import MIN_SAVED, PairedRuns
from stretto.model.race import Race
from stretto.model.statistics import Estimate
from stretto.report.screen import Column, Part, prose, table


@dataclass(frozen=True)
class TuneResult:
    """The result, and how to use it.

    Attributes:
        subject: What was tuned.
        chosen: Names of the settings that save time together; empty where nothing certainly does.
        variables: Their variables.
        libraries: What they preload.
        file: Where the variables are; empty where there are none.
        line: The command that uses all.
        tested: Names of the settings that were best in the search; empty where none was good.
        runs: Their new pairs, of `planned`.
        deciding_budget_s: A budget in which all runs end; None where they have ended.
        machine: The MPI and the place, for the file.
    """

    subject: str
    chosen: str
    variables: Mapping[str, str]
    libraries: Sequence[str]
    tested: str
    runs: PairedRuns | None
    planned: int
    deciding_budget_s: float | None
    race: Race
    skipped: Sequence[str]
    file: str
    line: str
    machine: str

    @property
    def confirmed(self) -> PairedRuns | None:
        """The new pairs of what certainly saves time."""
        return self.runs if self.chosen else None

    @property
    def undecided(self) -> bool:
        """Whether more runs would decide."""
        if self.chosen:
            return False
        return self.deciding_budget_s is not None or (
            self.runs is not None and self.runs.verdict() == "undecided"
        )


def tune_document(found: TuneResult) -> dict[str, Any]:
    """The document of `stretto tune`."""
    saved = found.confirmed.saved() if found.confirmed else None
    return {
        "chosen": found.chosen or None,
        "verdict": "saves" if found.chosen else "undecided" if found.undecided else "nothing",
        **_interval(saved),
        "variables": dict(found.variables),
        "libraries": list(found.libraries),
        "file": found.file or None,
        "line": found.line,
        "tested": _tested(found),
        "deciding_budget_s": _rounded_s(found.deciding_budget_s) if found.deciding_budget_s else None,
        "settings": [_setting(found.race, name) for name in found.race.plain_s],
        "not_measured": list(found.skipped),
    }


def _tested(found: TuneResult) -> dict[str, Any] | None:
    if found.runs is None:
        return None
    saved = found.runs.saved() if found.runs.pairs else None
    return {"name": found.tested, "pairs": found.runs.pairs, "planned": found.planned, **_interval(saved)}


def _setting(race: Race, name: str) -> dict[str, Any]:
    pairs = race.runs(name).pairs
    saved = race.saved(name) if pairs else None
    return {"name": name, "pairs": pairs, **_interval(saved), "left": race.left.get(name)}


def _interval(saved: Estimate | None) -> dict[str, float | None]:
    """The members of an estimate; one pair has no interval."""
    known = saved is not None and math.isfinite(saved.ci95_low)
    return {
        "saved": saved.value if saved else None,
        "ci95_low": saved.ci95_low if saved and known else None,
        "ci95_high": saved.ci95_high if saved and known else None,
    }


def tune_view(found: TuneResult, gaining: str = "") -> Iterator[Part]:
    """The answer first, then what it rests on; `gaining`: the command that tries stretto's libraries."""
    yield prose(f"{found.subject}: {_answer(found)}", 0)
    yield ""
    yield table(
        [
            Column("setting", words=True),
            Column("pairs"),
            Column("saves %"),
            Column("95 %"),
            Column("", words=True),
        ],
        [_cells(found.race, name) for name in found.race.plain_s],
    )
    if found.skipped:
        yield prose(f"not measured within the budget: {', '.join(found.skipped)}")
    yield ""
    if found.confirmed or gaining:
        yield "To use it:" if found.confirmed else "What else could help:"
    if found.file:
        yield f"  {sourced(Path(found.file))}"
    if found.confirmed or gaining:
        yield f"  {found.line if found.confirmed else gaining}"


def _answer(found: TuneResult) -> str:
    """What the new pairs say, or what keeps them from saying it."""
    runs, more_s = found.runs, found.deciding_budget_s
    if runs is None:
        few = f" in the pairs that the budget allowed; {_budget(more_s)}" if more_s else ""
        return f"no setting saves {said_share(MIN_SAVED)} of the time{few}"
    if found.chosen:
        return f"{found.chosen} saves {_span(runs.saved())}, {runs.pairs} new pairs of runs"
    if more_s is not None:
        made = f"after {runs.pairs} of the" if runs.pairs else "before the"
        searched = f"{found.tested}, the best of the search" if found.tested else "the best"
        so_far = f"; so far it saves {_span(runs.saved())}" if runs.pairs > 1 else ""
        return (
            f"undecided: the budget ended {made} {found.planned} new pairs of runs that confirm {searched}"
            f"{so_far}; {_budget(more_s)}"
        )
    saved = f"saves {_span(runs.saved())} in {runs.pairs} new pairs of runs"
    told = f"{found.tested}, the best of the search, {saved}"
    if runs.verdict() != "undecided":
        return f"nothing that was measured saves time: {told}"
    more = runs.pairs_to_decide()
    decides = (
        f"`--runs {more}` would decide" if more else f"{MAX_PAIRS} runs that differ so much would not decide"
    )
    return f"undecided: {told}; {decides}"


def _budget(seconds: float | None) -> str:
    return f"`--budget {_rounded_s(seconds or 0.0)}` decides"


def _rounded_s(seconds: float) -> int:
    """A little more, with two digits."""
    step: int = 10 ** max(0, math.floor(math.log10(max(seconds, 1.0))) - 1)
    return step * math.ceil(1.1 * seconds / step)


def _span(saved: Estimate) -> str:
    return f"{said_share(saved.value, 1)} ({100 * saved.ci95_low:.1f} to {100 * saved.ci95_high:.1f})"


def _cells(race: Race, name: str) -> list[str]:
    pairs = race.runs(name).pairs
    if not pairs:
        return [name, "0", "-", "-", race.left.get(name, "")]
    saved = race.saved(name)
    known = math.isfinite(saved.ci95_low)
    span = f"{100 * saved.ci95_low:.1f} to {100 * saved.ci95_high:.1f}" if known else "-"
    return [name, str(pairs), f"{100 * saved.value:.1f}", span, race.left.get(name, "")]


def environment_file(found: TuneResult, date: str) -> str:
    """The variables for a shell to read, with where they come from and how sure they are."""
    assert found.confirmed is not None
    lines = [
        comment(f"stretto tune, {date}: {found.machine}"),
        comment(found.subject),
        comment(
            f"{found.chosen}: saves {_span(found.confirmed.saved())}, 95 % interval of "
            f"{found.confirmed.pairs} pairs of runs"
        ),
        comment(f"then: {found.line}"),
        *(f"export {name}={quoted(value)}" for name, value in found.variables.items()),
    ]
    return "\n".join(lines) + "\n"
