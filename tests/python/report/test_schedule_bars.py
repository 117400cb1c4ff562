# SPDX-License-Identifier: BSD-3-Clause
"""The stacked bars of ft and spmv, in the terminal and on the page."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from rich.cells import cell_len

from stretto.data.results import AxisValue, ResultRow, Results
from stretto.report.document import Document
from stretto.report.html import render
from stretto.report.schedule_bars import comparisons
from stretto.report.screen import plain_text
from stretto.report.sentences import headlines
from stretto.report.text import document_view

CASE: Mapping[str, AxisValue] = {
    "probe": "ft",
    "on": "local",
    "ranks": 2,
    "locality": "same-node",
    "transport": "stretto",
    "progress": "thread",
    "rows": 512,
    "row_length": 1024,
    "scale": 1.5,
}
SEGMENTS = {"init": 1e-3, "work": 10e-3, "sync": 8e-3, "barrier": 1e-3}


def bar(schedule: str, time_s: float, gain: float | None, **axes: AxisValue) -> list[ResultRow]:
    all_axes = {**CASE, "schedule": schedule, "operation": "put", "size_bytes": 4096, **axes}
    rows = [ResultRow("time", "s", time_s, time_s, time_s, 11, all_axes)]
    rows += [
        ResultRow(name, "s", value * time_s / 20e-3, n=11, axes={**all_axes, "over_ranks": over})
        for name, value in SEGMENTS.items()
        for over in ("mean", "min", "max")
    ]
    reason = None if gain is not None else "too short"
    interval = (None, None) if gain is None else (gain - 0.01, gain + 0.01)
    rows.append(ResultRow("gain", "1", gain, *interval, 11, all_axes, reason=reason))
    return [*rows, ResultRow("gain_fraction", "1", None if gain is None else gain - 1, n=11, axes=all_axes)]


def document() -> Document:
    rows = [
        *bar("pencils", 12e-3, 20 / 12, chunks=512, size_bytes=16384),
        *bar("chunks", 10e-3, 2.0, chunks=64),
        *bar("exchange", 20e-3, 1.0, chunks=2),
        ResultRow("gain_bound", "1", 1.9, 1.8, 1.95, 11, CASE),
        ResultRow("time", "s", 10e-3, n=11, axes={**CASE, "quantity": "T_w"}),
    ]
    return Document.of(Results(tuple(rows)), None, [])


def test_bulk_synchronous_comes_first_and_only_schedules_are_bars() -> None:
    (result,) = comparisons(document().results.rows)
    assert [one.name for one in result.bars] == ["exchange", "chunks=64", "pencils"]
    assert result.bars[0].segments_s["work"] == pytest.approx(10e-3)
    assert result.name == "N 512, R 1024, scale 1.5"


def test_terminal_bars_are_as_long_as_the_times() -> None:
    text = plain_text(document_view(document()))
    assert max(cell_len(line) for line in text.splitlines()) <= 80
    lines = {line.split()[0]: line for line in text.splitlines() if line[:1].isalpha()}
    drawn = {name: lines[name].split()[-1] for name in ("exchange", "chunks=64", "pencils")}
    assert drawn["exchange"].count("w") == 19 and drawn["exchange"].count("s") == 15  # of 38 cells
    assert len(drawn["exchange"]) == 38 and len(drawn["chunks=64"]) == 19
    assert "".join(dict.fromkeys(drawn["exchange"])) == "iwsb"
    assert "overlap could gain 1.90" in text


def test_the_sentence_names_the_best_and_its_bound() -> None:
    sentence = headlines(document())[0].text
    assert sentence.startswith("Schedule chunks=64 is 2.00 times (1.99 to 2.01) as fast as exchange")
    assert sentence.endswith("; overlap could give 1.90 at best, of which this is 100 %.")
    assert len(headlines(document())) == 1  # nothing is said of what was not measured


def test_a_gain_above_the_bound_has_no_share() -> None:
    rows = [*bar("chunks", 8e-3, 2.5, chunks=64), *bar("exchange", 20e-3, 1.0, chunks=2)]
    rows.append(ResultRow("gain_bound", "1", 1.9, 1.8, 1.95, 11, CASE))
    sentence = headlines(Document.of(Results(tuple(rows)), None, []))[0].text
    assert sentence.endswith(", which is more than the 1.90 that overlap alone could give.")
    assert "%" not in sentence


def with_noise(schedule: str) -> Document:
    """The document, where this schedule's gain may as well be none."""
    rows = [
        replace(row, ci95_low=0.4, ci95_high=7.0)
        if row.metric == "gain" and row.axes.get("schedule") == schedule
        else row
        for row in document().results.rows
    ]
    return Document.of(Results(tuple(rows)), None, [])


def test_a_gain_within_noise_is_not_put_before_one_beyond() -> None:
    sentence = headlines(with_noise("chunks"))[0].text
    assert sentence.startswith("Schedule pencils is 1.67 times (1.66 to 1.68) as fast as exchange")


def test_where_all_gains_are_within_noise_no_share_is_named() -> None:
    rows = [row for row in with_noise("chunks").results.rows if row.axes.get("schedule") != "pencils"]
    sentence = headlines(Document.of(Results(tuple(rows)), None, []))[0].text
    assert sentence.startswith(
        "No schedule is faster beyond noise; chunks=64 is 2.00 times (0.40 to 7.00) as fast as exchange"
    )
    assert "at best" not in sentence


def test_the_page_has_a_stacked_plot_and_a_table() -> None:
    page = render(document())
    assert 'id="schedules"' in page
    assert '"barmode":"stack"' in page
    assert "computation" in page and "chunks=64" in page
