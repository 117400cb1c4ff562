# SPDX-License-Identifier: BSD-3-Clause
"""The series of a results document and their points. Computes no statistics."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from stretto.data.groups import grouped
from stretto.data.results import ResultRow
from stretto.data.sizes import SEGMENT_BYTES

AxisValue = str | int | float | None

# The axes that distinguish curves; sizes, ratios and quantities vary along a curve.
SERIES_AXES = (
    "on",
    "ranks",
    "locality",
    "transport",
    "operation",
    "progress",
    "side",
    "direction",
    "work_kind",
    "pattern",
    "path",
    "buffers",
    "pairs",
    "partitions",
    "grid",
    "members",
)
# An overlap with a wider interval comes from a run that was too short or disturbed.
_TOO_WIDE = 0.5
PLAIN_TRANSPORT = "mpi-two-sided"
_ORDER: Mapping[str, Sequence[str]] = {
    "transport": (PLAIN_TRANSPORT, "mpi-persistent", "mpi-partitioned", "mpi-rma", "mpi-request", "stretto"),
    "operation": ("send", "put", "get"),
    "progress": ("none", "poll", "thread"),
    "side": ("both", "origin", "target"),
    "direction": ("one-way", "both-ways"),
    "work_kind": ("register", "cache", "stream"),
    "path": ("direct", "rma", "message"),
}


@dataclass(frozen=True)
class Series:
    """The fixed axes of a curve; those that do not apply are absent."""

    axes: tuple[tuple[str, AxisValue], ...]

    def get(self, name: str) -> AxisValue:
        return dict(self.axes).get(name)

    def without(self, *names: str) -> "Series":
        return Series(tuple((name, value) for name, value in self.axes if name not in names))

    def without_default_progress(self) -> "Series":
        """The series without `progress none`, which is the default where no rank computes."""
        return self.without("progress") if self.get("progress") == "none" else self

    @property
    def is_plain(self) -> bool:
        """Whether these are plain MPI's sends without a progress thread or polling."""
        return self.get("transport") == PLAIN_TRANSPORT and self.get("progress") in (None, "none")


@dataclass(frozen=True)
class OverlapPoint:
    """The figures of one size and one T_w/T_c."""

    size_bytes: int
    ratio: float
    figures: Mapping[str, ResultRow] = field(hash=False)

    def row(self, metric: str) -> ResultRow | None:
        """The value of a metric, or of the time `T_c`, `T_w` or `T_t`."""
        return self.figures.get(metric)

    def value(self, metric: str) -> float | None:
        row = self.figures.get(metric)
        return None if row is None else row.value


def axis(row: ResultRow, name: str) -> AxisValue:
    return row.axes.get(name)


def size_of(row: ResultRow) -> int | None:
    value = axis(row, "size_bytes")
    return int(value) if isinstance(value, int | float) else None


def is_below_a_segment(rows: Iterable[ResultRow]) -> bool:
    """Whether an overlap is of a message that an emulated link sends at once, whatever its rate."""
    return any(r.metric == "eta" and (size_of(r) or SEGMENT_BYTES) < SEGMENT_BYTES for r in rows)


def where(rows: Iterable[ResultRow], metric: str, **axes: AxisValue) -> list[ResultRow]:
    """The rows of `metric` whose axes are those given, in the document's order."""
    return [r for r in rows if r.metric == metric and all(axis(r, k) == v for k, v in axes.items())]


def by_size(rows: Iterable[ResultRow]) -> dict[int, list[ResultRow]]:
    """The rows of each message size, sizes ascending; rows without one are left out."""
    groups = grouped(rows, size_of)
    return {size: groups[size] for size in sorted(size for size in groups if size is not None)}


def series_of(row: ResultRow) -> Series:
    result = ((name, axis(row, name)) for name in SERIES_AXES)
    return Series(tuple((name, value) for name, value in result if value is not None))


def group(
    rows: Iterable[ResultRow], key: Callable[[Series], Series] = lambda s: s
) -> dict[Series, list[ResultRow]]:
    """Rows by series, plain MPI first, sizes ascending within one."""
    groups = grouped(rows, lambda row: key(series_of(row)))
    ordered = sorted(groups, key=_rank)
    return {s: sorted(groups[s], key=lambda r: size_of(r) or 0) for s in ordered}


