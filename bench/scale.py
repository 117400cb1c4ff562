# SPDX-License-Identifier: BSD-3-Clause
"""Memory of an idle runtime and processor time of a poll, over the number of ranks (runtime_scale.cpp).

All ranks are on this machine and treat each other as remote. A line through the largest numbers of ranks
gives the memory that a further rank takes, and what 10,000 ranks would take.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from typing import Any

import numpy as np

from bench.harness.builds import build, launcher
from bench.harness.checks import Check, Checks, Result, Table, exactly
from bench.harness.runner import Context

RANKS = (2, 4, 8, 16, 32, 64)
POLLS = 20_000
MANY = 10_000
MAX_BYTES_PER_RANK = 1024  # a receive of 32 KiB from each rank would take thirty times as much
MAX_SLOWER = 2.0


def run(context: Context) -> Iterator[Result]:
    """One run for each number of ranks."""
    program = build(context.build, "runtime_scale") / "runtime_scale"
    measured = [_measured([*launcher(context.build, ranks), str(program), str(POLLS)]) for ranks in RANKS]
    rows = [
        (
            str(one["ranks"]),
            f"{one['mean_bytes'] / 1024:.0f}",
            f"{one['max_bytes'] / 1024:.0f}",
            f"{1e9 * one['mean_poll_s']:.0f}",
            f"{1e9 * one['min_poll_s']:.0f}",
        )
        for one in measured
    ]
    heads = ("ranks", "heap (KiB)", "largest (KiB)", "poll (ns)", "fastest rank (ns)")
    yield Table("Idle runtime of a rank; processor time", heads, rows)
    last = measured[-3:]
    each, base = np.polyfit([one["ranks"] for one in last], [one["max_bytes"] for one in last], 1)
    slower = measured[-1]["min_poll_s"] / measured[0]["min_poll_s"]
    yield Checks(
        "Scale of the runtime",
        [
            Check("bytes for each further rank", "the runtime", exactly(float(each)), MAX_BYTES_PER_RANK),
            Check(f"MiB for {MANY} ranks", "by that line", exactly((base + MANY * each) / 2**20), None),
            Check(f"poll among {RANKS[-1]}", f"among {RANKS[0]}", exactly(slower), MAX_SLOWER),
        ],
    )


def _measured(command: list[str]) -> dict[str, Any]:
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result
