# SPDX-License-Identifier: BSD-3-Clause
"""The progress bar counts what a growing samples file says."""

import io
import sys
from pathlib import Path

import pytest

from stretto.launch import progress
from stretto.launch.progress import CaseCounter, case_progress, record_progress

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
    assert counter.done == 3 and counter.samples == 1


def test_nonsense_does_not_stop_a_run(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    path.write_bytes(b'{"row":"header"\n\xff\xfe\n{"row":"case_end"\n')
    counter = CaseCounter(path)
    counter.update()
    assert (counter.total, counter.done) == (None, 1)


LOAD = (
    b'{"row":"load","host":"a","when":"before","seconds":0.3,"cores":2,"ranks":2,"others_cores":1.9,'
    b'"stolen_cores":0,"waiting_share":0.5,"runnable":4}\n'
)


class _Clock:
    """What progress takes for the time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(progress.time, "monotonic", lambda: self.now)


def test_without_a_terminal_a_line_comes_every_15_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, log = _Clock(monkeypatch), io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    path = tmp_path / "samples.jsonl"
    with case_progress(path, "this machine", 20.0) as on_tick:
        for second in range(1, 62):
            clock.now = second
            if second == 20:
                path.write_bytes(HEADER + CASE)
            on_tick()
            on_tick()
    assert log.getvalue().splitlines() == [
        "stretto: 15 s, this machine",
        "stretto: 30 s, this machine: 1 of 3 cases done",
        "stretto: 45 s, this machine: 1 of 3 cases done",
        "stretto: 60 s, this machine: 1 of 3 cases done",
    ]


def test_a_busy_machine_is_said_once_and_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, log = _Clock(monkeypatch), io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    path = tmp_path / "samples.jsonl"
    path.write_bytes(HEADER + LOAD)
    with case_progress(path) as on_tick:
        for tenth in range(0, 140):
            clock.now = tenth / 10
            on_tick()
    assert log.getvalue().splitlines() == [
        "stretto: the machine is busy: other programs take 1.9 of 2 cores",
        "stretto: it waits for samples that others do not disturb, and leaves out what",
        "stretto: gets none in its time; `top` lists what to end",
    ]


SAMPLE, DISTURBED = b'{"row":"sample","probe":"latency"}\n', b'{"row":"disturbed","probe":"latency"}\n'


@pytest.mark.parametrize(("budget_s", "named"), [("240.0", ", --budget 240"), ("1000000000.0", "")])
def test_a_run_without_a_finished_case_says_what_it_waits_for_and_what_to_do(
    budget_s: str, named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run of `--rounds` has no budget that anybody gave."""
    clock, log = _Clock(monkeypatch), io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    path = tmp_path / "samples.jsonl"
    path.write_bytes(HEADER.replace(b"3}", f'3,"settings":{{"budget_s":{budget_s}}}}}'.encode()))
    with case_progress(path) as on_tick:
        for second in range(1, 46):
            clock.now = second
            with path.open("ab") as file:
                file.write(DISTURBED * 9 + SAMPLE if second < 31 else SAMPLE * 50)
            on_tick()
    lines = log.getvalue().splitlines()
    assert lines[:3] == [
        "stretto: the machine is busy: others disturb most samples",
        "stretto: it waits for samples that others do not disturb, and leaves out what",
        f"stretto: gets none in its time{named}; `top` lists what to end",
    ]
    assert lines[3:] == [
        "stretto: 15 s, latency: 0 of 3 cases done, 135 of 150 samples disturbed",
        "stretto: 30 s, latency: 0 of 3 cases done, 270 of 300 samples disturbed",
        "stretto: 45 s, latency: 0 of 3 cases done",
    ]
    assert max(map(len, lines)) <= 80


def test_few_disturbed_samples_are_no_busy_machine(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    path.write_bytes(HEADER + DISTURBED * 19)
    counter = CaseCounter(path)
    counter.update()
    assert not counter.waits() and (counter.samples, counter.disturbed) == (19, 19)


def test_a_short_run_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, log = _Clock(monkeypatch), io.StringIO()
    monkeypatch.setattr(sys, "stderr", log)
    path = tmp_path / "samples.jsonl"
    path.write_bytes(HEADER + LOAD.replace(b"1.9", b"0.1"))
    with case_progress(path) as on_tick:
        for second in range(0, 15):
            clock.now = second
            on_tick()
    assert log.getvalue() == ""


def test_a_terminal_gets_a_bar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    clock = _Clock(monkeypatch)
    path = tmp_path / "samples.jsonl"
    path.write_bytes(HEADER + CASE + LOAD)
    for time_s, shown in ((None, "1/3"), (20.0, "50 %")):
        with case_progress(path, "emulated network", time_s) as on_tick:
            clock.now += 10.0
            on_tick()
        assert "emulated network" in terminal.getvalue() and shown in terminal.getvalue()
        assert "the machine is busy" in terminal.getvalue()


def test_a_bar_does_not_stand_still_where_the_run_takes_longer_than_expected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = _Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    clock = _Clock(monkeypatch)
    path = tmp_path / "samples.jsonl"
    path.write_bytes(HEADER + CASE)
    with case_progress(path, "emulated network", 20.0) as on_tick:
        clock.now += 19.0
        on_tick()
        terminal.truncate(0)
        clock.now += 2.0
        on_tick()
    shown = terminal.getvalue()
    assert "longer than expected, 1 of 3 cases done" in " ".join(shown.split())
    assert "%" not in shown.rpartition("longer")[2]


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
