# SPDX-License-Identifier: BSD-3-Clause
"""Reads and writes `profile.json`. Refuses implausible figures with the name of the member."""

import dataclasses
import itertools
import json
from pathlib import Path
from typing import Any

from stretto.data.collectives import coupling, runtime_function, torus
from stretto.data.fields import LARGEST_INTEGER, Members, Place
from stretto.data.figures import figure_member
from stretto.data.files import minor_version, read_json_object, write_atomically
from stretto.data.measured_collectives import measured_call
from stretto.data.profile import (
    BandwidthEntry,
    ComputeEntry,
    ContendedEntry,
    ContentionEntry,
    LogGPEntry,
    LogGPRange,
    Machine,
    OverlapEntry,
    Profile,
    RuntimeEntry,
    Source,
    TransferSize,
    TransferTimes,
)
from stretto.data.sample_rows import LOCALITIES, SUBSTRATES, Mpi

SCHEMA_MAJOR = 1
SCHEMA = f"stretto.profile/{SCHEMA_MAJOR}.1"

# Figures beyond these limits are mistakes, such as microseconds for seconds or bits for bytes.
_LONGEST_S = 1e3
_SLOWEST_S_PER_BYTE = 1.0
_FASTEST_BYTES_PER_S = 1e18
_LARGEST_FRACTION = 1e6
_OPERATIONS = ("send", "put", "get")
_TIMES = ("latency_s", "overhead_send_s", "overhead_receive_s", "gap_s", "gap_queue_s")
_TRANSFER_TIMES = ("time_s", "stream_s", "overhead_send_s", "receive_s")


def read_profile(path: Path | str) -> Profile:
    """Reads and checks a profile; a figure may be a bare number.

    Raises:
        UserError: The file violates docs/formats.md, or a figure is negative, not finite or implausible.
    """
    path = Path(path)
    top = Members(read_json_object(path), Place(path))
    minor_version(top.members.get("schema"), "profile", SCHEMA_MAJOR, top.place)
    if not isinstance(top.members.get("loggp"), list):
        raise top.place.member("loggp").error("is missing or no list; a profile needs it, if only []")
    return Profile(
        loggp=tuple(_loggp(entry) for entry in top.objects("loggp")),
        machine=_machine(top.object("machine")),
        made_from=tuple(Source(e.text("file"), e.text("created_utc", "")) for e in top.objects("made_from")),
        transfer_times=tuple(_transfer_times(entry) for entry in top.objects("transfer_times")),
        bandwidth=tuple(_bandwidth(entry) for entry in top.objects("bandwidth")),
        contended=tuple(_contended(entry) for entry in top.objects("contended")),
        overlap=tuple(_overlap(entry) for entry in top.objects("overlap")),
        contention=tuple(_contention(entry) for entry in top.objects("contention")),
        compute=tuple(
            ComputeEntry(
                e.text("work_kind"),
                figure_member(e, "seconds_per_count", 0, _LONGEST_S),
                e.integer("row_length", 1) if e.has("row_length") else None,
            )
            for e in top.objects("compute")
        ),
        collectives=tuple(runtime_function(entry) for entry in top.objects("collectives")),
        couplings=tuple(coupling(entry) for entry in top.objects("couplings")),
        measured_collectives=tuple(measured_call(entry) for entry in top.objects("measured_collectives")),
        torus=torus(top),
        runtime=_runtime(top.object("runtime")),
    )


def write_profile(profile: Profile, path: Path | str) -> None:
    """Writes a profile atomically. UserError where that fails."""
    write_atomically(Path(path), profile_text(profile))


def profile_text(profile: Profile) -> str:
    """The JSON text of a profile, with members in the order of docs/formats.md."""
    members = _without_nones(dataclasses.asdict(profile))
    ordered = {
        "schema": SCHEMA,
        "machine": members.pop("machine"),
        "made_from": members.pop("made_from"),
        **members,
    }
    if not profile.torus:
        del ordered["torus"]
    return json.dumps(ordered, indent=1, allow_nan=False) + "\n"


def _without_nones(value: Any) -> Any:
    """Removes absent members, but keeps the value of an unresolved figure as null."""
    if isinstance(value, dict):
        return {k: _without_nones(v) for k, v in value.items() if v is not None or k == "value"}
    return [_without_nones(v) for v in value] if isinstance(value, list | tuple) else value


def _loggp(entry: Members) -> LogGPEntry:
    ranges = tuple(_range(r) for r in entry.objects("ranges"))
    place = entry.place.member("ranges")
    if not ranges:
        raise place.error("is missing or empty; give at least one range of sizes")
    for index, (below, above) in enumerate(zip(ranges, ranges[1:], strict=False), 1):
        if above.size_min_bytes <= below.size_max_bytes:
            raise place.item(index).error(
                "begins within the range before it; order them by size, without overlap"
            )
    return LogGPEntry(
        entry.text("transport"),
        entry.text("operation", allowed=_OPERATIONS),
        entry.text("locality", allowed=LOCALITIES),
        entry.text("method", ""),
        ranges,
        entry.text("progress", "none"),
    )


