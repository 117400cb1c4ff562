# SPDX-License-Identifier: BSD-3-Clause
"""`stretto verify`: a table of 80 columns, one JSON document, exit status 3 on request."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from synthetic_schedules import Machine, results_of, rows_of

from stretto.commands import run
from stretto.data.results import write_results
from stretto.model.network import LogGp
from stretto.model.problem import FtProblem, SpmvProblem


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A run of both probes; slabs take a quarter longer than every model predicts."""
    machine = Machine(LogGp.of(L=4e-6, o=2e-6, g_queue=9e-6, G=1.1e-9), 2e9)
    schedules = (("exchange", 8), ("slabs", 8), ("chunks", 16))
    rows = [
        row
        for scale in (0.0, 1.0)
        for row in rows_of(machine, FtProblem(64, 4096, 8, scale), schedules, {"slabs": 1.25})
    ]
    rows += rows_of(machine, SpmvProblem(1 << 18, 1e-5, 8), (("bulk", None), ("gather", 1), ("scatter", 7)))
    write_results(results_of(rows), tmp_path / "results.json")
    return tmp_path


def test_actual_and_modelled_times_are_shown_together(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", str(directory)]) == 0
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 80 and "…" not in printed
    assert "E: mean absolute deviation" in printed and "no bar M: no profile" in printed


def test_one_document_has_every_row_with_its_deviations(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", str(directory), "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["bar"] == "E" and result["bars"]["E"]["rows"] == len(result["rows"]) == 9
    offs = [abs(row["E"]["deviation"]) for row in result["rows"]]
    assert result["mean_absolute_deviation"] == pytest.approx(sum(offs) / len(offs))
    assert abs(result["worst"]) == pytest.approx(max(offs)) and max(offs) > 0.1
    for row in result["rows"]:
        assert row["E"]["time_s"] == pytest.approx(row["A"]["time_s"] * (1 + row["E"]["deviation"]))
        assert set(row["E"]["segment_deviations"]) == {name[:-2] for name in row["A"]} - {"time"}


def test_a_tolerance_that_does_not_hold_exits_with_3(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", str(directory), "--within", "0.5"]) == 0
    assert run(["verify", str(directory), "--within", "0.01"]) == 3
    assert "is above 1.0%" in capsys.readouterr().err


@pytest.mark.parametrize("within", ["-1", "nan"])
def test_an_invalid_tolerance_is_refused(
    directory: Path, capsys: pytest.CaptureFixture[str], within: str
) -> None:
    assert run(["verify", str(directory), "--within", within]) == 2
    assert "--within" in capsys.readouterr().err


def test_a_run_of_other_probes_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_results(results_of([]), tmp_path / "results.json")
    assert run(["verify", str(tmp_path)]) == 2
    assert "no run of ft or spmv" in capsys.readouterr().err
