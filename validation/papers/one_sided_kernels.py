# SPDX-License-Identifier: BSD-3-Clause
"""Latency tolerance: sparse products (figures 8 and 9), MG and CG (figures 10 and 11).

Products with aggregation are simulated, and those without are replayed. MG and CG are graphs of their
schedules. Cores compute at a tenth of their peak (architectural probes, section 4.1: kernels that are bound
by memory), and MPI's messages have the handshake of the platform.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from stretto.launch.platforms import find_platform
from stretto.model.kernels.variants import Kernel, NasClass
from validation.papers.element_gets import gets_s
from validation.papers.figures import Computation, Computed, Form, Plot, Series
from validation.papers.kernel_machine import KernelMachine
from validation.papers.simulation import simulate

PLATFORM = "fsn"
RANKS = (8, 16, 32, 64, 128)
_PRODUCT_RANKS: Mapping[Form, tuple[int, ...]] = {"short": (2, 8, 32), "full": (2, 4, 8, 16, 32)}
_EFFICIENCY = 0.1
_ITANIUM_FLOPS_PER_S = 4e9  # section 4.2: products ran on 1 GHz Itanium 2, two fused multiply-adds a cycle
_VARIANTS = {
    "MPI": ("two-sided", "mpi-two-sided"),
    "blocking": ("blocking", "stretto"),
    "nonblocking": ("nonblocking", "stretto"),
}


@cache
def _aggregated(ranks: int) -> dict[str, Any]:
    """Products with the full matrix: 41,092 rows in the pattern of av41092."""
    return simulate(find_platform(PLATFORM), ranks, "spmv", "aggregate", "stretto", "--set=products=2")


@cache
def _one_by_one_s(ranks: int) -> float:
    elements = [round(one) for one in _aggregated(ranks)["elements_of_others_per_rank"]]
    return gets_s(find_platform(PLATFORM), elements)


def _computation_s(ranks: int) -> float:
    """A rank's part of a product."""
    return 2 * float(_aggregated(ranks)["nonzeros"]) / ranks / (_EFFICIENCY * _ITANIUM_FLOPS_PER_S)


@cache
def _product_times(form: Form) -> Mapping[str, Sequence[float]]:
    """Seconds of a product over ranks: communication, and then computation, without overlap."""
    ranks = _PRODUCT_RANKS[form]
    together = [max(_aggregated(p)["communication_per_rank_s"]) + _computation_s(p) for p in ranks]
    return {"individual": [_one_by_one_s(p) + _computation_s(p) for p in ranks], "aggregate": together}


def products(form: Form) -> Computed:
    """Figure 8b: time of a product over ranks, with and without aggregation."""
    ranks, times = _PRODUCT_RANKS[form], _product_times(form)
    ratios = [a / b for a, b in zip(times["individual"], times["aggregate"], strict=True)]
    values = {
        "least": min(ratios),
        "scales": times["aggregate"][0] / times["aggregate"][-1],
        "verified": float(all(_aggregated(p)["verified"] for p in ranks)),
    }
    lines = [Series(name, each, ranks) for name, each in times.items()]
    return Computed(values, Plot("processors", "seconds", lines, log_x=True, log_y=True))


def aggregation_gain(form: Form) -> Computed:
    """Section 5: the improvement of a product on 32 processors."""
    times = _product_times(form)
    return Computed({"at-32": times["individual"][-1] / times["aggregate"][-1]})


def product_ranks(_: Form) -> Computed:
    """Figure 9: communication of each of 32 ranks in a product; one by one, each alone with its elements."""
    run = _aggregated(32)
    per_element_s = _one_by_one_s(32) / max(run["elements_of_others_per_rank"])
    alone = per_element_s * np.array(run["elements_of_others_per_rank"])
    together = np.array(run["communication_per_rank_s"])
    values = {
        "every": float(np.min(alone / together)),
        "uneven": float(alone.max() / alone.min()),
        "gaps": float((together.max() - together.min()) / (alone.max() - alone.min())),
    }
    each = (("individual", alone), ("aggregate", together))
    series = [Series(name, [float(one) for one in times]) for name, times in each]
    return Computed(values, Plot("rank", "seconds", series, [str(rank) for rank in range(32)]))


@cache
def _times_s(kernel: str, class_name: str, ranks: int) -> Mapping[str, float]:
    machine = KernelMachine.named(PLATFORM, ranks, _EFFICIENCY, handshake=True)
    one = Kernel(NasClass(kernel, class_name), ranks)
    return {name: machine.modelled_s(one.variant(*variant)) for name, variant in _VARIANTS.items()}


def improvements(kernel: str, class_name: str) -> Computation:
    """Figures 10 and 11: gains over MPI, over ranks."""

    def compute(_: Form) -> Computed:
        rows = [_times_s(kernel, class_name, ranks) for ranks in RANKS]
        blocking, nonblocking = ([row["MPI"] / row[name] for row in rows] for name in list(_VARIANTS)[1:])
        values = {
            "grows": float(nonblocking == sorted(nonblocking)),
            "most": max(nonblocking),
            "at-128": nonblocking[-1],
            "consistent": min(*blocking, *nonblocking),
            "to-64": max(nonblocking[:-1]),
        }
        lines = [Series("blocking", blocking, RANKS), Series("nonblocking", nonblocking, RANKS)]
        return Computed(values, Plot("processors", "MPI's time over", lines, log_x=True))

    return compute


def over_all(numerator: str, denominator: str) -> Computation:
    """Section 4.3: least and most gain of MG over all classes and ranks."""

    def compute(_: Form) -> Computed:
        rows = [_times_s("mg", class_name, ranks) for class_name in "ABC" for ranks in RANKS]
        gains = [row[numerator] / row[denominator] for row in rows]
        return Computed({"least": min(gains), "most": max(gains)})

    return compute
