# SPDX-License-Identifier: BSD-3-Clause
"""Cases of which a budget has left so few rounds that no interval of them has 95 %."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from stretto.data.results import ResultRow
from stretto.data.samples import Samples
from stretto.model.disturbed import TOO_BUSY
from stretto.model.load import busiest
from stretto.model.statistics import FEWEST_ROUNDS

MIN_ROUNDS = 6
"""Of fewer samples not even the smallest and the largest enclose the median with 95 %: 1 - 2^(1 - n)."""


_EXACT = ("simulated", "virtual")
"""Platforms on which one round is as good as many."""


def without_few_rounds(rows: Sequence[ResultRow], samples: Samples) -> Iterator[ResultRow]:
    """The rows; fewer than FEWEST_ROUNDS of a machine have no interval.

    An overlap of fewer rounds than were asked for, and than an interval needs, is unresolved.
    """
    asked = samples.header.members.get("settings", {}).get("min_rounds")
    busy = busiest(samples.loads) is not None
    measured = samples.header.on not in _EXACT
    for row in rows:
        if measured and 0 < row.n < FEWEST_ROUNDS and row.ci95_low is not None:
            row = replace(row, ci95_low=None, ci95_high=None)
        enough = min(MIN_ROUNDS, asked) if isinstance(asked, int) else 0
        if row.metric != "eta" or row.value is None or row.n >= enough:
            yield row
            continue
        reason = f"{row.n} of {asked} rounds before the budget ended"
        reason = f"{TOO_BUSY}: {reason}" if busy else f"{reason}; give --budget"
        yield row.unresolved(reason)
