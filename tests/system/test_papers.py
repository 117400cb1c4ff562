# SPDX-License-Identifier: BSD-3-Clause
"""The papers' figures as a person computes them: the list, one figure, a paper with its page, and wrong input."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from stretto.errors import UserError
from stretto.native.programs import Build, native_program
from validation.papers import registry
from validation.papers.__main__ import main
from validation.papers.figures import Computed, Paper, PaperFigure, yes

ROOT = Path(__file__).resolve().parents[2]


def papers(directory: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Runs `python -m validation.papers` in a directory."""
    return subprocess.run(
        [sys.executable, "-m", "validation.papers", *words],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=False,
    )


def _is_built(program: str, build: Build) -> bool:
    try:
        native_program(program, build)
    except UserError:
        return False
    return True


needs_model = pytest.mark.skipif(
    not _is_built("stretto-model", "none"), reason="NO stretto-model: no figure is tested"
)


def test_the_list_names_every_figure_and_computes_none(tmp_path: Path) -> None:
    ended = papers(tmp_path, "--list")
    assert ended.returncode == 0, ended.stderr
    for paper in registry.PAPERS:
        for figure in paper.figures:
            assert figure.name in ended.stdout
    assert all(len(line) <= 80 for line in ended.stdout.splitlines())


@needs_model
def test_one_figure_shows_paper_and_result(tmp_path: Path) -> None:
    ended = papers(tmp_path, "probes", "figure-4")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("probes figure-4: reproduced")
    assert "1.1 (1.07 to 1.13)" in ended.stdout and "calibrates" in ended.stdout
    assert all(len(line) <= 80 for line in ended.stdout.splitlines())


@needs_model
def test_one_figure_as_json(tmp_path: Path) -> None:
    ended = papers(tmp_path, "ft-slides", "page-19", "--json")
    (figure,) = json.loads(ended.stdout)["figures"]
    assert figure["verdict"] == figure["documented"] == "reproduced"
    assert {claim["value"] for claim in figure["claims"]} == {8, 64, 512, 4096}


@needs_model
def test_a_paper_becomes_a_page_with_pictures(tmp_path: Path) -> None:
    ended = papers(tmp_path, "ft-slides", "-o", "out")
    assert ended.returncode == 0, ended.stderr
    assert " figures that can be had here are reproduced (" in ended.stdout.splitlines()[0]
    page = (tmp_path / "out" / "papers.md").read_text(encoding="utf-8")
    assert "`python -m validation.papers ft-slides -o out`" in page and "**differs** because" in page
    pictures = sorted((tmp_path / "out" / "papers").glob("*.svg"))
    assert pictures and all(f"(papers/{one.name})" in page for one in pictures)
    for one in pictures:
        ElementTree.parse(one)
        assert one.stat().st_size < 40_000
    again = papers(tmp_path, "ft-slides", "-o", "out")
    assert again.returncode == 2 and "--force" in again.stderr
    assert papers(tmp_path, "ft-slides", "page-19", "-o", "out", "--force").returncode == 0
    assert list((tmp_path / "out" / "papers").glob("*.svg")) == []


@pytest.mark.skipif(
    shutil.which("smpirun") is None or not _is_built("stretto-probe", "simgrid"),
    reason="NO SIMULATOR: no simulated figure is tested",
)
def test_a_simulated_figure(tmp_path: Path) -> None:
    ended = papers(tmp_path, "two-phase", "figure-1")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("two-phase figure-1: reproduced")


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


@pytest.mark.parametrize(("value", "status"), [(1.0, 0), (0.0, 3)])
def test_a_changed_verdict_has_status_3(
    value: float, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    figure = PaperFigure("figure-1", "a", (yes("k", "b"),), "by hand", lambda _: Computed({"k": value}))
    monkeypatch.setattr(registry, "PAPERS", (Paper("own", "t", "a", (figure, figure)),))
    assert main(["own"]) == status
    captured = capsys.readouterr()
    assert ("own figure-1: differs, documented as reproduced; b: 0" in captured.err) is (status == 3)
