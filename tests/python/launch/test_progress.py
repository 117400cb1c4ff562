# SPDX-License-Identifier: BSD-3-Clause
"""The progress bar counts what a growing samples file says."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from stretto.launch.progress import CaseCounter, record_progress

HEADER = b'{"row":"header","schema":"stretto.samples/1.0","cases":3}\n'
CASE = b'{"row":"case_end","probe":"loggp","case":1}\n'


def test_cases_are_counted_as_the_file_grows(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    counter = CaseCounter(path)
    counter.update()
    assert (counter.total, counter.done) == (None, 0)
    path.write_bytes(HEADER + CASE + CASE[:10])
    counter.update()
    assert (counter.total, counter.done, counter.probe) == (3, 1, "loggp")
    with path.open("ab") as file:
        file.write(CASE[10:] + b'{"row":"sample"}\n' + CASE)
    counter.update()
    counter.update()
    assert counter.done == 3


def test_nonsense_does_not_stop_a_run(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    path.write_bytes(b'{"row":"header"\n\xff\xfe\n{"row":"case_end"\n')
    counter = CaseCounter(path)
    counter.update()
    assert (counter.total, counter.done) == (None, 1)


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_records_are_shown_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with record_progress("reading the trace", 200) as done:
        done(100)
    assert "reading the trace" in terminal.getvalue()
    assert "50 %" in terminal.getvalue()


def test_without_a_total_time_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with record_progress("replaying"):
        pass
    assert "replaying" in terminal.getvalue()
    assert "%" not in terminal.getvalue()


def test_nothing_is_drawn_into_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.StringIO()
    monkeypatch.setattr(sys, "stderr", file)
    with record_progress("reading the trace", 200) as done:
        done(100)
    assert file.getvalue() == ""
