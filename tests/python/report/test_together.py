# SPDX-License-Identifier: BSD-3-Clause
"""One page of several things: runs side by side with the same axes, runs of kernels, traces."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import synthetic_machine as machine
from report_documents import document_of, eta
from test_report_html import EVIL, Page, without_plotly
from test_trace_page import LEVELS, what_if
from test_trace_page import document as trace_of

from stretto.commands import exit_status
from stretto.data.kernel_run import KernelResult, read_kernel_run
from stretto.errors import UserError
from stretto.report.blocks import Figure
from stretto.report.document import Document
from stretto.report.figures import layout, marks
from stretto.report.together import Subjects, render_together, same_axes


def kernel(**changes: Any) -> dict[str, Any]:
    return {
        "kernel": "ft",
        "class": "A",
        "variant": "slabs",
        "transport": "stretto",
        "ranks": 2,
        "time_s": 1.25,
        "mops": 100.0,
        "verified": True,
        "messages": 64,
        "timers": {"init": 0.25, "work": 0.5, "sync": 0.5},
    } | changes


def written(path: Path, **changes: Any) -> Path:
    path.write_text(json.dumps(kernel(**changes)))
    return path


def page_of(subjects: Subjects) -> Page:
    return Page(without_plotly(render_together(subjects)))


def figure(*y: float) -> Figure:
    points = [(float(x), value, None, None, "") for x, value in enumerate(y)]
    axes = layout({"title": "x"}, {"title": "y, s", "range": [min(y), max(y)]})
    return Figure({"data": [marks("a", 0, points)], "layout": axes}, "a figure")


def test_two_figures_get_the_axes_of_both() -> None:
    low, high = same_axes([figure(1.0, 2.0), figure(-1.0, 1.5)])
    assert low.spec["layout"]["yaxis"]["range"] == high.spec["layout"]["yaxis"]["range"] == [-1.0, 2.0]
    assert "range" not in low.spec["layout"]["xaxis"]


def test_runs_stand_side_by_side_with_the_same_axes(local: Document) -> None:
    other = document_of([eta(0.9, 8, 0.85, 0.95), eta(0.1, 1 << 20, 0.05, 0.15)])
    page = page_of(Subjects([("before", local), ("after", other)]))
    names = re.findall(r"before|after", " ".join(page.words))
    assert names.count("before") > 2 and names.count("after") > 2
    hidden = [s for s in page.specs() if "hidden" in s["layout"]["yaxis"]["title"]["text"]]
    assert len(hidden) == 2
    assert hidden[0]["layout"]["xaxis"]["range"] == hidden[1]["layout"]["xaxis"]["range"]
    assert hidden[0]["layout"]["xaxis"]["tickvals"] == hidden[1]["layout"]["xaxis"]["tickvals"]
    assert hidden[0]["layout"]["yaxis"]["range"] == hidden[1]["layout"]["yaxis"]["range"]
    anchors = [a["id"] for a in page.named("section")]
    assert len(anchors) == len(set(anchors)) and anchors[:2] == ["answer", "pictures"]


def test_kernels_and_traces_join_the_page_of_a_run(local: Document) -> None:
    kernels = [
        KernelResult(
            "a.json", "ft", "A", "slabs", "stretto", 2, 1.0, 9.0, True, 8, {"work": 0.8, "sync": 0.2}
        ),
        KernelResult(
            "b.json", "ft", "A", "alltoall", "mpi", 2, 1.5, 6.0, True, 8, {"work": 0.8, "sync": 0.7}
        ),
    ]
    text = without_plotly(render_together(Subjects([("run", local)], kernels, [trace_of("app")])))
    page = Page(text)
    anchors = [a["id"] for a in page.named("section")]
    assert anchors[:2] == ["answer", "pictures"] and {"kernels", "timeline", "places"} <= set(anchors)
    words = " ".join(page.words)
    assert "slabs over stretto" in words and "alltoall over mpi takes 1.50 times as long" in words
    assert "of the run time is app" in words
    answer = text[text.index('id="answer"') : text.index("<nav")]
    assert "slabs over stretto" in answer and "of the run time is app" in answer


def test_a_wrong_result_is_what_is_said_of_kernels() -> None:
    wrong = KernelResult("a.json", "ft", "A", "slabs", "stretto", 2, 1.0, 9.0, False, 8, {"work": 1.0})
    assert "slabs over stretto: wrong result." in " ".join(page_of(Subjects(kernels=[wrong])).words)


def test_several_traces_have_anchors_of_their_own() -> None:
    page = page_of(Subjects(traces=[trace_of("before"), trace_of("after")]))
    anchors = [a["id"] for a in page.named("section")]
    assert len(anchors) == len(set(anchors)) == 7


def test_the_bandwidth_that_applications_need_is_one_chart() -> None:
    with_levels = [trace_of(name, what_if=what_if(LEVELS)) for name in ("before", "after")]
    page = page_of(Subjects(traces=[*with_levels, trace_of("other")]))
    assert "bandwidth-needed" in [a["id"] for a in page.named("section")]
    chart = page.specs()[-1]
    assert [one["name"] for one in chart["data"]] == ["1. before", "2. after"]
    assert chart["data"][0]["x"] == ["1 us", "4 us"]


def test_no_word_of_a_kernel_becomes_markup() -> None:
    evil = KernelResult(EVIL, EVIL, EVIL, EVIL, EVIL, 2, 1.0, 9.0, True, 8, {EVIL: 1.0})
    page = page_of(Subjects(kernels=[evil, evil]))
    assert not page.named("img") and EVIL in "".join(page.words)
    assert "<script" not in json.dumps(page.specs()[0]) and "<img" not in json.dumps(page.specs()[0])


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"ranks": 0}, "ranks"),
        ({"time_s": "fast"}, "time_s"),
        ({"verified": 1}, "verified"),
        ({"timers": {"work": -1}}, "timers.work"),
        ({"kernel": "a\nb"}, "kernel"),
    ],
)
def test_a_damaged_kernel_run_is_refused(tmp_path: Path, changes: dict[str, Any], what: str) -> None:
    with pytest.raises(UserError, match=re.escape(what)):
        read_kernel_run(written(tmp_path / "k.json", **changes))


def test_another_document_is_no_kernel_run(tmp_path: Path) -> None:
    (tmp_path / "k.json").write_text('{"makespan_s": 1.0}')
    with pytest.raises(UserError, match="stretto run KERNEL --json"):
        read_kernel_run(tmp_path / "k.json")


def test_the_command_takes_runs_and_kernels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "results.json").write_text(json.dumps(machine.results()))
    (tmp_path / "kernels").mkdir()
    written(tmp_path / "kernels" / "one.json")
    single = written(tmp_path / "two.json", variant="pencils", time_s=1.0)
    sources = [str(tmp_path / name) for name in ("a", "b", "kernels")]
    assert exit_status(["report", *sources, str(single), "-o", str(tmp_path / "all.html")]) == 0
    assert capsys.readouterr().out.splitlines()[0] == str(tmp_path / "all.html")
    text = (tmp_path / "all.html").read_text()
    assert "pencils over stretto" in text and 'class="side-by-side"' in text
    assert len(text.encode()) < 1_500_000
    assert exit_status(["report", str(tmp_path / "kernels")]) == 0
    assert (tmp_path / "kernels" / "report.html").is_file()
    # A file is not overwritten, a report in a run's directory is.
    assert exit_status(["report", str(single)]) == 0
    assert exit_status(["report", str(single)]) == 2
    assert exit_status(["report", str(tmp_path / "kernels")]) == 0


def test_the_page_of_a_question_has_the_emulated_pair_alongside(tmp_path: Path) -> None:
    directory = tmp_path / "run"
    for place, rows in ((directory, machine.results()), (directory / "emulated", machine.emulated())):
        place.mkdir()
        (place / "results.json").write_text(json.dumps(rows))
    assert exit_status(["report", str(directory)]) == 0
    text = without_plotly((directory / "report.html").read_text())
    assert "computation: one node and emulated network" in " ".join(text.split())
