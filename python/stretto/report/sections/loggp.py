# SPDX-License-Identifier: BSD-3-Clause
"""LogGP parameters by method a and method b, each with its interval."""

from collections.abc import Sequence

from stretto.report.blocks import Block, Paragraph
from stretto.report.document import Document
from stretto.report.figure_cells import tables
from stretto.report.loggp_tables import loggp_tables
from stretto.report.sections import Section

_NOTE = (
    "L is the latency, o_s and o_r the processor's overheads of sending and receiving, g the least time "
    "between two messages, g_queue the network card's time a message, G the time a byte. Method a sends "
    "trains whose messages are spaced with work; method b is that of the architectural probes. Where the "
    "two disagree, be careful with both."
)


def body(document: Document) -> Sequence[Block]:
    """One table a transport, operation and protocol range."""
    shown = tables(loggp_tables(document.results.rows))
    return [Paragraph(_NOTE, "aside"), *shown] if shown else []


SECTION = Section(50, "loggp", "LogGP parameters", body)
