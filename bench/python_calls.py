# SPDX-License-Identifier: BSD-3-Clause
"""Calls of stretto.rma on one node, compared with those of C++ in the same process (python_loops.py)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator

import numpy as np

from bench.harness.builds import ROOT, build, launcher, shown
from bench.harness.checks import Check, Checks, Result, ratio_of_medians
from bench.harness.runner import Context
from stretto.model.statistics import DEFAULT_SEED, bootstrap_medians, interval

ROUNDS = 100
_NANO = 1e9


def run(context: Context) -> Iterator[Result]:
    """One run of all calls; each round times Python, then C++."""
    build(context.build, "stretto_libraries", "python_loops")
    start = launcher(context.build, 2)
    loops = context.build / "lib" / "libpython_loops.so"
    program = [
        sys.executable,
        str(ROOT / "bench" / "python_loops.py"),
        str(loops),
        str(context.repetitions(ROUNDS)),
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    done = subprocess.run([*start, *program], env=environment, stdout=subprocess.PIPE, check=True)
    (context.output / "rounds.json").write_bytes(done.stdout)
    rows = json.loads(done.stdout)
    checks = []
    for row in rows:
        python, cpp = np.array(row["python"]), np.array(row["cpp"])
        if row["size_bytes"] == 8:
            result = bootstrap_medians(np.array([python, cpp]), DEFAULT_SEED)
            value, replicates = result.value, result.replicates
            excess = interval(
                _NANO * float(value[0] - value[1]), _NANO * (replicates[0] - replicates[1]), len(python)
            )
            checks.append(Check(f"8 B {row['call']} beyond C++, ns", "the same call in C++", excess, 1000))
        else:
            ratio = ratio_of_medians(cpp, python)
            checks.append(Check(f"1 MiB {row['call']}, bandwidth", "the same call in C++", ratio, 0.95, True))
    yield Checks(f"Python on one node, {shown(start)}", checks)
