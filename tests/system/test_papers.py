# SPDX-License-Identifier: BSD-3-Clause
"""The papers' figures as a person computes them: the list, one figure, a paper with its page, and wrong input."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from processes import completed, has_program

from stretto.commands import exit_status
from stretto.launch.papers_job import commands
from validation.papers import __main__ as command
from validation.papers.__main__ import main
from validation.papers.attack import Judged
from validation.papers.figures import Claim, PaperFigure
from validation.papers.measured import of_figure, of_run
from validation.papers.outcome import Outcome
from validation.papers.page_files import write_page
from validation.papers.registry import documented
from validation.papers.registry import papers as all_papers

pytestmark = pytest.mark.slow  # evidence about the product

ROOT = Path(__file__).resolve().parents[2]


def papers(directory: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs `python -m validation.papers` in a directory."""
    return completed(
        [sys.executable, "-m", "validation.papers", *words],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80"},
    )


needs_model = pytest.mark.skipif(
    not has_program("stretto-model", "none"), reason="NO stretto-model: no figure is tested"
)


def test_the_list_names_every_figure_and_computes_none(tmp_path: Path) -> None:
    ended = papers(tmp_path, "--list")
    assert ended.returncode == 0, ended.stderr
    for paper in all_papers():
        for figure in paper.figures:
            assert figure.name in ended.stdout
    assert all(len(line) <= 80 for line in ended.stdout.splitlines())


@pytest.mark.slow
@needs_model
def test_one_figure_shows_words_bounds_verdict_and_attack(tmp_path: Path) -> None:
    ended = papers(tmp_path, "probes", "figure-5")
    assert ended.returncode == 0, ended.stderr
    text = " ".join(ended.stdout.split())
    assert text.startswith("probes figure-5: bassi")
    assert '"this time the degradation is much more severe at about 40%" (section 6.2)' in text
    assert "paper 1.4 (1.36 to 1.44); here 1.9" in text
    assert "calibrated: outside with the believed values; there: the time of an initiation" in text
    assert "only half does; inside with bassi.overlap only 0.9635 to 1 of 0 to 1" in text
    assert "its number chose bassi.gap_queue_s; holds over the whole range of 6 parameters" in text
    assert all(len(line) <= 80 for line in ended.stdout.splitlines())


@pytest.mark.slow
@needs_model
def test_what_was_measured_stands_next_to_what_is_modelled(tmp_path: Path) -> None:
    text = " ".join(papers(tmp_path, "ft-slides", "page-22-fsn").stdout.split())
    assert "Measured here: two emulated hosts over TCP" in text and "This contradicts the figure" in text


@needs_model
def test_one_figure_as_json(tmp_path: Path) -> None:
    ended = papers(tmp_path, "ft-slides", "page-19", "--json")
    document = json.loads(ended.stdout)
    assert {claim["value"] for claim in document["claims"]} == {8, 64, 512, 4096}
    assert {claim["verdict"] for claim in document["claims"]} == {"by construction"}
    assert (document["reproduced"], document["could_have_failed"]) == (0, 0)


@pytest.mark.slow
@needs_model
def test_a_part_becomes_a_page_of_its_own_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "papers.md").write_text("the full page", encoding="utf-8")
    ended = papers(tmp_path, "probes", "figure-12", "-o", "out")
    assert ended.returncode == 0, ended.stderr
    assert (tmp_path / "out" / "papers.md").read_text(encoding="utf-8") == "the full page"
    page = (tmp_path / "out" / "papers-short.md").read_text(encoding="utf-8")
    assert page.splitlines()[2] == "**A part: probes figure-12 alone.**"
    assert "`python -m validation.papers probes figure-12 -o out`" in page
    assert "| fft_efficiency | 0.25 | published: " in page and "## Changes of claims" in page
    (picture,) = (tmp_path / "out" / "papers-short").glob("*.svg")
    assert f"(papers-short/{picture.name})" in page
    ElementTree.parse(picture)
    assert picture.stat().st_size < 40_000
    again = papers(tmp_path, "probes", "figure-12", "-o", "out")
    assert again.returncode == 2 and "--force" in again.stderr


def test_pictures_of_earlier_figures_go(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "papers" / "old.svg").touch()
    write_page(tmp_path, "papers", [], "", "by hand")
    assert list((tmp_path / "papers").iterdir()) == []


needs_simulator = pytest.mark.skipif(
    shutil.which("smpirun") is None or not has_program("stretto-probe", "simgrid"),
    reason="NO SIMULATOR: no simulated figure is tested",
)


@needs_simulator
def test_the_jobs_probes_fill_the_figures_on_contention(tmp_path: Path) -> None:
    """The job's own commands, of few ranks and rows, give what the page looks for."""
    sizes = {"spmv-contention": ("--matrix-rows", "4096"), "ft-contention": ("--rows", "8")}
    small = ["-n", "2", "--on", "simulated", "--platform", "jacquard", "--rounds", "1"]
    for words in commands(small):
        *asked, directory = words
        part = Path(directory).name
        if part in sizes:
            assert exit_status([*asked, str(tmp_path / part), *sizes[part]]) == 0
    shown = of_run(tmp_path)
    for figure in ("figure-18", "figure-19", "section-6.4-computation"):
        (mine,) = (one for one in of_figure(f"probes/{figure}", shown) if one in shown)
        assert ", kappa: " in mine.text and mine.kind == "Simulated here"


@needs_simulator
def test_a_simulated_figure(tmp_path: Path) -> None:
    ended = papers(tmp_path, "two-phase", "figure-1")
    assert ended.returncode == 0, ended.stderr
    assert "by construction" in ended.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nobody",), "PAPER: unknown 'nobody'"),
        (("probes", "figure-99"), "FIGURE: probes has no 'figure-99'"),
        (("probes", "figure-4", "-o", "file"), "-o file: is no directory"),
    ],
)
def test_wrong_input_is_one_line_and_status_2(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    (tmp_path / "file").touch()
    ended = papers(tmp_path, *words)
    assert ended.returncode == 2 and ended.stdout == ""
    assert message in ended.stderr and len(ended.stderr.splitlines()) == 1


def test_an_unknown_option_has_status_2(tmp_path: Path) -> None:
    ended = papers(tmp_path, "--sideways")
    assert ended.returncode == 2 and ended.stdout == "" and "--sideways" in ended.stderr


def test_options_may_stand_between_the_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["probes", "--list", "figure-4"]) == 0
    assert capsys.readouterr().out.startswith("1 figures, tables and findings of 1 papers.")


DIFFERS = next(name for name, verdict in documented().items() if verdict == "differs")


@pytest.mark.parametrize(("value", "status"), [(1.3, 0), (0.9, 3)])
def test_a_changed_verdict_has_status_3(
    value: float, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def evaluate(paper: str, figure: PaperFigure, *_: object) -> Outcome:
        claim = Claim("key", "a ratio", "words", "section 1", 0.8, 1.2, "a rule")
        return Outcome(paper, figure, [Judged(DIFFERS, claim, value)])

    monkeypatch.setattr(command, "evaluate", evaluate)
    assert main(["probes", "figure-2"]) == status
    captured = capsys.readouterr()
    changed = f"{DIFFERS}: by construction, documented as differs; here 0.9"
    assert (changed in captured.err) is (status == 3)
