# SPDX-License-Identifier: BSD-3-Clause
"""The parameters of a machine (`profile.json`) as typed data. `stretto.model.fit` fits them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated

from stretto.data.collectives import Coupling, RuntimeFunction, read_torus
from stretto.data.fields import Place
from stretto.data.figures import Figure as Figure  # re-exported, because entries consist of figures
from stretto.data.measured_collectives import MeasuredCall
from stretto.data.sample_rows import Locality, Mpi, Substrate
from stretto.data.typed import Absent, OneOf, ReadWith, Within, member

# Figures beyond these limits are mistakes, such as microseconds for seconds or bits for bytes.
Seconds = Annotated[Figure, Within(0, 1e3)]
SecondsPerByte = Annotated[Figure, Within(0, 1.0)]
Slowdown = Annotated[Figure, Within(0, 1e6)]

Operation = Annotated[str, OneOf(("send", "put", "get"))]
Direction = Annotated[str, Absent("one-way")]
Count = Annotated[int, Within(1)]

LOGGP: Mapping[str, str] = {
    "L": "latency_s",
    "o_s": "overhead_send_s",
    "o_r": "overhead_receive_s",
    "g": "gap_s",
    "g_queue": "gap_queue_s",
    "G": "gap_s_per_byte",
}
"""The parameters as papers and people name them, and the members that hold them."""


def loggp_symbols(members: Iterable[str]) -> str:
    """Members in the papers' words: `o_s, o_r`."""
    known = {member: symbol for symbol, member in LOGGP.items()}
    return ", ".join(known.get(member, member) for member in members)


@dataclass(frozen=True)
class LogGPRange:
    """LogGP parameters of one protocol range, from its smallest to its largest measured size.

    Absent parameters are None. A one-sided operation has no `overhead_receive_s`, and a method may lack
    others. The unit is seconds; that of `gap_s_per_byte` is seconds per byte.
    """

    size_min_bytes: int
    size_max_bytes: Annotated[int, Within(member("size_min_bytes"))]
    latency_s: Seconds | None = None
    overhead_send_s: Seconds | None = None
    overhead_receive_s: Seconds | None = None
    gap_s: Seconds | None = None
    gap_queue_s: Seconds | None = None
    gap_s_per_byte: SecondsPerByte | None = None


@dataclass(frozen=True)
class LogGPEntry:
    """LogGP parameters of a path in a progress mode: its protocol ranges by ascending size."""

    transport: str
    operation: Operation
    locality: Locality
    method: Annotated[str, Absent("")]
    ranges: tuple[LogGPRange, ...]
    progress: str = "none"

    @property
    def path(self) -> str:
        """The path in words."""
        helped = "" if self.progress == "none" else f", progress {self.progress}"
        return f"{self.transport} {self.operation}{helped}, {self.locality}"

    def check(self, place: Place) -> None:
        """Refuses ranges that overlap."""
        ranges = place.member("ranges")
        if not self.ranges:
            raise ranges.error("is missing or empty; give at least one range of sizes")
        for index, (below, above) in enumerate(pairwise(self.ranges), 1):
            if above.size_min_bytes <= below.size_max_bytes:
                raise ranges.item(index).error(
                    "begins within the range before it; order them by size, without overlap"
                )


@dataclass(frozen=True)
class TransferSize:
    """What was measured of transfers of one size. Seconds; None: not measured.

    Attributes:
        time_s: One transfer alone, until its data is usable; of a put or get until it is complete.
        stream_s: Per message of a stream.
        overhead_send_s: The processor's time to start it.
        receive_s: The receiver's time in a receive that comes after the message.
    """

    size_bytes: int
    time_s: Seconds | None = None
    stream_s: Seconds | None = None
    overhead_send_s: Seconds | None = None
    receive_s: Seconds | None = None


@dataclass(frozen=True)
class TransferTimes:
    """The measured time curve of a path under a progress mode, sizes ascending.

    It serves the sizes at which LogGP's parameters cannot be separated. `eager_bytes` is the largest size
    of a send that completes without its receive.
    """

    transport: str
    operation: Operation
    locality: Locality
    sizes: tuple[TransferSize, ...]
    progress: str = "none"
    eager_bytes: Annotated[Figure, Within()] | None = None

    def check(self, place: Place) -> None:
        """Refuses sizes that do not ascend."""
        place.member("sizes").check_sizes([one.size_bytes for one in self.sizes], "give at least one size")


