# SPDX-License-Identifier: BSD-3-Clause
"""The parts that are tables with a note: transfers, the LogGP model, aggregation, further communication."""

from collections.abc import Callable, Iterable, Sequence

from stretto.report.aggregation_tables import aggregation_tables
from stretto.report.blocks import Block, Folded, Paragraph
from stretto.report.document import Document
from stretto.report.figure_cells import tables
from stretto.report.figure_table import FigureTable, Rows
from stretto.report.further_tables import further_tables
from stretto.report.loggp_tables import loggp_tables
from stretto.report.sections import Section
from stretto.report.transfer_tables import transfer_tables


def _body(
    described: Callable[[Rows], Iterable[FigureTable]], note: str = "", folded: bool = False
) -> Callable[[Document], Sequence[Block]]:
    """The note above the tables, each of which is folded where they are of many kinds."""

    def body(document: Document) -> Sequence[Block]:
        shown = list(described(document.results.rows))
        blocks = [Folded(one.title, tables([one])) for one in shown] if folded else tables(shown)
        return [Paragraph(note, "aside"), *blocks] if note and shown else blocks

    return body


SECTIONS = (
    Section(30, "transfer", "Latency and bandwidth", _body(transfer_tables)),
    Section(
        45,
        "further",
        "Collectives, neighbours, partitions and pairs",
        _body(
            further_tables,
            "Overlap is (T_c + T_w - T_t) / min(T_c, T_w) of counted computation. OSU% and IMB% are the "
            "formulas of the OSU and Intel MPI benchmarks over the same rounds; both are cut at zero.",
            folded=True,
        ),
    ),
    Section(
        50,
        "loggp",
        "LogGP parameters",
        _body(
            loggp_tables,
            "L is the latency, o_s and o_r the processor's overheads of sending and receiving, g the least "
            "time between two messages, g_queue the network card's time a message, G the time a byte. "
            "Method a sends trains whose messages are spaced with work; method b is that of the "
            "architectural probes. Where the two disagree, be careful with both.",
        ),
    ),
    Section(
        55,
        "aggregation",
        "Aggregation",
        _body(
            aggregation_tables,
            "Strided doubles, from the start until they are usable at the destination. The runtime counts "
            "the messages; times faster compares with individual operations on the same path.",
        ),
    ),
)
