# SPDX-License-Identifier: BSD-3-Clause
"""The terminal's view of a run: headline sentences, tables and settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, dropwhile

from stretto.report.aggregation_tables import aggregation_tables
from stretto.report.cells import tables
from stretto.report.collectives import collective_tables
from stretto.report.contention_tables import contention_tables
from stretto.report.document import Document
from stretto.report.echo import settings
from stretto.report.figure_table import FigureTable
from stretto.report.further_tables import further_tables
from stretto.report.loggp_tables import loggp_tables
from stretto.report.overlap_views import (
    Rows,
    bound_lines,
    overlap_views,
)
from stretto.report.runtime_functions import function_tables
from stretto.report.schedule_tables import schedule_tables
from stretto.report.screen import Part, heading, labelled, prose
from stretto.report.sentences import headlines
from stretto.report.transfer_tables import transfer_tables

_NAME_CELLS = 13


def part_view(document: Document, part: str) -> Iterator[Part]:
    """One of PARTS; nothing where the run has nothing of it."""
    return dropwhile(lambda one: one == "", PARTS[part](document))


def document_view(document: Document) -> Iterator[Part]:
    """All of it, the sentences first."""
    return part_view(document, "all")


def _sentences(document: Document) -> Iterator[Part]:
    yield heading("In short")
    for sentence in headlines(document):
        yield prose(sentence.text)


def _settings(document: Document) -> Iterator[Part]:
    yield ""
    yield heading("Measured with")
    yield labelled(settings(document), _NAME_CELLS)


def _of_rows(*tables: Callable[[Rows], Iterator[Part]]) -> Callable[[Document], Iterator[Part]]:
    def view(document: Document) -> Iterator[Part]:
        for one in tables:
            yield from one(document.results.rows)

    return view


def _described(describe: Callable[[Rows], Iterable[FigureTable]]) -> Callable[[Document], Iterator[Part]]:
    return lambda document: tables(describe(document.results.rows))


def _all(document: Document) -> Iterator[Part]:
    yield from _sentences(document)
    for name, view in PARTS.items():
        if name != "all":
            yield from view(document)


PARTS: Mapping[str, Callable[[Document], Iterator[Part]]] = {
    "all": _all,
    "transfer": _described(transfer_tables),
    "overlap": _of_rows(overlap_views, bound_lines),
    "loggp": _described(loggp_tables),
    "aggregation": _described(aggregation_tables),
    "contention": _described(contention_tables),
    "schedules": _of_rows(schedule_tables),
    "further": _described(further_tables),
    "collectives": lambda document: tables(
        chain(collective_tables(document), function_tables(document.profile))
    ),
    "settings": _settings,
}
"""The parts by the names of options.choices.PARTS."""
