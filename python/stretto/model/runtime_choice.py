# SPDX-License-Identifier: BSD-3-Clause
"""Selects the best measured settings of the runtime for the profile that the runtime reads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stretto.data.profile import Figure, RuntimeEntry
from stretto.data.results import ResultRow, Results
from stretto.data.sample_rows import Header

_SETTINGS = ("pace_s", "segment_bytes", "outstanding")
# A setting that lengthens communication by more than this hides only its own cost.
_HIGHEST_COST = 1.05


@dataclass(frozen=True)
class _Measured:
    """One setting: its entry with the largest kappa, its mean overlap, and the T_c of each point."""

    entry: RuntimeEntry
    eta: float
    times_s: dict[tuple[object, ...], float]

    def relative_cost(self, others: Sequence[_Measured]) -> float:
        """The mean over points of T_c over the least T_c of all settings."""
        factors = []
        for point, time_s in self.times_s.items():
            min_s = min(other.times_s.get(point, time_s) for other in others)
            if min_s > 0:
                factors.append(time_s / min_s)
        return sum(factors) / len(factors) if factors else 1.0


def runtime_entry(runs: Iterable[tuple[Header, Results]]) -> RuntimeEntry | None:
    """The setting that hides most without lengthening communication; None without any.

    Args:
        runs: Header and results of each run. Only rows of the overlap probe with a progress thread count.
            The header has the settings.
    """
    measured = [one for header, results in runs if (one := _measured(header, results)) is not None]
    cheap = [one for one in measured if one.relative_cost(measured) <= _HIGHEST_COST]
    best = max(cheap or measured, key=lambda one: one.eta, default=None)
    return None if best is None else best.entry


def _measured(header: Header, results: Results) -> _Measured | None:
    interval_s, segment, outstanding = (header.settings.get(name) for name in _SETTINGS)
    if (
        not isinstance(interval_s, int | float)
        or not isinstance(segment, int)
        or not isinstance(outstanding, int)
    ):
        return None
    rows = [row for row in results.rows if _is_helped(row) and row.value is not None]
    etas = [row.value or 0.0 for row in rows if row.metric == "eta"]
    kappas = [row for row in rows if row.metric == "kappa"]
    if not etas or not kappas:
        return None
    worst = max(kappas, key=lambda row: row.value or 0.0)
    kappa = Figure(worst.value, worst.ci95_low, worst.ci95_high, worst.n)
    times_s: dict[tuple[object, ...], float] = {
        tuple(row.axes.get(name) for name in ("operation", "direction", "size_bytes")): row.value or 0.0
        for row in rows
        if row.metric == "time" and row.axes.get("quantity") == "T_c"
    }
    return _Measured(
        RuntimeEntry(float(interval_s), segment, outstanding, kappa), sum(etas) / len(etas), times_s
    )


def _is_helped(row: ResultRow) -> bool:
    axes = row.axes
    return axes.get("probe") == "overlap" and axes.get("progress") == "thread" and axes.get("ratio") == 1