def _range(entry: Members) -> LogGPRange:
    smallest = entry.integer("size_min_bytes", 0)
    times = {name: figure_member(entry, name, 0, _LONGEST_S) for name in _TIMES if entry.has(name)}
    per_byte = "gap_s_per_byte"
    return LogGPRange(
        smallest,
        entry.integer("size_max_bytes", smallest, LARGEST_INTEGER),
        **times,
        gap_s_per_byte=figure_member(entry, per_byte, 0, _SLOWEST_S_PER_BYTE)
        if entry.has(per_byte)
        else None,
    )


def _transfer_times(entry: Members) -> TransferTimes:
    sizes = tuple(_transfer_size(size) for size in entry.objects("sizes"))
    place = entry.place.member("sizes")
    if not sizes:
        raise place.error("is missing or empty; give at least one size")
    for index, (below, above) in enumerate(itertools.pairwise(sizes), 1):
        if above.size_bytes <= below.size_bytes:
            raise place.item(index).error("is not above the size before it; order them by size")
    return TransferTimes(
        entry.text("transport"),
        entry.text("operation", allowed=_OPERATIONS),
        entry.text("locality", allowed=LOCALITIES),
        sizes,
        entry.text("progress", "none"),
        figure_member(entry, "eager_bytes", 0, LARGEST_INTEGER) if entry.has("eager_bytes") else None,
    )


def _transfer_size(entry: Members) -> TransferSize:
    times = {name: figure_member(entry, name, 0, _LONGEST_S) for name in _TRANSFER_TIMES if entry.has(name)}
    return TransferSize(entry.integer("size_bytes", 0, LARGEST_INTEGER), **times)


def _runtime(entry: Members) -> RuntimeEntry | None:
    """The runtime's settings, with the bounds of the native reader (src/profile/runtime_settings.cpp)."""
    if not entry.members:
        return None
    return RuntimeEntry(
        pace_s=entry.number("pace_s", 1e-6, 1) if entry.has("pace_s") else None,
        segment_bytes=entry.integer("segment_bytes", 256, 1 << 30) if entry.has("segment_bytes") else None,
        outstanding=entry.integer("outstanding", 1, 4096) if entry.has("outstanding") else None,
        kappa=figure_member(entry, "kappa", 0, _LARGEST_FRACTION) if entry.has("kappa") else None,
    )


def _machine(entry: Members) -> Machine:
    mpi = entry.object("mpi")
    return Machine(
        name=entry.text("name", ""),
        mpi=Mpi(mpi.text("family", ""), mpi.text("library", ""), mpi.text("standard", ""))
        if mpi.members
        else None,
        hosts=entry.texts("hosts"),
        network=entry.text("network", ""),
        on=entry.text("on", allowed=SUBSTRATES) if entry.has("on") else None,
        ranks=entry.integer("ranks", 1) if entry.has("ranks") else None,
        cluster=entry.text("cluster") if entry.has("cluster") else None,
        partition=entry.text("partition") if entry.has("partition") else None,
        ranks_per_node=entry.integer("ranks_per_node", 1) if entry.has("ranks_per_node") else None,
    )


def _bandwidth(entry: Members) -> BandwidthEntry:
    return BandwidthEntry(
        entry.text("transport"),
        entry.text("operation", allowed=_OPERATIONS),
        entry.text("locality", allowed=LOCALITIES),
        entry.text("direction", "one-way"),
        entry.integer("size_bytes", 0),
        figure_member(entry, "bandwidth_bytes_per_s", 0, _FASTEST_BYTES_PER_S),
    )


def _contended(entry: Members) -> ContendedEntry:
    return ContendedEntry(
        entry.text("transport"),
        entry.text("locality", allowed=LOCALITIES),
        entry.integer("ranks", 1),
        figure_member(entry, "gap_s_per_byte", 0, _SLOWEST_S_PER_BYTE),
        entry.text("operation", allowed=_OPERATIONS) if entry.has("operation") else None,
        entry.text("progress", "none"),
    )


def _overlap(entry: Members) -> OverlapEntry:
    return OverlapEntry(
        entry.text("transport"),
        entry.text("operation", allowed=_OPERATIONS),
        entry.text("locality", allowed=LOCALITIES),
        entry.text("progress", "none"),
        entry.text("side", "both"),
        entry.text("direction", "one-way"),
        entry.integer("size_bytes", 0),
        entry.number("ratio", 0, 1e9, default=1.0),
        figure_member(entry, "eta", -_LARGEST_FRACTION, _LARGEST_FRACTION),
    )


def _contention(entry: Members) -> ContentionEntry:
    return ContentionEntry(
        entry.text("transport"),
        entry.text("operation", "send", allowed=_OPERATIONS),
        entry.text("locality", allowed=LOCALITIES),
        entry.text("work_kind"),
        entry.integer("size_bytes", 0),
        figure_member(entry, "kappa", 0, _LARGEST_FRACTION),
    )
