# SPDX-License-Identifier: BSD-3-Clause
"""LogGP parameters from message trains by two methods: spaced trains, and the paper's pencils and streams.

(a) Hoefler, Lichei, Rehm, "Low-overhead LogGP parameter assessment" (2007), with an answer of 8 bytes;
(b) Nishtala, sections 7.2, 7.5 and 8.1. Ranges, rendezvous and bounds: docs/decisions/loggp.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from stretto.model.findings import FLOORS, Finding, unresolved
from stretto.model.segments import choose_segments, constant_weights, line_weights
from stretto.model.statistics import Estimate, interval
from stretto.model.trains import Series, Trains

SPACED_TRAINS = "spaced-trains"
PENCILS = "pencils"
STREAMING = "flood"
GATHER = "gather"

ANSWER_BYTES = 8
_LARGEST_EAGER = 1024  # bytes; every MPI sends messages up to this size eagerly
_NOISELESS = 1e-9  # relative; a parameter this close to zero is a rounding error
_CONFIDENCE = 0.975
_START_LIMIT = 1.5  # times the duration of a start; a longer overhead contains more than starting
_ONE_SIZE = "one size in this range: no slope over bytes"


@dataclass(frozen=True)
class RangeFit:
    """The parameters of one protocol range by (method, metric); docs/formats.md has the metrics."""

    size_min_bytes: int
    size_max_bytes: int
    findings: Mapping[tuple[str, str], Finding]


@dataclass(frozen=True)
class _Range:
    """A range during fitting: its trains, and the parameters on which others depend."""

    place: slice
    trains: Trains
    scale_s: float  # reference for rounding errors
    n: int
    overhead_send: Series
    gap: Series | None  # this and the next two: None where the range has one size only
    gap_per_byte: Series | None
    prtt_one_byte: Series | None  # the round trip, extrapolated to one byte
    overhead_receive: Series | None = None  # None: there is no receive, or it contains the transfer
    waits: bool = False  # the spaced train takes longer than its starts
    latency: Series | None = None
    answer: Series | None = None  # one way of ANSWER_BYTES, from the range that contains this size

    def at(self, series: Series) -> Series:
        return series.part(self.place)

    def first(self, series: Series) -> Series:
        return Series(series.value[self.place.start], series.replicates[self.place.start])


def fit_loggp(trains: Trains, one_sided: bool, noise_floor_s: float = 0) -> list[RangeFit]:
    """LogGP parameters of one path, per protocol range.

    Args:
        trains: The measured trains.
        one_sided: True for put or get, completed at the origin; False for a send, answered by ANSWER_BYTES.
        noise_floor_s: The noise floor of the harness.

    Returns:
        The ranges by ascending size. A negative parameter is unresolved.
    """
    # A protocol break changes the gap, the round trip (by a handshake), or both.
    positive = np.maximum(trains.gap.value, 0.02 * trains.prtt.value)
    ranges: list[_Range] = []
    noise = [_relative_noise(trains.gap), _relative_noise(trains.prtt)]
    for place in choose_segments(trains.sizes, [positive, trains.prtt.value], noise):
        ranges.append(_fit_range(place, trains, ranges[0] if ranges else None, one_sided))
    return [
        RangeFit(
            int(trains.sizes[r.place][0]),
            int(trains.sizes[r.place][-1]),
            {**_spaced_findings(r, ranges[0], one_sided, noise_floor_s), **_pencil_findings(r)},
        )
        for r in ranges
    ]


def _relative_noise(series: Series) -> float:
    """The relative standard error of the medians of a series: its median over the sizes."""
    return float(np.median(np.std(series.replicates, axis=1) / np.maximum(np.abs(series.value), 1e-300)))


def _fit_range(place: slice, trains: Trains, lowest: _Range | None, one_sided: bool) -> _Range:
    sizes, prtt = trains.sizes[place], trains.prtt.part(place)
    overhead_send = trains.overhead_send.part(place).weighted(constant_weights(trains.spacing[place]))
    gap = gap_per_byte = prtt_one_byte = None
    if sizes[-1] > sizes[0]:
        gaps = trains.gap.part(place)
        rows = line_weights(sizes, np.maximum(gaps.value, 0.02 * prtt.value))
        gap, gap_per_byte = gaps.weighted(rows[0]), gaps.weighted(rows[1])
        prtt_one_byte = prtt.weighted(line_weights(sizes, prtt.value)[0])
    fit = _Range(
        place,
        trains,
        scale_s=float(np.min(trains.prtt.value)),
        n=int(np.min(trains.rounds[place])),
        overhead_send=overhead_send,
        gap=gap,
        gap_per_byte=gap_per_byte,
        prtt_one_byte=prtt_one_byte,
    )
    fit = replace(fit, waits=_train_waits(fit))
    if one_sided:
        return replace(fit, latency=_one_sided_latency(fit, lowest))
    if trains.receive is not None and not _receive_contains_transfer(fit, lowest):
        receive = trains.receive.part(place)
        fit = replace(fit, overhead_receive=receive.weighted(constant_weights(receive.value)))
    return _with_two_sided_latency(fit, lowest)


def _significantly_above(high: Series, low: Series) -> bool:
    return bool(high.value > low.value and np.mean(high.replicates > low.replicates) >= _CONFIDENCE)


def _train_waits(fit: _Range) -> bool:
    """Whether the overhead in a spaced train is longer than the starts themselves."""
    separate = fit.trains.initiation_apart
    if separate is None:
        return False
    start = fit.at(separate).weighted(constant_weights(fit.trains.spacing[fit.place]))
    return _significantly_above(fit.overhead_send, start * _START_LIMIT)


def _receive_contains_transfer(fit: _Range, lowest: _Range | None) -> bool:
    """Whether a late receive still moves the bytes, as in a rendezvous."""
    if fit.trains.receive is None:
        return False
    smallest = float(fit.trains.sizes[fit.place.start])
    late = fit.first(fit.trains.receive)
    if lowest is None:
        if smallest <= _LARGEST_EAGER or fit.gap_per_byte is None:
            return False
        return float(late.value) >= (smallest - 1) * float(fit.gap_per_byte.value)
    if lowest.overhead_receive is None or fit.gap_per_byte is None:
        return True
    wire = fit.gap_per_byte * ((smallest - 1) / 2)
    return float(late.value) >= float((lowest.overhead_receive + wire).value) and _significantly_above(
        late, lowest.overhead_receive
    )


def _one_sided_latency(fit: _Range, lowest: _Range | None) -> Series | None:
    """L = [PRTT(1) - o_s - (s-1) G] / 2, from a put or get with its flush."""
    if fit.prtt_one_byte is None:
        return None
    overhead = lowest.overhead_send if lowest is not None and fit.waits else fit.overhead_send
    return (fit.prtt_one_byte - overhead) * 0.5


def _with_two_sided_latency(fit: _Range, lowest: _Range | None) -> _Range:
    """L from PRTT(1, 0, s) = o_s + L + (s-1) G + o_r, plus the same sum for the answer in its range."""
    if fit.prtt_one_byte is None:
        return fit
    if lowest is None:
        receive = fit.overhead_receive
        if receive is None or fit.gap_per_byte is None or fit.trains.sizes[0] > _LARGEST_EAGER:
            return fit
        answer_wire = fit.gap_per_byte * (ANSWER_BYTES - 1.0)
        latency = (fit.prtt_one_byte - (fit.overhead_send + receive) * 2.0 - answer_wire) * 0.5
        return replace(fit, latency=latency, answer=fit.overhead_send + latency + answer_wire + receive)
    if lowest.answer is None or lowest.overhead_receive is None:
        return fit
    send = lowest.overhead_send if fit.waits else fit.overhead_send
    receive = fit.overhead_receive if fit.overhead_receive is not None else lowest.overhead_receive
    return replace(fit, latency=fit.prtt_one_byte - lowest.answer - send - receive)


def _finding(name: str, series: Series | None, fit: _Range, why_not: str, per_byte: bool = False) -> Finding:
    """A parameter for output: not negative, with its interval cut at zero."""
    if series is None or not np.isfinite(series.value):
        return unresolved(why_not)
    largest = float(fit.trains.sizes[fit.place][-1])
    rounding = _NOISELESS * fit.scale_s / (largest if per_byte else 1.0)
    value = float(series.value)
    if value < -rounding:
        return unresolved(f"{name} came out negative ({value:.3g}): within noise of zero")
    result = interval(max(value, 0.0), np.maximum(series.replicates, 0.0), fit.n)
    return Finding(Estimate(result.value, result.ci95_low, result.ci95_high, result.n))


def _spaced_findings(
    fit: _Range, lowest: _Range, one_sided: bool, noise_floor_s: float
) -> dict[tuple[str, str], Finding]:
    above = fit is not lowest
    overhead_send = _finding("o_s", fit.overhead_send, fit, "")
    if fit.waits:
        overhead_send = overhead_send.bounded(
            "upper", "far more than a start takes: transfers wait for calls"
        )
    latency = _finding("L", fit.latency, fit, _why_no_latency(fit, lowest))
    shortest_s = float(fit.first(fit.trains.prtt).value)
    if shortest_s < FLOORS * noise_floor_s:
        latency = latency.bounded("upper", _under(shortest_s, noise_floor_s))
    elif lowest.waits:
        latency = latency.bounded("lower", "o_s, which is subtracted, is an upper bound")
    elif above and not one_sided and _has_handshake(fit, lowest):
        latency = latency.bounded("upper", _handshake(fit, lowest))
    findings = {
        "L": latency,
        "o_s": overhead_send,
        "g": _gap_finding(fit, noise_floor_s),
        "G": _finding("G", fit.gap_per_byte, fit, _ONE_SIZE, True),
    }
    if not one_sided:
        reason = (
            "was not measured"
            if fit.trains.receive is None
            else "a late receive still contains the transfer (rendezvous)"
        )
        findings["o_r"] = _finding("o_r", fit.overhead_receive, fit, reason)
    return {(SPACED_TRAINS, name): finding for name, finding in findings.items()}


def _has_handshake(fit: _Range, lowest: _Range) -> bool:
    if fit.latency is None or lowest.latency is None:
        return False
    return fit.overhead_receive is None or _significantly_above(fit.latency, lowest.latency * 2.0)


def _handshake(fit: _Range, lowest: _Range) -> str:
    """The reason why L above a break is a bound: a rendezvous sends request and reply before the data."""
    assert fit.latency is not None and lowest.latency is not None
    alone_s = float(fit.latency.value - 2 * lowest.latency.value)
    without = f" (without: {alone_s:.3g} s)" if alone_s > 0 else ""
    receive = "; o_r is that of the first range" if fit.overhead_receive is None else ""
    return f"contains the rendezvous handshake of two L{without}{receive}"


def _under(time_s: float, noise_floor_s: float) -> str:
    return f"rests on {time_s:.3g} s, under {FLOORS} noise floors of {noise_floor_s:.3g} s"


def _why_no_latency(fit: _Range, lowest: _Range) -> str:
    if fit.prtt_one_byte is None:
        return _ONE_SIZE
    if lowest.trains.sizes[0] > _LARGEST_EAGER:
        return f"needs sizes of {_LARGEST_EAGER} bytes or less, as the answer has"
    return "needs o_r, which is unresolved"


def _gap_finding(fit: _Range, noise_floor_s: float) -> Finding:
    gap = _finding("g", fit.gap, fit, _ONE_SIZE)
    train_s = float(fit.first(fit.trains.train).value)
    if train_s < FLOORS * noise_floor_s:
        return unresolved(_under(train_s, noise_floor_s))
    overhead = fit.overhead_send
    if fit.overhead_receive is not None:
        other = fit.overhead_receive
        overhead = Series(
            np.maximum(overhead.value, other.value), np.maximum(overhead.replicates, other.replicates)
        )
    if fit.gap is not None and not _significantly_above(fit.gap, overhead):
        return gap.bounded("upper", "no longer than max(o_s, o_r), behind which a shorter one hides")
    return gap


def _pencil_findings(fit: _Range) -> dict[tuple[str, str], Finding]:
    trains = fit.trains
    findings: dict[tuple[str, str], Finding] = {}
    if trains.initiation_apart is not None:
        separate = fit.at(trains.initiation_apart)
        overhead = separate.weighted(constant_weights(separate.value))
        findings[PENCILS, "o_s"] = _finding("o_s", overhead, fit, "")
        if trains.initiation is not None:
            queue = fit.at(trains.initiation)
            gap_queue = queue.weighted(constant_weights(separate.value))
            result = _finding("g_queue", gap_queue, fit, "")
            if not _significantly_above(gap_queue, overhead):
                result = result.bounded("upper", "no longer than o, behind which a shorter one hides")
            findings[PENCILS, "g_queue"] = result
    for method, series in ((STREAMING, trains.streaming), (GATHER, trains.gather)):
        if series is not None:
            findings[method, "G"] = _slope_finding(fit, series)
    return findings


def _slope_finding(fit: _Range, series: Series) -> Finding:
    """G from the sizes whose bytes determine the time: those with at least twice the time of the smallest."""
    times, sizes = fit.at(series), fit.trains.sizes[fit.place]
    shows = times.value >= 2 * times.value[0]
    shows |= sizes >= (np.unique(sizes)[-2:][0] if shows.any() else sizes[-1] / 4)  # a slope needs two sizes
    if len(np.unique(sizes[shows])) < 2 or np.any(times.value[shows] <= 0):
        return unresolved("fewer than two sizes in this range: no slope over bytes")
    kept = Series(times.value[shows], times.replicates[shows])
    slope = kept.weighted(line_weights(sizes[shows], kept.value)[1])
    return _finding("G", slope, fit, "", per_byte=True)
