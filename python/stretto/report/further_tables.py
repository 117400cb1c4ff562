# SPDX-License-Identifier: BSD-3-Clause
"""Tables of nbc, neighbourhood, persistent, partitioned and pairs, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from stretto.data.groups import grouped
from stretto.data.results import ResultRow
from stretto.report.figure_table import (
    INTERVAL,
    Between,
    Bytes,
    Cell,
    FigureTable,
    Format,
    Head,
    Measured,
    Overlap,
    Rows,
    with_interval,
)
from stretto.report.select import axis, size_of, transport_name
from stretto.report.units import compact_size, megabytes_per_second, microseconds, percent, ratio, significant

_NBC = ("nbc", "neighbourhood")
_PLAIN, _PERSISTENT = "mpi-two-sided", "mpi-persistent"
_NONBLOCKING_HEADS = (
    *(Head(name) for name in ("Size", "Overall", "Compute", "Pure", "Overlap%")),
    INTERVAL,
    *(Head(name) for name in ("OSU%", "IMB%", "kappa")),
)
_PAIRS_HEADS = (
    *(Head(name) for name in ("Size", "Pairs", "MB/s")),
    INTERVAL,
    Head("share"),
    Head("Messages/s"),
    Head("Latency", "µs"),
)
_Described: TypeAlias = tuple[str, str, Sequence[Head], Sequence[Sequence[Cell]]]
"""Title, note, heads and rows of a table."""


def further_tables(rows: Rows) -> Iterator[FigureTable]:
    """All tables for which there are rows."""
    for build in (_nonblocking, _persistent, _partitioned, _pairs):
        for title, note, heads, cells in build(rows):
            yield FigureTable("", title, heads, cells, note, caption=note)


def _nonblocking(rows: Rows) -> Iterator[_Described]:
    names = ("probe", "operation", "progress", "members", "grid", "ratio")
    for key, members in _grouped(_of(rows, *_NBC), names).items():
        probe, operation, progress, ranks, grid, work = key
        among = f"{ranks} ranks" + (f" as {grid}" if grid else "")
        at = "" if work in (None, 1) else f", T_w/T_c {work}"
        title = f"Overlap of {_call_name(str(probe), str(operation))}: {among}, progress {progress}{at}"
        yield (
            title,
            "Times in us. OSU% and IMB%: the same run by the formulas of those benchmarks.",
            _NONBLOCKING_HEADS,
            [_nonblocking_row(size, here) for size, here in _by(members, size_of)],
        )


def _nonblocking_row(size: int, here: Rows) -> Sequence[Cell]:
    eta = _metric(here, "eta")
    return (
        Bytes(size),
        *(_narrow(_metric(here, "time", quantity=name), microseconds) for name in ("T_t", "T_w", "T_c")),
        Overlap(eta),
        Between(eta, percent),
        _narrow(_metric(here, "overlap_osu"), percent),
        _narrow(_metric(here, "overlap_imb"), percent),
        _narrow(_metric(here, "kappa"), ratio),
    )


def _call_name(probe: str, operation: str) -> str:
    """`MPI_Ineighbor_alltoall`, `MPI_Ibcast`; the sends of a neighbourhood have no one call."""
    calls = {"broadcast": "bcast", "neighbor-sends": "MPI_Isend to the neighbours"}
    name = calls.get(operation, operation.replace("-", "_"))
    return name if name.startswith("MPI") else f"MPI_I{name}"


def _persistent(rows: Rows) -> Iterator[_Described]:
    for (progress,), members in _grouped(_of(rows, "persistent"), ("progress",)).items():
        transports = [name for name in _transports(members) if name != _PERSISTENT]
        shown = (*transports, _PERSISTENT) if _PERSISTENT in _transports(members) else tuple(transports)
        heads = [Head("Size")]
        for name in shown:
            short = {_PLAIN: "Isend", _PERSISTENT: "Persist."}.get(name, name)
            heads += [Head(short, "µs"), Head("start"), Head("Overlap%")]
        yield (
            f"Persistent requests against MPI_Isend and MPI_Irecv, progress {progress}",
            "Both ways at once; times of one message. start: the calls that start it.",
            heads,
            [
                (Bytes(size), *(cell for name in shown for cell in _persistent_cells(here, name)))
                for size, here in _by(members, size_of)
            ],
        )


def _persistent_cells(here: Rows, transport: str) -> Sequence[Cell]:
    mine = [row for row in here if axis(row, "transport") == transport]
    return (
        _narrow(_metric(mine, "time", quantity="T_c"), microseconds),
        _narrow(_metric(mine, "init"), microseconds),
        Overlap(_metric(mine, "eta")),
    )


def _partitioned(rows: Rows) -> Iterator[_Described]:
    for size, members in _by(_of(rows, "partitioned"), size_of):
        paths = list(dict.fromkeys(_path(row) for row in members))
        heads = [Head("Parts")]
        for name in paths:
            heads += [Head(name, "µs"), Head("Ovl%")]
        yield (
            f"A message of {compact_size(size)} handed over part by part as it is computed",
            "Of each transport the time of all parts at once, and how much of it hides under computation.",
            heads,
            [
                (f"{parts}", *(cell for name in paths for cell in _partitioned_cells(here, name)))
                for parts, here in _by(members, lambda row: int(row.axes.get("partitions", 1)))
            ],
        )


def _partitioned_cells(here: Rows, path: str) -> Sequence[Cell]:
    mine = [row for row in here if _path(row) == path]
    return _narrow(_metric(mine, "time", quantity="T_c"), microseconds), Overlap(_metric(mine, "eta"))


def _path(row: ResultRow) -> str:
    names = {"mpi-two-sided": "Isend", "mpi-partitioned": "Pready", "mpi-rma": "RMA put"}
    transport = str(axis(row, "transport"))
    progress = axis(row, "progress")
    return names.get(transport, transport) + (f" {progress}" if progress not in (None, "none") else "")


def _pairs(rows: Rows) -> Iterator[_Described]:
    names = ("transport", "operation", "progress")
    for key, members in _grouped(_of(rows, "pairs"), names).items():
        transport, operation, progress = map(str, key)
        more = "" if progress in ("None", "none") else f", progress {progress}"
        yield (
            f"Several pairs at once: {transport_name(transport)} {operation}{more}",
            "Of all pairs together; share: bandwidth of a pair over that of one pair alone.",
            _PAIRS_HEADS,
            [
                _pairs_row(size, pairs, at, here)
                for size, here in _by(members, size_of)
                for pairs, at in _by(here, lambda row: int(row.axes.get("pairs", 1)))
            ],
        )


def _pairs_row(size: int, pairs: int, at: Rows, of_size: Rows) -> Sequence[Cell]:
    rate = _metric(at, "pair_bandwidth")
    alone = next((r for r in of_size if r.metric == "pair_bandwidth" and axis(r, "pairs") == 1), None)
    share = "-"
    if rate is not None and rate.value is not None and alone is not None and alone.value:
        share = ratio(rate.value / pairs / alone.value)
    return (
        Bytes(size),
        f"{pairs}",
        *with_interval(rate, megabytes_per_second),
        share,
        Measured(_metric(at, "message_rate"), significant),
        Measured(_metric(at, "pair_latency"), microseconds),
    )


def _narrow(row: ResultRow | None, form: Format) -> Measured:
    return Measured(row, form, narrow=True)


def _of(rows: Rows, *probes: str) -> list[ResultRow]:
    return [row for row in rows if axis(row, "probe") in probes]


def _transports(rows: Rows) -> list[str]:
    return list(dict.fromkeys(str(axis(row, "transport")) for row in rows))


def _metric(rows: Iterable[ResultRow], metric: str, **axes: str) -> ResultRow | None:
    return next(
        (r for r in rows if r.metric == metric and all(axis(r, k) == v for k, v in axes.items())), None
    )


def _grouped(rows: Rows, names: Sequence[str]) -> dict[tuple[object, ...], list[ResultRow]]:
    return grouped(rows, lambda row: tuple(axis(row, name) for name in names))


def _by(rows: Rows, key: Callable[[ResultRow], int | None]) -> list[tuple[int, list[ResultRow]]]:
    return sorted(grouped(rows, lambda row: key(row) or 0).items())
