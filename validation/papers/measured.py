# SPDX-License-Identifier: BSD-3-Clause
"""What this product measured on real processes of what a figure shows: quotations of `docs/results/`, and a
run of the user's cluster.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from stretto.errors import UserError
from stretto.model.run_files import load_results

_FILE = Path(__file__).with_name("measured.json")


@dataclass(frozen=True)
class Measured:
    """A measurement next to a figure.

    Attributes:
        figures: The figures, `PAPER/FIGURE`.
        text: What was measured, and where.
        page: The page of `docs/results/` that has it; empty for a run of the user.
        quotes: Numbers as the page has them.
        contradicts: How it contradicts the paper or the model; empty where it does not.
        source: The trace of an original program and the command, instead of a page. The traces are no part of
            stretto; these numbers are what is kept of them.
    """

    figures: tuple[str, ...]
    text: str
    page: str = ""
    quotes: tuple[str, ...] = ()
    contradicts: str = ""
    source: str = ""


@cache
def quoted() -> Sequence[Measured]:
    """The quotations."""
    document = json.loads(_FILE.read_text(encoding="utf-8"))
    return [Measured(**one) for one in document["measured"]]


def of_figure(name: str, run: Sequence[Measured] = ()) -> list[Measured]:
    """What was measured of a figure, `PAPER/FIGURE`."""
    return [one for one in (*run, *quoted()) if name in one.figures]


# Figures by the probe, metric and axes of the rows of a run that belong to them.
_OF_RUN: Sequence[tuple[tuple[str, ...], str, str, Mapping[str, object]]] = (
    (("armci/figure-6", "armci/figure-6-buffered"), "overlap", "eta", {"operation": "get"}),
    (("armci/figure-7",), "aggregation", "time", {}),
    (("probes/section-6.4-computation", "probes/figure-18", "probes/figure-19"), "overlap", "kappa", {}),
    (("probes/figure-18", "probes/figure-19"), "contention", "kappa", {}),
    (("probes/figure-4", "probes/figure-8", "probes/figure-12", "probes/figure-16"), "ft", "gain", {}),
    (("probes/figure-14", "probes/figure-15-gather"), "spmv", "gain", {}),
)
_MOST = 6


def of_run(directory: Path) -> list[Measured]:
    """What a run of `stretto probe` on the user's machine says of the figures.

    Raises:
        UserError: The directory has no results, or none that belong to a figure.
    """
    rows = [one for one in load_results(directory).rows if one.value is not None]
    result = []
    for figures, probe, metric, axes in _OF_RUN:
        mine = [
            one
            for one in rows
            if one.axes.get("probe") == probe
            and one.metric == metric
            and all(one.axes.get(name) == value for name, value in axes.items())
        ]
        if mine:
            shown = [f"{_place(one.axes)}: {one.value:.4g} {one.unit}" for one in mine[:_MOST]]
            more = f"; {len(mine) - _MOST} more" if len(mine) > _MOST else ""
            result.append(Measured(figures, f"{directory.name}, {metric}: {'; '.join(shown)}{more}"))
    if not result:
        raise UserError(
            f"MEASURED={directory}: no row belongs to a figure; run `stretto probe ft spmv overlap`"
        )
    return result


def _place(axes: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in axes.items())
