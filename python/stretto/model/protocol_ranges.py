# SPDX-License-Identifier: BSD-3-Clause
"""The protocol ranges of a path, and what spaced trains give in each: o_s, o_r, L, g and G.

A stream of small messages shows no bytes, because they pass within the overheads. g and G of trains are
therefore taken from the sizes whose gap is clearly longer; without such sizes G is that of round trips. Where
the two disagree, or the processors copy the bytes, LogGP does not hold and G stays unknown
(docs/decisions/loggp.md).
"""

from dataclasses import dataclass, replace

import numpy as np

from stretto.model.segments import Flags, choose_segments, constant_weights, line_weights
from stretto.model.trains import Combination, Series, Trains, larger

ANSWER_BYTES = 8
LARGEST_EAGER = 1024  # bytes: no MPI sends so little by rendezvous
ONE_SIZE = "one size in this range: no slope over bytes"
_SURE = 0.975
_MUCH = 1.5  # times what a start takes: then something else than starting is in it
_VISIBLE = 1.5  # times the overheads: a gap that long is one of the network
_TOLERANCE = 0.1  # of G: more than that is a contradiction


@dataclass(frozen=True)
class ProtocolRange:
    """The trains of a range, and the parameters that other ranges and parameters rest on.

    Attributes:
        size_min_bytes, size_max_bytes: What the range covers.
        place: Its sizes among those of the trains.
        scale_s: What a rounding error is small against.
        n: Rounds.
        overhead_send: o_s.
        round_trip_one_byte: The round trip, its line continued to one byte; None: one size only.
        round_trip_per_byte: The slope of the round trip.
        gap: g, the trains' line at one byte; None: no two sizes show it.
        gap_per_byte: G; None: `why_no_gap_per_byte`.
        overhead_receive: o_r; None: the receive contains the transfer, or does not exist.
        waits: Whether the spaced train has more in it than its starts.
        latency: L.
        answer: One way of ANSWER_BYTES, from the range that holds them.
    """

    size_min_bytes: int
    size_max_bytes: int
    place: slice
    trains: Trains
    scale_s: float
    n: int
    overhead_send: Combination
    round_trip_one_byte: Combination | None = None
    round_trip_per_byte: Combination | None = None
    gap: Combination | None = None
    gap_per_byte: Combination | None = None
    why_no_gap_per_byte: str = ONE_SIZE
    overhead_receive: Combination | None = None
    waits: bool = False
    latency: Combination | None = None
    answer: Combination | None = None

    def at(self, series: Series) -> Series:
        """The part of a series in this range."""
        return series.part(self.place)

    def first(self, series: Series) -> Combination:
        """The value of a series at the smallest size."""
        return self.at(series).first()


def protocol_ranges(trains: Trains, one_sided: bool, eager_bytes: int | None = None) -> list[ProtocolRange]:
    """The ranges of a path, sizes ascending.

    Args:
        trains: What was measured.
        one_sided: Put or get; else a send, answered by ANSWER_BYTES.
        eager_bytes: The largest size that is sent eagerly, if it was measured.
    """
    visible = _visible(trains)
    # A break shows in the gap, in the round trip (a handshake), or in both.
    gaps = np.where(visible, np.maximum(trains.gap.value, 0.02 * trains.prtt.value), trains.prtt.value)
    places = choose_segments(
        trains.sizes,
        [gaps, trains.prtt.value],
        [_relative_noise(trains.gap), _relative_noise(trains.prtt)],
        [visible, np.ones(len(visible), dtype=bool)],
        None if eager_bytes is None else int(np.searchsorted(trains.sizes, eager_bytes, side="right")),
    )
    ranges: list[ProtocolRange] = []
    for place in places:
        low, high = int(trains.sizes[place.start]), int(trains.sizes[place.stop - 1])
        if eager_bytes is not None and place.start > 0 and trains.sizes[place.start - 1] <= eager_bytes < low:
            low = eager_bytes + 1
            ranges[-1] = replace(ranges[-1], size_max_bytes=eager_bytes)
        empty = ProtocolRange(
            low,
            high,
            place,
            trains,
            scale_s=float(np.min(trains.prtt.value)),
            n=int(np.min(trains.rounds[place])),
            overhead_send=trains.overhead_send.part(place).weighted(constant_weights(trains.spacing[place])),
        )
        ranges.append(_fitted(empty, ranges[0] if ranges else None, one_sided, visible[place]))
    return ranges


def surely_above(high: Combination, low: Combination) -> bool:
    """Whether one scalar is above another, also in nearly all replicates."""
    return bool(high.value > low.value and np.mean(high.replicates > low.replicates) >= _SURE)


def _relative_noise(series: Series) -> float:
    """The relative standard error of the medians of a series, that of a typical size."""
    return float(np.median(np.std(series.replicates, axis=1) / np.maximum(np.abs(series.value), 1e-300)))


def _visible(trains: Trains) -> Flags:
    """At which sizes a train waits for the network: its gap is clearly longer than both overheads.

    A late receive of a large message may contain the transfer; the receive of the smallest does not.
    """
    overhead = trains.overhead_send.value
    if trains.initiation_apart is not None:
        overhead = np.minimum(overhead, trains.initiation_apart.value)
    if trains.receive is not None:
        overhead = np.maximum(overhead, trains.receive.value[0])
    visible: Flags = trains.gap.value >= _VISIBLE * overhead
    return visible


