# SPDX-License-Identifier: BSD-3-Clause
"""How fast schedules are replayed: operations a second on one core, many networks at once, memory.

LogGOPSim's own figures for these patterns: 2.2 to 3.0 million events/s on a halo, 406 s for the linear
all-to-all. Usage: `replay.py [TURNS [BUILD]]`; the bench is built in BUILD (default: MPI's preset).
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from builds import default_build

SCHEDULES = ("halo-1024", "all-to-all-1024", "recursive-doubling-65536")
NETWORK = "L=2us,o=0.5us,g=0.7us,G=0.1ns"


def build(directory: Path) -> Path:
    """Builds the bench and the program; the directory of the programs."""
    command = ["cmake", "--build", str(directory), "--target", "replay_bench", "stretto-replay"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return directory / "bin"


def measured(program: Path, schedule: str, turns: int, batch: bool) -> dict[str, Any]:
    """What the bench found of one schedule; medians in place of the turns."""
    command = [str(program), schedule, str(turns), *(["batch"] if batch else [])]
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return {
        name: statistics.median(value) if isinstance(value, list) and value else value
        for name, value in found.items()
    }


def command_s(programs: Path, file: Path, networks: int) -> float:
    """Elapsed time of the command, parsing and all."""
    command = [str(programs / "stretto-replay"), str(file), *[f"--loggp={NETWORK}"] * networks]
    begin = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - begin


def main() -> int:
    """Prints a table, one row a schedule."""
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    programs = build(Path(sys.argv[2]) if len(sys.argv) > 2 else default_build())
    load = os.getloadavg()[0]
    print(f"# {NETWORK}, {turns} turns, medians; load {load:.1f} on {os.cpu_count()} cores at the beginning")
    print("# wiring (finding channels) and replay of one network: processor time; 64/one: elapsed")
    print(
        "# schedule                   operations     events  wiring(s)  replay(s)  Mop/s  64/one  peak(MiB)"
    )
    notes: list[str] = []
    for schedule in SCHEDULES:
        found = measured(programs / "replay_bench", schedule, turns, schedule == "halo-1024")
        one_s = found["wiring_s"] + found["replay_s"]
        batch = f"{found['batch_s'] / one_s:7.1f}" if found["batch_s"] else "      -"
        if found["batch_s"]:
            share = found["batch_processor_s"] / (os.cpu_count() or 1) / one_s
            notes.append(f"# 64 networks over one in processor time a core: {share:.1f}")
        print(
            f"{schedule:<28s} {found['operations']:>10d} {found['events']:>10d} {found['wiring_s']:10.3f} "
            f"{found['replay_s']:10.3f} {found['operations'] / one_s / 1e6:6.1f} {batch} "
            f"{found['peak_bytes'] / 2**20:10.0f}"
        )
    print("\n".join(notes))
    with TemporaryDirectory() as directory:
        file = Path(directory) / "halo.goal"
        subprocess.run([programs / "replay_bench", "halo-1024", "--write", file], check=True)
        ones = [command_s(programs, file, 1) for _ in range(turns)]
        many = command_s(programs, file, 64)
        one_s = statistics.median(ones)
        size_mb = file.stat().st_size / 1e6
        print(
            f"# the command on halo-1024, {size_mb:.0f} MB of text: {one_s:.2f} s; "
            f"64 networks {many / one_s:.1f} times that"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
