# SPDX-License-Identifier: BSD-3-Clause
"""Sample rows grouped into cases: arrays over paired rounds. Computes no statistics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from stretto.data.groups import grouped
from stretto.data.results import AxisValue
from stretto.data.sample_columns import AXES, SEGMENTS

if TYPE_CHECKING:
    import polars as pl

Floats = npt.NDArray[np.float64]

# Each run calibrates these axes again, so they do not distinguish the points of a sweep.
_CALIBRATED = ("work_count",)
_AXES = ("ranks", *(column.name for column in AXES if column.name not in _CALIBRATED))
_FIGURES = ("time_s", "messages", *(f"{name}_max_s" for name in SEGMENTS))


@dataclass(frozen=True)
class Quantity:
    """One quantity of a case, every array of shape (rounds,), times in seconds.

    `segments_s` has the maximum over ranks for each segment; zero where the row has no value.
    """

    time_s: Floats
    messages: Floats
    segments_s: Mapping[str, Floats]

    @property
    def each_s(self) -> Floats:
        """Time per message."""
        return self.time_s / np.maximum(self.messages, 1)


@dataclass(frozen=True)
class Case:
    """One point of a sweep: its quantities over their common rounds."""

    probe: str
    axes: Mapping[str, AxisValue]
    quantities: Mapping[str, Quantity]
    rounds: int

    def axis(self, name: str) -> AxisValue | None:
        return self.axes.get(name)

    @property
    def size_bytes(self) -> int:
        return int(self.axes.get("size_bytes", 0))

    def has(self, *names: str) -> bool:
        return all(name in self.quantities for name in names)


def cases_of(frame: pl.DataFrame) -> list[Case]:
    """The cases of a frame of sample rows, in the order of probe and case number.

    A round that lacks a quantity of its case (the run died in it) is dropped. A case without any complete
    round is left out.
    """
    import polars as pl  # imported on use: it is slow

    if frame.is_empty():
        return []
    frame = frame.sort("probe", "case", "quantity", "round")
    ids = frame.select(
        pl.struct("probe", "case").rle_id().alias("case"),
        pl.struct("probe", "case", "quantity").rle_id().alias("quantity"),
    )
    quantity_starts = _starts(ids["quantity"].to_numpy())
    case_of_start = ids["case"].to_numpy()[quantity_starts]
    heads = frame.select("probe", "quantity", *_AXES)[quantity_starts].to_dicts()
    rounds = frame["round"].to_numpy()
    columns = {name: frame[name].cast(pl.Float64).fill_null(0).to_numpy() for name in _FIGURES}
    ends = np.append(quantity_starts[1:], len(frame))
    members = grouped(range(len(case_of_start)), lambda index: int(case_of_start[index]))
    result = (
        _case([heads[i] for i in group], [slice(quantity_starts[i], ends[i]) for i in group], rounds, columns)
        for group in members.values()
    )
    return [case for case in result if case is not None]


def _starts(ids: npt.NDArray[np.unsignedinteger]) -> npt.NDArray[np.intp]:
    return np.append(0, np.flatnonzero(np.diff(ids)) + 1)


def _case(
    heads: Sequence[Mapping[str, AxisValue | None]],
    places: Sequence[slice],
    rounds: npt.NDArray[np.int64],
    columns: Mapping[str, Floats],
) -> Case | None:
    axes: dict[str, AxisValue] = {}
    for name in _AXES:
        value = next((head[name] for head in heads if head[name] is not None), None)
        if value is not None:
            axes[name] = value
    common = rounds[places[0]]
    for place in places[1:]:
        common = np.intersect1d(common, rounds[place], assume_unique=True)
    if len(common) == 0:
        return None
    quantities = {}
    for head, place in zip(heads, places, strict=True):
        kept = np.isin(rounds[place], common, assume_unique=True)
        values = {name: column[place][kept] for name, column in columns.items()}
        segments = {name: values[f"{name}_max_s"] for name in SEGMENTS}
        quantities[str(head["quantity"])] = Quantity(values["time_s"], values["messages"], segments)
    return Case(str(heads[0]["probe"]), axes, quantities, len(common))


def pooled(cases: Sequence[Case]) -> Iterator[Case]:
    """Joins cases of one probe with equal axes, and concatenates their rounds; for values per message."""
    groups = grouped(cases, lambda case: (*sorted(case.axes.items()), *sorted(case.quantities)))
    for same in groups.values():
        yield same[0] if len(same) == 1 else _joined(same)


def _joined(cases: Sequence[Case]) -> Case:
    quantities = {
        name: Quantity(
            np.concatenate([case.quantities[name].time_s for case in cases]),
            np.concatenate([case.quantities[name].messages for case in cases]),
            {s: np.concatenate([case.quantities[name].segments_s[s] for case in cases]) for s in SEGMENTS},
        )
        for name in cases[0].quantities
    }
    return Case(cases[0].probe, cases[0].axes, quantities, sum(case.rounds for case in cases))
