# SPDX-License-Identifier: BSD-3-Clause
"""Tables of nbc, neighbourhood, persistent, partitioned and pairs, for the terminal and the page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from stretto.data.results import ResultRow
from stretto.report.cells import brief_overlap, interval, narrow, value
from stretto.report.screen import Column, Part, heading, prose, table
from stretto.report.select import axis, size_of, transport_name
from stretto.report.units import compact_size, megabytes_per_second, microseconds, percent, ratio, significant

Rows = Sequence[ResultRow]
_NBC = ("nbc", "neighbourhood")
_PLAIN, _PERSISTENT = "mpi-two-sided", "mpi-persistent"


@dataclass(frozen=True)
class FurtherTable:
    """Cells as text below their heads; `note` says how to read it."""

    title: str
    note: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def further_tables(rows: Rows) -> Iterator[FurtherTable]:
    """All tables for which there are rows."""
    for build in (_nonblocking, _persistent, _partitioned, _pairs):
        yield from build(rows)


def further_views(rows: Rows) -> Iterator[Part]:
    """The same for the terminal."""
    for one in further_tables(rows):
        yield ""
        yield heading(one.title)
        yield prose(one.note, style="dim")
        yield table([Column(head) for head in one.heads], one.rows)


def _nonblocking(rows: Rows) -> Iterator[FurtherTable]:
    names = ("probe", "operation", "progress", "members", "grid", "ratio")
    for key, members in _grouped(_of(rows, *_NBC), names).items():
        probe, operation, progress, ranks, grid, work = key
        among = f"{ranks} ranks" + (f" as {grid}" if grid else "")
        at = "" if work in (None, 1) else f", T_w/T_c {work}"
        title = f"Overlap of {_call_name(str(probe), str(operation))}: {among}, progress {progress}{at}"
        yield FurtherTable(
            title,
            "Times in us. OSU% and IMB%: the same run by the formulas of those benchmarks.",
            ("Size", "Overall", "Compute", "Pure", "Overlap%", "95% CI", "OSU%", "IMB%", "kappa"),
            tuple(_nonblocking_row(size, here) for size, here in _by(members, size_of)),
        )


def _nonblocking_row(size: int, here: Rows) -> tuple[str, ...]:
    eta = _metric(here, "eta")
    return (
        compact_size(size),
        *(narrow(_metric(here, "time", quantity=name), microseconds) for name in ("T_t", "T_w", "T_c")),
        brief_overlap(eta),
        interval(eta, percent),
        narrow(_metric(here, "overlap_osu"), percent),
        narrow(_metric(here, "overlap_imb"), percent),
        narrow(_metric(here, "kappa"), ratio),
    )


def _call_name(probe: str, operation: str) -> str:
    """`MPI_Ineighbor_alltoall`, `MPI_Ibcast`; the sends of a neighbourhood have no one call."""
    calls = {"broadcast": "bcast", "neighbor-sends": "MPI_Isend to the neighbours"}
    name = calls.get(operation, operation.replace("-", "_"))
    return name if name.startswith("MPI") else f"MPI_I{name}"


def _persistent(rows: Rows) -> Iterator[FurtherTable]:
    for (progress,), members in _grouped(_of(rows, "persistent"), ("progress",)).items():
        transports = [name for name in _transports(members) if name != _PERSISTENT]
        shown = (*transports, _PERSISTENT) if _PERSISTENT in _transports(members) else tuple(transports)
        heads: list[str] = ["Size"]
        for name in shown:
            short = {_PLAIN: "Isend", _PERSISTENT: "Persist."}.get(name, name)
            heads += [f"{short}(us)", "start", "Overlap%"]
        yield FurtherTable(
            f"Persistent requests against MPI_Isend and MPI_Irecv, progress {progress}",
            "Both ways at once; times of one message. start: the calls that start it.",
            tuple(heads),
            tuple(
                (
                    compact_size(size),
                    *(cell for name in shown for cell in _persistent_cells(here, name)),
                )
                for size, here in _by(members, size_of)
            ),
        )


def _persistent_cells(here: Rows, transport: str) -> tuple[str, ...]:
    mine = [row for row in here if axis(row, "transport") == transport]
    return (
        narrow(_metric(mine, "time", quantity="T_c"), microseconds),
        narrow(_metric(mine, "init"), microseconds),
        brief_overlap(_metric(mine, "eta")),
    )


def _partitioned(rows: Rows) -> Iterator[FurtherTable]:
    for size, members in _by(_of(rows, "partitioned"), size_of):
        paths = list(dict.fromkeys(_path(row) for row in members))
        heads = ["Parts"]
        for name in paths:
            heads += [f"{name}(us)", "Ovl%"]
        yield FurtherTable(
            f"A message of {compact_size(size)} handed over part by part as it is computed",
            "Of each transport the time of all parts at once, and how much of it hides under computation.",
            tuple(heads),
            tuple(
                (
                    f"{parts}",
                    *(cell for name in paths for cell in _partitioned_cells(here, name)),
                )
                for parts, here in _by(members, lambda row: int(row.axes.get("partitions", 1)))
            ),
        )


def _partitioned_cells(here: Rows, path: str) -> tuple[str, ...]:
    mine = [row for row in here if _path(row) == path]
    time = narrow(_metric(mine, "time", quantity="T_c"), microseconds)
    return time, brief_overlap(_metric(mine, "eta"))


def _path(row: ResultRow) -> str:
    names = {"mpi-two-sided": "Isend", "mpi-partitioned": "Pready", "mpi-rma": "RMA put"}
    transport = str(axis(row, "transport"))
    progress = axis(row, "progress")
    return names.get(transport, transport) + (f" {progress}" if progress not in (None, "none") else "")


def _pairs(rows: Rows) -> Iterator[FurtherTable]:
    names = ("transport", "operation", "progress")
    for key, members in _grouped(_of(rows, "pairs"), names).items():
        transport, operation, progress = map(str, key)
        more = "" if progress in ("None", "none") else f", progress {progress}"
        yield FurtherTable(
            f"Several pairs at once: {transport_name(transport)} {operation}{more}",
            "Of all pairs together; share: bandwidth of a pair over that of one pair alone.",
            ("Size", "Pairs", "MB/s", "95% CI", "share", "Messages/s", "Latency(us)"),
            tuple(
                _pairs_row(size, pairs, at, here)
                for size, here in _by(members, size_of)
                for pairs, at in _by(here, lambda row: int(row.axes.get("pairs", 1)))
            ),
        )


def _pairs_row(size: int, pairs: int, at: Rows, of_size: Rows) -> tuple[str, ...]:
    rate = _metric(at, "pair_bandwidth")
    alone = next((r for r in of_size if r.metric == "pair_bandwidth" and axis(r, "pairs") == 1), None)
    share = "-"
    if rate is not None and rate.value is not None and alone is not None and alone.value:
        share = ratio(rate.value / pairs / alone.value)
    return (
        compact_size(size),
        f"{pairs}",
        value(rate, megabytes_per_second),
        interval(rate, megabytes_per_second),
        share,
        value(_metric(at, "message_rate"), significant),
        value(_metric(at, "pair_latency"), microseconds),
    )


def _of(rows: Rows, *probes: str) -> list[ResultRow]:
    return [row for row in rows if axis(row, "probe") in probes]


def _transports(rows: Rows) -> list[str]:
    return list(dict.fromkeys(str(axis(row, "transport")) for row in rows))


def _metric(rows: Iterable[ResultRow], metric: str, **axes: str) -> ResultRow | None:
    return next(
        (r for r in rows if r.metric == metric and all(axis(r, k) == v for k, v in axes.items())), None
    )


def _grouped(rows: Rows, names: Sequence[str]) -> dict[tuple[object, ...], list[ResultRow]]:
    found: dict[tuple[object, ...], list[ResultRow]] = {}
    for row in rows:
        found.setdefault(tuple(axis(row, name) for name in names), []).append(row)
    return found


def _by(rows: Rows, key: Callable[[ResultRow], int | None]) -> list[tuple[int, list[ResultRow]]]:
    found: dict[int, list[ResultRow]] = {}
    for row in rows:
        found.setdefault(key(row) or 0, []).append(row)
    return sorted(found.items())
