# SPDX-License-Identifier: BSD-3-Clause
"""`stretto report` on a trace: the page in a browser, and Chrome's trace events."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from runs import eventually
from screens import refusal
from test_report import browse, console_errors, needs_browser
from trace_bytes import NUMBER, block, record, trace, world

from stretto.commands import exit_status
from stretto.data.trace_records import COMPLETION, DEFINITION, PRODUCED

MESSAGES = 50
EVIL = b"/bin/</script><script>console.error('owned')</script>"


def rank_records(rank: int) -> Iterator[bytes]:
    yield record(NUMBER["MPI_Init"], 0, 1000)
    for step in range(MESSAGES):
        at = 10_000 * (step + 1)
        if rank == 0:
            yield record(NUMBER["MPI_Send"], at, 2000, size=4096, peer=1, tag=5)
        else:
            yield record(NUMBER["MPI_Irecv"], at - 4000, 100, size=4096, peer=0, tag=5, request=step + 1)
            yield record(NUMBER["MPI_Wait"], at, 3000, count=1)
            yield record(COMPLETION, at, request=step + 1)
        yield record(NUMBER["MPI_Barrier"], at + 4000, 500, peer=-2)
    yield record(NUMBER["MPI_Finalize"], 10_000 * (MESSAGES + 2), 100)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    result = tmp_path / "traced"
    result.mkdir()
    for rank in range(2):
        evil = record(DEFINITION, 0, size=len(EVIL), peer=1, request=1) + EVIL.ljust(96, b"\0")
        evil += record(DEFINITION, 0, peer=1, tag=1, request=2, extra=0x1234)
        data = block(world(rank, 2) + evil + b"".join(rank_records(rank)))
        (result / f"rank-{rank:06}.trace").write_bytes(trace(rank, 2, [data]))
    return result


@needs_browser
@pytest.mark.slow
def test_the_page_draws_the_timeline_and_runs_nothing_of_the_traces_words(directory: Path) -> None:
    assert exit_status(["report", str(directory)]) == 0
    page = directory / "report.html"
    # Sorts by the fifth column, as a click would, once the page stands.
    click = "<script>addEventListener('load', () => document.querySelectorAll('.sortable th button')[4].click());</script>"
    page.write_text(page.read_text().replace("</head>", f"{click}</head>"))
    result = browse(page, "--dump-dom", "--window-size=1000,900")
    assert console_errors(result.stderr) == []
    assert f'data-drawn="{MESSAGES}"' in result.stdout  # lines on the canvas
    assert 'aria-sort="descending"' in result.stdout
    table = result.stdout.split("places of the program")[-1].split("</table>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", table, re.DOTALL)
    costs = [float(re.findall(r"<td[^>]*>(.*?)</td>", row)[4]) for row in rows if "<td" in row]
    assert len(costs) >= 3 and costs == sorted(costs, reverse=True)


def test_the_levels_of_watched_data_are_drawn_too(directory: Path) -> None:
    """Every send of 4096 bytes has been ready for 2 us: at 1 MB/s that is not all, but it shows."""
    assert exit_status(["report", str(directory)]) == 0
    _, heading, networks = (directory / "report.html").read_text().partition("On other networks")
    assert heading and "a line a level" not in networks
    sender = directory / "rank-000000.trace"
    data = [
        record(PRODUCED, 10_000 * step - 2_000, tag=8, count=part, request=step, extra=10_000 * step - 2_000)
        for step in range(1, MESSAGES + 1)
        for part in range(8)
    ]
    calls = [
        record(NUMBER["MPI_Send"], 10_000 * step, 2000, size=4096, peer=1, tag=5, request=step)
        + record(NUMBER["MPI_Barrier"], 10_000 * step + 4000, 500, peer=-2)
        for step in range(1, MESSAGES + 1)
    ]
    sender.write_bytes(trace(0, 2, [block(world(0, 2) + b"".join([*rank_records(0)][:1] + calls + data))]))
    assert exit_status(["report", str(directory)]) == 0
    page = (directory / "report.html").read_text()
    drawn = [
        json.loads(one)
        for one in re.findall(r'<script type="application/json"[^>]*>(\{"data".*?)</script>', page)
    ]
    (curves,) = [one for one in drawn if "traced" in [line["name"] for line in one["data"]]]
    times = {one["name"]: one["y"] for one in curves["data"]}
    assert list(times) == ["traced", "independent", "consumer", "producer-consumer"]
    assert all(one < other for one, other in zip(times["producer-consumer"], times["traced"], strict=True))


def test_chromes_events_have_every_call_and_both_ends_of_every_message(
    directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "trace.json"
    assert exit_status(["report", str(directory), "--trace-events", "-o", str(file)]) == 0
    assert capsys.readouterr().out == f"{file}\n"
    events = json.loads(file.read_text())["traceEvents"]
    calls = [event for event in events if event["ph"] == "X"]
    assert len(calls) == 2 * (MESSAGES + 2) + MESSAGES + 2 * MESSAGES
    flows = {kind: {event["id"]: event for event in events if event["ph"] == kind} for kind in "sf"}
    assert flows["s"].keys() == flows["f"].keys() and len(flows["s"]) == MESSAGES
    for name, begin in flows["s"].items():
        end = flows["f"][name]
        assert (begin["pid"], end["pid"]) == (0, 1) and end["ts"] - begin["ts"] == pytest.approx(2.999)
        around = [c for c in calls if c["pid"] == 1 and c["ts"] <= end["ts"] <= c["ts"] + c["dur"]]
        assert [call["name"] for call in around] == ["MPI_Wait"]


def test_what_is_no_trace_does_not_become_events(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "only one trace becomes Chrome's trace events" in refusal(
        capsys, "report", tmp_path, "--trace-events", "-o", tmp_path / "x.json"
    )


def test_an_export_that_is_interrupted_leaves_nothing(tmp_path: Path) -> None:
    directory = tmp_path / "traced"
    directory.mkdir()
    many = b"".join(record(NUMBER["MPI_Barrier"], 1000 * i, 500, peer=-2) for i in range(40_000))
    blocks = [block(world(0, 1)), *[block(many)] * 20]
    (directory / "rank-000000.trace").write_bytes(trace(0, 1, blocks))
    program = Path(sys.executable).parent / "stretto"
    command = [program, "report", directory, "--trace-events", "-o", tmp_path / "trace.json"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        eventually(
            lambda: any(one.stat().st_size > 0 for one in tmp_path.glob(".trace.json.*")),
            lambda: "the export never began",
        )
        process.terminate()
        text = process.communicate()[1]
    assert (process.returncode, text) == (143, "stretto: interrupted\n")
    assert list(tmp_path.iterdir()) == [directory]