def _fitted(
    fit: ProtocolRange, lowest: ProtocolRange | None, one_sided: bool, visible: Flags
) -> ProtocolRange:
    fit = replace(fit, waits=_train_waits(fit))
    sizes = fit.trains.sizes[fit.place]
    if sizes[-1] > sizes[0]:
        round_trips = fit.at(fit.trains.prtt)
        at_one, slope = line_weights(sizes, round_trips.value)
        fit = replace(
            fit,
            round_trip_one_byte=round_trips.weighted(at_one),
            round_trip_per_byte=round_trips.weighted(slope),
        )
    if fit.trains.receive is not None and not _receive_contains_transfer(fit, lowest):
        receive = fit.at(fit.trains.receive)
        fit = replace(fit, overhead_receive=receive.weighted(constant_weights(receive.value)))
    fit = _with_gaps(fit, visible)
    if one_sided:
        return replace(fit, latency=_one_sided_latency(fit, lowest))
    return _with_two_sided_latency(fit, lowest)


def _train_waits(fit: ProtocolRange) -> bool:
    """Whether what is left between the starts of a spaced train is more than the starts themselves took."""
    apart = fit.trains.initiation_apart
    if apart is None:
        return False
    start = fit.at(apart).weighted(constant_weights(fit.trains.spacing[fit.place]))
    return surely_above(fit.overhead_send, start * _MUCH)


def _with_gaps(fit: ProtocolRange, visible: Flags) -> ProtocolRange:
    """Gap and G, from the largest sizes whose gaps all show; G else from round trips."""
    alone = fit.round_trip_per_byte
    if alone is None:
        return fit
    if _processors_copy(fit, alone):
        return replace(fit, why_no_gap_per_byte="overheads grow with the size: the processors copy the bytes")
    hidden = np.flatnonzero(~visible)
    shown = slice(int(hidden[-1]) + 1 if hidden.size else 0, len(visible))
    sizes, gaps = fit.trains.sizes[fit.place][shown], fit.at(fit.trains.gap).part(shown)
    if len(np.unique(sizes)) < 2:
        return replace(fit, gap_per_byte=alone)
    at_one, slope = line_weights(sizes, gaps.value)
    streamed = gaps.weighted(slope)
    if _contradict(alone, streamed):
        why = (
            f"a message alone takes {alone.value:.3g} s a byte, "
            f"one of a train {streamed.value:.3g}: not one G"
        )
        return replace(fit, why_no_gap_per_byte=why)
    return replace(fit, gap=gaps.weighted(at_one), gap_per_byte=streamed)


def _processors_copy(fit: ProtocolRange, alone: Combination) -> bool:
    """Whether the overheads have a good part of the time that a larger message takes."""
    sizes, spacing = fit.trains.sizes[fit.place], fit.trains.spacing[fit.place]
    copying = fit.at(fit.trains.overhead_send).weighted(line_weights(sizes, spacing)[1])
    if fit.waits:
        copying = copying * 0.0
    if fit.overhead_receive is not None and fit.trains.receive is not None:
        receive = fit.at(fit.trains.receive)
        copying = copying + receive.weighted(line_weights(sizes, receive.value)[1])
    return surely_above(copying, alone * _TOLERANCE) and surely_above(copying, copying * 0.0)


def _contradict(alone: Combination, streamed: Combination) -> bool:
    return surely_above(abs(streamed - alone), larger(alone, streamed) * _TOLERANCE)


def _receive_contains_transfer(fit: ProtocolRange, lowest: ProtocolRange | None) -> bool:
    """Whether a receive that came late still had to move the bytes, as in a rendezvous."""
    if fit.trains.receive is None:
        return False
    smallest = float(fit.trains.sizes[fit.place.start])
    late = fit.first(fit.trains.receive)
    per_byte = fit.round_trip_per_byte
    if lowest is None:
        if smallest <= LARGEST_EAGER or per_byte is None:
            return False
        return late.value >= (smallest - 1) * per_byte.value
    if lowest.overhead_receive is None or per_byte is None:
        return True
    wire = per_byte * ((smallest - 1) / 2)
    return late.value >= (lowest.overhead_receive + wire).value and surely_above(
        late, lowest.overhead_receive
    )


def _one_sided_latency(fit: ProtocolRange, lowest: ProtocolRange | None) -> Combination | None:
    """Half of what put (or get) and flush leave: L = [PRTT(1) - o_s - (s-1) G] / 2."""
    if fit.round_trip_one_byte is None or (lowest is not None and fit.gap_per_byte is None):
        return None
    overhead = lowest.overhead_send if lowest is not None and fit.waits else fit.overhead_send
    return (fit.round_trip_one_byte - overhead) * 0.5


def _with_two_sided_latency(fit: ProtocolRange, lowest: ProtocolRange | None) -> ProtocolRange:
    """L from PRTT(1, 0, s) = o_s + L + (s-1) G + o_r, and the same for the answer in its own range."""
    if fit.round_trip_one_byte is None or fit.round_trip_per_byte is None:
        return fit
    if lowest is None:
        receive = fit.overhead_receive
        if receive is None or fit.trains.sizes[0] > LARGEST_EAGER:
            return fit
        answer_wire = fit.round_trip_per_byte * (ANSWER_BYTES - 1.0)
        latency = (fit.round_trip_one_byte - (fit.overhead_send + receive) * 2.0 - answer_wire) * 0.5
        return replace(fit, latency=latency, answer=fit.overhead_send + latency + answer_wire + receive)
    if lowest.answer is None or lowest.overhead_receive is None or fit.gap_per_byte is None:
        return fit
    send = lowest.overhead_send if fit.waits else fit.overhead_send
    receive = fit.overhead_receive if fit.overhead_receive is not None else lowest.overhead_receive
    return replace(fit, latency=fit.round_trip_one_byte - lowest.answer - send - receive)
