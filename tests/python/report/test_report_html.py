# SPDX-License-Identifier: BSD-3-Clause
"""The page is complete and self-contained, and escapes all text."""

import base64
import csv
import gzip
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from report_documents import document_of, eta
from synthetic_machine import contention_rows, header, latency_rows, loggp_rows, overlap_rows

from stretto.data.loads import Load
from stretto.data.profile_file import read_profile
from stretto.data.results import Results
from stretto.report.blocks import Notes, Paragraph
from stretto.report.document import Document
from stretto.report.html import render
from stretto.report.sections import Section, discover

SECTIONS = ["answer", "pictures", "transfer", "overlap", "loggp", "contention", "machine", "provenance"]
MAX_BYTES = 1_500_000
EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&{{%{x}<b>"


class Page(HTMLParser):
    """The elements, attributes and texts of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.words: list[str] = []
        self._inside = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._inside = tag
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            self.scripts[-1] += data
        elif self._inside != "style":
            self.words.append(data)

    def named(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def specs(self) -> list[dict[str, Any]]:
        """The figures' data, in the order of the page."""
        kinds = [attributes.get("type") for attributes in self.named("script")]
        return [json.loads(text) for kind, text in zip(kinds, self.scripts) if kind == "application/json"]


def without_plotly(text: str) -> str:
    """The page without the plotting library, and with plain spaces between numbers and units."""
    return re.sub(r'(<script id="plotly"[^>]*>)[^<]*', r"\1", text).replace("\xa0", " ")


def plotly_of(text: str) -> str:
    packed = re.search(r'<script id="plotly"[^>]*>([^<]*)', text)
    return gzip.decompress(base64.b64decode(packed[1])).decode() if packed else ""


def page_of(document: Document, sections: list[Section] | None = None) -> Page:
    return Page(without_plotly(render(document, sections)))


def test_every_section_is_on_the_page_once_and_in_order(local_html: str) -> None:
    page = Page(without_plotly(local_html))
    assert [attributes["id"] for attributes in page.named("section")] == SECTIONS
    links = [attributes["href"] for attributes in page.named("a") if "download" not in attributes]
    assert links == [f"#{anchor}" for anchor in SECTIONS[1:]]


def test_the_answer_and_the_pictures_are_open_and_the_rest_is_folded(local_html: str) -> None:
    text = without_plotly(local_html)
    parts = re.findall(r'<section id="([a-z]+)">(<details class="part">)?', text)
    assert [anchor for anchor, folded in parts if not folded] == ["answer", "pictures"]
    assert text.index('id="answer"') < text.index("<nav") < text.index('id="pictures"')


def test_every_figure_has_its_place_its_data_and_a_label(local_html: str) -> None:
    page = Page(without_plotly(local_html))
    plots = [a for a in page.named("div") if a.get("class") == "plot"]
    # the four pictures; T_c; contention of three paths
    assert len(plots) == len(page.specs()) == 4 + 1 + 3
    assert all(plot["aria-label"] and plot["role"] == "img" for plot in plots)


def test_every_figure_has_a_unit_conditions_a_table_and_a_file(local_html: str) -> None:
    text = without_plotly(local_html)
    page = Page(text)
    for spec in page.specs():
        title = spec["layout"]["yaxis"]["title"]["text"]
        assert "," in title or "/" in title or title == "kappa", title
    captions = re.findall(r"<figcaption>(.*?)</figcaption>", text, re.S)
    assert len(captions) == len(page.specs()) > 0
    assert all("MPICH Version: 5.0.2" in caption and "2 ranks on one node" in caption for caption in captions)
    assert len(re.findall(r'<div class="data"><details>', text)) == len(page.specs())
    files = [a for a in page.named("a") if "download" in a]
    assert len({a["download"] for a in files}) == len(files) == len(page.specs())


def test_the_file_behind_a_figure_holds_its_points(local_html: str) -> None:
    page = Page(without_plotly(local_html))
    name = "latency-by-message-size.csv"
    address = next(a["href"] for a in page.named("a") if a.get("download") == name)
    assert address is not None
    head, _, text = unquote(address).partition(",")
    assert head == "data:text/csv;charset=utf-8"
    first, *lines = text.splitlines()
    assert first.startswith("# Latency by message size.") and "2 ranks" in first
    rows = list(csv.DictReader(io.StringIO("\n".join(lines))))
    assert rows[0]["series"] == "plain MPI send" and rows[0]["message size, B"] == "8"
    assert float(rows[0]["time of one transfer, µs"]) == pytest.approx(0.50152, rel=1e-4)
    assert float(rows[0]["to"]) == pytest.approx(1.03 * 0.50152, rel=1e-4)
    assert not any(row["series"] == "model" for row in rows)


def test_text_in_a_csv_file_is_no_formula_of_a_spreadsheet() -> None:
    page = page_of(document_of([eta(0.5, 8, 0.4, 0.6, transport="=1+1")]))
    address = next(a["href"] for a in page.named("a") if "download" in a)
    assert "'=1+1,8," in unquote(str(address))


def test_the_page_is_small(local: Document, emulated: Document) -> None:
    for document in (local, emulated):
        assert len(render(document).encode()) < MAX_BYTES * 0.6


def test_the_page_fetches_nothing(local_html: str) -> None:
    text = local_html
    page = Page(without_plotly(text))
    for _, attributes in page.elements:
        for name in ("src", "href", "srcset", "action", "data"):
            assert not re.match(r"(?i)\s*(https?:|//|ftp:)", attributes.get(name) or "")
    assert "default-src 'none'" in str(page.named("meta"))
    assert not re.search(r"(?i)https?://|@import|url\(", without_plotly(text))


def test_plotly_is_inside_where_something_is_drawn(local_html: str) -> None:
    assert "plotly.js (basic - minified)" in plotly_of(local_html)
    assert plotly_of(render(document_of([]))) == ""


def test_text_of_the_files_is_escaped() -> None:
    rows = [
        row | {"transport": EVIL, "progress": EVIL}
        for kind in (latency_rows, overlap_rows, loggp_rows, contention_rows)
        for row in kind()
    ]
    rows.append(eta(None, 8) | {"reason": EVIL})
    evil = dict.fromkeys(("created_utc", "revision", "cpu", "network", "on", "locality", "schema"), EVIL)
    document = document_of(
        rows,
        hosts=[EVIL, EVIL],
        command=[EVIL],
        settings={EVIL: EVIL},
        mpi={"library": EVIL, "standard": EVIL},
        **evil,
    )
    text = without_plotly(render(document))
    page, honest = Page(text), page_of(document_of([]))
    assert not page.named("img") and not page.named("b")
    assert not any("onerror" in attributes for _, attributes in page.elements)
    # One script of Plotly (where there is a figure), one of the page, one of data per figure; none of a file.
    assert len(page.named("script")) - len(page.specs()) == len(honest.named("script")) + 1
    assert EVIL in "".join(page.words)
    for spec in page.specs():
        assert "<script" not in json.dumps(spec) and "<img" not in json.dumps(spec)


def test_figures_hold_the_results(local_html: str) -> None:
    latency = Page(without_plotly(local_html)).specs()[2]
    points = next(trace for trace in latency["data"] if trace["mode"] == "markers")
    assert points["name"] == "plain MPI send"
    assert points["x"][0] == 8 and points["y"][0] == pytest.approx(0.50152, rel=1e-4)
    assert points["error_y"]["array"][0] == pytest.approx(0.03 * 0.50152, rel=1e-3)
    assert latency["layout"]["xaxis"]["ticktext"][:4] == ["8 B", "64 B", "512 B", "4 KiB"]


def test_the_model_runs_through_the_points_and_the_break_is_marked(local_html: str) -> None:
    """The synthetic machine obeys its own model, so the curve must meet every point."""
    latency = Page(without_plotly(local_html)).specs()[2]
    points = [t for t in latency["data"] if t["mode"] == "markers"]
    lines = [t for t in latency["data"] if t["mode"] == "lines"]
    for measured in points:
        selected = [t for t in lines if t["legendgroup"] == measured["legendgroup"]]
        assert len(selected) == 2
        for line, x, y in (
            (selected[0], measured["x"][0], measured["y"][0]),
            (selected[1], measured["x"][-1], measured["y"][-1]),
        ):
            near = min(range(len(line["x"])), key=lambda i: abs(line["x"][i] - x))
            assert line["y"][near] == pytest.approx(y, rel=0.02)
    assert [shape["x0"] for shape in latency["layout"]["shapes"]] == [65536]
    assert latency["layout"]["annotations"][0]["text"].strip() == "64 KiB"


def test_overlap_is_a_coloured_table_centred_at_zero_which_shows_losses(local_html: str) -> None:
    text = without_plotly(local_html)
    tables = re.findall(r"<caption>Overlap by T_w/T_c, %: ([^<]*)</caption>(.*?)</table>", text, re.S)
    assert len(tables) == 6
    name, table = tables[4]  # get: plain MPI and put have two each before it
    assert "get" in name
    assert re.findall(r"T_w/T_c ([0-9.]+)", table.split("<tbody>")[0]) == ["0.25", "0.5", "1", "2", "4"]
    last = table.rsplit("<tr>", 1)[1]
    assert "4 MiB" in last
    loss = re.findall(r'<span class="heat ([a-z ]+)"[^>]*>([^<]*)</span>', last)[2]
    assert loss == ("loss", "−18")
    assert 'class="heat none"' in table and ">?</span>" in table


def test_an_uncertain_overlap_gets_no_colour() -> None:
    rows = [eta(3.57, 8, -4.6, 6.1, ratio=0.5), eta(0.5, 8, 0.45, 0.55)]
    text = without_plotly(render(document_of(rows)))
    table = re.search(r"Overlap by T_w/T_c, %.*?</table>", text, re.S)
    assert table
    cells = re.findall(r'<span class="heat ([a-z ]+)"[^>]*>([^<]*)</span>', table[0])
    assert cells == [("none", "≈357"), ("gain", "50")]


def test_an_outlier_leaves_the_other_figures_visible() -> None:
    rows = [eta(-40.0, 8, -50.0, -30.0), eta(0.5, 64, 0.45, 0.55)]
    low, high = page_of(document_of(rows)).specs()[0]["layout"]["yaxis"]["range"]
    assert low == -106 and high == 106


def test_the_ratio_of_communication_times_is_shown_with_the_maps(local_html: str) -> None:
    text = local_html
    ratios = next(
        s
        for s in Page(without_plotly(text)).specs()
        if "plain MPI's" in s["layout"]["yaxis"]["title"]["text"]
    )
    polled = next(t for t in ratios["data"] if t["name"] == "plain MPI send, progress poll")
    assert polled["y"] == pytest.approx([1.15] * 4)
    assert "plain MPI&#39;s" in text


def test_unresolved_figures_are_listed_with_their_reasons(local: Document, local_html: str) -> None:
    unresolved = sum(row.value is None for row in local.results.rows)
    assert unresolved > 10
    assert f"{unresolved} unresolved figures, with their reasons" in local_html


def test_an_emulated_network_shows_its_own_bound(emulated: Document) -> None:
    words = "".join(page_of(emulated).words)
    assert "own bound: one way 93 % (92 to 94 %), both ways 89 % (88 to 90 %)" in words
    assert "an emulated cluster (htb 500mbit)" in words


def test_a_profile_alone_gives_a_page(tmp_path: Any) -> None:
    (tmp_path / "p.json").write_text(
        '{"schema": "stretto.profile/1.0", "loggp": [], "machine": {"name": "dream"}}'
    )
    document = Document(Results(()), read_profile(tmp_path / "p.json"))
    assert "under computation on dream" in render(document)


def test_broken_headers_are_unknown_and_not_an_error() -> None:
    nothing = dict.fromkeys(header())
    assert "unknown" in render(document_of([], **nothing))
    wrong: dict[str, Any] = dict.fromkeys(header(), 7)
    assert "Provenance" in render(document_of([], **wrong))


def test_a_new_section_is_one_more_file() -> None:
    extra = Section(15, "extra", "More & more", lambda document: [Paragraph("here")])
    page = page_of(document_of([]), [*discover(), extra])
    assert "extra" in [attributes["id"] for attributes in page.named("section")]
    assert "More & more" in page.words


def test_sections_with_nothing_to_show_are_left_out() -> None:
    page = page_of(document_of([]))
    assert [attributes["id"] for attributes in page.named("section")] == [
        "answer",
        "machine",
        "provenance",
    ]


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.text(max_size=60), st.floats(-1e300, 1e300), st.integers(0, 1 << 61))
def test_any_name_and_figure_make_a_page(name: str, value: float, size: int) -> None:
    rows = [eta(value, size, transport=name, side=name), eta(None, size, transport=name) | {"reason": name}]
    rows += [
        eta(value, size, transport=name) | {"metric": metric, "probe": metric}
        for metric in ("latency", "bandwidth", "kappa")
    ]
    sections = [section for section in discover() if section.anchor != "machine"]
    assert "<h1>" in render(document_of(rows, hosts=[name]), sections)


def test_commands_in_sentences_are_code() -> None:
    """Between backticks; the text is escaped there, too."""
    load = Load("vm-1", "during", 20.0, 2, 2, 1.9, 0.0, 0.9, 4)
    busy = replace(document_of([eta(0.5, 8, 0.4, 0.6)]), loads=(load,))
    text = render(busy)
    assert "Wait until they end: <code>top</code> lists them" in text
    section = Section(1, "one", "One", lambda _: [Paragraph(f"a `b {EVIL}` c` d"), Notes(["`x` <y>"])])
    text = render(busy, [section])
    assert "<p>a <code>b &lt;/script&gt;" in text and "</code> c` d</p>" in text and EVIL not in text
    assert "<li><code>x</code> &lt;y&gt;</li>" in text
