# SPDX-License-Identifier: BSD-3-Clause
"""Architectural probes, FT: figures 4, 5, 8, 9, 12, 13, 16, 17, by the graphs of the schedules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stretto.model.evaluation import Times
from validation.papers.figures import Computation, Computed, Plot, Series
from validation.papers.probe_machine import (
    FEW_LARGE,
    FRACTIONS,
    MANY_SMALL,
    SHAPES,
    ProbeMachine,
    ft_times,
    segment_s,
    total_s,
)
from validation.papers.world import World

SCHEDULES = ("exchange", "slabs", "pencils")
_LETTERS = {"exchange": "E", "slabs": "S", "pencils": "P"}
_WAITING = ("sync", "barrier")
"""Section 6.1: the time of waiting shows what of the communication no computation hides."""
_SEGMENTS = {"work": "computation", "init": "initiation", "sync": "waiting", "barrier": "barrier"}
Row = Mapping[str, Times]


def pure_communication(name: str) -> Computation:
    """Figures 4 and 5: eight shapes of constant volume without computation."""

    def compute(world: World) -> Computed:
        machine = ProbeMachine.named(name, world)
        rows = [ft_times(machine, shape, [0.0])[0] for shape in SHAPES]
        pencils = [total_s(row["pencils"]) for row in rows]
        exchange = [total_s(row["exchange"]) for row in rows]
        values = {
            "constant": max(exchange) / min(exchange),
            "slabs": max(total_s(row["slabs"]) / e for row, e in zip(rows, exchange, strict=True)),
            "pencils-most": max(p / e for p, e in zip(pencils, exchange, strict=True)),
            "pencils-drop": pencils[0] / pencils[-1],
            "init-most": segment_s(rows[0]["pencils"], "init") / pencils[0],
            "init-fewest": segment_s(rows[-1]["pencils"], "init") / pencils[-1],
        }
        labels = [f"{r}x{n}" for n, r in SHAPES]
        return Computed(values, bars(labels, rows, "R x N"))

    return compute


def constant_flops(name: str) -> Computation:
    """Figures 8 and 9: the same with as much computation everywhere."""

    def compute(world: World) -> Computed:
        machine = ProbeMachine.named(name, world)
        work_s = machine.fft_s(*MANY_SMALL)
        rows = [ft_times(machine, shape, [work_s])[0] for shape in SHAPES]
        ratios = {
            one: [total_s(row[one]) / total_s(row["exchange"]) for row in rows] for one in SCHEDULES[1:]
        }
        apart = [total_s(row["pencils"]) / total_s(row["slabs"]) for row in rows]
        exposed = [
            segment_s(row[one], *_WAITING) / segment_s(row["exchange"], *_WAITING)
            for row in rows
            for one in SCHEDULES[1:]
        ]
        values = {
            "slabs": max(ratios["slabs"]),
            "pencils": max(ratios["pencils"]),
            "apart": max(abs(one - 1) for one in apart),
            "slabs-win": sum(p > 1.02 and s < 1 / 1.02 for p, s in zip(apart, ratios["slabs"], strict=True))
            / len(apart),
            "exposed": max(exposed),
        }
        return Computed(values, bars([f"{r}x{n}" for n, r in SHAPES], rows, "R x N"))

    return compute


def few_large(name: str) -> Computation:
    """Figures 12 and 13: one message to every rank, over the share of a row that is transformed."""

    def compute(world: World) -> Computed:
        machine = ProbeMachine.named(name, world)
        works = [machine.fft_s(*FEW_LARGE, share) for share in FRACTIONS]
        rows = ft_times(machine, FEW_LARGE, works)
        communication_s = total_s(rows[0]["exchange"])
        flat = [
            total_s(row["slabs"]) for row, work in zip(rows, works, strict=True) if work < communication_s
        ]
        none = [total_s(rows[0][one]) for one in SCHEDULES]
        values = {
            "none": max(none) / min(none),
            "same": max(abs(total_s(row["slabs"]) / total_s(row["pencils"]) - 1) for row in rows),
            "flat": max(flat) / min(flat),
            "gain": total_s(rows[-1]["exchange"]) / total_s(rows[-1]["slabs"]),
        }
        return Computed(values, bars([f"{share:g}" for share in FRACTIONS], rows, "share of the flops"))

    return compute


def many_small(name: str) -> Computation:
    """Figures 16 and 17: 8192 messages, likewise."""

    def compute(world: World) -> Computed:
        machine = ProbeMachine.named(name, world)
        works = [machine.fft_s(*MANY_SMALL, share) for share in FRACTIONS]
        rows = ft_times(machine, MANY_SMALL, works)
        flat = {one: [total_s(row[one]) for row in rows] for one in SCHEDULES[1:]}
        values = {
            "pencils-none": total_s(rows[0]["pencils"]) / total_s(rows[0]["exchange"]),
            "slabs-full": total_s(rows[-1]["slabs"]) / total_s(rows[-1]["exchange"]),
            "pencils-full": total_s(rows[-1]["pencils"]) / total_s(rows[-1]["exchange"]),
            "flat": max(max(one) / min(one) for one in flat.values()),
            "apart": max(total_s(row["pencils"]) / total_s(row["slabs"]) for row in rows),
            "init": _least_initiation("pencils", rows),
            "init-slabs": _least_initiation("slabs", rows),
        }
        return Computed(values, bars([f"{share:g}" for share in FRACTIONS], rows, "share of the flops"))

    return compute


def _least_initiation(schedule: str, rows: Sequence[Row]) -> float:
    """Initiation's share of the time of a schedule, least of all rows."""
    return min(segment_s(row[schedule], "init") / total_s(row[schedule]) for row in rows)


