# SPDX-License-Identifier: BSD-3-Clause
"""The page of a trace shows its content and escapes its text."""

import re

import pytest
from test_report_html import EVIL, Page, without_plotly

from stretto.data.timeline import Lane, Message, Timeline
from stretto.data.trace_records import TraceHeader
from stretto.potential.levels import LevelWork
from stretto.potential.whatif import NetworkPoint, WhatIf, WhatIfRow
from stretto.report.trace_document import SiteLine, TraceDocument
from stretto.report.trace_levels import missing_levels
from stretto.report.trace_page import render_trace

LEVELS = ("traced", "independent", "consumer", "producer-consumer")
WORK_S, BYTES = 1e-3, 1e6


def what_if(levels: tuple[str, ...] = ("traced",), name: str = "app") -> WhatIf:
    """A code that computes 1 ms and sends a megabyte; each level hides another quarter of the message."""
    latencies_s, bandwidths = (1e-6, 4e-6), (1e8, 1e9, 5e9)
    rows = tuple(
        WhatIfRow(latency_s, bandwidth, level, "offload", time_s, time_s / WORK_S)
        for hidden, level in enumerate(levels)
        for latency_s in latencies_s
        for bandwidth in bandwidths
        for time_s in [WORK_S + latency_s + (1 - hidden / 4) * BYTES / bandwidth]
    )
    point, trace = NetworkPoint(0.0, 5e9), {"produced": len(levels) - 1, "consumed": 0}
    bounds = {"no-communication": WORK_S}
    return WhatIf(
        name, latencies_s, bandwidths, ("offload",), levels, None, point, WORK_S, bounds, trace, rows
    )


def document(word: str, **changes: object) -> TraceDocument:
    """A trace of two ranks and one message, all of whose words are `word`."""
    header = TraceHeader(0, 2, 0, 0, 0, word, "mpich", word, (word,), "2026-01-01T00:00:00Z", ())
    quarter = 250_000_000
    timeline = Timeline(
        (
            Lane(0, 0, (0, 4 * quarter), (2 * quarter, quarter), (0, 1), (0, 1), (1, -1), (64, 0)),
            Lane(1, 0, (4 * quarter,), (quarter,), (1,), (1,), (-1,), (0,)),
        ),
        (Message(0, 1, 0, 5 * quarter, 64, 7),),
        ((word, "send"), ("MPI_Wait", "wait")),
        ((word, 16), ("", 0)),
        7,
        8 * quarter,
        True,
    )
    members: dict[str, object] = {
        "header": header,
        "records": 12345,
        "timeline": timeline,
        "places": (word, ""),
        "sites": (SiteLine(word, word, 3, 65536, 0.5, 0.25, 0.125, 0.001, word),),
        "costs": word,
        "what_if": what_if(),
        "levels": (),
        "notes": (word,),
        "answer": (f"43.5 % of the run time is {word}.", word),
        "changes": (word,),
    }
    return TraceDocument(**members | changes)  # type: ignore[arg-type]


def page_of(shown: TraceDocument) -> Page:
    return Page(without_plotly(render_trace(shown)))


def test_text_of_a_trace_is_escaped() -> None:
    page, honest = page_of(document(EVIL)), page_of(document("app"))
    assert [name for name, _ in page.elements] == [name for name, _ in honest.elements]
    assert not page.named("img") and not page.named("b")
    assert EVIL in "".join(page.words)
    drawn = page.specs()[0]
    assert drawn["names"] == [EVIL, "MPI_Wait"] and drawn["places"] == [EVIL, ""]


def test_the_timeline_holds_calls_and_messages_in_nanoseconds() -> None:
    drawn = page_of(document("MPI_Send")).specs()[0]
    assert drawn["end"] == 2_000_000_000
    assert [lane["name"] for lane in drawn["lanes"]] == ["0", "1"]
    first = drawn["lanes"][0]
    assert first["begin"] == [0, 1_000_000_000] and first["length"] == [500_000_000, 250_000_000]
    assert [drawn["categories"][drawn["category"][call]] for call in first["call"]] == ["send", "wait"]
    assert first["peer"] == [1, -1] and first["bytes"] == [64, 0]
    assert drawn["messages"] == [[0, 1, 0, 1_250_000_000, 64, 7, [], []]]


def test_threads_of_a_rank_have_separate_lanes() -> None:
    timeline = Timeline((Lane(0, 0), Lane(0, 3), Lane(1, 0)), (), (), (), 0, 1, False)
    page = page_of(document("app", timeline=timeline))
    assert [lane["name"] for lane in page.specs()[0]["lanes"]] == ["0.0", "0.3", "1"]
    assert "Only the beginning is shown" in " ".join(page.words)


