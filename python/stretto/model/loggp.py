# SPDX-License-Identifier: BSD-3-Clause
"""LogGP parameters from trains, two ways: spaced trains, and the pencils and streams of the probes' paper.

(a) Hoefler, Lichei, Rehm, "Low-overhead LogGP parameter assessment" (2007), with an answer of 8 bytes;
(b) Nishtala, sections 7.2, 7.5 and 8.1. Ranges, rendezvous and bounds: docs/decisions/loggp.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from stretto.model.findings import FLOORS, Finding, unresolved
from stretto.model.protocol_ranges import (
    LARGEST_EAGER,
    ONE_SIZE,
    ProtocolRange,
    protocol_ranges,
    surely_above,
)
from stretto.model.segments import constant_weights, line_weights
from stretto.model.statistics import Estimate
from stretto.model.trains import Combination, Series, Trains, larger

SPACED_TRAINS = "spaced-trains"
PENCILS = "pencils"
STREAMING = "flood"
GATHER = "gather"

_NOISELESS = 1e-9  # relative: a parameter this close to zero is zero, rounded
_NEGLIGIBLE = 0.1  # of a time: what is hidden in it does not matter
_SHOWS = 2  # times what the smallest message takes: then the bytes are what takes longest


@dataclass(frozen=True)
class RangeFit:
    """The parameters of one protocol range, by (method, metric); metrics as in docs/formats.md."""

    size_min_bytes: int
    size_max_bytes: int
    findings: Mapping[tuple[str, str], Finding]


def fit_loggp(
    trains: Trains, one_sided: bool, noise_floor_s: float = 0, eager_bytes: int | None = None
) -> list[RangeFit]:
    """LogGP parameters of one path, per protocol range.

    Args:
        trains: What was measured.
        one_sided: Put or get, completed at the origin; else a send, answered by ANSWER_BYTES.
        noise_floor_s: Of the harness.
        eager_bytes: The largest size that is sent eagerly, if it was measured: a range ends there.

    Returns:
        The ranges, sizes ascending. A parameter that comes out negative, or that the sizes of a range do not
        show, is unresolved.
    """
    ranges = protocol_ranges(trains, one_sided, eager_bytes)
    return [
        RangeFit(
            one.size_min_bytes,
            one.size_max_bytes,
            {**_spaced_findings(one, ranges[0], one_sided, noise_floor_s), **_pencil_findings(one)},
        )
        for one in ranges
    ]


def _finding(
    name: str, series: Combination | None, fit: ProtocolRange, why_not: str, per_byte: bool = False
) -> Finding:
    """A parameter as it may be printed: not negative, its interval cut at zero."""
    if series is None or not np.isfinite(series.value):
        return unresolved(why_not)
    largest = float(fit.trains.sizes[fit.place][-1])
    rounding = _NOISELESS * fit.scale_s / (largest if per_byte else 1.0)
    value = series.value
    if value < -rounding:
        return unresolved(f"{name} came out negative ({value:.3g}): within noise of zero")
    if per_byte and value <= rounding:
        return unresolved("the bytes of these sizes take no time that shows")
    found = series.estimate(fit.n)
    value, low, high = (one if one > rounding else 0.0 for one in (value, found.ci95_low, found.ci95_high))
    return Finding(Estimate(value, low, high, found.n))


def _spaced_findings(
    fit: ProtocolRange, lowest: ProtocolRange, one_sided: bool, noise_floor_s: float
) -> dict[tuple[str, str], Finding]:
    above = fit is not lowest
    overhead_send = _finding("o_s", fit.overhead_send, fit, "")
    if fit.waits:
        overhead_send = overhead_send.bounded(
            "upper", "far more than a start takes: transfers wait for calls"
        )
    latency = _finding("L", fit.latency, fit, _why_no_latency(fit, lowest))
    shortest_s = fit.first(fit.trains.prtt).value
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
        "G": _finding("G", fit.gap_per_byte, fit, fit.why_no_gap_per_byte, True),
    }
    if not one_sided:
        reason = (
            "was not measured"
            if fit.trains.receive is None
            else "a late receive still contains the transfer (rendezvous)"
        )
        findings["o_r"] = _finding("o_r", fit.overhead_receive, fit, reason)
    return {(SPACED_TRAINS, name): finding for name, finding in findings.items()}


def _has_handshake(fit: ProtocolRange, lowest: ProtocolRange) -> bool:
    if fit.latency is None or lowest.latency is None:
        return False
    return fit.overhead_receive is None or surely_above(fit.latency, lowest.latency * 2.0)


def _handshake(fit: ProtocolRange, lowest: ProtocolRange) -> str:
    """Why L above a break is a bound: request and reply of a rendezvous cross the network before the data."""
    assert fit.latency is not None and lowest.latency is not None
    alone_s = fit.latency.value - 2 * lowest.latency.value
    without = f" (without: {alone_s:.3g} s)" if alone_s > 0 else ""
    receive = "; o_r is that of the first range" if fit.overhead_receive is None else ""
    return f"contains the rendezvous handshake of two L{without}{receive}"


def _under(time_s: float, noise_floor_s: float) -> str:
    return f"rests on {time_s:.3g} s, under {FLOORS} noise floors of {noise_floor_s:.3g} s"


def _why_no_latency(fit: ProtocolRange, lowest: ProtocolRange) -> str:
    if fit.round_trip_one_byte is None:
        return ONE_SIZE
    if lowest.trains.sizes[0] > LARGEST_EAGER:
        return f"needs sizes of {LARGEST_EAGER} bytes or less, as the answer has"
    if fit.gap_per_byte is None:
        return f"needs G: {fit.why_no_gap_per_byte}"
    return "needs o_r, which is unresolved"


def _gap_finding(fit: ProtocolRange, noise_floor_s: float) -> Finding:
    """g, or an upper bound: what is shorter than the overheads hides behind them."""
    train_s = fit.first(fit.trains.train).value
    if train_s < FLOORS * noise_floor_s:
        return unresolved(_under(train_s, noise_floor_s))
    if fit.round_trip_one_byte is None:
        return unresolved(ONE_SIZE)
    overhead = fit.overhead_send
    if fit.overhead_receive is not None:
        overhead = larger(overhead, fit.overhead_receive)
    if fit.gap is not None and surely_above(fit.gap, overhead):
        return _finding("g", fit.gap, fit, "")
    hidden = overhead if fit.gap is None else larger(overhead, fit.gap)
    found = _finding("g", hidden, fit, "")
    return found.bounded("upper", "no longer than max(o_s, o_r), behind which a shorter one hides")


def _pencil_findings(fit: ProtocolRange) -> dict[tuple[str, str], Finding]:
    trains = fit.trains
    findings: dict[tuple[str, str], Finding] = {}
    if trains.initiation_apart is not None:
        apart = fit.at(trains.initiation_apart)
        overhead = apart.weighted(constant_weights(apart.value))
        findings[PENCILS, "o_s"] = _finding("o_s", overhead, fit, "")
        if trains.initiation is not None:
            queue = fit.at(trains.initiation)
            gap_queue = queue.weighted(constant_weights(apart.value))
            found = _finding("g_queue", gap_queue, fit, "")
            if not surely_above(gap_queue, overhead):
                found = found.bounded("upper", "no longer than o, behind which a shorter one hides")
            findings[PENCILS, "g_queue"] = found
    for method, series in ((STREAMING, trains.streaming), (GATHER, trains.gather)):
        if series is not None:
            findings[method, "G"] = _slope_finding(fit, series)
    return findings


def _slope_finding(fit: ProtocolRange, series: Series) -> Finding:
    """G from the sizes of a range whose bytes show: those of _SHOWS times the path's smallest message.

    A single such size is set against one that takes next to nothing compared with it.
    """
    times, sizes = fit.at(series), fit.trains.sizes[fit.place]
    shows = times.value > 0
    if fit.trains.sizes[0] <= LARGEST_EAGER:
        shows &= times.value >= _SHOWS * series.value[0]
        if len(np.unique(sizes[shows])) == 1:
            shows |= (times.value > 0) & (times.value <= _NEGLIGIBLE * np.max(times.value))
    if len(np.unique(sizes[shows])) < 2:
        return unresolved("fewer than two sizes of this range take longer for their bytes: no slope")
    kept = times.part(shows)
    slope = kept.weighted(line_weights(sizes[shows], kept.value)[1])
    return _finding("G", slope, fit, "", per_byte=True)
