# SPDX-License-Identifier: BSD-3-Clause
"""Progress of the cases of a run, from its growing samples file, and of the records of a trace.

A terminal gets a bar. Otherwise stderr gets a line now and then, so that a log shows that the run goes on.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from stretto.data.fields import LONGEST_TIME_S, Members, Place
from stretto.data.loads import Load
from stretto.data.typed import read_as
from stretto.errors import UserError
from stretto.model.load import load_sentence

if TYPE_CHECKING:
    from rich.progress import Progress

    from stretto.launch.job import OnTick


LINE_EVERY_S = 15.0
_BUSY_KNOWN_S = 4.0  # when the load before the first case is recorded at the latest
_LOOK_EVERY_S = 1.0
_FEW_SAMPLES = 20
"""Of fewer ones nobody can say that most are disturbed."""


class CaseCounter:
    """Number of cases in a growing samples file, how many it will hold, and whether the machine is busy."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.total: int | None = None
        self.done = 0
        self.probe = ""
        self.busy = ""
        """What keeps the machine busy before the first case; empty where nothing does."""
        self.samples = self.disturbed = 0
        """Samples that were taken, and those of them that others disturbed."""
        self.budget_s: float | None = None
        self._position = 0

    def count(self) -> str:
        """How many cases are done, and of how many where that is known."""
        return str(self.done) if self.total is None else f"{self.done} of {self.total}"

    def waits(self) -> bool:
        """Whether others disturb most samples, so that cases wait for others."""
        return self.samples >= _FEW_SAMPLES and self.disturbed > self.samples / 2

    def update(self) -> None:
        """Reads the complete lines that were added since the last call."""
        try:
            with self.path.open("rb") as file:
                file.seek(self._position)
                added = file.read()
        except OSError:
            return
        whole = added[: added.rfind(b"\n") + 1]
        self._position += len(whole)
        for line in whole.splitlines():
            if line.startswith(b'{"row":"case_end"'):
                self.done += 1
                self.probe = _member(line, "probe", self.probe)
            elif line.startswith((b'{"row":"sample"', b'{"row":"disturbed"')):
                self.samples += 1
                self.disturbed += line.startswith(b'{"row":"d')
                self.probe = self.probe or _member(line, "probe", "")
            elif self.total is None and line.startswith(b'{"row":"header"'):
                self.total = int(_member(line, "cases", "0")) or None
                self.budget_s = self._budget(line)
            elif line.startswith(b'{"row":"load"') and _member(line, "when", "") == "before":
                self.busy = self.busy or self._busy(line)

    def _budget(self, line: bytes) -> float | None:
        try:
            header = Members(json.loads(line), Place(self.path))
            budget_s = header.object("settings").number("budget_s", 0, LONGEST_TIME_S)
        except (ValueError, UserError):
            return None
        return None if budget_s == LONGEST_TIME_S else budget_s  # --rounds ends the cases

    def _busy(self, line: bytes) -> str:
        try:
            return load_sentence(read_as(Load, Members(json.loads(line), Place(self.path))))
        except (ValueError, UserError):
            return ""


def _member(line: bytes, name: str, otherwise: str) -> str:
    try:
        return str(json.loads(line)[name])
    except (ValueError, KeyError, TypeError):
        return otherwise


@contextmanager
def case_progress(samples: Path, doing: str = "", time_s: float | None = None) -> Iterator[OnTick]:
    """Yields the function to call periodically.

    Args:
        samples: The file that grows.
        doing: What is measured, for people; the present probe where it is empty.
        time_s: How long the run may take, where that is known.
    """
    counter = CaseCounter(samples)
    notice = _BusyNotice(counter)
    if not sys.stderr.isatty():
        yield _Lines(counter, notice, doing).on_tick
        return
    begin = time.monotonic()
    with _bar("cases" if time_s is None else "share") as bar:
        task = bar.add_task("starting", total=None if time_s is None else 1.0)

        looked = begin

        def on_tick() -> None:
            nonlocal looked
            if time.monotonic() - looked < _LOOK_EVERY_S:
                return
            looked = time.monotonic()
            counter.update()
            notice.show(bar.console.print)
            name = doing or counter.probe or "starting"
            if time_s is None:
                bar.update(task, total=counter.total, completed=counter.done, description=name)
                return
            # Cases are left and continued, so that most of them end at the end: the time tells more.
            cases = counter.done / (counter.total or 1)
            spent = (time.monotonic() - begin) / time_s
            if spent < 1:
                bar.update(task, completed=max(cases, spent), description=name)
                return
            # Nobody knows the rest: how many cases are done is a fact.
            bar.tasks[task].total = None
            bar.update(task, description=f"{name}: longer than expected, {counter.count()} cases done")

        yield on_tick


class _BusyNotice:
    """Says once, as soon as it is known, that the machine is busy, what follows, and what to do."""

    def __init__(self, counter: CaseCounter) -> None:
        self._counter = counter
        self._shown = False

    def show(self, write: Callable[[str], None]) -> None:
        counter = self._counter
        if self._shown or not (counter.busy or counter.waits()):
            return
        self._shown = True
        budget = "" if counter.budget_s is None else f", --budget {counter.budget_s:g}"
        write(f"stretto: {counter.busy or 'the machine is busy: others disturb most samples'}")
        write("stretto: it waits for samples that others do not disturb, and leaves out what")
        write(f"stretto: gets none in its time{budget}; `top` lists what to end")


class _Lines:
    """A line every 15 s."""

    def __init__(self, counter: CaseCounter, notice: _BusyNotice, doing: str) -> None:
        self._counter = counter
        self._notice = notice
        self._doing = doing
        self._begin = time.monotonic()
        self._next = 1.0

    def on_tick(self) -> None:
        now = time.monotonic() - self._begin
        if now < self._next:
            return
        # To look costs processor time, which the ranks may need: often only until it is known that others do.
        self._next = now + 1 if now < _BUSY_KNOWN_S else (now // LINE_EVERY_S + 1) * LINE_EVERY_S
        self._counter.update()
        self._notice.show(_complain)
        if now >= LINE_EVERY_S:
            _complain(f"stretto: {now:.0f} s, {self._state()}")

    def _state(self) -> str:
        what = self._doing or self._counter.probe or "starting"
        if self._counter.total is None:
            return what
        text = f"{what}: {self._counter.count()} cases done"
        if not self._counter.waits():
            return text
        return f"{text}, {self._counter.disturbed} of {self._counter.samples} samples disturbed"


def _complain(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


@contextmanager
def record_progress(doing: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Yields the function to call with the number of further records that were read.

    Without `total` the bar shows only the elapsed time. It draws only where stderr is a terminal.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with _bar("share" if total else "time") as bar:
        task = bar.add_task(doing, total=total)
        yield lambda count: bar.advance(task, count)


def _bar(amount: Literal["cases", "share", "time"]) -> Progress:
    """A bar that shows this amount and the elapsed time. Imports rich on use, because that is slow."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = [TextColumn("{task.description}"), BarColumn(bar_width=24)]
    if amount == "cases":
        columns.append(MofNCompleteColumn())
    if amount == "share":
        columns.append(TaskProgressColumn("{task.percentage:3.0f} %"))  # nothing without a total
    columns.append(TimeElapsedColumn())
    if amount != "time":
        columns += [TaskProgressColumn("left"), TimeRemainingColumn()]
    return Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=2)
