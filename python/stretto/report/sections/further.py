# SPDX-License-Identifier: BSD-3-Clause
"""Nonblocking collectives, neighbourhoods, persistent and partitioned communication, several pairs."""

from collections.abc import Sequence

from stretto.report.blocks import Block, Folded, Paragraph
from stretto.report.document import Document
from stretto.report.figure_cells import tables
from stretto.report.further_tables import further_tables
from stretto.report.sections import Section


def body(document: Document) -> Sequence[Block]:
    """One folded table a kind of communication."""
    described = list(further_tables(document.results.rows))
    if not described:
        return []
    note = (
        "Overlap is (T_c + T_w - T_t) / min(T_c, T_w) of counted computation. OSU% and IMB% are the formulas "
        "of the OSU and Intel MPI benchmarks over the same rounds; both are cut at zero."
    )
    return [
        Paragraph(note, "aside"),
        *(Folded(one.title, tables([one])) for one in described),
    ]


SECTION = Section(45, "further", "Collectives, neighbours, partitions and pairs", body)
