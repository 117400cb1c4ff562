# SPDX-License-Identifier: BSD-3-Clause
"""The gain of aggregation: individual operations, an aggregate of them, and one vector operation."""

from collections.abc import Sequence

from stretto.report.aggregation_tables import aggregation_tables
from stretto.report.blocks import Block, Paragraph
from stretto.report.document import Document
from stretto.report.figure_cells import tables
from stretto.report.sections import Section

_NOTE = (
    "Strided doubles, from the start until they are usable at the destination. The runtime counts the "
    "messages; times faster compares with individual operations on the same path."
)


def body(document: Document) -> Sequence[Block]:
    """A table a size."""
    shown = tables(aggregation_tables(document.results.rows))
    return [*shown, Paragraph(_NOTE, "aside")] if shown else []


SECTION = Section(55, "aggregation", "Aggregation", body)
