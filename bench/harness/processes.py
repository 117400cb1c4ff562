# SPDX-License-Identifier: BSD-3-Clause
"""Measures time and memory of commands."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Used:
    """Time and memory of one command; `peak_gib` is the memory of its largest process."""

    name: str
    status: int
    elapsed_s: float
    peak_gib: float


def used_by(name: str, command: Sequence[str]) -> Used:
    """Runs the command to its end."""
    begin = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return Used(name, process.returncode, time.monotonic() - begin, used.ru_maxrss * 1024 / 2**30)
