# SPDX-License-Identifier: BSD-3-Clause
"""Overlap-potential slides: the times and needs that follow from their tables, by replay."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.harness.trace_writer import trace_name
from stretto.data.sweep import SLIDES_LATENCIES_S
from validation.papers.figures import Computed, Plot, Series
from validation.papers.slide_traces import (
    OVERLAPPED,
    TRACED,
    Phase,
    halo_phases,
    replayed_s,
    sweep_phases,
    write_trace,
)
from validation.papers.world import World

INFINIBAND_LATENCY_S, INFINIBAND_BYTES_PER_S = 4e-6, 945e6  # slide "Experimental set-up"
_FAST_BYTES_PER_S = 5e9
_SLOW_BYTES_PER_S = 1e6  # of the slides' networks
_ROUNDS, _PLACES = 3, 26  # of the search for a bandwidth: each round divides the interval by 25
_SAME = 1.002  # "the same performance"
_SLIDES = "slides"  # of the parameter with their eta
_BANDWIDTHS = (50e6, 100e6, 200e6, 400e6, 945e6, 2e9, 5e9)

POTENTIAL_OVER_COST = {"HYCOM": 2.32, "POP": 2.78, "SAGE": 6.25, "Sweep3D": 2.31}
"""The slides' potential over the cost of the message on InfiniBand."""


def sweep_latency(world: World) -> Computed:
    """Normalised time of Sweep3D over latency, with and without overlap."""
    latencies = (0.0, *SLIDES_LATENCIES_S)
    with TemporaryDirectory() as name:
        directory = _sweep(Path(name), world)
        networks = [_network(one, _FAST_BYTES_PER_S) for one in latencies]
        plain, overlapped = _both_s(directory, networks, world)
    values = {"half": overlapped[-2] / plain[-3]}
    for place, latency in enumerate(latencies[1:], 1):
        values[f"plain-{latency * 1e6:g}"] = plain[place] / plain[0]
        values[f"overlapped-{latency * 1e6:g}"] = overlapped[place] / plain[0]
    micro = [latency * 1e6 for latency in latencies]
    lines = [
        Series("not overlapping", [one / plain[0] for one in plain], micro),
        Series("overlapping", [one / plain[0] for one in overlapped], micro),
    ]
    return Computed(values, Plot("latency, us", "normalised time", lines))


def hycom_bandwidth(world: World) -> Computed:
    """Normalised time of HYCOM's smallest message over bandwidth, with and without overlap."""
    with TemporaryDirectory() as name:
        directory = _application(Path(name), "HYCOM", world)
        networks = [_network(INFINIBAND_LATENCY_S, one) for one in _BANDWIDTHS]
        plain, overlapped = _both_s(directory, networks, world)
        (zero_s,) = replayed_s(directory, [_network(0.0, _FAST_BYTES_PER_S)], TRACED)
        needed, needed_without = _needed(directory, INFINIBAND_LATENCY_S, world)
    values = {
        "lower": needed / needed_without,
        "sensitive": plain[0] / plain[-1],
    }
    lines = [
        Series("not overlapping", [one / zero_s for one in plain], [b / 1e6 for b in _BANDWIDTHS]),
        Series("overlapping", [one / zero_s for one in overlapped], [b / 1e6 for b in _BANDWIDTHS]),
    ]
    return Computed(values, Plot("MB/s", "normalised time", lines, log_x=True, log_y=True))


def bandwidth_needed(world: World) -> Computed:
    """The bandwidth with which overlapping takes what 5 GB/s take without, over latency."""
    rows: dict[str, list[float]] = {}
    reduced = []
    for application in ("HYCOM", "POP", "SAGE"):
        with TemporaryDirectory() as name:
            directory = _application(Path(name), application, world)
            needed = [_needed(directory, latency, world) for latency in SLIDES_LATENCIES_S]
            rows[application] = [overlapped for overlapped, _ in needed]
            reduced += [overlapped / plain for overlapped, plain in needed]
    values = {
        "reduces": max(reduced),
        "most": max(max(each) for each in rows.values()),
        "order": float(
            np.mean([h > p > s for h, p, s in zip(rows["HYCOM"], rows["POP"], rows["SAGE"], strict=True)])
        ),
    }
    series = [Series(name, each) for name, each in rows.items()]
    groups = [f"{latency * 1e6:g}" for latency in SLIDES_LATENCIES_S]
    return Computed(values, Plot("latency, us", "MB/s", series, groups))


def sweep_bandwidth(world: World) -> Computed:
    """The same of Sweep3D."""
    with TemporaryDirectory() as name:
        directory = _sweep(Path(name), world)
        needed = [_needed(directory, latency, world)[0] for latency in SLIDES_LATENCIES_S]
    micro = [latency * 1e6 for latency in SLIDES_LATENCIES_S]
    plot = Plot("latency, us", "MB/s", [Series("Sweep3D", needed)], [f"{one:g}" for one in micro])
    return Computed({"most": max(needed)}, plot)


def _needed(directory: Path, latency_s: float, world: World) -> tuple[float, float]:
    """MB/s for the time of 5 GB/s without overlap, overlapping and not, on a logarithmic scale."""
    (target_s,) = replayed_s(directory, [_network(latency_s, _FAST_BYTES_PER_S)], TRACED)
    result = []
    for variant in (1, 0):
        low, high = _SLOW_BYTES_PER_S, _FAST_BYTES_PER_S
        for _ in range(_ROUNDS):
            places = [float(one) for one in np.geomspace(low, high, _PLACES)]
            times_s = _both_s(directory, [_network(latency_s, one) for one in places], world)[variant]
            enough = next(at for at, here_s in enumerate(times_s) if here_s <= _SAME * target_s)
            low, high = places[max(enough - 1, 0)], places[enough]
        result.append(high / 1e6)
    return result[0], result[1]


def _application(directory: Path, name: str, world: World) -> Path:
    """Steps whose message costs on InfiniBand what the slides' ratio says of HYCOM's ubavg.

    The slides state no sizes: all applications get the potential of ubavg, and a message as large as their
    ratio says. A step computes a multiple of its potential.
    """
    potential_s = 229.3e-6
    cost_s = potential_s / POTENTIAL_OVER_COST[name]
    size_bytes = round((cost_s - INFINIBAND_LATENCY_S) * INFINIBAND_BYTES_PER_S)
    potential_ns = round(1e9 * potential_s)
    work_ns = round(potential_ns * world.value("slides_work_share"))
    return _traced(directory, 2, lambda rank: halo_phases(rank, size_bytes, potential_ns, work_ns))


def _sweep(directory: Path, world: World) -> Path:
    half_ns = round(1e9 * world.value("sweep_stage_s") / 2)
    return _traced(directory, 4, lambda rank: sweep_phases(rank, half_ns))


def _traced(directory: Path, ranks: int, phases: Callable[[int], Iterable[Phase]]) -> Path:
    for rank in range(ranks):
        write_trace(directory / trace_name(rank), rank, ranks, list(phases(rank)))
    return directory


def _both_s(directory: Path, networks: Sequence[str], world: World) -> tuple[list[float], list[float]]:
    """The times on each network without and with overlap. A share eta of what overlap saves is saved."""
    plain, ideal = (replayed_s(directory, networks, level) for level in (TRACED, OVERLAPPED))
    eta = world.eta(_SLIDES)
    return plain, [eta * b + (1 - eta) * a for a, b in zip(plain, ideal, strict=True)]


def _network(latency_s: float, bytes_per_s: float) -> str:
    return f"L={latency_s!r},G={1 / bytes_per_s!r}"
