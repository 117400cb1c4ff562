# SPDX-License-Identifier: BSD-3-Clause
"""Sections 4.2 and 4.3 of the latency-tolerance paper on simulated machines: the gain of aggregation in a
sparse product by rank (figure 9), and of overlap in MG and CG over ranks (figures 10 and 11).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import scipy.sparse

from bench.harness.checks import Check, Checks, Result, Table, exactly, yes_or_no
from stretto.data.matrix import Matrix
from stretto.data.matrix_file import write_matrix
from stretto.launch.platforms import find_platform
from validation.papers.kernel_machine import KernelMachine
from validation.papers.kernel_plans import KernelVariant
from validation.papers.simulation import simulate

AGGREGATION_GAIN = (
    1.78  # the paper's summary: "as much as 78 % improvement over non-aggregated communication"
)
SPMV_RANKS = 32  # of figure 9
_NAS = (
    ("two-sided", "mpi-two-sided"),
    ("blocking", "stretto"),
    ("nonblocking", "stretto"),
    ("nonblocking", "mpi-two-sided"),
)
_GRID, _LONG_ROWS, _LONG_ROW = 48, 12, 300
_BAR = 40  # characters of the longest


def small_matrix() -> Matrix:
    """A matrix like that of figure 8, small enough to simulate a get per element: a nine-point stencil on a
    48 x 48 grid, and 12 seeded rows with 300 additional columns.

    On 32 ranks, av41092-like has 128,000 such gets per product.
    """
    line = scipy.sparse.diags_array([1.0, 2.0, 1.0], offsets=[-1, 0, 1], shape=(_GRID, _GRID))
    matrix = scipy.sparse.lil_array(scipy.sparse.kron(line, line), dtype=float)
    random = np.random.default_rng(1)
    for row in random.choice(matrix.shape[0], _LONG_ROWS, replace=False):
        matrix[row, random.choice(matrix.shape[1], _LONG_ROW, replace=False)] = 0.5
    return scipy.sparse.csr_array(matrix)


def spmv_results(machine: str, ranks: int, products: int) -> Iterator[Result]:
    """Figure 9: communication of each rank in a product, with and without aggregation."""
    platform = find_platform(machine)
    with TemporaryDirectory() as directory:
        file = Path(directory) / "matrix"
        write_matrix(file, small_matrix())
        settings = (f"--set=matrix={file}", f"--set=products={products}")
        result = {
            variant: simulate(platform, ranks, "spmv", variant, "stretto", *settings)
            for variant in ("individual", "aggregate")
        }
    alone, together = (np.array(one["communication_per_rank_s"]) for one in result.values())
    needed = result["aggregate"]["elements_of_others_per_rank"]
    longest = float(alone.max())
    rows = []
    for rank, (one, other) in enumerate(zip(alone, together, strict=True)):
        bar = "=" * round(_BAR * other / longest)
        bar += "#" * (round(_BAR * one / longest) - len(bar))
        rows.append((str(rank), f"{needed[rank]:.0f}", f"{1e3 * one:.3f}", f"{1e3 * other:.3f}", bar))
    columns = ("rank", "elements", "one by one (ms)", "aggregated (ms)", "# one by one, = aggregated")
    yield Table(f"spmv, {ranks} ranks of {machine}: communication of each rank in a product", columns, rows)
    gain = exactly(result["individual"]["product_s"] / result["aggregate"]["product_s"])
    verified = all(one["verified"] for one in result.values())
    yield Checks(
        f"spmv on {machine}",
        [
            Check(
                "spmv: a product, times faster aggregated", f"paper: at most {AGGREGATION_GAIN}", gain, None
            ),
            yes_or_no("spmv: solutions verified", machine, verified),
        ],
    )


def nas_results(
    kernel: str, class_name: str, machines: Sequence[str], ranks: Sequence[int], simulated_ranks: int
) -> Iterator[Result]:
    """Figures 10 and 11: times, and the gain over the blocking two-sided exchange.

    Up to `simulated_ranks`, they are simulated and modelled; beyond, modelled only.
    """
    rows, verified = [], True
    for machine, count in itertools.product(machines, ranks):
        platform = find_platform(machine)
        plans = [KernelVariant(kernel, class_name, count, *one) for one in _NAS]
        modelled = [KernelMachine(platform, count).modelled_s(plan) for plan in plans]
        if count <= simulated_ranks:
            cells = [simulate(platform, count, kernel, *one, f"--class={class_name}") for one in _NAS]
            verified = verified and all(cell["verified"] for cell in cells)
            rows.append(_times(machine, count, "simulated", [cell["time_s"] for cell in cells]))
        rows.append(_times(machine, count, "modelled", modelled))
    columns = ("machine", "ranks", "how", *(f"{variant} {over}" for variant, over in _NAS))
    yield Table(f"{kernel} class {class_name}: ms, and the gain over two-sided", columns, rows)
    yield Checks(kernel, [yes_or_no(f"{kernel}: solutions verified", "simulated machines", verified)])


def _times(machine: str, ranks: int, how: str, times_s: Sequence[float]) -> tuple[str, ...]:
    return machine, str(ranks), how, *(f"{1e3 * one:.2f} ({times_s[0] / one:.2f})" for one in times_s)