def _rank(series: Series) -> tuple[tuple[int, str], ...]:
    def place(name: str) -> tuple[int, str]:
        value, order = series.get(name), _ORDER.get(name, ())
        return (order.index(value) if value in order else len(order), str(value or ""))

    first = ("transport", "operation", "progress", "side", "direction", "work_kind")
    return tuple(place(name) for name in (*first, *(n for n in SERIES_AXES if n not in first)))


def overlap(rows: Iterable[ResultRow]) -> dict[Series, list[OverlapPoint]]:
    """The overlap probe's points by series, by size and then by ratio."""
    selected = [
        r for r in rows if axis(r, "probe") == "overlap" and r.metric not in ("knee_overlap", "bound")
    ]
    return {series: list(_points(members)) for series, members in group(selected).items()}


def _points(rows: Iterable[ResultRow]) -> Iterator[OverlapPoint]:
    places: dict[tuple[int, float], dict[str, ResultRow]] = {}
    for row in rows:
        size, ratio = size_of(row), axis(row, "ratio")
        if size is None:
            continue
        name = str(axis(row, "quantity")) if row.metric == "time" else row.metric
        where_ = (size, float(ratio) if isinstance(ratio, int | float) else 1.0)
        places.setdefault(where_, {})[name] = row
    for (size, ratio), figures in sorted(places.items(), key=lambda item: item[0]):
        yield OverlapPoint(size, ratio, figures)


def is_uncertain(row: ResultRow) -> bool:
    """Whether the interval of an overlap is too wide to show its figure without a mark."""
    return row.ci95_low is not None and row.ci95_high is not None and row.ci95_high - row.ci95_low > _TOO_WIDE


def headline(points: Sequence[OverlapPoint]) -> list[OverlapPoint]:
    """The points, one a size, of the one T_w/T_c that is nearest to 1, by its factor."""
    nearest = min(
        (p.ratio for p in points), key=lambda r: abs(math.log(r)) if r > 0 else math.inf, default=1.0
    )
    return [point for point in points if point.ratio == nearest]


def hidden(points: Sequence[OverlapPoint]) -> float:
    """The overlap of the largest size that has one."""
    known = (value for point in reversed(headline(points)) if (value := point.value("eta")) is not None)
    return next(known, -1e9)


def plain_transfer_s(everything: Mapping[Series, Sequence[OverlapPoint]], series: Series) -> dict[int, float]:
    """T_c of plain MPI by size in seconds, preferably with the side of `series`."""
    candidates = [s for s in everything if s.is_plain]
    same = ("on", "ranks", "locality", "direction")
    candidates = [s for s in candidates if all(s.get(name) == series.get(name) for name in same)]
    candidates.sort(
        key=lambda s: (s.get("side") != series.get("side"), s.get("work_kind") != series.get("work_kind"))
    )
    result: dict[int, float] = {}
    for candidate in candidates:
        for point in headline(everything[candidate]):
            value = point.value("T_c")
            if value is not None:
                result.setdefault(point.size_bytes, value)
    return result


_TRANSPORT_NAMES = {
    PLAIN_TRANSPORT: "plain MPI",
    "mpi-persistent": "persistent requests",
    "mpi-partitioned": "partitioned MPI",
    "mpi-rma": "MPI RMA",
    "mpi-request": "MPI request",
}


def transport_name(transport: AxisValue) -> str:
    return _TRANSPORT_NAMES.get(str(transport), str(transport))


def title(series: Series, among: Iterable[Series] = ()) -> str:
    """Such as `plain MPI send, progress none, side both`. Of the further axes it names those that differ
    between the series `among`, with which it is shown.
    """
    others = list(among)
    words = [transport_name(series.get("transport") or "MPI")]
    if series.get("operation"):
        words[0] += f" {series.get('operation')}"
    words += [
        f"{name} {series.get(name)}" for name in ("path", "progress", "side") if series.get(name) is not None
    ]
    for name in ("direction", "work_kind", "locality", "ranks", "on", "pattern", "buffers"):
        if series.get(name) is not None and len({s.get(name) for s in others}) > 1:
            words.append(_PHRASES.get(name, name + " {}").format(series.get(name)))
    return ", ".join(words)


_PHRASES = {
    "buffers": "{} buffers",
    "direction": "{}",
    "work_kind": "{} work",
    "locality": "{}",
    "ranks": "{} ranks",
    "on": "{}",
}
