# SPDX-License-Identifier: BSD-3-Clause
"""All papers with their frozen claims, and the figures that a command line names."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from stretto.data.files import write_atomically
from stretto.errors import UserError
from validation.papers.figures import Claim, Paper, PaperFigure
from validation.papers.provenance import parameters

_CLAIMS = Path(__file__).with_name("claims")
NAMES = ("probes", "ft-slides", "armci", "two-phase", "potential")


@cache
def papers() -> tuple[Paper, ...]:
    """All papers, in the order of the page."""
    return tuple(_paper(_read(name)) for name in NAMES)


@cache
def changes() -> tuple[Mapping[str, str], ...]:
    """The log of changed claims: date, claim, old, new, why."""
    return tuple(_read("changes")["changes"])


def digest() -> str:
    """A digest of what decides verdicts: claims, parameters, ranges. The log's last change has it."""
    frozen = [dataclasses.asdict(paper) for paper in papers()]
    ranges = [dataclasses.asdict(one) for one in parameters().values()]
    # However a reader represents a number, 5 or 5.0: what it is counts.
    plain = json.loads(json.dumps([frozen, ranges]), parse_int=float)
    return hashlib.sha256(json.dumps(plain).encode()).hexdigest()[:16]


def documented() -> Mapping[str, str]:
    """The verdict of every claim in the page, by `PAPER/FIGURE/KEY`."""
    verdicts: dict[str, str] = _read("verdicts")
    return verdicts


def accept(verdicts: Mapping[str, str]) -> None:
    """Documents verdicts; those of claims that no longer exist go."""
    names = [
        claim_name(paper.name, one.name, each)
        for paper in papers()
        for one in paper.figures
        for each in one.claims
    ]
    now = {**documented(), **verdicts}
    lines = [f"{json.dumps(name)}: {json.dumps(now[name])}" for name in names if name in now]
    write_atomically(_CLAIMS / "verdicts.json", "{\n" + ",\n".join(lines) + "\n}\n")


def claim_name(paper: str, figure: str, claim: Claim) -> str:
    """`PAPER/FIGURE/KEY`."""
    return f"{paper}/{figure}/{claim.key}"


def selected(paper: str = "", figure: str = "") -> Iterator[tuple[Paper, PaperFigure]]:
    """The figures of the papers that are named; an empty name means all.

    Raises:
        UserError: There is no such paper or figure; the message lists what there is.
    """
    mine = [one for one in papers() if one.name == paper or not paper]
    if not mine:
        raise UserError(f"PAPER: unknown '{paper}'; choose from {', '.join(NAMES)}")
    result = [(one, each) for one in mine for each in one.figures if each.name == figure or not figure]
    if not result:
        known = ", ".join(each.name for each in mine[0].figures)
        raise UserError(f"FIGURE: {paper} has no '{figure}'; choose from {known}")
    yield from result


def _read(name: str) -> Any:
    return json.loads((_CLAIMS / f"{name}.json").read_text(encoding="utf-8"))


def _paper(document: dict[str, Any]) -> Paper:
    figures = tuple(_figure(**one) for one in document["figures"])
    return Paper(document["name"], document["title"], document["authors"], figures)


def _figure(
    *,
    claims: list[dict[str, Any]],
    machines: tuple[str, ...] = (),
    parameters: tuple[str, ...] = (),
    **members: Any,
) -> PaperFigure:
    return PaperFigure(
        claims=tuple(Claim(**one) for one in claims),
        machines=tuple(machines),
        parameters=tuple(parameters),
        **members,
    )
