# SPDX-License-Identifier: BSD-3-Clause
"""`stretto report` and its page in a browser: all plots drawn, no errors, within the window."""

import html
import json
import re
import shutil
import struct
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
import synthetic_machine as machine
from processes import completed
from screens import refusal

from stretto.commands import exit_status

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
TIMEOUT_S = 120
# Examines the page after drawing and after a click on its button; stores the results in the page.
LOOK = """<script>
const root = document.documentElement;
const seen = () => ({
  wide: root.scrollWidth - root.clientWidth,
  plots: [...document.querySelectorAll(".plot")].map((place) => ({
    marks: place.querySelectorAll("svg.main-svg .trace").length,
    over: place.querySelector("svg.main-svg").getBoundingClientRect().right - root.clientWidth,
    ink: getComputedStyle(place.querySelector("svg .xtick text")).fill,
  })),
  paper: getComputedStyle(document.body).backgroundColor,
});
const note = (name) => {
  const place = document.createElement("pre");
  place.id = name;
  place.hidden = true;
  place.textContent = JSON.stringify(seen());
  document.body.append(place);
};
new MutationObserver((_, watch) => {
  watch.disconnect();
  document.querySelectorAll("details.part").forEach((fold) => { fold.open = true; });
  setTimeout(() => {
    note("before");
    document.getElementById("theme").click();
    setTimeout(() => note("after"), 500);
  }, 500);
}).observe(root, { attributeFilter: ["data-drawn"] });
</script>"""

needs_browser = pytest.mark.skipif(
    CHROMIUM is None, reason="NO CHROMIUM FOUND: the page is not looked at; apt-get install chromium"
)


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A run directory with the synthetic machine's results and profile."""
    result = tmp_path / "run"
    result.mkdir()
    (result / "results.json").write_text(json.dumps(machine.emulated()))
    (result / "profile.json").write_text(json.dumps(machine.profile("remote")))
    return result


def browse(page: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """A browser without window, profile or network."""
    profile = page.parent / "browser"
    shutil.rmtree(profile, ignore_errors=True)
    command = [
        str(CHROMIUM),
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
    ]
    command += [
        "--no-first-run",
        "--disable-component-update",
        "--disable-sync",
        f"--user-data-dir={profile}",
    ]
    command += [
        "--host-resolver-rules=MAP * ~NOTFOUND",
        "--enable-logging=stderr",
        "--virtual-time-budget=15000",
    ]
    return completed([*command, *options, page.as_uri()], timeout=TIMEOUT_S, check=True)


def console_errors(stderr: str) -> list[str]:
    """The console messages of the page, without the browser's messages about its host."""
    return [line for line in stderr.splitlines() if "CONSOLE" in line]


def noted(dom: str, name: str) -> Mapping[str, object]:
    match = re.search(rf'<pre id="{name}"[^>]*>(.*?)</pre>', dom, re.DOTALL)
    assert match, f"the page never came to '{name}'"
    seen: Mapping[str, object] = json.loads(html.unescape(match[1]))
    return seen


@needs_browser
@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1400])
def test_the_page_draws_every_figure_within_its_window_and_says_nothing(directory: Path, width: int) -> None:
    assert exit_status(["report", str(directory)]) == 0
    page = directory / "report.html"
    text = page.read_text()
    page.write_text(text.replace("</head>", f"{LOOK}</head>"))
    result = browse(page, "--dump-dom", f"--window-size={width},900")
    assert console_errors(result.stderr) == []
    figures = text.count('class="plot"')
    assert f'data-drawn="{figures}"' in result.stdout
    light, dark = noted(result.stdout, "before"), noted(result.stdout, "after")
    for seen in (light, dark):
        plots = seen["plots"]
        assert isinstance(plots, list) and len(plots) == figures == 8
        assert all(plot["marks"] > 0 for plot in plots)
        assert all(plot["over"] <= 0 for plot in plots)
        assert seen["wide"] == 0
    assert light["paper"] != dark["paper"]
    assert light["plots"][0]["ink"] != dark["plots"][0]["ink"]  # type: ignore[index]


@needs_browser
@pytest.mark.slow
def test_a_hostile_host_name_runs_nothing_in_a_browser(directory: Path) -> None:
    evil = "</script><script>console.error('owned')</script><img src=x onerror=\"console.error('owned')\">"
    results = machine.results(provenance=[machine.header(hosts=[evil, evil], cpu=evil, network=evil)])
    for row in results["rows"]:
        row["progress"] = evil
    (directory / "results.json").write_text(json.dumps(results))
    assert exit_status(["report", str(directory)]) == 0
    result = browse(directory / "report.html", "--dump-dom")
    assert console_errors(result.stderr) == []
    assert "data-drawn=" in result.stdout


@needs_browser
@pytest.mark.slow
def test_a_picture_can_be_taken(directory: Path) -> None:
    assert exit_status(["report", str(directory)]) == 0
    picture = directory / "page.png"
    browse(
        directory / "report.html", f"--screenshot={picture}", "--window-size=1400,1000", "--hide-scrollbars"
    )
    data = picture.read_bytes()
    assert struct.unpack(">II", data[16:24]) == (1400, 1000)
    assert len(data) > 20_000, "the page is all but empty"


def test_the_path_is_printed_and_the_page_is_made_again(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (directory / "report.html").write_text("old")
    assert exit_status(["report", str(directory)]) == 0
    assert capsys.readouterr().out == f"{directory / 'report.html'}\n"
    assert (directory / "report.html").read_text().startswith("<!doctype html>")


def test_a_file_of_another_program_is_overwritten_only_with_force(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = directory.parent / "mine.html"
    other.write_text("mine")
    assert "--force" in refusal(capsys, "report", directory, "-o", other)
    assert other.read_text() == "mine"
    assert exit_status(["report", str(directory), "-o", str(other), "--force"]) == 0
    assert other.read_text() != "mine"


def test_a_profile_by_hand_is_enough(tmp_path: Path) -> None:
    (tmp_path / "profile.json").write_text(json.dumps(machine.profile()))
    assert exit_status(["report", str(tmp_path)]) == 0


def test_where_there_is_nothing_to_report_one_line_reports_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "does not exist" in refusal(capsys, "report", tmp_path / "nowhere")
    assert "samples.jsonl, results.json or profile.json" in refusal(capsys, "report", tmp_path)
    (tmp_path / "results.json").write_text('{"schema": "stretto.results/2.0", "rows": []}')
    assert "results/2.0" in refusal(capsys, "report", tmp_path)
    (tmp_path / "samples.jsonl").write_text("not a row\n")
    assert "samples.jsonl:1" in refusal(capsys, "report", tmp_path)
    assert not (tmp_path / "report.html").exists()


def test_an_output_that_cannot_be_written_is_named(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "where.html" in refusal(capsys, "report", directory, "-o", directory / "no" / "where.html")
