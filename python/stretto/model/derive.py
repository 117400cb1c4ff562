# SPDX-License-Identifier: BSD-3-Clause
"""Derives results from samples: one row per metric of docs/formats.md. Each probe's formulas have a file."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stretto.data.figures import Figure
from stretto.data.groups import grouped
from stretto.data.results import AxisValue, ResultRow, Results
from stretto.data.samples import Samples
from stretto.model.aggregation import messages_of
from stretto.model.cases import Case, cases_of, pooled
from stretto.model.disturbed import without_disturbed
from stretto.model.eager import eager_limit
from stretto.model.few_rounds import without_few_rounds
from stretto.model.findings import Finding, result_row, unless_below_floor
from stretto.model.loggp import fit_loggp
from stretto.model.overlap import TIMES, Overlapped, knee_overlap, overlapped
from stretto.model.rates import PAIR_UNITS, bandwidth, latency, pair_figures, whole_time
from stretto.model.schedule_rows import schedule_rows
from stretto.model.statistics import DEFAULT_SEED, bootstrap_medians, interval
from stretto.model.trains import trains_of

LOGGP_UNITS = {"L": "s", "o_s": "s", "o_r": "s", "g": "s", "g_queue": "s", "G": "s/B"}
_PATH = ("transport", "operation", "progress", "path", "ranks")


@dataclass(frozen=True)
class _Run:
    """The members that all rows of a run share."""

    axes: Mapping[str, AxisValue]
    noise_floor_s: float
    clock_overhead_s: float

    def axes_of(self, case: Case, **more: AxisValue) -> dict[str, AxisValue]:
        return {"probe": case.probe, **self.axes, **case.axes, **more}


def derive_results(samples: Samples) -> Results:
    """All results of a run's samples, of which each case with a complete round gives rows. Equal samples give
    equal results: the bootstrap's seed is fixed.
    """
    header = samples.header
    floor_s = samples.noise_floor.value_s if samples.noise_floor else header.clock.resolution_s
    axes: dict[str, AxisValue] = {"on": header.on, "locality": header.locality, "ranks": header.ranks}
    run = _Run(axes, floor_s, header.clock.overhead_s)
    by_probe = grouped(cases_of(samples.rows), lambda case: case.probe)
    rows = [row for probe, derive in _DERIVERS.items() for row in derive(by_probe.get(probe, ()), run)]
    rows += schedule_rows(samples, run.axes, floor_s, DEFAULT_SEED)
    rows += [*_message_rows(samples, run), *_bound_rows(samples)]
    rows = list(without_few_rounds(rows, samples))
    return Results(tuple(without_disturbed(rows, samples, run.axes)), (header.members,))


def _bound_rows(samples: Samples) -> Iterator[ResultRow]:
    """The overlap of raw TCP between two hosts of the emulated network; independent of the ranks."""
    for bound in samples.bounds:
        axes: dict[str, AxisValue] = {
            "probe": "overlap",
            "transport": "tcp",
            "on": samples.header.on,
            "ranks": 2,
            "ratio": 1.0,
            "locality": "remote",
            "direction": bound.direction,
            "size_bytes": bound.size_bytes,
        }
        yield ResultRow("bound", "1", bound.value, bound.ci95_low, bound.ci95_high, bound.n, axes)


def _seeded(cases: Iterable[Case], *quantities: str) -> Iterable[tuple[int, Case]]:
    """The cases in which all the quantities were measured, each with the seed of its bootstrap."""
    return enumerate(pooled([case for case in cases if case.has(*quantities)]), DEFAULT_SEED)


def _rows_of(
    quantities: Sequence[str],
    units: Mapping[str, str],
    measured: Callable[[Case, float, int], Mapping[str, Finding]],
) -> Callable[[Sequence[Case], _Run], Iterator[ResultRow]]:
    """A row of each case and metric in `units`, of those in which the quantities were measured."""

    def rows(cases: Sequence[Case], run: _Run) -> Iterator[ResultRow]:
        for seed, case in _seeded(cases, *quantities):
            found = measured(case, run.noise_floor_s, seed)
            for metric, unit in units.items():
                yield result_row(run.axes_of(case), metric, unit, found[metric], case.rounds)

    return rows


def _loggp_rows(cases: Sequence[Case], run: _Run) -> Iterator[ResultRow]:
    seed = DEFAULT_SEED
    for members in grouped(cases, lambda case: tuple(case.axis(name) for name in _PATH)).values():
        trains = trains_of(members, seed, run.clock_overhead_s)
        seed += len(members)
        if trains is None:
            continue
        path = {name: value for name in _PATH if (value := members[0].axis(name)) is not None}
        one_sided = members[0].axis("operation") in ("put", "get")
        limit = eager_limit(members)
        if limit is not None:
            yield _eager_row(limit, {"probe": "loggp", **run.axes, **path})
        eager_bytes = int(limit.value) if limit is not None and limit.value and limit.bound is None else None
        for fit in fit_loggp(trains, one_sided, run.noise_floor_s, eager_bytes):
            sizes = {"size_min_bytes": fit.size_min_bytes, "size_max_bytes": fit.size_max_bytes}
            for (method, metric), finding in fit.findings.items():
                axes = {"probe": "loggp", **run.axes, **path, "method": method, **sizes}
                yield result_row(axes, metric, LOGGP_UNITS[metric], finding, int(min(trains.rounds)))


def _eager_row(limit: Figure, axes: Mapping[str, AxisValue]) -> ResultRow:
    """The largest eager size: found by bisection, so without interval."""
    return ResultRow(
        "eager_limit", "B", limit.value, n=limit.n, axes=axes, bound=limit.bound, reason=limit.reason
    )


def _overlap_rows(cases: Sequence[Case], run: _Run) -> Iterator[ResultRow]:
    sweeps: dict[tuple[tuple[str, AxisValue], ...], list[tuple[Case, Overlapped]]] = {}
    for seed, case in _seeded(cases, *TIMES):
        figures = overlapped(case, run.noise_floor_s, seed)
        rest = {name: value for name, value in case.axes.items() if name != "ratio"}
        sweeps.setdefault(tuple(sorted(rest.items())), []).append((case, figures))
        yield from _overlap_case_rows(case, figures, run)
    for sweep in sweeps.values():
        if len(sweep) > 1:
            axes = {name: value for name, value in run.axes_of(sweep[0][0]).items() if name != "ratio"}
            yield result_row(axes, "knee_overlap", "1", knee_overlap([figures for _, figures in sweep]))


def _nonblocking_rows(cases: Sequence[Case], run: _Run) -> Iterator[ResultRow]:
    """Of nbc, neighbourhood, persistent and partitioned: as of overlap, and as other benchmarks define it.

    Times are those of one operation; a step of persistent has several messages.
    """
    for seed, case in _seeded(cases, *TIMES):
        figures = overlapped(case, run.noise_floor_s, seed)
        messages = float(np.median(case.quantities["T_c"].messages))
        yield from _overlap_case_rows(case, figures, run, max(messages, 1.0))
        for metric, finding in (("overlap_osu", figures.osu()), ("overlap_imb", figures.imb())):
            yield result_row(run.axes_of(case), metric, "1", finding, case.rounds)


def _overlap_case_rows(
    case: Case, figures: Overlapped, run: _Run, messages: float = 1.0
) -> Iterator[ResultRow]:
    def row(metric: str, unit: str, finding: Finding, **more: AxisValue) -> ResultRow:
        each = finding.divided(messages) if unit == "s" else finding
        return result_row(run.axes_of(case, **more), metric, unit, each, case.rounds)

    yield row("eta", "1", figures.eta())
    yield row("exposed", "s", figures.exposed())
    yield row("kappa", "1", figures.kappa())
    for quantity, finding in figures.times().items():
        yield row("time", "s", finding, quantity=quantity)
    for segment, finding in figures.segments().items():
        yield row(segment, "s", finding)


def _message_rows(samples: Samples, run: _Run) -> Iterator[ResultRow]:
    """The number of messages for the aggregation probe's pieces; it is counted and has no interval."""
    for sent in messages_of(samples, "aggregation"):
        axes = {"probe": "aggregation", **run.axes, **sent.axes, "path": sent.path}
        yield ResultRow("messages", "1", sent.messages, n=sent.steps, axes=axes)


