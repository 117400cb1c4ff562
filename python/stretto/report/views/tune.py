# SPDX-License-Identifier: BSD-3-Clause
"""How the result of a search is shown: the answer, a table of all settings, and the environment file."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stretto.model.paired_runs import PairedRuns
from stretto.model.race import Race
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
        machine: The MPI and the place, for the file.
    """

    subject: str
    chosen: str
    variables: Mapping[str, str]
    libraries: Sequence[str]
    confirmed: PairedRuns | None
    race: Race
    skipped: Sequence[str]
    file: str
    line: str
    machine: str


def tune_document(found: TuneResult) -> dict[str, Any]:
    """The document of `stretto tune`."""
    saved = found.confirmed.saved() if found.confirmed else None
    return {
        "chosen": found.chosen or None,
        "saved": saved.value if saved else None,
        "ci95_low": saved.ci95_low if saved else None,
        "ci95_high": saved.ci95_high if saved else None,
        "variables": dict(found.variables),
        "libraries": list(found.libraries),
        "file": found.file or None,
        "line": found.line,
        "settings": [_setting(found.race, name) for name in found.race.plain_s],
        "not_measured": list(found.skipped),
    }


def _setting(race: Race, name: str) -> dict[str, Any]:
    pairs = race.runs(name).pairs
    saved = race.saved(name) if pairs else None
    return {
        "name": name,
        "pairs": pairs,
        "saved": saved.value if saved else None,
        "ci95_low": saved.ci95_low if saved else None,
        "ci95_high": saved.ci95_high if saved else None,
        "left": race.left.get(name),
    }


def tune_view(found: TuneResult) -> Iterator[Part]:
    """The answer first, then what it rests on."""
    if found.confirmed is None:
        yield prose(f"{found.subject}: nothing that was measured certainly saves time", 0)
    else:
        saved = found.confirmed.saved()
        yield prose(
            f"{found.subject}: {found.chosen} saves {100 * saved.value:.1f} % "
            f"({100 * saved.ci95_low:.1f} to {100 * saved.ci95_high:.1f}), "
            f"{found.confirmed.pairs} new pairs of runs",
            0,
        )
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
    yield "To use it:" if found.confirmed else "What else could help: stretto gain -- COMMAND"
    if found.file:
        yield f"  . ./{found.file}"
    if found.confirmed:
        yield f"  {found.line}"


def _cells(race: Race, name: str) -> list[str]:
    pairs = race.runs(name).pairs
    if not pairs:
        return [name, "0", "-", "-", race.left.get(name, "")]
    saved = race.saved(name)
    span = f"{100 * saved.ci95_low:.1f} to {100 * saved.ci95_high:.1f}"
    return [name, str(pairs), f"{100 * saved.value:.1f}", span, race.left.get(name, "")]


def environment_file(found: TuneResult, date: str) -> str:
    """The variables for a shell to read, with where they come from and how sure they are."""
    assert found.confirmed is not None
    saved = found.confirmed.saved()
    lines = [
        f"# stretto tune, {date}: {found.machine}",
        f"# {found.subject}",
        f"# {found.chosen}: saves {100 * saved.value:.1f} % ({100 * saved.ci95_low:.1f} to "
        f"{100 * saved.ci95_high:.1f}, 95 % interval of {found.confirmed.pairs} pairs of runs)",
        f"# then: {found.line}",
        *(f"export {name}={shlex.quote(value)}" for name, value in found.variables.items()),
    ]
    return "\n".join(lines) + "\n"
