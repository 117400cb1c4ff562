# SPDX-License-Identifier: BSD-3-Clause
"""Traces of other recorders are refused by their name."""

from pathlib import Path

import pytest

from stretto.errors import UserError
from stretto.launch.trace_source import trace_directory


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("run.dim", "Dimemas"),
        ("dumpi-2026.01.01-0000.bin", "DUMPI"),
        ("pmpi-trace-rank-0.txt", "liballprof"),
    ],
)
def test_a_trace_of_another_recorder_is_named(tmp_path: Path, file: str, name: str) -> None:
    (tmp_path / file).write_text("", encoding="utf-8")
    for source in (tmp_path / file, tmp_path):
        with pytest.raises(UserError, match=f"is a trace of {name}"):
            trace_directory(source)


def test_a_directory_of_an_archive_is_told_its_anchor(tmp_path: Path) -> None:
    (tmp_path / "traces.otf2").write_text("", encoding="utf-8")
    with pytest.raises(UserError, match=r"is the directory of an OTF2 archive; name \S+traces\.otf2"):
        trace_directory(tmp_path)


def test_a_directory_of_a_paraver_trace_is_told_its_file(tmp_path: Path) -> None:
    for name in ("run.prv", "run.pcf"):
        (tmp_path / name).write_text("", encoding="utf-8")
    with pytest.raises(UserError, match=r"is the directory of a Paraver trace; name \S+run\.prv"):
        trace_directory(tmp_path)


@pytest.mark.parametrize("name", ["run.prv", "run.prv.gz", "missing.prv"])
def test_a_paraver_trace_that_cannot_be_read_is_one_line(tmp_path: Path, name: str) -> None:
    if not name.startswith("missing"):
        (tmp_path / name).write_bytes(b"\x1f\x8b something else")
    with pytest.raises(UserError, match=r"is no Paraver trace that can be read \([^\n]+\); write it again"):
        trace_directory(tmp_path / name)


def test_own_traces_and_other_files_are_taken(tmp_path: Path) -> None:
    (tmp_path / "rank-000000.trace").write_text("", encoding="utf-8")
    (tmp_path / "notes.prv").write_text("", encoding="utf-8")
    assert trace_directory(tmp_path) == tmp_path
    assert trace_directory(tmp_path / "a.goal") == tmp_path / "a.goal"
