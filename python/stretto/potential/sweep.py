# SPDX-License-Identifier: BSD-3-Clause
"""Replays a trace on many networks, at several levels of overlap and under several progress models."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from stretto.data.sweep import LEVELS, TRACED
from stretto.errors import UserError
from stretto.model.replay_network import ReplayNetwork
from stretto.native.replay import run_replay
from stretto.potential.core_shortage import part_and_shortage_in
from stretto.potential.whatif import (
    BOUNDS,
    NO_DATA_TIMES,
    REFERENCE_BANDWIDTH,
    NetworkPoint,
    WhatIf,
    WhatIfRow,
)

OFFLOAD = "offload"
"""The progress model that a replay has unless another one is named."""


@dataclass(frozen=True)
class Sweep:
    """Every latency with every bandwidth, under every progress model.

    Attributes:
        directory: The trace.
        source: What the user has named: the directory, or another tool's trace from which it was made.
        latencies_s: Seconds.
        bandwidths: Bytes per second.
        models: Names of progress models, as `stretto-replay` has them.
        levels: Levels of overlap; None: those that the trace has data for.
        eager_bytes: Messages up to this size are eager; None: all messages are.
        base: The parameters that all networks share.
        measured: The specification of a profile's network with all its ranges, to be replayed unchanged
            instead of a sweep.
    """

    directory: Path
    source: Path
    latencies_s: tuple[float, ...]
    bandwidths: tuple[float, ...]
    models: tuple[str, ...]
    levels: tuple[str, ...] | None
    eager_bytes: int | None
    base: NetworkPoint
    measured: str | None = None


def point_of(sends: ReplayNetwork | None) -> NetworkPoint:
    """The network of a profile's sends; without a profile, zero costs and REFERENCE_BANDWIDTH."""
    if sends is None:
        return NetworkPoint(0.0, REFERENCE_BANDWIDTH)
    return NetworkPoint(
        sends.latency_s,
        1 / sends.gap_s_per_byte if sends.gap_s_per_byte else REFERENCE_BANDWIDTH,
        sends.overhead_send_s,
        sends.overhead_receive_s,
        sends.gap_s,
    )


def sweep_networks(sweep: Sweep) -> WhatIf:
    """Replays the trace on every network of the sweep.

    Raises:
        UserError: The directory has no trace, or the trace lacks the data of a level.
        RunError, CheckError: A replay failed.
    """
    if not sweep.directory.is_dir():
        raise UserError(f"{sweep.directory}: is no directory; name one that `stretto trace` wrote")
    points, networks = _networks(sweep)
    is_swept = OFFLOAD in sweep.models and (sweep.levels is None or TRACED in sweep.levels)
    reference_s, bounds, trace, traced_s = _reference(sweep, networks if is_swept else [])
    levels = _levels(sweep, trace)
    rows = []
    for level, model in itertools.product(levels, sweep.models):
        if is_swept and (level, model) == (TRACED, OFFLOAD):
            times_s = traced_s
        else:
            times_s = _times(sweep.directory, [*networks, f"--progress-model={model}", f"--level={level}"])
        for point, time_s in zip(points, times_s):
            normalised = time_s / reference_s if reference_s else 1.0
            rows.append(
                WhatIfRow(point.latency_s, point.bandwidth_bytes_per_s, level, model, time_s, normalised)
            )
    part, shortage = part_and_shortage_in(sweep.directory)
    return WhatIf(
        name=str(sweep.source),
        latencies_s=sweep.latencies_s,
        bandwidths=sweep.bandwidths,
        models=sweep.models,
        levels=levels,
        eager_bytes=sweep.eager_bytes,
        base=sweep.base,
        reference_s=reference_s,
        bounds=bounds,
        trace=trace,
        rows=tuple(rows),
        shortage=shortage,
        part=part,
    )


def _reference(
    sweep: Sweep, networks: Sequence[str]
) -> tuple[float, dict[str, float], dict[str, Any], list[float]]:
    """The time on the reference network, two lower bounds by the names BOUNDS, and the trace's properties.

    Last the times on `networks` as traced, with full offload: the same replay reads the trace for them.

    The reference network has zero latency and REFERENCE_BANDWIDTH. One bound is the time without
    communication (the longest chain of computation). The other is the time without computation on the
    reference network.
    """
    point = replace(
        sweep.base, latency_s=0.0, bandwidth_bytes_per_s=REFERENCE_BANDWIDTH, node_ranks=0, node_latency_s=0.0
    )
    directory, reference = str(sweep.directory), f"--loggp={point.spec(None)}"
    result = run_replay([directory, reference, "--loggp=L=0,G=0", *networks])
    reference_s, computation_s, *traced_s = (one["makespan_s"] for one in result["replays"])
    communication_s = run_replay([directory, reference, "--compute-scale=0"])["makespan_s"]
    bounds = dict(zip(BOUNDS, (computation_s, communication_s)))
    return reference_s, bounds, result["trace"], traced_s


def _levels(sweep: Sweep, trace: Mapping[str, Any]) -> tuple[str, ...]:
    """The levels of the sweep, or else those that the trace has data for.

    Raises:
        UserError: The sweep has a level that the trace has no data for.
    """
    has_data_times = bool(trace["produced"] or trace["consumed"])
    if sweep.levels is None:
        return LEVELS if has_data_times else (TRACED,)
    if not has_data_times and sweep.levels != (TRACED,):
        raise UserError(f"--level {','.join(sweep.levels)}: {sweep.source} {NO_DATA_TIMES}")
    return sweep.levels


def _networks(sweep: Sweep) -> tuple[list[NetworkPoint], list[str]]:
    """The points of the sweep, and the options that name their networks, or the measured one."""
    points = [
        replace(sweep.base, latency_s=latency_s, bandwidth_bytes_per_s=bandwidth)
        for latency_s in sweep.latencies_s
        for bandwidth in sweep.bandwidths
    ]
    specs = [sweep.measured] if sweep.measured else [point.spec(sweep.eager_bytes) for point in points]
    return points, [f"--loggp={spec}" for spec in specs]


def _times(directory: Path, options: Sequence[str]) -> list[float]:
    result = run_replay([str(directory), *options])
    return [one["makespan_s"] for one in result.get("replays", [result])]
