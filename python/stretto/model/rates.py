# SPDX-License-Identifier: BSD-3-Clause
"""Latency, total time and bandwidth of one case."""

import numpy as np

from stretto.model.cases import Case, Floats
from stretto.model.findings import Finding, unless_below_floor, unresolved
from stretto.model.statistics import SHORTEST_S, Estimate, bootstrap_medians, interval

PAIR_UNITS = {"pair_latency": "s", "pair_bandwidth": "B/s", "message_rate": "1/s"}


def latency(case: Case, noise_floor_s: float, seed: int) -> Finding:
    """Seconds from start to usable data: `time_s / messages`, halved for a send, which is a round trip."""
    ways = 2.0 if case.axis("operation") == "send" else 1.0
    return _median(case, case.quantities["T_c"].each_s / ways, noise_floor_s, seed)


def whole_time(case: Case, noise_floor_s: float, seed: int) -> Finding:
    """Seconds of the whole step with all its messages."""
    return _median(case, case.quantities["T_c"].time_s, noise_floor_s, seed)


def bandwidth(case: Case, noise_floor_s: float, seed: int) -> Finding:
    """Bytes per second over all pairs of ranks, with both directions where both are used."""
    ranks = int(case.axes.get("ranks", 2))
    flows = ranks * (ranks - 1) if case.axis("pattern") == "gather-all" else max(ranks // 2, 1)
    directions = 2 if case.axis("direction") == "both-ways" else 1
    bytes_each = float(case.size_bytes * flows * directions)
    each_s = case.quantities["T_c"].each_s
    result = _median(case, each_s, noise_floor_s, seed)
    return result if result.estimate is None else _per_time(bytes_each, result.estimate)


def pair_figures(case: Case, noise_floor_s: float, seed: int) -> dict[str, Finding]:
    """Of several pairs at once: bytes and messages a second of all together, and seconds of a message."""
    pairs = int(case.axes.get("pairs", 1))
    stream, ping_pong = case.quantities["stream"], case.quantities["ping_pong"]
    ways = 2.0 if case.axis("operation") == "send" else 1.0
    rows = np.stack([stream.each_s / pairs, ping_pong.each_s / ways])
    medians = bootstrap_medians(rows, seed)
    between, latency_s = (
        interval(float(medians.value[row]), medians.replicates[row], case.rounds, positive=True)
        for row in (0, 1)
    )
    found = {"pair_latency": unless_below_floor(float(np.median(ping_pong.time_s)), noise_floor_s, latency_s)}
    rate = unless_below_floor(float(np.median(stream.time_s)), noise_floor_s, between)
    for metric, amount in (("pair_bandwidth", float(case.size_bytes)), ("message_rate", 1.0)):
        found[metric] = rate if rate.estimate is None else _per_time(amount, rate.estimate)
    return found


def _per_time(amount: float, time_s: Estimate) -> Finding:
    """The reciprocal of the median time is the median of the reciprocals: intervals only change ends."""
    if time_s.ci95_low <= SHORTEST_S:
        return unresolved("a time of zero")
    return Finding(
        Estimate(amount / time_s.value, amount / time_s.ci95_high, amount / time_s.ci95_low, time_s.n)
    )


def _median(case: Case, values: Floats, noise_floor_s: float, seed: int) -> Finding:
    medians = bootstrap_medians(values[None, :], seed)
    estimate = interval(float(medians.value[0]), medians.replicates[0], case.rounds, positive=True)
    return unless_below_floor(float(np.median(case.quantities["T_c"].time_s)), noise_floor_s, estimate)
