# SPDX-License-Identifier: BSD-3-Clause
"""`stretto compare`: tables of 80 columns, one JSON document, exit status 3."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from synthetic_samples import PATH, sample, write_samples

from stretto.commands.compare import compare as compare_command
from stretto.data.results import write_results
from stretto.data.samples import read_samples
from stretto.errors import CheckError, UserError
from stretto.model.derive import derive_results
from stretto.model.run_files import load_results
from stretto.options.declare import read
from stretto.options.files import CompareRequest

GOLDEN = Path(__file__).parents[2] / "golden"


def compare(
    a: Path, b: Path, fail_on: str | None = None, threshold: float = 0.05, as_json: bool = False, **more: Any
) -> None:
    """The command, given texts of a command line."""
    texts = {"a": str(a), "b": str(b), "fail_on": fail_on, "threshold": str(threshold), "as_json": as_json}
    compare_command(read(CompareRequest, {**texts, **more}))


def run(tmp_path: Path, name: str, *latencies_s: float) -> Path:
    """The directory of a run with a latency a size, three close rounds each."""
    rows = [
        sample("latency", case, "T_c", r, 2 * time_s * (1 + r / 1000), 1, **PATH, size_bytes=8 << case)
        for case, time_s in enumerate(latencies_s)
        for r in range(3)
    ]
    (tmp_path / name).mkdir()
    write_samples(tmp_path / name / "samples.jsonl", rows)
    return tmp_path / name


def test_a_run_is_the_same_as_itself_in_all_its_forms(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a = run(tmp_path, "a", 1e-6, 2e-6)
    write_results(derive_results(read_samples(a / "samples.jsonl")), tmp_path / "results.json")
    for other in (a, a / "samples.jsonl", tmp_path / "results.json"):
        compare(a, other, "different")
        assert "2 SAME, 0 FASTER, 0 SLOWER, 0 AMBIGUOUS" in capsys.readouterr().out


def test_a_slower_figure_is_shown_and_fails_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = run(tmp_path, "a", 1e-6, 2e-6, 4e-6), run(tmp_path, "b", 1e-6, 4e-6, 2e-6)
    compare(a, b)
    printed = capsys.readouterr().out
    assert "SLOWER" in printed and "+100.0 %" in printed and "FASTER" in printed and "-50.0 %" in printed
    lines = printed.splitlines()
    assert lines[0].startswith("B is slower than A in 1 and faster in 1 of 3 figures")
    assert max(map(len, lines[:-1])) <= 80
    assert lines[-1] == f"next: stretto compare --all {a} {b} --threshold 0.05"
    for what, message in (
        ("slower", "1 of 3 .* are slower than"),
        ("faster", "1 of 3"),
        ("different", "2 of 3 .* differ"),
    ):
        with pytest.raises(CheckError, match=message):
            compare(a, b, what)


def test_the_threshold_decides_what_matters(tmp_path: Path) -> None:
    a, b = run(tmp_path, "a", 1e-6), run(tmp_path, "b", 1.3e-6)
    with pytest.raises(CheckError):
        compare(a, b, "slower")
    compare(a, b, "slower", threshold=0.4)


def test_json_is_one_document_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = run(tmp_path, "a", 1e-6, 2e-6), run(tmp_path, "b", 1e-6, 4e-6)
    with pytest.raises(CheckError):
        compare(a, b, "slower", as_json=True)
    document = json.loads(capsys.readouterr().out)
    assert document["counts"] == {"SAME": 1, "FASTER": 0, "SLOWER": 1, "AMBIGUOUS": 0}
    slower = document["rows"][1]
    assert (
        slower["size_bytes"] == 16
        and slower["verdict"] == "SLOWER"
        and slower["difference"] == pytest.approx(1)
    )
    assert slower["a"]["value"] == pytest.approx(2.002e-6) and slower["b"]["n"] == 3


def test_only_what_differs_is_shown_unless_all_is_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = run(tmp_path, "a", 1e-6, 2e-6), run(tmp_path, "b", 1e-6, 4e-6)
    shown = []
    for everything in (False, True):
        compare(a, b, show_all=everything)
        shown.append([line for line in capsys.readouterr().out.splitlines() if "latency " in line])
    assert [sum("SAME" in line for line in lines) for lines in shown] == [0, 1]
    assert [sum("SLOWER" in line for line in lines) for lines in shown] == [1, 1]


def test_the_page_says_the_same_and_is_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = run(tmp_path, "a<i>", *[1e-6] * 6), run(tmp_path, "b", *[2e-6] * 6)
    page = tmp_path / "page.html"
    compare(a, b, output=str(page))
    assert capsys.readouterr().out.splitlines()[-1] == f"next: open {page}"
    text = page.read_text()
    for words in ("B is slower than A in 6 of 6 figures", "+100.0 %", "Every figure", "The two runs"):
        assert words in text
    assert "a<i>" not in text and "a&lt;i&gt;" in text
    with pytest.raises(UserError, match="exists: choose another with -o"):
        compare(a, b, output=str(page))
    compare(a, b, output=str(page), force=True)


def test_results_are_preferred_to_samples_in_a_directory(tmp_path: Path) -> None:
    a = run(tmp_path, "a", 1e-6)
    (a / "results.json").write_text('{"schema": "stretto.results/1.0", "rows": []}')
    assert load_results(a).rows == ()


def test_wrong_input_is_named_with_the_correction(tmp_path: Path) -> None:
    a, other = run(tmp_path, "a", 1e-6), run(tmp_path, "b")
    with pytest.raises(UserError, match="--fail-on: unknown 'slow'; choose from slower, faster, different"):
        compare(a, a, "slow")
    for threshold in (-0.1, math.nan, math.inf):
        with pytest.raises(UserError, match="--threshold"):
            compare(a, a, threshold=threshold)
    with pytest.raises(UserError, match="no figure in common"):
        compare(a, other)
    with pytest.raises(UserError, match=r"holds no results\.json and no samples\.jsonl"):
        compare(a, tmp_path)
    with pytest.raises(UserError, match="is a profile"):
        compare(a, GOLDEN / "profile-1.0.json")


def document(path: Path, **members: Any) -> Path:
    path.write_text(json.dumps(members))
    return path


def test_predicted_times_are_set_against_a_measured_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"latency_s": 1e-6, "bandwidth_bytes_per_s": 1e9, "level": "traced", "progress_model": m, "time_s": t}
        for m, t in (("inside-calls", 2.0), ("thread=1ms", 1.5))
    ]
    predicted = document(tmp_path / "whatif.json", rows=rows, trace={"span_s": 2.01})
    gain = {"plain_s": 2.0, "gained_s": 1.52, "predicted": 0.25, "library": "progress"}
    for measured in (
        document(tmp_path / "run.json", kernel="ft", time_s=1.52),
        document(tmp_path / "gain.json", **gain),
    ):
        compare(predicted, measured, "different", predicted=True)
        printed = capsys.readouterr().out
        assert "the nearest prediction, traced, thread=1ms" in printed and "-1.3 %" in printed
    with pytest.raises(CheckError, match=r"nearest prediction .* is -1\.3 % away"):
        compare(predicted, tmp_path / "run.json", "different", threshold=0.01, predicted=True)
    capsys.readouterr()
    # A whatif has the time of its own trace; a gain has a prediction of its own.
    compare(tmp_path / "gain.json", predicted, as_json=True, predicted=True)
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert row["predicted_s"] == 1.5 and row["deviation"] == pytest.approx(1.5 / 2.01 - 1)


def test_what_cannot_be_set_against_each_other_is_named(tmp_path: Path) -> None:
    empty, run_ = document(tmp_path / "a.json", rows=[]), document(tmp_path / "b.json", time_s=1.0)
    with pytest.raises(UserError, match=r"a\.json: has no predicted time; name a document of whatif"):
        compare(empty, run_, predicted=True)
    with pytest.raises(UserError, match=r"a\.json: has no measured time"):
        compare(document(tmp_path / "c.json", makespan_s=1.0), empty, predicted=True)
    with pytest.raises(UserError, match="time_s is -1"):
        compare(run_, document(tmp_path / "d.json", time_s=-1), predicted=True)
    with pytest.raises(UserError, match="--fail-on slower: with --predicted"):
        compare(run_, run_, "slower", predicted=True)
