# SPDX-License-Identifier: BSD-3-Clause
"""Latency and bandwidth by message size as tables; the two plots of them are among the pictures."""

from collections.abc import Sequence

from stretto.report.blocks import Block
from stretto.report.document import Document
from stretto.report.figure_cells import tables
from stretto.report.sections import Section
from stretto.report.transfer_tables import transfer_tables


def body(document: Document) -> Sequence[Block]:
    """A table a path."""
    return tables(transfer_tables(document.results.rows))


SECTION = Section(30, "transfer", "Latency and bandwidth", body)
