# SPDX-License-Identifier: BSD-3-Clause
"""`stretto show FILE`: the text of an artefact is stable; that of the golden files is golden itself."""

from pathlib import Path

import pytest
from later_samples import later_samples
from screens import refusal

from stretto.commands import exit_status
from stretto.errors import UserError
from stretto.report.views.artefact import artefact_lines

GOLDEN = Path(__file__).parents[2] / "golden"
ARTEFACTS = sorted(path.name.removesuffix(".txt") for path in GOLDEN.glob("*.txt"))


@pytest.mark.parametrize("name", ARTEFACTS)
def test_the_golden_files_read_as_ever(name: str) -> None:
    assert list(artefact_lines(GOLDEN / name)) == (GOLDEN / f"{name}.txt").read_text().splitlines()


def test_every_golden_artefact_has_its_text() -> None:
    files = [p.name for p in GOLDEN.iterdir() if p.suffix in (".json", ".jsonl")]
    assert sorted(name for name in files if not name.startswith("model-")) == ARTEFACTS  # cases of models
    assert len(ARTEFACTS) >= 5


def test_members_of_a_later_version_are_shown(tmp_path: Path) -> None:
    (tmp_path / "samples.jsonl").write_bytes(later_samples())
    known = (GOLDEN / "samples-1.0.jsonl.txt").read_text().splitlines()
    added = [line for line in artefact_lines(tmp_path / "samples.jsonl") if line not in known]
    assert added == [
        "header.schema = stretto.samples/1.7",
        "header.scheduler.name = 'a member of a later version'",
    ]


def test_an_incomplete_file_is_marked_at_its_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_text("".join((GOLDEN / "samples-1.0.jsonl").read_text().splitlines(keepends=True)[:20]))
    assert exit_status(["show", str(path)]) == 0
    printed = capsys.readouterr()
    assert printed.out.splitlines()[-1] == "incomplete"
    assert printed.err.startswith("next: ")


def test_a_part_is_of_a_run_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "loggp: is a part of a run's tables" in refusal(
        capsys, "show", GOLDEN / "profile-1.0.json", "loggp"
    )
    (tmp_path / "results.json").write_bytes((GOLDEN / "results-1.0.json").read_bytes())
    assert exit_status(["show", str(tmp_path), "all"]) == 0
    shown = capsys.readouterr()
    assert shown.out and not shown.err
    assert exit_status(["show", str(tmp_path / "results.json")]) == 0
    assert capsys.readouterr().out.splitlines() == (GOLDEN / "results-1.0.json.txt").read_text().splitlines()


def test_what_does_not_exist_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "missing does not exist" in refusal(capsys, "show", tmp_path / "missing")


def test_control_characters_in_a_name_are_removed(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text(
        '{"schema": "stretto.results/1.0", "rows": [], '
        '"provenance": [{"hosts": ["\\u001b[2Jx"], "\\u001b[2J": "\\u001b"}]}'
    )
    result = list(artefact_lines(path))
    assert len(result) == 2 and all(line.isprintable() for line in result)


def test_an_invalid_artefact_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("hello")
    with pytest.raises(UserError, match="no samples, results or profile"):
        list(artefact_lines(tmp_path / "x"))


@pytest.mark.parametrize(
    "words", [("show", "DIR"), ("compare", "DIR", "DIR"), ("fit", "DIR", "-o", "new.json")], ids=" ".join
)
def test_a_trace_in_place_of_a_run_names_the_commands_for_traces(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    trace = tmp_path / "my trace"
    trace.mkdir()
    (trace / "rank-000000.trace").write_bytes(b"")
    assert exit_status([str(trace) if word == "DIR" else word for word in words]) == 2
    said = capsys.readouterr().err
    assert f"stretto: {trace}: is a trace; `stretto potential` and `stretto report` show it" in said
    assert f"`stretto show '{trace}/rank-000000.trace'`" in said and said.count("\n") == 1
