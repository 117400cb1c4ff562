# SPDX-License-Identifier: BSD-3-Clause
"""Latency tolerance: the tests of gets (figures 6 and 7), on the simulated Myrinet cluster and by replay."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from stretto.launch.platforms import Platform, find_platform
from stretto.native.replay import run_replay
from validation.papers.figures import Computed, Plot, Series
from validation.papers.simulation import probe_results, row_value
from validation.papers.world import World

PLATFORM = "fsn"
_SIZES = tuple(1 << power for power in range(10, 21, 2))
_MPI, _ARMCI = "MPI", "one-sided"
_HALVINGS = 9
_LONGER = 1.005  # a run that is longer by less counts as no longer


def overlap(world: World) -> Computed:
    """Figure 6: the largest computation that does not lengthen the run, over the communication time.

    MPI asks for the data with a message. Replay makes no progress on a handshake while a rank computes.
    """
    platform = world.platform(PLATFORM)
    found = {side: [_knee(platform, side, size, world) for size in _SIZES] for side in (_ARMCI, _MPI)}
    limit = int(find_platform(PLATFORM).figure("eager_limit_bytes", 0))  # the machine's own in every world
    small = [eta for size, eta in zip(_SIZES, found[_MPI], strict=True) if size <= limit // 2]
    large = [eta for size, eta in zip(_SIZES, found[_MPI], strict=True) if size >= 4 * limit]
    values = {
        "direct": found[_ARMCI][-1],
        "mpi-small": min(small),
        "mpi-large": max(large),
        "more": min(a - b for a, b in zip(found[_ARMCI], found[_MPI], strict=True)),
    }
    lines = [Series(side, [100 * eta for eta in each], _SIZES) for side, each in found.items()]
    return Computed(values, Plot("bytes", "% overlap", lines, log_x=True))


def _knee(platform: Platform, side: str, size_bytes: int, world: World) -> float:
    """The longest computation that does not lengthen the run, over the communication time.

    A share eta of a get passes during the computation. The time is that of a run in which all of it does,
    scaled by eta, and the rest of the get alone.
    """
    eta = world.eta(platform.name)
    alone_s = _get_s(platform, side, size_bytes, 0.0, world)

    def with_eta_s(work_s: float) -> float:
        if eta == 0:
            return alone_s + work_s
        return eta * _get_s(platform, side, size_bytes, work_s / eta, world) + (1 - eta) * alone_s

    low, high = 0.0, alone_s
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if with_eta_s(middle) <= _LONGER * alone_s:
            low = middle
        else:
            high = middle
    return low / alone_s


def _get_s(platform: Platform, side: str, size_bytes: int, work_s: float, world: World) -> float:
    """A get whose data the origin waits for after its computation; the target answers at once."""
    figure = platform.figure
    calc = [f"w: calc {round(1e9 * work_s)}", "w requires a"] if work_s > 0 else []
    two_sided = side == _MPI or not world.one_sided_differs
    received = "cpu 0" if two_sided else "cpu 1"  # the adapter completes a get by itself
    origin = [
        "a: send 8b to 1 tag 1",
        f"b: recv {size_bytes}b from 1 tag 2 {received}",
        "b requires a",
        *calc,
    ]
    target = ["c: recv 8b from 0 tag 1", f"d: send {size_bytes}b to 0 tag 2", "d requires c"]
    text = "\n".join(["num_ranks 2", "", "rank 0 {", *origin, "}", "", "rank 1 {", *target, "}", ""])
    overheads = f"o_s={figure('overhead_send_s', 0)!r},o_r={figure('overhead_receive_s', 0)!r}"
    network = f"L={figure('wire_latency_s', 0)!r},{overheads},G={1 / figure('bandwidth_bytes_per_s', 1)!r}"
    handshake = two_sided and world.handshake
    if handshake:
        # "At 16kb and beyond", says section 4.1; replay's S is the largest message without a handshake.
        network += f",S={max(int(figure('eager_limit_bytes', 0)) - 1, 0)}"
    return _replayed_s(text, network, "eager-only" if handshake else "offload")


@cache
def _replayed_s(goal: str, network: str, progress_model: str) -> float:
    """The time of a schedule; worlds that change nothing of it share a replay."""
    with TemporaryDirectory() as directory:
        file = Path(directory) / "get.goal"
        file.write_text(goal, encoding="utf-8")
        options = [f"--loggp={network}", f"--progress-model={progress_model}"]
        return float(run_replay([str(file), *options])["makespan_s"])


def aggregation(_: World) -> Computed:
    """Figure 7: 1000 doubles that lie apart, one by one, aggregated, as one vector."""
    rows = probe_results(PLATFORM, 2, "aggregation", "--transport", "stretto", "--progress", "none")
    methods = ("individual", "aggregate", "vector")
    times: dict[str, dict[str, float]] = {}
    for operation in ("put", "get"):
        times[operation] = {
            method: row_value(rows, "time", method=method, operation=operation) for method in methods
        }
    values = {
        "faster": min(one["individual"] / one["aggregate"] for one in times.values()),
        "vector": max(one["aggregate"] / one["vector"] for one in times.values()),
    }
    series = [Series(method, _microseconds(times, method)) for method in methods]
    return Computed(values, Plot("operation", "us", series, list(times), log_y=True))


def _microseconds(times: dict[str, dict[str, float]], method: str) -> Sequence[float]:
    return [1e6 * one[method] for one in times.values()]
