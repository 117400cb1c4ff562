# SPDX-License-Identifier: BSD-3-Clause
"""Latency, total time and bandwidth of one case."""

import numpy as np

from stretto.model.cases import Case, Floats
from stretto.model.findings import Finding, unless_below_floor, unresolved
from stretto.model.statistics import SHORTEST_S, Estimate, bootstrap_medians, interval


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
    if result.estimate is None:
        return result
    if result.estimate.ci95_low <= SHORTEST_S:
        return unresolved("a time of zero")
    # The median of reciprocals is the reciprocal of the median, so the interval's ends change places.
    time_s = result.estimate
    return Finding(
        Estimate(
            bytes_each / time_s.value, bytes_each / time_s.ci95_high, bytes_each / time_s.ci95_low, time_s.n
        )
    )


def _median(case: Case, values: Floats, noise_floor_s: float, seed: int) -> Finding:
    medians = bootstrap_medians(values[None, :], seed)
    estimate = interval(float(medians.value[0]), medians.replicates[0], case.rounds)
    return unless_below_floor(float(np.median(case.quantities["T_c"].time_s)), noise_floor_s, estimate)
