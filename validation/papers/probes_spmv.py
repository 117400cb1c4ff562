# SPDX-License-Identifier: BSD-3-Clause
"""Architectural probes, SPMV: figures 6, 7, 10, 11, 14, 15, evaluated on the schedules' graphs.

The order of the matrix is not published. The values have the keys of the claims about the figures.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

from stretto.model.evaluation import Times
from validation.papers.figures import Computation, Computed, Plot, Series
from validation.papers.probe_machine import DEPTHS, RATIOS, ProbeMachine, segment_s, spmv_times, total_s
from validation.papers.world import World

_BOTH = ("jacquard", "bassi")
_CONSTANT_RATIO = 4e-6  # the ratio of nonzeros where it does not vary
_LOW, _FEW, _HIGH = 4, 8, 16  # "low prefetch depths", "small", "when there are many outstanding messages"
_NONE = 1e-3
_SEGMENTS = {
    "local_work": "local computation",
    "remote_work": "remote computation",
    "prefetch_init": "prefetch initiation",
    "pipeline_init": "pipeline initiation",
    "sync": "waiting",
    "barrier": "barrier",
}
Runs = Mapping[tuple[str, int], Times]
"""The times of schedules at prefetch depths; bulk has depth 0."""


def pure_communication(name: str) -> Computation:
    """Figures 6 and 7: over prefetch, without computation."""
    return _over_depths(name, 0.0)


def over_prefetch(name: str) -> Computation:
    """Figures 10 and 11: over prefetch, with one ratio of nonzeros."""
    return _over_depths(name, _CONSTANT_RATIO)


def _over_depths(name: str, ratio: float) -> Computation:
    def compute(world: World) -> Computed:
        machine = ProbeMachine.named(name, world)
        work_s = machine.spmv_s(ratio)
        runs = spmv_times(machine, DEPTHS, work_s)
        without = spmv_times(machine, DEPTHS, 0.0)
        gather, scatter = (
            {depth: total_s(runs[one, depth]) for depth in DEPTHS} for one in ("gather", "scatter")
        )
        ratio_at = {depth: scatter[depth] / gather[depth] for depth in DEPTHS}
        low = [ratio_at[depth] for depth in DEPTHS if depth <= _LOW]
        deep = [ratio_at[depth] for depth in DEPTHS if depth >= _HIGH]
        low_gather = [gather[depth] for depth in DEPTHS if depth <= _LOW]
        alone = {depth: total_s(without["gather", depth]) for depth in DEPTHS}
        spread = [max(times.values()) / min(times.values()) - 1 for times in (gather, scatter)]
        best = min(gather[depth] for depth in DEPTHS if depth <= _FEW) / min(gather.values())
        values = {
            # A variation below a thousandth is none.
            "scatter-spread": max(spread[1], _NONE) / max(spread[0], _NONE),
            "gather-best": best,
            "low": best,
            "variation": max(low_gather) / min(low_gather),
            "gather-1": gather[1] / min(gather.values()),
            "search": max(scatter.values()) / min(scatter.values()),
            "scatter-deep": scatter[1] / scatter[20],
            "scatter-16": scatter[1] / scatter[16],
            "low-apart": max(low, key=_from_one),
            "hidden": max(gather[depth] / alone[depth] for depth in DEPTHS),
            "under": min((alone[depth] + work_s - gather[depth]) / work_s for depth in DEPTHS)
            if work_s
            else math.nan,
            "deep": max(deep),
            "deep-apart": max(deep, key=_from_one),
        }
        return Computed(
            values, bars(runs, [(one, depth) for depth in DEPTHS for one in ("gather", "scatter")])
        )

    return compute


def over_nonzeros(name: str) -> Computation:
    """Figures 14 and 15: bulk, gather and scatter with prefetch 1 over the ratio of nonzeros."""

    def compute(world: World) -> Computed:
        machine = ProbeMachine.named(name, world)
        runs = [spmv_times(machine, [1], machine.spmv_s(ratio)) for ratio in RATIOS]
        keys = (("bulk", 0), ("gather", 1), ("scatter", 1))
        bulk, gather, scatter = ([total_s(run[key]) for run in runs] for key in keys)
        values = {
            "gather": max(b / g for b, g in zip(bulk, gather, strict=True)),
            "scatter": max(b / s for b, s in zip(bulk, scatter, strict=True)),
            "at-1e-4": bulk[RATIOS.index(1e-4)] / gather[RATIOS.index(1e-4)],
            "steady": min(after / before for before, after in itertools.pairwise(gather)),
        }
        named = [
            (f"{ratio:g} {key[0][0].upper()}", run[key]) for ratio, run in zip(RATIOS, runs) for key in keys
        ]
        return Computed(values, _stacked(named, "ratio of nonzeros; B bulk, G gather, S scatter"))

    return compute


def _from_one(ratio: float) -> float:
    return abs(ratio - 1)


def communication_ratio(world: World) -> Computed:
    """Section 6.2: the time on jacquard over that on bassi, without computation."""
    times = [total_s(spmv_times(ProbeMachine.named(name, world), [1], 0.0)["gather", 1]) for name in _BOTH]
    return Computed({"ratio": times[0] / times[1]})


def computation_ratio(world: World) -> Computed:
    """Section 6.3: the time of computation on bassi over that on jacquard."""
    times = [ProbeMachine.named(name, world).spmv_s(_CONSTANT_RATIO) for name in _BOTH]
    return Computed({"ratio": times[1] / times[0]})


def crossing(world: World) -> Computed:
    """Section 6.4: the time on jacquard over that on bassi, with the least and the most computation."""
    times = []
    for name in _BOTH:
        machine = ProbeMachine.named(name, world)
        runs = [
            spmv_times(machine, [1], machine.spmv_s(ratio))["gather", 1] for ratio in (RATIOS[0], RATIOS[-1])
        ]
        times.append([total_s(one) for one in runs])
    little, most = (a / b for a, b in zip(*times, strict=True))
    return Computed({"little": little, "most": most})


def shares(world: World) -> Computed:
    """Section 6.4: communication's share of the time over the ratios, and gather against scatter."""
    found, quicker = [], []
    for name in _BOTH:
        machine = ProbeMachine.named(name, world)
        runs = [spmv_times(machine, [1], machine.spmv_s(ratio)) for ratio in RATIOS]
        gather, scatter = ([run[one, 1] for run in runs] for one in ("gather", "scatter"))
        found.append([1 - segment_s(one, "local_work", "remote_work") / total_s(one) for one in gather])
        quicker += [total_s(s) / total_s(g) > 1.02 for g, s in zip(gather, scatter, strict=True)]
    jacquard, bassi = (sum(one) / len(one) for one in found)
    values = {"jacquard": jacquard, "more": bassi / jacquard, "gather": sum(quicker) / len(quicker)}
    lines = [Series(name, one, RATIOS) for name, one in zip(_BOTH, found, strict=True)]
    return Computed(values, Plot("ratio of nonzeros", "share of communication", lines, log_x=True))


def bars(runs: Runs, keys: Sequence[tuple[str, int]]) -> Plot:
    """Stacked bars of the segments of schedules at prefetch depths, in the order of `keys`."""
    return _stacked([(f"{depth} {name[0].upper()}", runs[name, depth]) for name, depth in keys], "prefetch")


def _stacked(named: Sequence[tuple[str, Times]], x: str) -> Plot:
    series = [
        Series(text, [segment_s(times, segment) for _, times in named]) for segment, text in _SEGMENTS.items()
    ]
    return Plot(x, "seconds", series, [name for name, _ in named], stacked=True)
