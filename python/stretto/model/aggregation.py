# SPDX-License-Identifier: BSD-3-Clause
"""Time and messages of aggregated small pieces (ARMCI paper, section 4.1, figure 7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from stretto.data.results import AxisValue
from stretto.data.sample_columns import AXES
from stretto.data.samples import Samples

if TYPE_CHECKING:
    import polars as pl

_FENCE = "fence"  # requests without data, which belong to no piece


@dataclass(frozen=True)
class Sent:
    """Messages that one origin sent per step of a case, over one path of the runtime; an exact count."""

    axes: Mapping[str, AxisValue]
    path: str
    messages: float
    steps: int


def messages_of(samples: Samples, probe: str) -> Iterator[Sent]:
    """Messages per step of each case of `probe` that has `traffic` rows: the mean over its origins."""
    import polars as pl  # imported on use: it is slow

    axes = _axes_of(samples.rows.filter(pl.col("probe") == probe))
    result: dict[tuple[int, str], list[tuple[float, int]]] = {}
    for one in samples.traffic:
        if one.probe == probe and one.path != _FENCE and one.case in axes:
            result.setdefault((one.case, one.path), []).append((one.messages / one.steps, one.steps))
    for (case, path), each in result.items():
        mean = sum(messages for messages, _ in each) / len(each)
        yield Sent(axes[case], path, mean, min(steps for _, steps in each))


def _axes_of(rows: pl.DataFrame) -> dict[int, Mapping[str, AxisValue]]:
    names = [column.name for column in AXES]
    heads = rows.unique("case", keep="first").select("case", *names)
    return {
        int(head["case"]): {name: head[name] for name in names if head[name] is not None}
        for head in heads.iter_rows(named=True)
    }
