# SPDX-License-Identifier: BSD-3-Clause
"""`profile.json` as typed data: what is believed of a machine. Fitting it is `stretto.model.fit`;
its text is `profile_text`, read here or written by hand.
"""

from dataclasses import dataclass

from stretto.data.collectives import Coupling, RuntimeFunction
from stretto.data.figures import Figure as Figure  # a member of everything here
from stretto.data.sample_rows import Mpi


@dataclass(frozen=True)
class LogGPRange:
    """LogGP parameters of one protocol range: from its smallest to its largest size, both measured.

    Absent parameters are None: a one-sided operation has no `overhead_receive_s`, a method need not give all.
    Seconds; `gap_s_per_byte` seconds a byte.
    """

    size_min_bytes: int
    size_max_bytes: int
    latency_s: Figure | None = None
    overhead_send_s: Figure | None = None
    overhead_receive_s: Figure | None = None
    gap_s: Figure | None = None
    gap_queue_s: Figure | None = None
    gap_s_per_byte: Figure | None = None


@dataclass(frozen=True)
class LogGPEntry:
    """LogGP parameters of a path under a progress mode: its protocol ranges, sizes ascending."""

    transport: str
    operation: str
    locality: str
    method: str
    ranges: tuple[LogGPRange, ...]
    progress: str = "none"

    @property
    def path(self) -> str:
        """What it is of, in words."""
        helped = "" if self.progress == "none" else f", progress {self.progress}"
        return f"{self.transport} {self.operation}{helped}, {self.locality}"

    def range_for(self, size_bytes: int) -> LogGPRange:
        """The range of a message of `size_bytes`: the last that begins at or below it, else the first."""
        below = [r for r in self.ranges if r.size_min_bytes <= size_bytes]
        return below[-1] if below else self.ranges[0]


@dataclass(frozen=True)
class BandwidthEntry:
    """Streaming bandwidth by message size."""

    transport: str
    operation: str
    locality: str
    direction: str
    size_bytes: int
    bandwidth_bytes_per_s: Figure


@dataclass(frozen=True)
class ContendedEntry:
    """Time a byte when `ranks` all communicate with all (bar E)."""

    transport: str
    locality: str
    ranks: int
    gap_s_per_byte: Figure
    operation: str | None = None
    progress: str = "none"


@dataclass(frozen=True)
class OverlapEntry:
    """How much of communication and work hide each other; `eta` may be negative."""

    transport: str
    operation: str
    locality: str
    progress: str
    side: str
    direction: str
    size_bytes: int
    ratio: float
    eta: Figure


@dataclass(frozen=True)
class ContentionEntry:
    """How much slower computation gets under traffic."""

    transport: str
    operation: str
    locality: str
    work_kind: str
    size_bytes: int
    kappa: Figure


@dataclass(frozen=True)
class ComputeEntry:
    """How long one count of a kind of work takes; of `fft` and `spmv` a count is a flop.

    `row_length`: of the transforms that a rate of `fft` was measured with.
    """

    work_kind: str
    seconds_per_count: Figure
    row_length: int | None = None


@dataclass(frozen=True)
class RuntimeEntry:
    """The best settings of the runtime. A setting that is None is left to the runtime.

    `pace_s`: its poll interval; `segment_bytes`, `outstanding`: of its messages.
    `kappa`: how much longer work takes while its progress thread moves data.
    """

    pace_s: float | None = None
    segment_bytes: int | None = None
    outstanding: int | None = None
    kappa: Figure | None = None


@dataclass(frozen=True)
class Machine:
    """What the profile is of. All of it may be unknown in a profile that was written by hand."""

    name: str = ""
    mpi: Mpi | None = None
    hosts: tuple[str, ...] = ()
    network: str = ""
    on: str | None = None
    ranks: int | None = None


@dataclass(frozen=True)
class Source:
    """A samples file that the profile was made from."""

    file: str
    created_utc: str


@dataclass(frozen=True)
class Profile:
    """What is believed of a machine. Of the `collectives` that fit a call the first holds."""

    loggp: tuple[LogGPEntry, ...]
    machine: Machine = Machine()
    made_from: tuple[Source, ...] = ()
    bandwidth: tuple[BandwidthEntry, ...] = ()
    contended: tuple[ContendedEntry, ...] = ()
    overlap: tuple[OverlapEntry, ...] = ()
    contention: tuple[ContentionEntry, ...] = ()
    compute: tuple[ComputeEntry, ...] = ()
    collectives: tuple[RuntimeFunction, ...] = ()
    couplings: tuple[Coupling, ...] = ()
    torus: tuple[int, ...] = ()
    runtime: RuntimeEntry | None = None
