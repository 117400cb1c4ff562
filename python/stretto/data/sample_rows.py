# SPDX-License-Identifier: BSD-3-Clause
"""The header of a samples file and its rows other than samples."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SUBSTRATES = ("local", "emulated", "simulated", "virtual")
LOCALITIES = ("same-node", "remote", "mixed")


@dataclass(frozen=True)
class Mpi:
    """The MPI of the run."""

    family: str
    library: str
    standard: str


@dataclass(frozen=True)
class Clock:
    """The clock of the run; `offset_s` has one value per rank."""

    name: str
    resolution_s: float
    overhead_s: float
    offset_s: tuple[float, ...]
    offset_error_s: float


@dataclass(frozen=True)
class Header:
    """The first line: the run and its machine. `members` is the unchanged line, for provenance."""

    schema: str
    created_utc: str
    command: tuple[str, ...]
    revision: str
    on: str
    mpi: Mpi
    hosts: tuple[str, ...]
    cpu: str
    locality: str
    ranks: int
    cases: int
    clock: Clock
    network: str
    settings: Mapping[str, Any]
    members: Mapping[str, Any] = field(repr=False)
    cluster: str = ""
    partition: str = ""

    @property
    def ranks_per_node(self) -> int:
        """The largest number of ranks on one host."""
        return max(Counter(self.hosts).values(), default=0)

    @property
    def is_in_blocks(self) -> bool:
        """Whether consecutive ranks fill one host after the other, `ranks_per_node` on each but the last."""
        each = self.ranks_per_node
        blocks = [set(self.hosts[first : first + each]) for first in range(0, len(self.hosts), each or 1)]
        return all(len(block) == 1 for block in blocks) and len(blocks) == len(set(self.hosts))


@dataclass(frozen=True)
class NoiseFloor:
    """The time that the harness measures for an empty step."""

    value_s: float
    n: int


@dataclass(frozen=True)
class WorkRate:
    """The time per count of a kind of work."""

    work_kind: str
    seconds_per_count: float
    ci95_low: float
    ci95_high: float
    n: int


@dataclass(frozen=True)
class SubstrateBound:
    """Overlap of raw TCP with work of the same duration: the largest overlap on this substrate."""

    direction: str
    size_bytes: int
    transfer_s: float
    value: float
    ci95_low: float
    ci95_high: float
    n: int


@dataclass(frozen=True)
class CaseEnd:
    """The reason for the end of a case's sampling.

    `rounds` were kept and `discarded` were not; `disturbed` counts the samples in which ranks lost their
    processor to other programs.
    """

    probe: str
    case: int
    ended_by: str
    rounds: int
    discarded: int
    visits: int = 1
    disturbed: int = 0


@dataclass(frozen=True)
class Checked:
    """The number of verified transfers of a case, and of those with wrong data."""

    probe: str
    case: int
    transfers: int
    wrong: int


@dataclass(frozen=True)
class Traffic:
    """The traffic between two ranks by one path, summed over the `steps` of a quantity."""

    probe: str
    case: int
    quantity: str
    origin: int
    target: int
    path: str
    steps: int
    operations: int
    bytes: int
    messages: int


@dataclass(frozen=True)
class Skipped:
    """A requested measurement that is impossible here."""

    probe: str
    transport: str
    operation: str | None
    reason: str
