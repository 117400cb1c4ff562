# SPDX-License-Identifier: BSD-3-Clause
"""Sections 4.2 and 4.3 of the latency-tolerance paper on simulated machines: what aggregation gives a sparse
product, rank by rank (figure 9), and what overlap gives MG and CG over ranks (figures 10 and 11).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from papers_runs import simulate

from stretto.launch.platforms import find_platform

AGGREGATION_GAIN = (
    1.78  # the paper's summary: "as much as 78 % improvement over non-aggregated communication"
)
SPMV_RANKS = 32  # of figure 9
_NAS_VARIANTS = (
    ("two-sided", "mpi-two-sided"),
    ("blocking", "stretto"),
    ("nonblocking", "stretto"),
    ("nonblocking", "mpi-two-sided"),
)
_BAR = 40  # characters of the longest


def show_spmv(machine: str, ranks: int, products: int) -> bool:
    """Figure 9: communication of each rank in a product, with and without aggregation."""
    platform = find_platform(machine)
    found = {
        variant: simulate(platform, ranks, "spmv", variant, "stretto", f"--set=products={products}")
        for variant in ("individual", "aggregate")
    }
    alone, together = (np.array(one["communication_per_rank_s"]) for one in found.values())
    print(f"\n# spmv av41092-like, {ranks} ranks of {machine}: communication of each rank in a product, ms")
    print(f"# {'rank':>4s} {'one by one':>11s} {'aggregated':>11s}  # one by one, = aggregated")
    longest = float(alone.max())
    for rank, (one, other) in enumerate(zip(alone, together, strict=True)):
        bar = "=" * round(_BAR * other / longest)
        bar += "#" * (round(_BAR * one / longest) - len(bar))
        print(f"{rank:6d} {1e3 * one:11.3f} {1e3 * other:11.3f}  {bar}")
    for name, times in (("one by one", alone), ("aggregated", together)):
        spread = f"{1e3 * times.min():.3f} to {1e3 * times.max():.3f}, median {1e3 * np.median(times):.3f}"
        print(f"# {name}: {spread}")
    gain = found["individual"]["product_s"] / found["aggregate"]["product_s"]
    print(f"# a product: {gain:.2f} times faster with aggregation; paper: at most {AGGREGATION_GAIN}")
    return all(one["verified"] for one in found.values())


def show_nas(kernel: str, class_name: str, machines: Sequence[str], ranks: Sequence[int]) -> bool:
    """Figures 10 and 11: seconds, and the gain over the blocking two-sided exchange."""
    good = True
    print(f"\n# {kernel} class {class_name}, simulated: ms, and the gain over two-sided")
    print("# machine   ranks   two-sided  blocking          nonblocking       nonblocking, two-sided")
    for machine in machines:
        platform = find_platform(machine)
        for count in ranks:
            cells = [
                simulate(platform, count, kernel, variant, transport, f"--class={class_name}")
                for variant, transport in _NAS_VARIANTS
            ]
            good = good and all(cell["verified"] for cell in cells)
            first = cells[0]["time_s"]
            line = "".join(f" {1e3 * c['time_s']:10.2f} ({first / c['time_s']:4.2f})" for c in cells[1:])
            print(f"{machine:10s} {count:6d} {1e3 * first:11.2f}{line}", flush=True)
    return good
