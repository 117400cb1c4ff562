# SPDX-License-Identifier: BSD-3-Clause
"""The terminal's view of a run: tables, headline sentences and settings."""

from collections.abc import Iterator
from itertools import dropwhile

from stretto.report.collectives import collective_tables
from stretto.report.document import Document
from stretto.report.echo import settings
from stretto.report.screen import Part, heading, labelled, prose
from stretto.report.sentences import headlines
from stretto.report.text_tables import TABLES

_NAME_CELLS = 13


def document_view(document: Document) -> Iterator[Part]:
    """The whole view."""
    return dropwhile(lambda part: part == "", _parts(document))


def _parts(document: Document) -> Iterator[Part]:
    for tables in TABLES:
        yield from tables(document.results.rows)
    yield from collective_tables(document)
    yield ""
    yield heading("In short")
    for sentence in headlines(document):
        yield prose(sentence.text)
    yield ""
    yield heading("Measured with")
    yield labelled(settings(document), _NAME_CELLS)
