# SPDX-License-Identifier: BSD-3-Clause
"""The runtime between two emulated hosts, beside plain MPI, MPI RMA and MPICH's own asynchronous progress."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

import emulated_spmv
import numpy as np
import polars as pl
from checks import Check, quotient

from stretto.data.results import AxisValue, ResultRow
from stretto.data.samples import Samples, read_samples
from stretto.launch.cluster import Cluster, EmulatedNetwork, emulated_cluster
from stretto.launch.job import Job
from stretto.launch.mpi import MpiLibrary
from stretto.launch.probing import probe_arguments
from stretto.launch.selftest import Bound, measure_bounds, self_test
from stretto.model.derive import derive_results
from stretto.model.statistics import DEFAULT_SEED, Estimate, bootstrap_medians, interval
from stretto.native.programs import native_program

_SIZES = "262144:16777216"
_SMALL, _LARGE = "262144:1048576", "4194304:16777216"
_TIMES = 4  # as many rounds of what takes milliseconds: an interruption by the machine is much of that
_ASYNC = {"MPICH_ASYNC_PROGRESS": "1"}
_BOUNDS = 3  # of raw TCP, before the runtime is measured and again after it
_SUBSTRATE = "substrate.jsonl"


@dataclass(frozen=True)
class Bench:
    """What is run how often: rounds of the probes, and stretches of work of the busy target."""

    mpi: MpiLibrary
    programs: Path
    output: Path
    rounds: int = 11
    stretches: int = 6

    def often(self) -> Bench:
        """For what is over in milliseconds."""
        return replace(self, rounds=_TIMES * self.rounds)

    def file(self, name: str) -> Path:
        return self.output / f"{name}-{self.mpi.family}.jsonl"

    def probe(
        self, cluster: Cluster, name: str, *arguments: str, env: Mapping[str, str] | None = None
    ) -> Samples:
        """The samples of one run of stretto-probe."""
        words = [*arguments, "--on", "emulated", "--rounds", str(self.rounds)]
        substrate = {"network": str(cluster.network), "preamble": str(self.output / _SUBSTRATE)}
        request = probe_arguments(words, self.file(name), **substrate)
        return self.run(cluster, "stretto-probe", name, request, env)

    def run(
        self,
        cluster: Cluster,
        program: str,
        name: str,
        arguments: Sequence[str],
        env: Mapping[str, str] | None = None,
    ) -> Samples:
        ended = cluster.run(self.mpi, Job(self.programs / program, tuple(arguments), 2, env or {}))
        if ended.status != 0:
            raise SystemExit(f"{program} ended with {ended.status}:\n{ended.stderr[-2000:]}")
        return read_samples(self.file(name))


def run(bench: Bench, rate: str) -> Iterator[tuple[str, list[Check]]]:
    """Titles and checks, as they come: one cluster, proved once, for all of them."""
    with emulated_cluster(EmulatedNetwork(2, rate)) as cluster:
        netload = native_program("stretto-netload", "none")
        found = self_test(cluster, netload)
        (bench.output / _SUBSTRATE).write_text(found.sample_lines(), encoding="utf-8")
        yield from _overlap(bench, cluster, netload, rate)
        yield "1000 doubles that lie apart", _aggregation(bench, cluster)
        yield "Products over stretto", emulated_spmv.run(cluster, bench.mpi, min(bench.rounds, 5))
        yield "8-byte gets from a rank that computes for 400 ms", _busy_target(bench, cluster)


def _overlap(bench: Bench, cluster: Cluster, netload: Path, rate: str) -> Iterator[tuple[str, list[Check]]]:
    settings = ("--ratio", "1", "--side", "both")
    names = ("--transport", "mpi-two-sided,mpi-rma,stretto", "--progress", "none,thread", *settings)
    raw = _raw_tcp(cluster, netload)
    small = bench.often().probe(cluster, "overlap-small", "overlap", *names, "--sizes", _SMALL)
    large = bench.probe(cluster, "overlap-large", "overlap", *names, "--sizes", _LARGE)
    rows = [row for samples in (small, large) for row in derive_results(samples).rows]
    raw += _raw_tcp(cluster, netload)
    bounds = {
        direction: median(bound.eta.value for bound in raw if bound.direction == direction)
        for direction in ("one-way", "both-ways")
    }
    _table("Overlap at T_w/T_c = 1, both sides working", rows)
    if bench.mpi.family == "mpich":
        plain = ("--transport", "mpi-two-sided,mpi-rma", "--progress", "none")
        overlap = ("overlap", *plain, *settings, "--sizes", _SIZES)
        helped = bench.probe(cluster, "overlap-async", *overlap, env=_ASYNC)
        _table("The same with MPICH_ASYNC_PROGRESS=1", derive_results(helped).rows)
    headline = rate == "500mbit"
    checks = []
    for row in rows:
        if row.metric != "eta" or row.axes.get("progress") != "thread":
            continue
        axes, both = row.axes, row.axes["direction"] == "both-ways"
        what = f"{axes['operation']} {axes['direction']} {_size(axes)}"
        bound = bounds["both-ways" if both else "one-way"]
        asked = (0.87 if both else 0.90) if headline else bound - 0.05
        checks.append(Check(f"eta, {what}", f"raw TCP {bound:.3f}", _estimate(row), asked, True))
        if headline:
            checks.append(Check(f"kappa, {what}", "work alone", _found(rows, row, "kappa"), 1.12))
        mine = _found(rows, row, "time", quantity="T_c")
        plain_time = _found(rows, row, "time", quantity="T_c", transport="mpi-two-sided", operation="send")
        checks.append(
            Check(
                f"T_c, {what}",
                "mpi-two-sided",
                quotient(mine, plain_time) if mine and plain_time else None,
                1.05,
            )
        )
    yield f"Progress thread at {rate}", checks


def _raw_tcp(cluster: Cluster, netload: Path) -> list[Bound]:
    return [bound for _ in range(_BOUNDS) for bound in measure_bounds(cluster, netload)]


def _aggregation(bench: Bench, cluster: Cluster) -> list[Check]:
    names = ("--transport", "mpi-rma,stretto", "--progress", "none,thread")
    samples = bench.often().probe(cluster, "aggregation", "aggregation", *names)
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


def _busy_target(bench: Bench, cluster: Cluster) -> list[Check]:
    arguments = (str(bench.file("busy")), str(bench.stretches))
    rows = bench.run(cluster, "busy_target", "busy", arguments).rows
    gets = rows.filter((pl.col("probe") == "busy-target") & (pl.col("quantity") == "thread"))[
        "time_s"
    ].to_numpy()
    alone = rows.filter((pl.col("probe") == "busy-target") & (pl.col("quantity") == "poll"))[
        "time_s"
    ].to_numpy()
    print(
        f"\n8-byte get, median in ms: {1e3 * np.median(gets):.3f} with a helper, "
        f"{1e3 * np.median(alone):.1f} without"
    )
    draws = np.random.default_rng(DEFAULT_SEED).choice(gets, (1000, len(gets)))
    slow = interval(float(1e3 * np.quantile(gets, 0.9)), 1e3 * np.quantile(draws, 0.9, axis=1), len(gets))
    work = rows.filter(pl.col("probe") == "idle-helper").sort("round")
    pairs = [work.filter(pl.col("quantity") == name)["time_s"].to_numpy() for name in ("thread", "poll")]
    medians = bootstrap_medians(np.array(pairs), DEFAULT_SEED)
    ratio = interval(
        float(medians.value[0] / medians.value[1]),
        medians.replicates[0] / medians.replicates[1],
        len(pairs[0]),
    )
    return [
        Check("90th percentile, ms", "", slow, 1.5),
        Check("kappa of an idle helper", "no helper", ratio, 1.03),
    ]


def _estimate(row: ResultRow) -> Estimate | None:
    if row.value is None or row.ci95_low is None or row.ci95_high is None:
        return None
    return Estimate(row.value, row.ci95_low, row.ci95_high, row.n)


def _found(rows: Sequence[ResultRow], like: ResultRow, metric: str, **axes: AxisValue) -> Estimate | None:
    """The figure of another metric at the same point, or at that which `axes` change it to."""
    wanted = {
        name: like.axes[name] for name in ("probe", "operation", "direction", "size_bytes", "transport")
    }
    wanted |= {"progress": "none" if axes.get("transport") == "mpi-two-sided" else like.axes["progress"]}
    wanted |= axes
    for row in rows:
        if row.metric == metric and wanted.items() <= row.axes.items():
            return _estimate(row)
    return None


def _size(axes: Mapping[str, AxisValue]) -> str:
    kibibytes = int(axes["size_bytes"]) // 1024
    return f"{kibibytes // 1024} MiB" if kibibytes >= 1024 else f"{kibibytes} KiB"


def _table(title: str, rows: Sequence[ResultRow]) -> None:
    print(f"\n# {title}")
    print(f"# {'transport':14s} {'progress':8s} {'operation':9s} {'direction':9s} {'size':>8s}", end="")
    print(f" {'T_c(ms)':>9s} {'eta':>7s} {'95 %':>15s} {'kappa':>6s}")
    for row in rows:
        if row.metric != "eta":
            continue
        time, kappa = _found(rows, row, "time", quantity="T_c"), _found(rows, row, "kappa")
        words = [str(row.axes[name]) for name in ("transport", "progress", "operation", "direction")]
        print(f"{words[0]:16s} {words[1]:8s} {words[2]:9s} {words[3]:9s} {_size(row.axes):>8s}", end="")
        print(f" {1e3 * time.value:9.2f}" if time else f" {'-':>9s}", end="")
        eta = _estimate(row)
        span = f"{eta.ci95_low:.2f}..{eta.ci95_high:.2f}" if eta else "-"
        print(f" {_figure(eta):>7s} {span:>15s} {_figure(kappa):>6s}")


def _figure(found: Estimate | None) -> str:
    return f"{found.value:.3f}" if found else "-"
