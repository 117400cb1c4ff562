# SPDX-License-Identifier: BSD-3-Clause
"""Runs that other programs disturbed: what is said first, and which figures are none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from stretto.data.loads import Load
from stretto.data.results import ResultRow
from stretto.model.load import busiest, load_sentence
from stretto.report.document import Document
from stretto.report.prose import capital
from stretto.report.units import percent

FAIR = 0.10
"""The half width of an interval that a headline may have."""
MAX_DISTURBED = 0.1
"""The share of disturbed samples from which on a run is called busy."""
_TOO_BUSY = "too busy: what other programs leave is not enough for a figure"
_WAIT = "Wait until they end: `top` lists them"
_NAME_CORES = ", or name free cores: taskset -c 2,3 stretto probe"


def is_busy(document: Document) -> bool:
    """Whether other programs disturbed the run."""
    return busiest(document.loads) is not None or document.disturbed > MAX_DISTURBED


def known_rows(document: Document) -> Sequence[ResultRow]:
    """The figures of a run; of a busy one without overlaps that others leave rough."""
    rows = document.results.rows
    return [_without_rough(row) for row in rows] if is_busy(document) else rows


def _without_rough(row: ResultRow) -> ResultRow:
    if row.metric != "eta" or row.value is None or half_width(row) <= FAIR:
        return row
    return replace(row, value=None, ci95_low=None, ci95_high=None, reason=_TOO_BUSY)


def half_width(row: ResultRow | None) -> float:
    """Of the interval; infinite where there is none."""
    if row is None or row.value is None or row.ci95_low is None or row.ci95_high is None:
        return float("inf")
    return (row.ci95_high - row.ci95_low) / 2


def busy_sentence(load: Load | None, disturbed: float, within: str = "") -> str:
    """What kept the ranks from their processors, and what to do about it.

    Args:
        load: What kept the machine busy; None where nothing did.
        disturbed: The share of samples that were disturbed.
        within: Where that was, such as `on one node`.
    """
    sentence, share = load_sentence(load), percent(disturbed)
    if sentence:
        also = f", and disturb {share} % of the samples" if disturbed else ""
        cores = _NAME_CORES if load is not None and load.cores > load.ranks + 1 else ""
        return f"{capital(sentence)}{also}. {_WAIT}{cores}."
    return (
        f"The ranks lost their processor in {share} % of the samples{within and f' {within}'}, though other "
        "programs are idle; these were measured again."
    )
