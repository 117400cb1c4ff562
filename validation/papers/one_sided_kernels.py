# SPDX-License-Identifier: BSD-3-Clause
"""Latency tolerance: sparse products (figures 8 and 9), MG and CG (figures 10 and 11).

Products with aggregation are simulated, and those without are replayed. MG and CG are graphs of their
schedules. Cores compute at the share of their peak of the parameter `kernel_efficiency`, an estimate, and
MPI's messages have the handshake of the platform.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from validation.papers.element_gets import gets_s
from validation.papers.figures import Computation, Computed, Plot, Series
from validation.papers.kernel_machine import KernelMachine
from validation.papers.kernel_plans import KernelVariant
from validation.papers.simulation import simulate
from validation.papers.world import Changes, World, altered

PLATFORM = "fsn"
RANKS = (8, 16, 32, 64, 128)
_PRODUCT_RANKS = (2, 8, 32)
_RATE = "kernel_efficiency"
_ITANIUM_FLOPS_PER_S = 4e9  # section 4.2: products ran on 1 GHz Itanium 2, two fused multiply-adds a cycle
_VARIANTS = {
    "MPI": ("two-sided", "mpi-two-sided"),
    "blocking": ("blocking", "stretto"),
    "nonblocking": ("nonblocking", "stretto"),
}


@cache
def _simulated(ranks: int, changes: Changes) -> dict[str, Any]:
    """Products with the full matrix: 41,092 rows in the pattern of av41092."""
    machine = altered(PLATFORM, changes)
    return simulate(machine, ranks, "spmv", "aggregate", "stretto", "--set=products=2")


def _aggregated(ranks: int, world: World) -> dict[str, Any]:
    return _simulated(ranks, world.simulated(PLATFORM))


@cache
def _one_by_one_s(ranks: int, world: World) -> float:
    elements = [round(one) for one in _aggregated(ranks, world)["elements_of_others_per_rank"]]
    return gets_s(world.platform(PLATFORM), elements)


def _product_times(world: World) -> Mapping[str, Sequence[float]]:
    """Seconds of a product over ranks: communication, and then computation, without overlap."""
    ranks = _PRODUCT_RANKS
    rate = world.value(_RATE) * _ITANIUM_FLOPS_PER_S
    work = [2 * float(_aggregated(p, world)["nonzeros"]) / p / rate for p in ranks]
    together = [max(_aggregated(p, world)["communication_per_rank_s"]) for p in ranks]
    alone = [_one_by_one_s(p, world) for p in ranks]
    return {
        name: [a + b for a, b in zip(each, work, strict=True)]
        for name, each in (("individual", alone), ("aggregate", together))
    }


def products(world: World) -> Computed:
    """Figures 8b, and section 7: time of a product over ranks, with and without aggregation."""
    ranks, times = _PRODUCT_RANKS, _product_times(world)
    ratios = [a / b for a, b in zip(times["individual"], times["aggregate"], strict=True)]
    values = {
        "least": min(ratios),
        "most": max(ratios),
        "below": sum(one < 1.775 for one in ratios) / len(ratios),
        "at-32": ratios[ranks.index(32)],
        "scales": times["aggregate"][0] / times["aggregate"][-1] / (ranks[-1] / ranks[0]),
    }
    lines = [Series(name, each, ranks) for name, each in times.items()]
    return Computed(values, Plot("processors", "seconds", lines, log_x=True, log_y=True))


def product_ranks(world: World) -> Computed:
    """Figure 9: communication of each of 32 ranks in a product; one by one, each alone with its elements."""
    run = _aggregated(32, world)
    per_element_s = _one_by_one_s(32, world) / max(run["elements_of_others_per_rank"])
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
def _times_s(kernel: str, class_name: str, ranks: int, world: World) -> Mapping[str, float]:
    machine = KernelMachine.named(PLATFORM, ranks, world, _RATE)
    return {
        name: machine.modelled_s(KernelVariant(kernel, class_name, ranks, *variant))
        for name, variant in _VARIANTS.items()
    }


def _share_of_blocking(times_s: Mapping[str, float]) -> float:
    """The share of the nonblocking version's gain over MPI that the blocking one has; 0 without a gain."""
    gain_s = times_s["MPI"] - times_s["nonblocking"]
    return (times_s["MPI"] - times_s["blocking"]) / gain_s if gain_s > 0 else 0.0


def improvements(kernel: str, class_name: str) -> Computation:
    """Figures 10 and 11, section 4.3: gains at all processor counts."""

    def compute(world: World) -> Computed:
        rows = [_times_s(kernel, class_name, ranks, world.of(PLATFORM)) for ranks in RANKS]
        gains = {
            "blocking": [row["MPI"] / row["blocking"] for row in rows],
            "over": [row["blocking"] / row["nonblocking"] for row in rows],
            "nonblocking": [row["MPI"] / row["nonblocking"] for row in rows],
        }
        nonblocking, over = gains["nonblocking"], gains["over"]
        values = {
            **{f"{name}-least": min(each) for name, each in gains.items()},
            **{f"{name}-most": max(each) for name, each in gains.items()},
            "grows": over[RANKS.index(64)] / over[0],
            "consistent": min(*gains["blocking"], *nonblocking),
            "limited": max(nonblocking[:-1]),
            "at-128": nonblocking[-1],
            "source": min(_share_of_blocking(row) for row in rows),
        }
        lines = [Series(name, gains[name], RANKS) for name in ("blocking", "nonblocking")]
        return Computed(values, Plot("processors", "MPI's time over", lines, log_x=True))

    return compute
