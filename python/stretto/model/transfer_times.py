# SPDX-License-Identifier: BSD-3-Clause
"""The time curve T(s) of each path, as the probes `latency`, `bandwidth` and `loggp` measured it.

A profile keeps it for the sizes at which LogGP's parameters cannot be separated. Fits nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from stretto.data.figures import Figure
from stretto.data.groups import grouped
from stretto.data.profile import TransferSize, TransferTimes
from stretto.data.sample_rows import Header
from stretto.data.samples import Samples
from stretto.model.cases import Case, cases_of, pooled
from stretto.model.eager import eager_limit
from stretto.model.findings import FLOORS
from stretto.model.statistics import DEFAULT_SEED, Floats, bootstrap_medians, interval
from stretto.model.trains import Series, Trains, trains_of

SMALL_BYTES = 1024  # up to this size a message is one of few bytes, such as the answer to a train
_PATH = ("transport", "operation", "progress", "ranks")
_Sizes = dict[int, TransferSize]


def transfer_times(samples: Samples) -> list[TransferTimes]:
    """The measured times of every path of a run, sizes ascending.

    T is that of the probe `latency`, else of single messages of `loggp`. The time per message of a stream is
    that of `bandwidth`, else of the trains of `loggp`. Where several numbers of ranks were measured, the
    fewest count, because they disturb each other least. What is under ten noise floors is left out.
    """
    floor_s = samples.noise_floor.value_s if samples.noise_floor else samples.header.clock.resolution_s
    timed = (
        case
        for case in cases_of(samples.rows)
        if case.probe in ("latency", "bandwidth", "loggp") and case.axis("path") is None
    )
    paths = grouped(timed, lambda case: tuple(case.axis(name) for name in _PATH))
    found: dict[tuple[object, ...], TransferTimes] = {}
    for key, cases in sorted(paths.items(), key=lambda one: int(str(one[0][-1] or 0))):
        if key[:-1] not in found:
            curve = _curve(cases, samples.header, floor_s)
            if curve is not None:
                found[key[:-1]] = curve
    return sorted(found.values(), key=lambda one: (one.transport, one.operation, one.progress))


def _curve(cases: Sequence[Case], header: Header, floor_s: float) -> TransferTimes | None:
    by_probe = {name: [c for c in cases if c.probe == name] for name in ("loggp", "bandwidth", "latency")}
    sizes: _Sizes = {}
    trains = trains_of(by_probe["loggp"], DEFAULT_SEED, header.clock.overhead_s)
    if trains is not None:
        _add_trains(sizes, trains, _is_send(cases[0]), floor_s)
    for size, figure in _timed(_one_way(by_probe["bandwidth"]), floor_s):
        _add(sizes, size, {"stream_s": figure})
    ways = 2.0 if _is_send(cases[0]) else 1.0
    for size, figure in _timed(by_probe["latency"], floor_s, ways):
        _add(sizes, size, {"time_s": figure})
    if not sizes:
        return None
    first = cases[0]
    return TransferTimes(
        str(first.axis("transport")),
        str(first.axis("operation")),
        header.locality,
        tuple(sizes[size] for size in sorted(sizes)),
        str(first.axis("progress") or "none"),
        eager_limit(by_probe["loggp"]),
    )


def _is_send(case: Case) -> bool:
    return case.axis("operation") == "send"


def _one_way(cases: Sequence[Case]) -> list[Case]:
    """Streams in one direction, each message in a buffer of its own."""
    return [
        case
        for case in cases
        if case.axis("direction") == "one-way" and case.axis("buffers") in (None, "distinct")
    ]


def _add(sizes: _Sizes, size_bytes: int, figures: Mapping[str, Figure | None]) -> None:
    known: dict[str, Any] = {name: figure for name, figure in figures.items() if figure is not None}
    if known:
        sizes[size_bytes] = replace(sizes.get(size_bytes, TransferSize(size_bytes)), **known)


def _timed(cases: Sequence[Case], floor_s: float, ways: float = 1.0) -> Iterable[tuple[int, Figure]]:
    """The time per message and way of each case, by size."""
    for index, case in enumerate(pooled([c for c in cases if c.has("T_c")])):
        quantity = case.quantities["T_c"]
        if float(np.median(quantity.time_s)) < FLOORS * floor_s:
            continue
        medians = bootstrap_medians(quantity.each_s[None, :] / ways, DEFAULT_SEED + index)
        figure = _figure(float(medians.value[0]), medians.replicates[0], case.rounds)
        if figure is not None:
            yield case.size_bytes, figure


def _add_trains(sizes: _Sizes, trains: Trains, is_send: bool, floor_s: float) -> None:
    answer = trains.prtt.part(slice(0, 1)) * 0.5  # of ANSWER_BYTES: as long as the smallest message
    knows_answer = not is_send or trains.sizes[0] <= SMALL_BYTES
    for place, size in enumerate(trains.sizes):
        here = slice(place, place + 1)
        alone = trains.prtt.part(here)
        whole = alone - answer if is_send else alone
        n = int(trains.rounds[place])
        long_enough = float(alone.value[0]) >= FLOORS * floor_s
        streamed = float(trains.train.value[place]) >= FLOORS * floor_s
        figures = {
            "time_s": _of(whole, n) if knows_answer and long_enough else None,
            "stream_s": _of(trains.gap.part(here), n) if streamed else None,
            "overhead_send_s": _of(trains.overhead_send.part(here), n),
            "receive_s": None if trains.receive is None else _of(trains.receive.part(here), n),
        }
        _add(sizes, int(size), figures)


def _of(series: Series, n: int) -> Figure | None:
    return _figure(float(series.value[0]), series.replicates[0], n)


def _figure(value_s: float, replicates_s: Floats, n: int) -> Figure | None:
    """The time with its interval, cut at zero; None for a time that came out negative."""
    if not np.isfinite(value_s) or value_s < 0:
        return None
    found = interval(value_s, np.maximum(replicates_s, 0.0), n)
    return Figure(found.value, found.ci95_low, found.ci95_high, found.n)
