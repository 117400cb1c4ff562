# SPDX-License-Identifier: BSD-3-Clause
"""`stretto reproduce` as a person uses it: the list, one figure, a paper with its page, and wrong input."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from test_command_line import stretto

from stretto.commands import run
from stretto.errors import UserError
from stretto.model.reproduction import Computed, Paper, PaperFigure, yes
from stretto.native.programs import Build, native_program
from stretto.papers import registry


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
    ended = stretto(tmp_path, "reproduce", "--list")
    assert ended.returncode == 0, ended.stderr
    for paper in registry.PAPERS:
        for figure in paper.figures:
            assert figure.name in ended.stdout
    assert all(len(line) <= 80 for line in ended.stdout.splitlines())
    assert ended.stdout.splitlines()[-1] == "next: stretto reproduce probes figure-4"


@needs_model
def test_one_figure_shows_paper_and_result(tmp_path: Path) -> None:
    ended = stretto(tmp_path, "reproduce", "probes", "figure-4")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("probes figure-4: reproduced")
    assert "1.1 (1.07 to 1.13)" in ended.stdout and "calibrates" in ended.stdout
    assert all(len(line) <= 80 for line in ended.stdout.splitlines())


@needs_model
def test_one_figure_as_json(tmp_path: Path) -> None:
    ended = stretto(tmp_path, "reproduce", "ft-slides", "page-19", "--json")
    (figure,) = json.loads(ended.stdout)["figures"]
    assert figure["verdict"] == figure["documented"] == "reproduced"
    assert {claim["value"] for claim in figure["claims"]} == {8, 64, 512, 4096}


@needs_model
def test_a_paper_becomes_a_page_with_pictures(tmp_path: Path) -> None:
    ended = stretto(tmp_path, "reproduce", "ft-slides", "-o", "out")
    assert ended.returncode == 0, ended.stderr
    assert " figures that can be had here are reproduced (" in ended.stdout.splitlines()[0]
    page = (tmp_path / "out" / "papers.md").read_text(encoding="utf-8")
    assert "`stretto reproduce ft-slides -o out`" in page and "**differs** because" in page
    pictures = sorted((tmp_path / "out" / "papers").glob("*.svg"))
    assert pictures and all(f"(papers/{one.name})" in page for one in pictures)
    for one in pictures:
        ElementTree.parse(one)
        assert one.stat().st_size < 40_000
    again = stretto(tmp_path, "reproduce", "ft-slides", "-o", "out")
    assert again.returncode == 2 and "--force" in again.stderr
    assert stretto(tmp_path, "reproduce", "ft-slides", "page-19", "-o", "out", "--force").returncode == 0
    assert list((tmp_path / "out" / "papers").glob("*.svg")) == []


@pytest.mark.skipif(
    shutil.which("smpirun") is None or not _is_built("stretto-probe", "simgrid"),
    reason="NO SIMULATOR: no simulated figure is tested",
)
def test_a_simulated_figure(tmp_path: Path) -> None:
    ended = stretto(tmp_path, "reproduce", "two-phase", "figure-1")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.startswith("two-phase figure-1: reproduced")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nobody",), "PAPER: unknown 'nobody'"),
        (("probes", "figure-99"), "FIGURE: probes has no 'figure-99'"),
        (("probes", "figure-4", "-o", "file"), "-o file: is no directory"),
        (("--sideways",), "--sideways"),
    ],
)
def test_wrong_input_is_one_line_and_status_2(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    (tmp_path / "file").touch()
    ended = stretto(tmp_path, "reproduce", *words)
    assert ended.returncode == 2 and ended.stdout == ""
    assert message in ended.stderr and len(ended.stderr.splitlines()) == 1


@pytest.mark.parametrize(("value", "status"), [(1.0, 0), (0.0, 3)])
def test_a_changed_verdict_has_status_3(
    value: float, status: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    figure = PaperFigure("figure-1", "a", (yes("k", "b"),), "by hand", lambda _: Computed({"k": value}))
    monkeypatch.setattr(registry, "PAPERS", (Paper("own", "t", "a", (figure, figure)),))
    assert run(["reproduce", "own"]) == status
    captured = capsys.readouterr()
    assert ("own figure-1: differs, documented as reproduced; b: 0" in captured.err) is (status == 3)
