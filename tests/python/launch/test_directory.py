# SPDX-License-Identifier: BSD-3-Clause
"""Output directories are overwritten on request only, and empty ones are removed."""

from pathlib import Path

import pytest

from stretto.data.run_directory import EMULATED, emulated_run
from stretto.errors import RunError, UserError
from stretto.launch.directory import default_directory, fresh_directory


def test_an_existing_file_is_refused_and_unchanged(tmp_path: Path) -> None:
    (tmp_path / "samples.jsonl").write_text("precious")
    with pytest.raises(UserError, match="--force"), fresh_directory(tmp_path, force=False):
        pytest.fail("entered")
    assert (tmp_path / "samples.jsonl").read_text() == "precious"


def test_force_removes_the_files_of_an_earlier_run_and_nothing_else(tmp_path: Path) -> None:
    for name in ("samples.jsonl", "report.html", "notes.txt"):
        (tmp_path / name).write_text("old")
    with fresh_directory(tmp_path, force=True):
        assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_force_removes_the_earlier_run_of_an_emulated_pair(tmp_path: Path) -> None:
    pair = tmp_path / EMULATED
    pair.mkdir()
    (pair / "samples.jsonl.gz").write_text("old")
    with fresh_directory(tmp_path, force=True):
        assert emulated_run(tmp_path) is None
        (tmp_path / "samples.jsonl").write_text("new")
    assert [path.name for path in tmp_path.iterdir()] == ["samples.jsonl"]


def test_a_run_that_never_began_leaves_nothing(tmp_path: Path) -> None:
    output = tmp_path / "stretto-out" / "run"
    with pytest.raises(RunError), fresh_directory(output, force=False):
        raise RunError("no MPI")
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_measured_something_stays(tmp_path: Path) -> None:
    output = tmp_path / "run"
    with pytest.raises(RunError), fresh_directory(output, force=False):
        (output / "samples.jsonl").write_text("{}\n")
        raise RunError("a rank died")
    assert (output / "samples.jsonl").exists()


def test_an_unwritable_path_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="file/run"), fresh_directory(tmp_path / "file" / "run", force=False):
        pytest.fail("entered")


def test_the_default_says_when_and_what(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    first = default_directory(["latency"])
    assert first.parts[0] == "stretto-out"
    assert first.name.endswith("Z-latency")
    assert default_directory(["latency", "loggp"]).name.endswith("-probes")


def test_two_commands_do_not_write_to_one_directory(tmp_path: Path) -> None:
    """Their samples would be those of neither run."""
    with fresh_directory(tmp_path / "run", force=False):
        (tmp_path / "run" / "samples.jsonl").write_text("first")
        for force, what in ((False, "exists"), (True, "another stretto")):
            with pytest.raises(UserError, match=what), fresh_directory(tmp_path / "run", force):
                pytest.fail("entered")
        assert (tmp_path / "run" / "samples.jsonl").read_text() == "first"
    with fresh_directory(tmp_path / "run", force=True):
        assert [*(tmp_path / "run").iterdir()] == []


def test_a_file_is_no_directory_to_overwrite(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("precious")
    with pytest.raises(UserError, match="no directory"), fresh_directory(tmp_path / "file", force=True):
        pytest.fail("entered")
    assert (tmp_path / "file").read_text() == "precious"
