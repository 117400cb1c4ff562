# SPDX-License-Identifier: BSD-3-Clause
"""Fits the profile of one machine to its samples. This module reads and writes no files."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from stretto.data.groups import grouped
from stretto.data.profile import (
    LOGGP,
    BandwidthEntry,
    ComputeEntry,
    ContendedEntry,
    ContentionEntry,
    Figure,
    LogGPEntry,
    LogGPRange,
    Machine,
    OverlapEntry,
    Profile,
    Source,
    TransferTimes,
)
from stretto.data.results import ResultRow, Results
from stretto.data.sample_rows import Header, WorkRate
from stretto.data.samples import Samples
from stretto.errors import UserError
from stretto.model.cases import cases_of
from stretto.model.collective.coupling import fit_couplings
from stretto.model.collective.fit import fit_functions
from stretto.model.collective.measured import PROBE, Call, calls_of, measured_collectives
from stretto.model.compute_rates import compute_rates
from stretto.model.derive import derive_results
from stretto.model.findings import FLOORS
from stretto.model.loggp import GATHER, PENCILS, SPACED_TRAINS, STREAMING
from stretto.model.runtime_choice import runtime_entry
from stretto.model.statistics import DEFAULT_SEED
from stretto.model.transfer_times import transfer_times

if TYPE_CHECKING:
    import polars as pl

# Where these gaps are shorter than an overhead, they have only a bound, which models cannot use.
_HIDDEN = ("g", "g_queue")
# The methods in results.json that make up an entry of the profile. For the paper's method (pencils), G is
# that of streaming bandwidth.
_METHODS = {SPACED_TRAINS: (SPACED_TRAINS,), PENCILS: (PENCILS, STREAMING)}

# What a row means that lacks these axes.
_USUAL: Mapping[str, Any] = {
    **dict.fromkeys(("transport", "operation", "locality", "work_kind"), ""),
    **{"progress": "none", "side": "both", "direction": "one-way", "size_bytes": 0, "ratio": 1.0, "ranks": 2},
}
Entry = TypeVar("Entry", BandwidthEntry, ContendedEntry, OverlapEntry, ContentionEntry)


def fit_profile(files: Sequence[Samples], torus: tuple[int, ...] = ()) -> Profile:
    """The profile of the machine on which all `files` were measured.

    Files with the same locality and number of ranks are pooled. Same-node and remote samples give separate
    entries, and so do progress modes.

    Args:
        files: The samples; at least one file.
        torus: The widths of the network, with rank i at node i; empty for a switch. The runtime functions of
            the reference algorithms depend on it.

    Raises:
        UserError: There are no files, or they differ in MPI, substrate, network, hosts or processor.
    """
    results = [derive_results(group) for group in merged_by_locality(files)]
    profile = profile_of(files, results, torus)
    if len(files) == 1:
        return profile
    # Files with different settings of the runtime are compared with each other, so they must not be pooled.
    runs = ((one.header, derive_results(one)) for one in files)
    return dataclasses.replace(profile, runtime=runtime_entry(runs))


def merged_by_locality(files: Sequence[Samples]) -> list[Samples]:
    """One samples object per locality and number of ranks.

    Raises:
        UserError: There are no files, or they are not of one machine.
    """
    if not files:
        raise UserError("no samples to fit; name a directory or a samples file")
    for other in files[1:]:
        _refuse_another_machine(files[0], other)
    groups = grouped(files, lambda one: (one.header.locality, one.header.ranks))
    return [group[0] if len(group) == 1 else _merged(group) for group in groups.values()]


def _refuse_another_machine(one: Samples, other: Samples) -> None:
    first, second = _identity(one.header), _identity(other.header)
    for name, value in first.items():
        if value != second[name]:
            raise UserError(
                f"{other.path}: {name} '{second[name]}' is another than '{value}' of {one.path}; "
                "fit each machine by itself"
            )


def _identity(header: Header) -> Mapping[str, str]:
    """The members that are equal in all files of one machine.

    The hosts of a simulated machine are left out, because it has one per rank; its platform identifies it.
    The hosts of a cluster are left out, too, because each job gets other nodes of the partition.
    """
    hosts = [] if header.on == "simulated" or header.cluster else sorted(set(header.hosts))
    return {
        "MPI": header.mpi.library or header.mpi.family,
        "substrate": header.on,
        "network": header.network,
        "cluster": "/".join(filter(None, [header.cluster, header.partition])),
        "hosts": " ".join(hosts),
        "processor": header.cpu,
    }


def _merged(group: Sequence[Samples]) -> Samples:
    """The concatenated files, with consecutive case numbers and the largest of the noise floors."""
    import polars as pl  # imported on use: it is slow

    frames: list[pl.DataFrame] = []
    disturbed: list[pl.DataFrame] = []
    offset = 0
    for one in group:
        frames.append(one.rows.with_columns(pl.col("case") + offset))
        disturbed.append(one.disturbed.with_columns(pl.col("case") + offset))
        cases = [*one.rows["case"].to_list(), *one.disturbed["case"].to_list()]
        offset += max(cases, default=-1) + 1
    floors = [one.noise_floor for one in group if one.noise_floor]
    return dataclasses.replace(
        group[0],
        rows=pl.concat(frames),
        disturbed=pl.concat(disturbed),
        noise_floor=max(floors, key=lambda floor: floor.value_s) if floors else None,
        work_rates=tuple(rate for one in group for rate in one.work_rates),
        bounds=tuple(bound for one in group for bound in one.bounds),
        loads=tuple(load for one in group for load in one.loads),
        complete=all(one.complete for one in group),
        warnings=tuple(warning for one in group for warning in one.warnings),
    )


def profile_of(files: Sequence[Samples], results: Sequence[Results], torus: tuple[int, ...] = ()) -> Profile:
    """The profile made from derived results.

    Args:
        files: The samples from which `results` were derived; they name the machine and its compute rates.
        results: The output of `derive_results`.
        torus: The widths of the network, with rank i at node i; empty for a switch.
    """
    rows = [row for one in results for row in one.rows]
    header = files[0].header
    calls = _calls(files)
    collectives = fit_functions(calls, torus)
    return Profile(
        loggp=_loggp_entries(rows),
        machine=Machine(
            name=_machine_name(header),
            mpi=header.mpi,
            hosts=tuple(dict.fromkeys(host for one in files for host in one.header.hosts)),
            network=header.network,
            on=header.on,
            ranks=max(one.header.ranks for one in files),
            cluster=header.cluster or None,
            partition=header.partition or None,
            ranks_per_node=_ranks_per_node(files),
        ),
        made_from=tuple(Source(one.path.name, one.header.created_utc) for one in files),
        transfer_times=_transfer_times(files),
        bandwidth=_entries(BandwidthEntry, "bandwidth_bytes_per_s", filter(_is_streaming, rows)),
        contended=_entries(
            ContendedEntry,
            "gap_s_per_byte",
            (row for row in rows if _is_contended(row) and _largest(row, rows)),
        ),
        overlap=_entries(OverlapEntry, "eta", filter(_is_overlap, rows)),
        contention=_entries(ContentionEntry, "kappa", filter(_is_contention, rows)),
        compute=(*_compute(files), *compute_rates(rows)),
        collectives=collectives,
        couplings=fit_couplings(calls, collectives, torus),
        measured_collectives=measured_collectives(calls) if _placed_alike(files) else (),
        torus=torus,
        runtime=runtime_entry([(files[0].header, results[0])]) if len(files) == 1 else None,
    )


def _transfer_times(files: Sequence[Samples]) -> tuple[TransferTimes, ...]:
    """The time curves by path and locality, from the fewest ranks, which disturb each other least."""
    curves: dict[tuple[str, ...], TransferTimes] = {}
    for group in sorted(merged_by_locality(files), key=lambda one: one.header.ranks):
        for one in transfer_times(group):
            curves.setdefault((one.transport, one.operation, one.progress, one.locality), one)
    return tuple(curves.values())


def _calls(files: Sequence[Samples]) -> list[Call]:
    """All collective calls that took at least FLOORS noise floors."""
    import polars as pl  # imported on use: it is slow

    calls: list[Call] = []
    for one in files:
        floor_s = one.noise_floor.value_s if one.noise_floor else one.header.clock.resolution_s
        cases = cases_of(one.rows.filter(pl.col("probe") == PROBE))
        result = calls_of(cases, DEFAULT_SEED + len(calls), one.header.ranks_per_node)
        calls += [call for call in result if call.time_s >= FLOORS * floor_s]
    return calls


def _is_contended(row: ResultRow) -> bool:
    return row.metric == "G" and row.axes.get("method") == GATHER and "path" not in row.axes


def _is_overlap(row: ResultRow) -> bool:
    return row.metric == "eta" and row.axes.get("probe") == "overlap"


def _is_contention(row: ResultRow) -> bool:
    return row.metric == "kappa" and row.axes.get("probe") == "contention" and _is_plain(row)


def _is_streaming(row: ResultRow) -> bool:
    """Whether the row is streaming bandwidth from distinct buffers, as programs use them."""
    distinct = row.axes.get("buffers", "distinct") == "distinct"
    return row.metric == "bandwidth" and distinct and _is_plain(row)


def _is_plain(row: ResultRow) -> bool:
    """Whether the row is without a progress thread and on the path that the runtime chose."""
    return row.axes.get("progress", "none") == "none" and "path" not in row.axes


def _ranks_per_node(files: Sequence[Samples]) -> int | None:
    """The number of ranks per node of all files; None where it differs."""
    counts = {one.header.ranks_per_node for one in files}
    return counts.pop() if len(counts) == 1 else None


def _placed_alike(files: Sequence[Samples]) -> bool:
    """Whether the same number of consecutive ranks shares a node in all files."""
    return bool(_ranks_per_node(files)) and all(one.header.is_in_blocks for one in files)


def _machine_name(header: Header) -> str:
    if header.on == "simulated" and header.network:
        return header.network
    if header.cluster:
        return "/".join(filter(None, [header.cluster, header.partition]))
    hosts = list(dict.fromkeys(header.hosts))
    return hosts[0] if len(hosts) == 1 else f"{hosts[0]} and {len(hosts) - 1} more"


def _figure(row: ResultRow) -> Figure:
    return Figure(row.value, row.ci95_low, row.ci95_high, row.n, row.bound, row.reason)


def _text(row: ResultRow, name: str, default: str = "") -> str:
    return str(row.axes.get(name, default))


def _whole(row: ResultRow, name: str) -> int:
    return int(row.axes.get(name, 0))


def _loggp_entries(rows: Sequence[ResultRow]) -> tuple[LogGPEntry, ...]:
    def path_of(row: ResultRow) -> tuple[str, str, str, str, int]:
        path = (_text(row, "transport"), _text(row, "operation"), _text(row, "locality"))
        return (*path, _text(row, "progress", "none"), _whole(row, "ranks"))

    own = (row for row in rows if row.axes.get("probe") == "loggp" and "path" not in row.axes)
    paths = grouped(own, path_of)
    entries: dict[tuple[str, ...], LogGPEntry] = {}
    # LogGP describes a pair of ranks, so the measurement with the fewest ranks is the least disturbed.
    for (transport, operation, locality, progress, _), members in sorted(paths.items()):
        for method, parts in _METHODS.items():
            ranges = _ranges([row for row in members if row.axes.get("method") in parts])
            if ranges:
                entry = LogGPEntry(transport, operation, locality, method, ranges, progress)
                entries.setdefault((transport, operation, locality, progress, method), entry)
    return tuple(entries.values())


def _ranges(rows: Sequence[ResultRow]) -> tuple[LogGPRange, ...]:
    result: dict[tuple[int, int], dict[str, Figure]] = {}
    for row in rows:
        sizes = (_whole(row, "size_min_bytes"), _whole(row, "size_max_bytes"))
        figures = result.setdefault(sizes, {})
        if row.metric not in _HIDDEN or row.bound is None:
            figures[LOGGP[row.metric]] = _figure(row)
    return tuple(LogGPRange(low, high, **figures) for (low, high), figures in sorted(result.items()))


def _largest(row: ResultRow, rows: Sequence[ResultRow]) -> bool:
    """Whether no range of this path has larger sizes; contended bandwidth is that of large messages."""
    path = ("transport", "operation", "locality", "ranks", "progress", "method")
    same = [
        other
        for other in rows
        if other.metric == "G" and all(other.axes.get(axis) == row.axes.get(axis) for axis in path)
    ]
    return all(_whole(other, "size_max_bytes") <= _whole(row, "size_max_bytes") for other in same)


def _entries(kind: type[Entry], figure: str, rows: Iterable[ResultRow]) -> tuple[Entry, ...]:
    """An entry for each row: its axes by their names, and its figure as the member `figure`."""
    axes = [one.name for one in dataclasses.fields(kind) if one.name != figure]

    def members(row: ResultRow) -> dict[str, Any]:
        of_axes = {name: type(_USUAL[name])(row.axes.get(name, _USUAL[name])) for name in axes}
        return {figure: _figure(row), **of_axes}

    return tuple(kind(**members(row)) for row in rows)


def _compute(files: Sequence[Samples]) -> tuple[ComputeEntry, ...]:
    """The rate of each kind of work, from the file with the most measurements of it."""
    best: dict[str, WorkRate] = {}
    for rate in (rate for one in files for rate in one.work_rates):
        known = best.get(rate.work_kind)
        if known is None or rate.n > known.n:
            best[rate.work_kind] = rate
    return tuple(
        ComputeEntry(kind, Figure(rate.seconds_per_count, rate.ci95_low, rate.ci95_high, rate.n))
        for kind, rate in best.items()
    )
