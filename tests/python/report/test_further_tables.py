# SPDX-License-Identifier: BSD-3-Clause
"""Tables of the probes that run by name: in 80 columns, and the same figures on the page."""

from typing import Any

from stretto.data.results import ResultRow
from stretto.report.buffers import by_buffers
from stretto.report.cells import cell_text, column, tables
from stretto.report.figure_table import FigureTable
from stretto.report.further_tables import further_tables
from stretto.report.screen import plain_text


def row(metric: str, value: float | None, unit: str = "1", **axes: Any) -> ResultRow:
    low, high = (None, None) if value is None else (0.9 * value, 1.1 * value)
    return ResultRow(metric, unit, value, low, high, 20, {"size_bytes": 1 << 20, **axes})


def overlap(eta: float, **axes: Any) -> list[ResultRow]:
    return [
        row("eta", eta, **axes),
        row("overlap_osu", max(eta, 0), **axes),
        row("overlap_imb", max(eta, 0), **axes),
        row("kappa", 1.5, **axes),
        row("init", 1e-6, "s", **axes),
        *(row("time", 1e-3, "s", quantity=name, **axes) for name in ("T_c", "T_w", "T_t")),
    ]


ROWS = [
    *overlap(-0.25, probe="nbc", operation="broadcast", progress="none", members=4, ratio=1.0),
    *overlap(
        0.5, probe="neighbourhood", operation="neighbor-alltoall", progress="poll", members=4, grid="2x2"
    ),
    *overlap(0.3, probe="persistent", transport="mpi-two-sided", progress="none"),
    *overlap(0.4, probe="persistent", transport="mpi-persistent", progress="none"),
    *overlap(0.6, probe="partitioned", transport="mpi-two-sided", progress="none", partitions=8),
    *overlap(0.7, probe="partitioned", transport="mpi-partitioned", progress="none", partitions=8),
    *(
        row(metric, value, unit, probe="pairs", transport="mpi-two-sided", operation="send", pairs=pairs)
        for pairs in (1, 4)
        for metric, value, unit in (
            ("pair_bandwidth", 1e9 * pairs / 2, "B/s"),
            ("message_rate", 1e6, "1/s"),
            ("pair_latency", 1e-6, "s"),
        )
    ),
]


def shown(table: FigureTable) -> list[dict[str, str]]:
    """The cells of each row by their heads, as in a terminal."""
    heads = [column(head).head for head in table.heads]
    return [dict(zip(heads, map(cell_text, row), strict=True)) for row in table.rows]


def test_every_kind_has_a_table_of_80_columns() -> None:
    text = plain_text(tables(further_tables(ROWS)))
    assert max(map(len, text.splitlines())) <= 80
    for title in ("MPI_Ibcast", "MPI_Ineighbor_alltoall", "Persistent", "part by part", "Several pairs"):
        assert title in text
    assert "-25" in text and "4 ranks as 2x2" in text


def test_columns_of_other_benchmarks_stand_next_to_ours() -> None:
    table = next(iter(further_tables(ROWS)))
    assert shown(table)[0] == {
        "Size": "1MiB",
        "Overall": "1000",
        "Compute": "1000",
        "Pure": "1000",
        "Overlap%": "-25",
        "95% CI": "-22..-28",
        "OSU%": "0",
        "IMB%": "0",
        "kappa": "1.50",
    }


def test_the_share_of_a_pair_is_by_one_pair_alone() -> None:
    (table,) = (one for one in further_tables(ROWS) if one.title.startswith("Several"))
    assert [line["share"] for line in shown(table)] == ["1.00", "1.00"]


def test_nothing_is_shown_of_probes_that_did_not_run() -> None:
    assert list(further_tables([row("eta", 0.5, probe="overlap")])) == []


def test_a_table_says_which_buffers_it_is_of() -> None:
    usual = [row("latency", 1e-6, "s", buffers="same"), row("bandwidth", 1e9, "B/s", buffers="distinct")]
    ((words, rows),) = by_buffers(usual)
    assert rows == usual and "latency one buffer" in words and "bandwidth a buffer for each" in words
    both = [*usual, row("bandwidth", 2e9, "B/s", buffers="same")]
    assert [(len(rows), "OSU" in words) for words, rows in by_buffers(both)] == [(2, True), (1, False)]
    # Older files do not say it.
    ((words, _),) = by_buffers([row("latency", 1e-6, "s"), row("bandwidth", 1e9, "B/s")])
    assert "bandwidth a buffer for each" in words
