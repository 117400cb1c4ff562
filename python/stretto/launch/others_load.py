# SPDX-License-Identifier: BSD-3-Clause
"""What other programs take of this machine's cores while none of a command's own runs is under way."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path

from stretto.data.loads import Load

_LOOK_S = 0.1
_STAT = Path("/proc/stat")
_USER, _NICE, _SYSTEM, _IRQ, _SOFTIRQ, _STEAL = 0, 1, 2, 5, 6, 7
"""Columns of the line `cpu` of /proc/stat."""


class OthersLoad:
    """Short looks at the processors' accounts between runs."""

    def __init__(self) -> None:
        self._busy_s = self._stolen_s = self._seconds = 0.0

    def look(self) -> None:
        """Waits a moment, and adds what was busy during it."""
        before, began = _accounts(), time.monotonic()
        time.sleep(_LOOK_S)
        after = _accounts()
        if before is None or after is None:
            return
        self._seconds += time.monotonic() - began
        self._busy_s += after[0] - before[0]
        self._stolen_s += after[1] - before[1]

    def load(self, ranks: int) -> Load | None:
        """The mean over all looks, next to so many ranks; None where nothing is known."""
        if self._seconds == 0:
            return None
        return Load(
            host="",
            when="during",
            seconds=self._seconds,
            cores=os.cpu_count() or 1,
            ranks=ranks,
            others_cores=self._busy_s / self._seconds,
            stolen_cores=self._stolen_s / self._seconds,
            waiting_share=0.0,
            runnable=0,
        )


def _accounts() -> tuple[float, float] | None:
    """Seconds of all processors that were busy, and that the hypervisor took; None where the kernel has no
    accounts.
    """
    try:
        columns = _STAT.read_text(encoding="ascii").splitlines()[0].split()[1:]
    except OSError:
        return None
    return _seconds(columns)


def _seconds(columns: Sequence[str]) -> tuple[float, float]:
    ticks = [int(column) for column in columns] + [0] * (_STEAL + 1 - len(columns))
    per_second = os.sysconf("SC_CLK_TCK")
    busy = sum(ticks[column] for column in (_USER, _NICE, _SYSTEM, _IRQ, _SOFTIRQ))
    return busy / per_second, ticks[_STEAL] / per_second