def largest_gain(world: World) -> Computed:
    """Section 9: the gains of the best schedule, on both machines with few and with many messages."""
    gains = []
    for name in _BOTH:
        machine = ProbeMachine.named(name, world)
        for shape in (FEW_LARGE, MANY_SMALL):
            rows = ft_times(machine, shape, [machine.fft_s(*shape, share) for share in FRACTIONS[1:]])
            gains += [total_s(row["exchange"]) / min(total_s(row[one]) for one in SCHEDULES) for row in rows]
    return Computed({"most": max(gains)})


def overall(world: World) -> Computed:
    """Section 6.7: the waiting of the best schedule with all computation over that with none, and its gain
    over exchange; of both machines the worst.
    """
    visible, gains = [], []
    for name in _BOTH:
        machine = ProbeMachine.named(name, world)
        for shape in (FEW_LARGE, MANY_SMALL):
            works = [0.0, machine.fft_s(*shape)]
            best = [
                min((row[one] for one in SCHEDULES[1:]), key=total_s)
                for row in ft_times(machine, shape, works)
            ]
            waiting = [segment_s(one, *_WAITING) for one in best]
            visible.append(waiting[1] / waiting[0])
            (row,) = ft_times(machine, shape, works[1:])
            gains.append(total_s(row["exchange"]) / total_s(best[1]))
    return Computed({"visible": max(visible), "helped": min(gains)})


def exchange_ratio(world: World) -> Computed:
    """Section 6.2: jacquard's time over bassi's, without computation."""
    times = [
        total_s(ft_times(ProbeMachine.named(name, world), MANY_SMALL, [0.0])[0]["exchange"]) for name in _BOTH
    ]
    return Computed({"ratio": times[0] / times[1]})


def initiation_ratio(world: World) -> Computed:
    """Section 6.2: the initiation of pencils on bassi over that on jacquard."""
    times = []
    for name in _BOTH:
        rows = [ft_times(ProbeMachine.named(name, world), shape, [0.0])[0]["pencils"] for shape in SHAPES]
        times.append([segment_s(one, "init") for one in rows])
    ratios = [b / a for a, b in zip(*times, strict=True)]
    return Computed({"ratio": max(ratios), "below": sum(one < 3.25 for one in ratios) / len(ratios)})


def solution_ratio(world: World) -> Computed:
    """Section 6.3: jacquard's time over bassi's with most and smallest messages, computation, and the best
    schedule of each.
    """
    best, works = [], []
    for name in _BOTH:
        machine = ProbeMachine.named(name, world)
        works.append(machine.fft_s(*MANY_SMALL))
        row = ft_times(machine, MANY_SMALL, works[-1:])[0]
        best.append(min(total_s(row[one]) for one in SCHEDULES))
    return Computed({"quicker": 1 - best[0] / best[1], "computation": works[1] / works[0]})


def many_small_machines(world: World) -> Computed:
    """Section 6.5: jacquard against bassi with 8192 messages, over all shares and schedules."""
    times: list[list[float]] = []
    for name in _BOTH:
        machine = ProbeMachine.named(name, world)
        works = [machine.fft_s(*MANY_SMALL, share) for share in FRACTIONS]
        rows = ft_times(machine, MANY_SMALL, works)
        times.append([total_s(row[one]) for row in rows for one in SCHEDULES])
    return Computed({"worst": max(a / b for a, b in zip(*times, strict=True))})


_BOTH = ("jacquard", "bassi")


def bars(labels: Sequence[str], rows: Sequence[Row], x: str) -> Plot:
    """Stacked bars E, S, P for each group."""
    every = [(f"{label} {_LETTERS[one]}", row[one]) for label, row in zip(labels, rows) for one in SCHEDULES]
    series = [
        Series(text, [segment_s(times, segment) for _, times in every]) for segment, text in _SEGMENTS.items()
    ]
    return Plot(x, "seconds", series, [name for name, _ in every], stacked=True)