def test_a_site_is_a_row_that_can_be_sorted_by_its_bytes() -> None:
    page = page_of(document("app"))
    assert [span["data-value"] for span in page.named("span") if "data-value" in span] == ["65536"]
    words = " ".join(page.words)
    assert "64 KiB" in words and "500.000" in words and "25" in page.words and "12\u202f345" in words


@pytest.mark.parametrize("result", [None, what_if()])
def test_other_networks_are_shown_where_they_were_replayed(result: WhatIf | None) -> None:
    page = page_of(document("app", what_if=result))
    assert len(page.specs()) == (1 if result is None else 2)
    assert ("what-if" in [a["id"] for a in page.named("section")]) == (result is not None)
    assert ("--memory byte" in " ".join(page.words)) == (result is not None)  # why there are no levels


def test_levels_are_curves_a_table_and_needs_of_bandwidth() -> None:
    work = tuple(LevelWork(level, 0.25 * index, index) for index, level in enumerate(LEVELS[1:], 1))
    page = page_of(document("app", what_if=what_if(LEVELS), levels=work))
    _, by_latency, by_level, needed = page.specs()
    assert [one["name"] for one in by_latency["data"]] == ["1 us", "4 us"]
    assert [one["name"] for one in by_level["data"]] == list(LEVELS)
    assert all(high["y"] > low["y"] for high, low in zip(by_level["data"], by_level["data"][1:])), (
        "each level is quicker"
    )
    assert [one["name"] for one in needed["data"]] == list(LEVELS[1:])
    # A quarter of the message hidden: three quarters of 5 GB/s do.
    assert needed["data"][0]["y"] == pytest.approx([3750, 3750], rel=0.01)
    words = " ".join(page.words)
    assert "750.000" in words and "levels of overlap" in words


def test_the_parts_of_a_message_are_drawn_around_its_send_and_its_arrival() -> None:
    parts = tuple(range(8))
    sent, received = 1_000_000, 2_000_000
    produced_ns = tuple(sent - 1000 * (8 - part) for part in parts)
    consumed_ns = tuple(received + 1000 * part for part in parts)
    message = Message(0, 1, sent, received, 4096, 7, produced_ns, consumed_ns)
    timeline = Timeline((Lane(0, 0), Lane(1, 0)), (message, message), (), (), 0, 3_000_000, True)
    page = page_of(document("app", timeline=timeline, what_if=None))
    produced, consumed = page.specs()[1]["data"]
    assert produced["x"] == pytest.approx([part - 8 for part in parts], abs=1e-3)
    assert consumed["x"] == pytest.approx(list(parts), abs=1e-3)
    assert produced["y"] == [part + 1 for part in parts]


def test_costs_that_are_not_known_are_no_figures() -> None:
    sites = (SiteLine("step a.c:9", "MPI_Send", 3, 65536, 0.0, 0.25, 0.0, 0.001, "blocks"),)
    text = without_plotly(render_trace(document("app", sites=sites, costs="")))
    assert "Costs of a message: not known." in text
    row = re.search(r"MPI_Send</td>(.*?)blocks</td>", text, re.S)
    assert row is not None
    cells = re.findall(r"<td[^>]*>(.*?)</td>", row[1] + "</td>", re.S)
    assert [re.sub("<[^>]*>", "", cell) for cell in cells[:6]] == ["3", "64 KiB", "", "250.000", "", "1.000"]


def test_commands_in_captions_are_code() -> None:
    text = without_plotly(render_trace(document("app")))
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", text, re.S)
    assert any("<code>stretto whatif</code>" in one for one in captions)
    assert not any("`" in one for one in captions)


def test_why_there_are_no_levels_is_true_of_a_trace_with_memory_byte_too() -> None:
    """Collectives have no data times, however they are recorded."""
    paragraph = missing_levels(what_if())
    assert paragraph is not None and "collectives have none" in str(paragraph.words)


def test_no_line_of_a_page_ends_between_a_number_and_its_unit() -> None:
    said = "43.5 % of the run time is app: transfer 100.0 %, 12.5 ms a message of 64 KiB."
    text = render_trace(document("app", answer=(said, "late partners 2.1 %"), notes=("within 5 s",)))
    for whole in ("43.5\xa0%", "100.0\xa0%", "12.5\xa0ms", "64\xa0KiB", "2.1\xa0%", "5\xa0s", "12\u202f345"):
        assert whole in text
    assert "2 ranks" in text
