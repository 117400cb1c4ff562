# SPDX-License-Identifier: BSD-3-Clause
"""Other programs on this machine: none, a burner on every core, or bursts of 1 to 300 ms on every core."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

_BURN = "while True: pass"
_BURSTS = """
import random, sys, time
draw = random.Random(int(sys.argv[1]))
while True:
    time.sleep(draw.expovariate(1 / 0.5))
    end = time.monotonic() + 1e-3 * 300 ** draw.random()
    while time.monotonic() < end:
        pass
"""


def _burner() -> list[Sequence[str]]:
    stress = shutil.which("stress-ng")
    cores = os.cpu_count() or 1
    if stress:
        return [(stress, "--quiet", "--cpu", str(cores))]
    return [(sys.executable, "-c", _BURN)] * cores


def _bursts() -> list[Sequence[str]]:
    return [(sys.executable, "-c", _BURSTS, str(core)) for core in range(os.cpu_count() or 1)]


def _nothing() -> list[Sequence[str]]:
    return []


DISTURBANCES: Mapping[str, Callable[[], list[Sequence[str]]]] = {
    "quiet": _nothing,
    "burner": _burner,
    "bursts": _bursts,
}


@contextmanager
def disturbed(condition: str) -> Iterator[None]:
    """Runs the programs of a condition; ends them, and only them."""
    programs = [subprocess.Popen(line, stdout=subprocess.DEVNULL) for line in DISTURBANCES[condition]()]
    try:
        time.sleep(1 if programs else 0)
        yield
    finally:
        for program in programs:
            program.terminate()
        for program in programs:
            program.wait()
