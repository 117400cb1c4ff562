# SPDX-License-Identifier: BSD-3-Clause
"""Compares the latency probe with a plain ping-pong (plain_ping_pong.cpp); the target ratio is 1.

Runs of both alternate, and each ratio is of one repetition, so that drift affects both.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from bench.harness.builds import build, launcher, shown
from bench.harness.checks import Check, Checks, Result, Table, median_of
from bench.harness.runner import Context
from stretto.data.samples import read_samples
from stretto.launch.probing import probe_arguments

SIZES = tuple(8 * 8**power for power in range(7))  # 8 B to 2 MiB
ROUNDS = 30
REPETITIONS = 5


def run(context: Context) -> Iterator[Result]:
    """Yields one row per size."""
    programs = build(context.build, "plain_ping_pong", "stretto-probe")
    start = launcher(context.build, 2)
    plain: list[dict[int, float]] = []
    probe: list[dict[int, float]] = []
    for turn in range(context.repetitions(REPETITIONS)):
        file = context.output / f"plain-{turn}.jsonl"
        file.unlink(missing_ok=True)
        subprocess.run(
            [*start, str(programs / "plain_ping_pong"), str(file), str(ROUNDS), *map(str, SIZES)], check=True
        )
        plain.append(_latencies_s(file))
        file = context.output / f"stretto-{turn}.jsonl"
        file.unlink(missing_ok=True)
        words = ["latency", "--transport", "mpi-two-sided", "--sizes", f"{SIZES[0]}:{SIZES[-1]}"]
        request = probe_arguments([*words, "--rounds", str(ROUNDS)], file)
        subprocess.run([*start, str(programs / "stretto-probe"), *request], check=True)
        probe.append(_latencies_s(file))
    rows, checks = [], []
    for size in sorted(set(plain[0]) & set(probe[0])):
        plain_s, probe_s = (np.array([run[size] for run in runs]) for runs in (plain, probe))
        rows.append((str(size), *(f"{1e6 * np.median(one):.3f}" for one in (plain_s, probe_s))))
        checks.append(
            Check(f"one-way latency, {size} B", "plain ping-pong", median_of(probe_s / plain_s), None)
        )
    title = f"{shown(start)}, {len(plain)} turns of {ROUNDS} rounds"
    yield Table(title, ("size (B)", "plain (us)", "stretto (us)"), rows)
    yield Checks("Ratios", checks)


def _latencies_s(samples: Path) -> dict[int, float]:
    """Median one-way latency by size in bytes."""
    rows = read_samples(samples).rows.filter((pl.col("probe") == "latency") & (pl.col("quantity") == "T_c"))
    one_way = rows.with_columns(latency_s=pl.col("time_s") / pl.col("messages") / 2)
    medians = one_way.group_by("size_bytes").agg(pl.col("latency_s").median())
    return dict(zip(medians["size_bytes"].to_list(), medians["latency_s"].to_list(), strict=True))
