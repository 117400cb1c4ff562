# SPDX-License-Identifier: BSD-3-Clause
"""Shows predictions of schedules as a table of 80 columns or as one JSON document."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from stretto.data.sizes import format_size, said_share, shown_duration
from stretto.model.forecast import Route
from stretto.model.parameters import BARS, Bar, Source
from stretto.model.prediction import Predicted, estimate
from stretto.model.problem import Problem
from stretto.model.statistics import Floats
from stretto.report.screen import Column, Part, prose, table

_COLUMNS = (
    Column("bar"),
    Column("schedule", words=True),
    *(Column(name) for name in ("messages", "time", "95 %", "closed", "gain", "fraction")),
)


@dataclass
class Predictions:
    """Collects the predictions of a command, bar by bar, and shows them."""

    subject: str
    source: Source
    problem: Problem
    route: Route
    segments: Sequence[str]
    notes: Sequence[str] = ()
    rows: list[tuple[Bar, Predicted]] = field(default_factory=list)

    def add(self, bar: Bar, predicted: Predicted) -> None:
        self.rows.append((bar, predicted))

    def document(self) -> dict[str, Any]:
        """Seconds and fractions; every figure with its 95 % interval."""
        return {
            "subject": self.subject,
            "profile": self.source.file,
            "problem": dataclasses.asdict(self.problem),
            "route": dataclasses.asdict(self.route),
            "draws": self.source.draws,
            "notes": list(self.notes),
            "rows": [self._row(bar, predicted) for bar, predicted in self.rows],
        }

    def _row(self, bar: Bar, predicted: Predicted) -> dict[str, Any]:
        closed = {f"{name}_s": figure(values) for name, values in predicted.closed_s.items()}
        return {
            "bar": bar,
            "schedule": predicted.schedule.name,
            "operation": predicted.schedule.operation,
            "messages": predicted.schedule.messages,
            "size_bytes": predicted.schedule.largest_bytes,
            "time_s": figure(predicted.total_s),
            **{f"{name}_s": figure(predicted.segments_s.get(name)) for name in self.segments},
            "gain": figure(predicted.gain.gain),
            "gain_bound": figure(predicted.gain.bound),
            "gain_fraction": figure(predicted.gain.fraction),
            "closed_form": closed or None,
        }

    def view(self) -> Iterator[Part]:
        """A table, then what its bars and gains are."""
        sizes = ", ".join(f"{k} {v:.10g}" for k, v in dataclasses.asdict(self.problem).items())
        yield f"{self.subject} {self.route}, on the machine of {self.source.file}\n{sizes}"
        yield table(_COLUMNS, (self._cells(bar, predicted) for bar, predicted in self.rows))
        for bar in dict.fromkeys(bar for bar, _ in self.rows):
            yield f"{bar}: {BARS[bar]}"
        bounds = dict.fromkeys(f"{p.gain.bound[0]:.3f}" for _, p in self.rows)
        yield f"gain is over {self.problem.bulk_name}; overlap can give {', '.join(bounds)} at best"
        for note in self.notes:
            yield prose(f"note: {note}", 0)

    def _cells(self, bar: Bar, predicted: Predicted) -> list[str]:
        total = estimate(predicted.total_s)
        closed = predicted.closed_s.get("total")
        return [
            bar,
            predicted.schedule.name,
            f"{predicted.schedule.messages} x {format_size(predicted.schedule.largest_bytes)}",
            shown_duration(total.value),
            _relative_half_width(predicted.total_s),
            shown_duration(float(closed[0])) if closed is not None else "-",
            f"{predicted.gain.gain[0]:.3f}",
            f"{predicted.gain.fraction[0]:.2f}" if math.isfinite(predicted.gain.fraction[0]) else "-",
        ]


def figure(values: Floats | None) -> dict[str, float | None] | None:
    """A figure with its interval as JSON has it; None where there is no such figure."""
    if values is None:
        return None
    if not math.isfinite(values[0]):
        return {"value": None, "ci95_low": None, "ci95_high": None}
    result = estimate(values)
    return {"value": result.value, "ci95_low": result.ci95_low, "ci95_high": result.ci95_high}


def _relative_half_width(values: Floats) -> str:
    """Half of the 95 % interval, relative to the value."""
    result = estimate(values)
    if result.value <= 0:
        return "-"
    return f"±{said_share((result.ci95_high - result.ci95_low) / 2 / result.value)}"