def _collective_rows(cases: Sequence[Case], run: _Run) -> Iterator[ResultRow]:
    """One call by quantity: in all and, of a two-phase one, of its leader and of its concurrent groups."""
    for seed, case in _seeded(cases, "total"):
        medians = bootstrap_medians(np.stack([q.each_s for q in case.quantities.values()]), seed)
        for place, quantity in enumerate(case.quantities):
            result = interval(float(medians.value[place]), medians.replicates[place], medians.n)
            finding = unless_below_floor(result.value, run.noise_floor_s, result)
            yield result_row(run.axes_of(case, quantity=quantity), "time", "s", finding, case.rounds)


# In the order of the results. A probe that is not here is one of a newer minor version: it gives no rows.
_DERIVERS: Mapping[str, Callable[[Sequence[Case], _Run], Iterable[ResultRow]]] = {
    "latency": _rows_of(["T_c"], {"latency": "s"}, lambda *case: {"latency": latency(*case)}),
    "bandwidth": _rows_of(["T_c"], {"bandwidth": "B/s"}, lambda *case: {"bandwidth": bandwidth(*case)}),
    "loggp": _loggp_rows,
    "overlap": _overlap_rows,
    "aggregation": _rows_of(["T_c"], {"time": "s"}, lambda *case: {"time": whole_time(*case)}),
    "contention": _rows_of(TIMES, {"kappa": "1"}, lambda *case: {"kappa": overlapped(*case).kappa()}),
    "collective": _collective_rows,
    "nbc": _nonblocking_rows,
    "neighbourhood": _nonblocking_rows,
    "persistent": _nonblocking_rows,
    "partitioned": _nonblocking_rows,
    "pairs": _rows_of(["stream", "ping_pong"], PAIR_UNITS, pair_figures),
}
