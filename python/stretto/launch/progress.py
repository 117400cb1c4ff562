# SPDX-License-Identifier: BSD-3-Clause
"""Progress bars for the cases of a run, from its growing samples file, and for the records of a trace."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from rich.progress import Progress

    from stretto.launch.job import OnTick


class CaseCounter:
    """Number of cases in a growing samples file, and how many it will hold."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.total: int | None = None
        self.done = 0
        self.probe = ""
        self._position = 0

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
            elif self.total is None and line.startswith(b'{"row":"header"'):
                self.total = int(_member(line, "cases", "0")) or None


def _member(line: bytes, name: str, otherwise: str) -> str:
    try:
        return str(json.loads(line)[name])
    except (ValueError, KeyError, TypeError):
        return otherwise


@contextmanager
def case_progress(samples: Path) -> Iterator[OnTick]:
    """Yields the function to call periodically; draws only where stderr is a terminal."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    counter = CaseCounter(samples)
    with _bar("cases") as bar:
        task = bar.add_task("starting", total=None)

        def on_tick() -> None:
            counter.update()
            bar.update(
                task, total=counter.total, completed=counter.done, description=counter.probe or "starting"
            )

        yield on_tick


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
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = [TextColumn("{task.description}"), BarColumn(bar_width=24)]
    if amount == "cases":
        columns.append(MofNCompleteColumn())
    if amount == "share":
        columns.append(TextColumn("{task.percentage:3.0f} %"))
    columns.append(TimeElapsedColumn())
    if amount != "time":
        columns += [TextColumn("left"), TimeRemainingColumn()]
    return Progress(*columns, console=Console(stderr=True), transient=True)
