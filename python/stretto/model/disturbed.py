# SPDX-License-Identifier: BSD-3-Clause
"""Cases in which ranks lost their processor to other programs so often that no figure of them is shown.

The samples that were disturbed do not count: each was measured again. Where most were, those that are left
are few, and of a machine that is not the one in question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stretto.data.results import AxisValue, ResultRow
from stretto.data.sample_columns import AXES
from stretto.data.samples import Samples
from stretto.model.load import busiest

if TYPE_CHECKING:
    import polars as pl

TOO_BUSY = "too busy"
"""The reason of a figure that other programs have spoiled begins so."""
MAX_DISTURBED = 0.5
"""The largest share of a case's samples that may be disturbed."""
MAX_DISTURBED_WHERE_BUSY = 0.05
"""The same while others keep the ranks' cores busy: the samples between are of another machine, too."""

_HEADLINES: Mapping[str, tuple[str, str]] = {
    "overlap": ("eta", "1"),
    "latency": ("latency", "s"),
    "bandwidth": ("bandwidth", "B/s"),
    "contention": ("kappa", "1"),
}
_FIGURES = ("eta", "kappa", "exposed", "latency", "bandwidth")
_AXES = tuple(column.name for column in AXES if column.name != "work_count")


@dataclass(frozen=True)
class DisturbedCase:
    """A case, and how many of its samples were disturbed."""

    probe: str
    axes: Mapping[str, AxisValue]
    disturbed: int
    samples: int

    @property
    def reason(self) -> str:
        """Why it has no figure."""
        return f"{TOO_BUSY}: the ranks lost their processor in {self.disturbed} of {self.samples} samples"


def disturbed_share(samples: Samples) -> float:
    """The share of all samples of a run that other programs disturbed."""
    total = len(samples.rows) + len(samples.disturbed)
    return len(samples.disturbed) / total if total else 0.0


def busy_cases(samples: Samples) -> Iterator[DisturbedCase]:
    """The cases of which more samples were disturbed than may be."""
    import polars as pl  # imported on use: it is slow

    if samples.disturbed.is_empty():
        return
    most = MAX_DISTURBED if busiest(samples.loads) is None else MAX_DISTURBED_WHERE_BUSY
    good = _counts(samples.rows)
    for (probe, case), count in _counts(samples.disturbed).items():
        total = count + good.get((probe, case), 0)
        if count <= most * total:
            continue
        head = samples.disturbed.filter((pl.col("probe") == probe) & (pl.col("case") == case)).row(
            0, named=True
        )
        axes = {name: head[name] for name in _AXES if head[name] is not None}
        yield DisturbedCase(probe, axes, count, total)


def _counts(frame: pl.DataFrame) -> dict[tuple[str, int], int]:
    grouped = frame.group_by("probe", "case").len()
    return {(probe, case): count for probe, case, count in grouped.iter_rows()}


def without_disturbed(
    rows: Sequence[ResultRow], samples: Samples, run_axes: Mapping[str, AxisValue]
) -> list[ResultRow]:
    """The rows of a run, those of its busy cases unresolved; a case without any row gets one.

    Args:
        rows: What was derived from the samples that count.
        samples: The run.
        run_axes: The axes that all of its rows have.
    """
    found = list(rows)
    for case in busy_cases(samples):
        axes = {"probe": case.probe, **run_axes, **case.axes}
        mine = [
            place
            for place, row in enumerate(found)
            if row.metric in _FIGURES and all(row.axes.get(name) == value for name, value in axes.items())
        ]
        for place in mine:
            found[place] = found[place].unresolved(case.reason)
        if not mine and case.probe in _HEADLINES:
            metric, unit = _HEADLINES[case.probe]
            found.append(ResultRow(metric, unit, None, axes=axes, reason=case.reason))
    return found
