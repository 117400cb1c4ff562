# SPDX-License-Identifier: BSD-3-Clause
"""Checks the choice of `--variant auto` for FT, MG and CG on two emulated hosts against no overlap.

It needs root. At each rate a run chooses first. Then the choice and the others run, interleaved. The choice
may take at most 3 % longer than the fastest of the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from bench.harness.checks import Check, Checks, Result, ratio_of_medians
from bench.harness.pair import EmulatedPair, emulated_pair
from bench.harness.runner import Context
from bench.nas import measure, table
from stretto.launch.kernels import document_of
from stretto.options.choices import AUTO

PLAIN: Mapping[str, Sequence[tuple[str, str]]] = {
    "ft": (("alltoall", "mpi-two-sided"), ("packed-slabs", "stretto"), ("packed-slabs", "mpi-two-sided")),
    "mg": (("two-sided", "mpi-two-sided"), ("blocking", "stretto")),
    "cg": (("two-sided", "mpi-two-sided"), ("blocking", "stretto")),
}
"""Variants without overlap, the reference first, excluding MPI windows, which were never fastest."""
MAX_SLOWER = 1.03
REPETITIONS = 4
ROUNDS = 11


def run(context: Context) -> Iterator[Result]:
    """Yields the results of each rate."""
    options = context.options
    for rate in options.rates.split(","):
        checks = []
        with emulated_pair(context, rate, ROUNDS) as pair:
            for kernel in options.kernels:
                taken = _chosen(pair, kernel, options.class_name)
                others = [which for which in PLAIN[kernel] if which != taken]
                turns = context.repetitions(REPETITIONS)
                result = measure(kernel, options.class_name, turns, pair.kernel, [*others, taken])
                title = f"{kernel} class {options.class_name}, two hosts at {rate}; chosen: {' '.join(taken)}"
                yield from table(title, result)
                times = {which: [one["time_s"] for one in documents] for which, documents in result.items()}
                best = min(others, key=lambda which: float(np.median(times[which])))
                slower = ratio_of_medians(times[taken], times[best])
                what = f"{kernel}: {' '.join(taken)}, time"
                checks.append(Check(what, " ".join(best), slower, MAX_SLOWER))
        yield Checks(f"Chosen at {rate}", checks)


def _chosen(pair: EmulatedPair, kernel: str, class_name: str) -> tuple[str, str]:
    """Variant and transport."""
    document = document_of(pair.kernel((kernel, f"--class={class_name}", f"--variant={AUTO}")))
    return document["variant"], document["transport"]
