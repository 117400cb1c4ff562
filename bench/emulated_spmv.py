# SPDX-License-Identifier: BSD-3-Clause
"""Sparse products on two emulated hosts: one aggregated request against one get per element (figure 8 of
Nieplocha et al.), and the communication time of each rank (figure 9).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from bench.harness.checks import Check, Checks, Result, Table, ratio_of_medians
from bench.harness.pair import EmulatedPair, emulated_pair
from bench.harness.runner import Context
from stretto.launch.kernels import document_of

_VARIANTS = ("individual", "aggregate", "vector", "signalled")
_PRODUCTS = 3
_TARGET = 10.0


def run_alone(context: Context) -> Iterator[Result]:
    """This part of the entry `emulated`, on a pair of its own."""
    with emulated_pair(context, context.options.rate, context.options.rounds) as pair:
        yield from run(pair, min(pair.rounds, 5))


def run(pair: EmulatedPair, rounds: int) -> Iterator[Result]:
    """Runs each variant separately, interleaved within each round."""
    result: dict[str, list[dict[str, Any]]] = {variant: [] for variant in _VARIANTS}
    for _ in range(rounds):
        for variant, documents in result.items():
            words = ("spmv", f"--variant={variant}", f"--set=products={_PRODUCTS}")
            documents.append(document_of(pair.kernel(words)))
    rows = []
    for variant, documents in result.items():
        each = np.median([one["communication_per_rank_s"] for one in documents], axis=0)
        product = float(np.median([one["product_s"] for one in documents]))
        ranks = " ".join(f"{1e3 * one:.2f}" for one in each)
        rows.append((variant, f"{1e3 * product:.2f}", ranks, str(documents[0]["messages"])))
    columns = ("variant", "product (ms)", "communication of each rank (ms)", "messages")
    yield Table("av41092-like, between two hosts", columns, rows)
    alone = [one["product_s"] for one in result["individual"]]
    checks = []
    for variant in _VARIANTS[1:]:
        ratio = ratio_of_medians(alone, [one["product_s"] for one in result[variant]])
        checks.append(
            Check(f"product, {variant}, times faster", "a get for each element", ratio, _TARGET, True)
        )
    yield Checks("Products over stretto", checks)
