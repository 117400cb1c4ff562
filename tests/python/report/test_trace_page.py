"""The page of a trace shows its content and escapes its text."""

import pytest
from test_report_html import EVIL, Page, without_plotly

from stretto.data.timeline import Lane, Message, Timeline
from stretto.data.trace import TraceHeader
from stretto.data.trace_walk import Span
from stretto.report.trace_document import SiteLine, TraceDocument, WhatIfCurve
from stretto.report.trace_page import render_trace


def document(word: str, **changes: object) -> TraceDocument:
    """A trace of two ranks and one message, all of whose words are `word`."""
    header = TraceHeader(0, 2, 0, 0, 0, word, "mpich", word, (word,), "2026-01-01T00:00:00Z", ())
    spans = (
        Span(0, word, "send", 1.0, 1.5, 1, 1, 64),
        Span(0, word, "wait", 2.0, 2.25, 1, -1, 0),
    )
    timeline = Timeline(
        (Lane(0, 0, spans), Lane(1, 0, spans[1:])), (Message(0, 1, 1.0, 2.25, 64, 7),), 1.0, 3.0, True
    )
    members: dict[str, object] = {
        "header": header,
        "records": 12345,
        "timeline": timeline,
        "places": {(0, 1): word},
        "sites": (SiteLine(word, word, 3, 65536, 0.5, 0.25, 0.125, 0.001, word),),
        "costs": word,
        "curves": (WhatIfCurve(1e-6, False, ((1e6, 2.0), (1e9, 1.0))),),
        "notes": (word,),
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
    assert drawn["names"] == [EVIL] and drawn["places"] == [EVIL, ""]


def test_the_timeline_holds_calls_and_messages_in_nanoseconds() -> None:
    drawn = page_of(document("MPI_Send")).specs()[0]
    assert drawn["end"] == 2_000_000_000
    assert [lane["name"] for lane in drawn["lanes"]] == ["0", "1"]
    first = drawn["lanes"][0]
    assert first["begin"] == [0, 1_000_000_000] and first["length"] == [500_000_000, 250_000_000]
    assert [drawn["categories"][index] for index in first["category"]] == ["send", "wait"]
    assert first["peer"] == [1, -1] and first["bytes"] == [64, 0]
    assert drawn["messages"] == [[0, 1, 0, 1_250_000_000, 64, 7, [], []]]


def test_threads_of_a_rank_have_separate_lanes() -> None:
    timeline = Timeline((Lane(0, 0, ()), Lane(0, 3, ()), Lane(1, 0, ())), (), 0.0, 1.0, False)
    page = page_of(document("app", timeline=timeline))
    assert [lane["name"] for lane in page.specs()[0]["lanes"]] == ["0.0", "0.3", "1"]
    assert "Only the beginning is shown" in " ".join(page.words)


def test_a_site_is_a_row_that_can_be_sorted_by_its_bytes() -> None:
    page = page_of(document("app"))
    assert [span["data-value"] for span in page.named("span") if "data-value" in span] == ["65536"]
    words = " ".join(page.words)
    assert "64KiB" in words and "500.000" in words and "25" in page.words and "12\u202f345" in words


@pytest.mark.parametrize("curves", [(), document("app").curves])
def test_other_networks_are_shown_where_there_are_curves(curves: tuple[WhatIfCurve, ...]) -> None:
    page = page_of(document("app", curves=curves))
    assert len(page.specs()) == 1 + len(curves)
    assert ("what-if" in [a["id"] for a in page.named("section")]) == bool(curves)
