# SPDX-License-Identifier: BSD-3-Clause
"""Latency and bandwidth with `--buffers same`, against loops as the OSU micro-benchmarks describe theirs.

Runs of both alternate, and a ratio is taken within a turn, so that a drift of the machine affects both.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bench.harness.builds import build, launcher, shown
from bench.harness.checks import Check, Checks, Result, Table, median_of
from bench.harness.runner import Context
from stretto.data.samples import read_samples
from stretto.launch.probing import probe_arguments
from stretto.model.derive import derive_results

SIZES = tuple(8 * 4**power for power in range(10))  # 8 B to 2 MiB
ROUNDS = 20
TURNS = 5
_WITHIN = 0.10
_UNITS = {"latency": (1e6, "us"), "bandwidth": (1e-6, "MB/s")}

Figures = dict[tuple[str, str, int], float]


def run(context: Context) -> Iterator[Result]:
    """Yields a table with both kinds of buffers, and how far the probes are from the loops."""
    programs = build(context.build, "osu_loops", "stretto-probe")
    start = launcher(context.build, 2)
    loops: list[Figures] = []
    probes: list[Figures] = []
    for turn in range(context.repetitions(TURNS)):
        file = context.output / f"loops-{turn}.jsonl"
        file.unlink(missing_ok=True)
        subprocess.run(
            [*start, str(programs / "osu_loops"), str(file), str(ROUNDS), *map(str, SIZES)], check=True
        )
        loops.append(_figures(file))
        file = context.output / f"stretto-{turn}.jsonl"
        file.unlink(missing_ok=True)
        words = ["latency", "bandwidth", "--transport", "mpi-two-sided", "--buffers", "same,distinct"]
        words += ["--sizes", f"{SIZES[0]}:{SIZES[-1]}", "--rounds", str(ROUNDS)]
        subprocess.run([*start, str(programs / "stretto-probe"), *probe_arguments(words, file)], check=True)
        probes.append(_figures(file))
    title = f"{shown(start)}, {len(loops)} turns of {ROUNDS} rounds"
    for metric, (scale, unit) in _UNITS.items():
        rows = []
        for size in SIZES:
            columns = [(loops, "same"), (probes, "same"), (probes, "distinct")]
            found = [_all(turns, (metric, buffers, size)) for turns, buffers in columns]
            rows.append(
                (str(size), *("-" if not len(one) else f"{scale * np.median(one):.4g}" for one in found))
            )
        heads = ("size (B)", f"loop ({unit})", "stretto, same", "stretto, distinct")
        yield Table(f"{metric}: {title}", heads, rows)
    yield Checks("Distance of the ratio from 1", [_check(loops, probes, m, s) for m in _UNITS for s in SIZES])


def _check(loops: list[Figures], probes: list[Figures], metric: str, size: int) -> Check:
    key = (metric, "same", size)
    theirs, ours = _all(loops, key), _all(probes, key)
    away = median_of(np.abs(ours / theirs - 1)) if len(ours) == len(theirs) and len(ours) else None
    return Check(f"{metric}, {size} B", "a loop as OSU describes it", away, _WITHIN)


def _all(turns: list[Figures], key: tuple[str, str, int]) -> np.ndarray:
    return np.array([one[key] for one in turns if key in one])


def _figures(samples: Path) -> Figures:
    """One-way latency and bandwidth by metric, buffers and size in bytes."""
    return {
        (row.metric, str(row.axes.get("buffers")), int(row.axes["size_bytes"])): row.value
        for row in derive_results(read_samples(samples)).rows
        if row.metric in _UNITS
        and row.value is not None
        and row.axes.get("direction", "one-way") == "one-way"
    }
