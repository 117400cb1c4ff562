# SPDX-License-Identifier: BSD-3-Clause
"""`stretto predict --against RUN`: a table of 80 columns, one JSON document, exit status 3 on request."""

import json
from pathlib import Path

import pytest
from screens import document, refusal, widest
from synthetic_collectives import collective_samples
from synthetic_schedules import Machine, results_of, rows_of

from stretto.commands import exit_status
from stretto.data.profile_file import write_profile
from stretto.data.results import write_results
from stretto.model.collective.jacobi import all_iterations
from stretto.model.collective.of_profile import functions_of
from stretto.model.collective.two_phase import Grid
from stretto.model.derive import derive_results
from stretto.model.fit import profile_of
from stretto.model.network import LogGp
from stretto.model.problem import FtProblem, SpmvProblem

FT = ("predict", "ft", "--against")
SPMV = ("predict", "spmv", "--against")
COLLECTIVE = ("predict", "collective", "--against")


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
    assert exit_status([*FT, str(directory)]) == 0
    printed = capsys.readouterr().out
    assert widest(printed) <= 80 and "…" not in printed
    assert "E: mean absolute deviation" in printed and "no bar M: no profile" in printed


def test_one_document_has_every_row_with_its_deviations(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = document(capsys, *FT, directory)
    assert result["bar"] == "E" and result["bars"]["E"]["rows"] == len(result["rows"]) == 6
    offs = [abs(row["E"]["deviation"]) for row in result["rows"]]
    assert result["mean_absolute_deviation"] == pytest.approx(sum(offs) / len(offs))
    assert abs(result["worst"]) == pytest.approx(max(offs)) and max(offs) > 0.1
    for row in result["rows"]:
        assert row["E"]["time_s"] == pytest.approx(row["A"]["time_s"] * (1 + row["E"]["deviation"]))
        assert set(row["E"]["segment_deviations"]) == {name[:-2] for name in row["A"]} - {"time"}


def test_the_other_probe_of_the_run_has_rows_of_its_own(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = document(capsys, *SPMV, directory)
    assert {row["schedule"] for row in result["rows"]} == {"bulk", "gather", "scatter"}
    assert "no run of collective in it" in refusal(capsys, *COLLECTIVE, directory)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("ft", "--profile: of which machine? give --profile FILE, or --against RUN"),
        ("ft --profile clic --within 0.1", "--within: is for --against RUN"),
        ("ft --against run --rows 4", "--rows: is the run's own with --against"),
        ("spmv --against run --bar M", "--bar: is the run's own with --against"),
        ("collective --against run --sizes 8", "--sizes: is the run's own with --against"),
    ],
)
def test_options_of_a_prediction_are_not_for_a_run(
    words: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refusal(capsys, "predict", *words.split())


def test_a_tolerance_that_does_not_hold_exits_with_3(
    directory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_status([*FT, str(directory), "--within", "0.5"]) == 0
    assert exit_status([*FT, str(directory), "--within", "0.01"]) == 3
    assert "is above 1.0 %" in capsys.readouterr().err


@pytest.mark.parametrize("within", ["-1", "nan"])
def test_an_invalid_tolerance_is_refused(
    directory: Path, capsys: pytest.CaptureFixture[str], within: str
) -> None:
    assert "--within" in refusal(capsys, *FT, directory, "--within", within)


def test_a_run_of_other_probes_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_results(results_of([]), tmp_path / "results.json")
    assert "no run of ft in it" in refusal(capsys, *FT, tmp_path)


@pytest.fixture(scope="module")
def collectives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the probe collective with its profile."""
    directory = tmp_path_factory.mktemp("collectives")
    samples = collective_samples(directory / "samples.jsonl", ("broadcast", "reduce"), (2, 3, 4, 8, 12))
    results = derive_results(samples)
    write_results(results, directory / "results.json")
    write_profile(profile_of([samples], [results]), directory / "profile.json")
    return directory


def test_collectives_are_compared_with_their_runtime_functions(
    collectives: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = document(capsys, *COLLECTIVE, collectives)
    assert result["mean_absolute_deviation"] < 0.03 and abs(result["worst"]) < 0.2
    assert {row["quantity"] for row in result["rows"]} == {"total", "leader", "concurrent"}
    assert {row["grid"] for row in result["rows"]} > {"flat", "3x4"}
    for row in result["rows"]:
        assert row["predicted_s"] == pytest.approx(row["time_s"] * (1 + row["deviation"]))
    assert exit_status([*COLLECTIVE, str(collectives)]) == 0
    printed = capsys.readouterr().out
    assert widest(printed) <= 80 and "broadcast, library" in printed
    assert exit_status([*COLLECTIVE, str(collectives), "--within", "0.0001"]) == 3
    assert "of collectives is above" in capsys.readouterr().err


def test_collectives_need_a_profile(
    collectives: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "results.json").write_bytes((collectives / "results.json").read_bytes())
    assert "no profile; name one with --profile" in refusal(capsys, *COLLECTIVE, tmp_path)


def test_a_run_of_jacobi_is_compared_with_its_equation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The run took exactly what equation 1 has for the published functions of the CLiC."""
    functions = functions_of(Path("clic"), "library")
    (one,) = all_iterations(functions, 4000, 96, {"row": 1.25e-9}, [Grid(8, 12)]).rows
    assert one.time.time_s is not None
    iteration_s = one.time.time_s
    known = {"kernel": "jacobi", "time_s": 20 * iteration_s, "iterations": 20, "size": 4000, "ranks": 96}
    run = {**known, "layout": "row", "grid": "8x12", "t_op_s": 1.25e-9}
    file = tmp_path / "run.json"
    file.write_text(json.dumps(run), encoding="utf-8")
    assert document(capsys, *COLLECTIVE, file, "--profile", "clic")["worst"] == pytest.approx(0, abs=1e-9)
    file.write_text(json.dumps({**run, "grid": "9x12"}), encoding="utf-8")
    assert "grid 9x12 is ragged" in refusal(capsys, *COLLECTIVE, file, "--profile", "clic")
    file.write_text(json.dumps({**run, "time_s": 0}), encoding="utf-8")
    assert "time_s" in refusal(capsys, *COLLECTIVE, file, "--profile", "clic")