@dataclass(frozen=True)
class BandwidthEntry:
    """Streaming bandwidth by message size."""

    transport: str
    operation: Operation
    locality: Locality
    direction: Direction
    size_bytes: int
    bandwidth_bytes_per_s: Annotated[Figure, Within(0, 1e18)]


@dataclass(frozen=True)
class ContendedEntry:
    """Time per byte in an all-to-all of `ranks` ranks (bar E)."""

    transport: str
    locality: Locality
    ranks: Count
    gap_s_per_byte: SecondsPerByte
    operation: Operation | None = None
    progress: str = "none"


@dataclass(frozen=True)
class OverlapEntry:
    """Overlap of communication and work; `eta` may be negative."""

    transport: str
    operation: Operation
    locality: Locality
    progress: Annotated[str, Absent("none")]
    side: Annotated[str, Absent("both")]
    direction: Direction
    size_bytes: int
    ratio: Annotated[float, Within(0, 1e9), Absent(1.0)]
    eta: Annotated[Figure, Within(-1e6, 1e6)]


@dataclass(frozen=True)
class ContentionEntry:
    """Slowdown of computation under traffic."""

    transport: str
    operation: Annotated[Operation, Absent("send")]
    locality: Locality
    work_kind: str
    size_bytes: int
    kappa: Slowdown


@dataclass(frozen=True)
class ComputeEntry:
    """Time per count of a kind of work; a count of `fft` and `spmv` is a flop.

    `row_length` is that of the transforms that a rate of `fft` was measured with.
    """

    work_kind: str
    seconds_per_count: Seconds
    row_length: Count | None = None


@dataclass(frozen=True)
class RuntimeEntry:
    """The best settings of the runtime; None leaves a setting to the runtime.

    `pace_s` is the poll interval. `segment_bytes` and `outstanding` apply to its messages. `kappa` is the
    slowdown of work while the progress thread moves data. The native reader has the same bounds
    (src/profile/runtime_settings.cpp).
    """

    pace_s: Annotated[float, Within(1e-6, 1)] | None = None
    segment_bytes: Annotated[int, Within(256, 1 << 30)] | None = None
    outstanding: Annotated[int, Within(1, 4096)] | None = None
    kappa: Slowdown | None = None


@dataclass(frozen=True)
class Machine:
    """The measured machine. All members may be unknown in a hand-written profile.

    A profile of a `cluster` is of any of its nodes of that `partition`; else it is of the `hosts`.
    """

    name: str = ""
    mpi: Mpi | None = None
    hosts: tuple[str, ...] = ()
    network: str = ""
    on: Substrate | None = None
    ranks: Count | None = None
    cluster: str | None = None
    partition: str | None = None
    ranks_per_node: Count | None = None


@dataclass(frozen=True)
class Source:
    """A samples file from which the profile was made."""

    file: str
    created_utc: Annotated[str, Absent("")]


@dataclass(frozen=True)
class Profile:
    """The parameters of a machine. The first of the `collectives` that match a call applies."""

    loggp: tuple[LogGPEntry, ...]
    machine: Machine = Machine()
    made_from: tuple[Source, ...] = ()
    transfer_times: tuple[TransferTimes, ...] = ()
    bandwidth: tuple[BandwidthEntry, ...] = ()
    contended: tuple[ContendedEntry, ...] = ()
    overlap: tuple[OverlapEntry, ...] = ()
    contention: tuple[ContentionEntry, ...] = ()
    compute: tuple[ComputeEntry, ...] = ()
    collectives: tuple[RuntimeFunction, ...] = ()
    couplings: tuple[Coupling, ...] = ()
    measured_collectives: tuple[MeasuredCall, ...] = ()
    torus: Annotated[tuple[int, ...], ReadWith(read_torus)] = ()
    runtime: RuntimeEntry | None = None
