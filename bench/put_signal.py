# SPDX-License-Identifier: BSD-3-Clause
"""Puts with a signal between two emulated hosts: their time over that of plain puts, and their overlap."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from bench.harness.checks import Check, Checks, Result, ratio_of_medians
from bench.harness.pair import emulated_pair
from bench.harness.runner import Context
from stretto.model.overlap import TIMES, eta_of
from stretto.model.statistics import DEFAULT_SEED, bootstrap_medians

_SIZES = tuple(1 << power for power in range(18, 25))  # 256 KiB to 16 MiB
_SLOWEST = 1.03
_OVERLAP = 0.90


def run(context: Context) -> Iterator[Result]:
    """One run of all sizes; each round has all variants."""
    with emulated_pair(context, context.options.rate, context.options.rounds, "signalled_puts") as pair:
        words = (str(context.repetitions(pair.rounds)), *map(str, _SIZES))
        rows = pair.run("signalled_puts", "signalled-puts", words).rows.sort("round")
        title = f"put_signal at {context.options.rate}: {pair.mpi.family} {pair.mpi.version}"
    checks = []
    for index, size in enumerate(_SIZES):
        own = rows.filter(pl.col("case") == index)
        times = {
            name: own.filter(pl.col("quantity") == name)["time_s"].to_numpy() for name in ("put", *TIMES)
        }
        eta = eta_of(bootstrap_medians(np.array([times[name] for name in TIMES]), DEFAULT_SEED))
        name = f"{size // 1024} KiB" if size < 1 << 20 else f"{size >> 20} MiB"
        ratio = ratio_of_medians(times["T_c"], times["put"])
        checks += [
            Check(f"T_c, {name}", "plain put and fence", ratio, _SLOWEST),
            Check(f"eta, {name}", "T_w / T_c = 1, both sides", eta, _OVERLAP, True),
        ]
    yield Checks(title, checks)
