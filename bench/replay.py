# SPDX-License-Identifier: BSD-3-Clause
"""Measures the replay: operations per second on one core, many networks at once, and memory.

It is compared with the published figures of LogGOPSim.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.harness.builds import build
from bench.harness.checks import Check, Checks, Result, Table, exactly, median_of
from bench.harness.runner import Context

SCHEDULES = ("halo-1024", "all-to-all-1024", "recursive-doubling-65536")
BATCHED = "halo-1024"
NETWORK = "L=2us,o=0.5us,g=0.7us,G=0.1ns"
NETWORKS = 64
REPETITIONS = 5
_COLUMNS = (
    "schedule",
    "operations",
    "events",
    "compiling (s)",
    "replay (s)",
    "Mop/s",
    "64 / one",
    "peak (MiB)",
)


def run(context: Context) -> Iterator[Result]:
    """Yields a table with one row per schedule, then checks, which include the whole command with parsing."""
    repetitions = context.repetitions(REPETITIONS)
    programs = build(context.build, "replay_bench", "stretto-replay")
    rows, checks = [], []
    for schedule in SCHEDULES:
        result = _measured(programs / "replay_bench", schedule, repetitions, schedule == BATCHED)
        one_s = result["compile_s"] + result["replay_s"]
        if result["batch_s"]:
            share = result["batch_processor_s"] / (os.cpu_count() or 1) / one_s
            checks.append(
                Check(f"{NETWORKS} networks, processor time a core", "one network", exactly(share), None)
            )
        rows.append(
            (
                schedule,
                str(result["operations"]),
                str(result["events"]),
                f"{result['compile_s']:.3f}",
                f"{result['replay_s']:.3f}",
                f"{result['operations'] / one_s / 1e6:.1f}",
                f"{result['batch_s'] / one_s:.1f}" if result["batch_s"] else "-",
                f"{result['peak_bytes'] / 2**20:.0f}",
            )
        )
        rate = exactly(result["events"] / one_s / 1e6)
        peer = "LogGOPSim: 2.2 to 3.0" if schedule.startswith("halo") else "-"
        checks.append(Check(f"{schedule}, million events/s", peer, rate, None))
        if schedule.startswith("all-to-all"):
            checks.append(Check(f"{schedule}, s", "LogGOPSim: 406", exactly(one_s), None))
    title = f"{NETWORK}, medians of {repetitions} turns; one network in processor time"
    yield Table(title, _COLUMNS, rows)
    with TemporaryDirectory() as directory:
        file = Path(directory) / "halo.goal"
        subprocess.run([programs / "replay_bench", BATCHED, "--write", file], check=True)
        one = median_of([_command_s(programs, file, 1) for _ in range(repetitions)])
        many = exactly(_command_s(programs, file, NETWORKS) / one.value)
        what = f"the command on {BATCHED}, {file.stat().st_size / 1e6:.0f} MB of text"
        checks.append(Check(f"{what}, s", "-", one, None))
        checks.append(Check(f"{what}, {NETWORKS} networks", "one network", many, None))
    yield Checks("Replay", checks)


def _measured(program: Path, schedule: str, repetitions: int, batch: bool) -> dict[str, Any]:
    """The program's measurements of one schedule by name; medians over the repetitions."""
    command = [str(program), schedule, str(repetitions), *(["batch"] if batch else [])]
    result = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return {
        name: statistics.median(value) if isinstance(value, list) and value else value
        for name, value in result.items()
    }


def _command_s(programs: Path, file: Path, networks: int) -> float:
    """The elapsed time of the command with this number of networks."""
    command = [str(programs / "stretto-replay"), str(file), *[f"--loggp={NETWORK}"] * networks]
    begin = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - begin
