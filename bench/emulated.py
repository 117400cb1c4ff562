# SPDX-License-Identifier: BSD-3-Clause
"""Compares the runtime on two emulated hosts with plain MPI, MPI RMA and MPICH's asynchronous progress.

Raw TCP with the same computation bounds the overlap; it is measured before and after.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

import numpy as np
import polars as pl

from bench import emulated_spmv
from bench.harness.checks import Check, Checks, Result, Table, quotient, ratio_of_medians
from bench.harness.pair import EmulatedPair, emulated_pair
from bench.harness.runner import Context
from stretto.data.results import AxisValue, ResultRow
from stretto.launch.selftest import Bound, measure_bounds, measure_of
from stretto.model.derive import derive_results
from stretto.model.statistics import DEFAULT_SEED, Estimate, interval
from stretto.native.programs import native_program

_SIZES = "262144:16777216"
_SMALL, _LARGE = "262144:1048576", "4194304:16777216"
_TIMES = 4  # factor on the rounds of millisecond cases, which interruptions disturb most
_ASYNC = {"MPICH_ASYNC_PROGRESS": "1"}
_BOUNDS = 3  # measurements of raw TCP before and after those of the runtime
_STRETCHES = 6  # computations of the busy target


def run(context: Context) -> Iterator[Result]:
    """Runs all parts on one cluster, after one self-test."""
    rate, rounds = context.options.rate, context.options.rounds
    with emulated_pair(context, rate, rounds, "busy_target") as pair:
        netload = native_program("stretto-netload", "none")
        yield from _overlap(pair, netload, rate)
        yield Checks("1000 doubles that lie apart", _aggregation(pair))
        yield from emulated_spmv.run(pair, min(rounds, 5))
        yield from _busy_target(pair)


def _overlap(pair: EmulatedPair, netload: Path, rate: str) -> Iterator[Result]:
    settings = ("--ratio", "1", "--side", "both")
    names = ("--transport", "mpi-two-sided,mpi-rma,stretto", "--progress", "none,thread", *settings)
    raw = _raw_tcp(pair, netload)
    small = pair.with_rounds(_TIMES * pair.rounds).probe(
        "overlap-small", "overlap", *names, "--sizes", _SMALL
    )
    large = pair.probe("overlap-large", "overlap", *names, "--sizes", _LARGE)
    rows = [row for samples in (small, large) for row in derive_results(samples).rows]
    raw += _raw_tcp(pair, netload)
    bounds = {
        direction: median(bound.eta.value for bound in raw if bound.direction == direction)
        for direction in ("one-way", "both-ways")
    }
    yield _table("Overlap at T_w/T_c = 1, both sides computing", rows)
    if pair.mpi.family == "mpich":
        plain = ("--transport", "mpi-two-sided,mpi-rma", "--progress", "none")
        overlap = ("overlap", *plain, *settings, "--sizes", _SIZES)
        asynchronous = pair.probe("overlap-async", *overlap, env=_ASYNC)
        yield _table("The same with MPICH_ASYNC_PROGRESS=1", derive_results(asynchronous).rows)
    headline = rate == "500mbit"
    checks = []
    for row in rows:
        if row.metric != "eta" or row.axes.get("progress") != "thread":
            continue
        axes, both = row.axes, row.axes["direction"] == "both-ways"
        what = f"{axes['operation']} {axes['direction']} {_size(axes)}"
        bound = bounds["both-ways" if both else "one-way"]
        target = (0.87 if both else 0.90) if headline else bound - 0.05
        checks.append(Check(f"eta, {what}", f"raw TCP {bound:.3f}", _estimate(row), target, True))
        if headline:
            checks.append(Check(f"kappa, {what}", "computation alone", _found(rows, row, "kappa"), 1.12))
        own_time = _found(rows, row, "time", quantity="T_c")
        plain_time = _found(rows, row, "time", quantity="T_c", transport="mpi-two-sided", operation="send")
        checks.append(
            Check(
                f"T_c, {what}",
                "mpi-two-sided",
                quotient(own_time, plain_time) if own_time and plain_time else None,
                1.05,
            )
        )
    yield Checks(f"Progress thread at {rate}: {pair.mpi.family} {pair.mpi.version}", checks)


def _raw_tcp(pair: EmulatedPair, netload: Path) -> list[Bound]:
    measure, rate = measure_of(pair.cluster, netload), pair.cluster.network.rate_bits_per_s
    return [bound for _ in range(_BOUNDS) for bound in measure_bounds(measure, rate)]


def _aggregation(pair: EmulatedPair) -> list[Check]:
    names = ("--transport", "mpi-rma,stretto", "--progress", "none,thread")
    samples = pair.with_rounds(_TIMES * pair.rounds).probe("aggregation", "aggregation", *names)
    rows = [row for row in derive_results(samples).rows if row.metric == "time"]

    def time(**axes: AxisValue) -> Estimate:
        return next(e for r in rows if axes.items() <= r.axes.items() and (e := _estimate(r)) is not None)

    checks = []
    for operation in ("put", "get"):
        ours = {"transport": "stretto", "progress": "thread", "operation": operation}
        alone = time(transport="mpi-rma", operation=operation, method="individual")
        together = time(**ours, method="aggregate")
        checks += [
            Check(
                f"{operation}: aggregate, times faster",
                "mpi-rma, individual",
                quotient(alone, together),
                20,
                True,
            ),
            Check(
                f"{operation}: aggregate, time",
                "one vector",
                quotient(together, time(**ours, method="vector")),
                1.1,
            ),
        ]
    return checks


def _busy_target(pair: EmulatedPair) -> Iterator[Result]:
    rows = pair.run("busy_target", "busy", (str(_STRETCHES),)).rows
    gets, alone = (
        rows.filter((pl.col("probe") == "busy-target") & (pl.col("quantity") == name))["time_s"].to_numpy()
        for name in ("thread", "poll")
    )
    medians = [(name, f"{1e3 * np.median(one):.3f}") for name, one in (("thread", gets), ("poll", alone))]
    yield Table("8-byte get from a rank that computes for 400 ms, median", ("progress", "ms"), medians)
    draws = np.random.default_rng(DEFAULT_SEED).choice(gets, (1000, len(gets)))
    slow = interval(float(1e3 * np.quantile(gets, 0.9)), 1e3 * np.quantile(draws, 0.9, axis=1), len(gets))
    idle = rows.filter(pl.col("probe") == "idle-progress-thread").sort("round")
    pairs = [idle.filter(pl.col("quantity") == name)["time_s"].to_numpy() for name in ("thread", "poll")]
    yield Checks(
        "8-byte gets from a rank that computes for 400 ms",
        [
            Check("90th percentile, ms", "-", slow, 1.5),
            Check("kappa of an idle progress thread", "no thread", ratio_of_medians(*pairs), 1.03),
        ],
    )


def _estimate(row: ResultRow) -> Estimate | None:
    if row.value is None or row.ci95_low is None or row.ci95_high is None:
        return None
    return Estimate(row.value, row.ci95_low, row.ci95_high, row.n)


def _found(rows: Sequence[ResultRow], like: ResultRow, metric: str, **axes: AxisValue) -> Estimate | None:
    """The figure of another metric at the same point; `axes` replaces axes of the point."""
    requested = {
        name: like.axes[name] for name in ("probe", "operation", "direction", "size_bytes", "transport")
    }
    requested |= {"progress": "none" if axes.get("transport") == "mpi-two-sided" else like.axes["progress"]}
    requested |= axes
    for row in rows:
        if row.metric == metric and requested.items() <= row.axes.items():
            return _estimate(row)
    return None


def _size(axes: Mapping[str, AxisValue]) -> str:
    kibibytes = int(axes["size_bytes"]) // 1024
    return f"{kibibytes // 1024} MiB" if kibibytes >= 1024 else f"{kibibytes} KiB"


def _table(title: str, rows: Sequence[ResultRow]) -> Table:
    cells = []
    for row in rows:
        if row.metric != "eta":
            continue
        time, kappa = _found(rows, row, "time", quantity="T_c"), _found(rows, row, "kappa")
        eta = _estimate(row)
        names = [str(row.axes[name]) for name in ("transport", "progress", "operation", "direction")]
        figures = (
            f"{1e3 * time.value:.2f}" if time else "-",
            _figure(eta),
            f"{eta.ci95_low:.2f}..{eta.ci95_high:.2f}" if eta else "-",
            _figure(kappa),
        )
        cells.append((*names, _size(row.axes), *figures))
    columns = ("transport", "progress", "operation", "direction", "size", "T_c (ms)", "eta", "95 %", "kappa")
    return Table(title, columns, cells)


def _figure(estimate: Estimate | None) -> str:
    return f"{estimate.value:.3f}" if estimate else "-"
