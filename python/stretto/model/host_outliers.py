# SPDX-License-Identifier: BSD-3-Clause
"""Hosts whose runs are slower than those of others, where runs of several jobs of a cluster are pooled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median, median_low

from stretto.data.results import ResultRow, Results
from stretto.data.samples import Samples
from stretto.data.sizes import said_share
from stretto.model.derive import derive_results
from stretto.model.hosts import SLOW

_FEWEST_RUNS = 3
_TIMES, _RATES = ("latency",), ("bandwidth",)


@dataclass(frozen=True)
class HostOutlier:
    """A host; its runs take `factor` times the time of the others, the least of its `runs`."""

    host: str
    factor: float
    runs: int


def pooled_outliers(files: Sequence[Samples]) -> list[HostOutlier]:
    """The slow hosts among the runs of a cluster; none where they cannot be compared.

    Each run has the same weight, and its factor is the median over what it has in common with the others.
    """
    if len(files) < _FEWEST_RUNS or not files[0].header.cluster:
        return []
    return host_outliers([(one.header.hosts, derive_results(one)) for one in files])


def host_outliers(runs: Sequence[tuple[Sequence[str], Results]]) -> list[HostOutlier]:
    """The hosts of which every run is slow, the slowest first.

    A host that was part of a run of usual speed is not slow, so that the partners of a slow host are not
    blamed where they ran with others, too.
    """
    tables = [_times(results) for _, results in runs]
    usual = {
        key: median_low(values)
        for key in {key for one in tables for key in one}
        if len(values := [one[key] for one in tables if key in one]) >= _FEWEST_RUNS
    }
    factors: dict[str, list[float]] = {}
    for (hosts, _), table in zip(runs, tables, strict=True):
        shared = [time / usual[key] for key, time in table.items() if usual.get(key)]
        for host in set(hosts) if shared else ():
            factors.setdefault(host, []).append(median(shared))
    slow = [HostOutlier(host, min(each), len(each)) for host, each in factors.items() if min(each) > SLOW]
    return sorted(slow, key=lambda one: (-one.factor, one.host))


def outlier_sentence(one: HostOutlier) -> str:
    """`node17 is 30 % slower than the others (2 runs)`."""
    runs = f"{one.runs} run{'s' if one.runs > 1 else ''}"
    return f"{one.host} is {said_share(one.factor - 1)} slower than the others ({runs})"


def _times(results: Results) -> Mapping[tuple[str, ...], float]:
    """Times by what was measured: latencies, and the inverse of bandwidths."""
    times = {}
    for row in results.rows:
        if row.value and row.metric in (*_TIMES, *_RATES):
            times[_key(row)] = row.value if row.metric in _TIMES else 1 / row.value
    return times


def _key(row: ResultRow) -> tuple[str, ...]:
    axes = sorted((name, str(value)) for name, value in row.axes.items())
    return (row.metric, *(f"{name}={value}" for name, value in axes))
