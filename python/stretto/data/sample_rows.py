# SPDX-License-Identifier: BSD-3-Clause
"""The header of a samples file and its rows other than samples."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from stretto.data.fields import LONGEST_TIME_S, Place
from stretto.data.sample_columns import WORK_KINDS
from stretto.data.typed import Absent, OneOf, ReadWith, Within, member

SUBSTRATES = ("local", "emulated", "simulated", "virtual")
LOCALITIES = ("same-node", "remote", "mixed")
DIRECTIONS = ("one-way", "both-ways")
PATHS = ("direct", "rma", "message", "fence")
MAX_RANKS = 10_000_000

Substrate = Annotated[str, OneOf(SUBSTRATES)]
Locality = Annotated[str, OneOf(LOCALITIES)]
Text = Annotated[str, Absent("")]
Seconds = Annotated[float, Within(0, LONGEST_TIME_S)]
Eta = Annotated[float, Within(-1e6, 1e6)]
Rounds = Annotated[int, Absent(0)]
Rank = Annotated[int, Within(0, MAX_RANKS)]


@dataclass(frozen=True)
class Mpi:
    """The MPI of the run."""

    family: Text
    library: Text
    standard: Text


@dataclass(frozen=True)
class Clock:
    """The clock of the run; `offset_s` has one value per rank."""

    name: Text
    resolution_s: Seconds
    overhead_s: Seconds
    offset_s: Annotated[tuple[float, ...], Within(-LONGEST_TIME_S, LONGEST_TIME_S)]
    offset_error_s: Annotated[Seconds, Absent(0.0)]


@dataclass(frozen=True)
class Header:
    """The first line: the run and its machine. `members` is the unchanged line, for provenance."""

    schema: str
    created_utc: str
    command: tuple[str, ...]
    revision: Annotated[str, Absent("unknown")]
    on: Substrate
    mpi: Mpi
    hosts: tuple[str, ...]
    cpu: Text
    locality: Locality
    ranks: Annotated[int, Within(1, MAX_RANKS)]
    cases: Rounds
    clock: Clock
    network: Text
    settings: Annotated[Mapping[str, Any], ReadWith(lambda line: line.object("settings").members)]
    members: Annotated[Mapping[str, Any], ReadWith(lambda line: line.members)] = field(repr=False)
    cluster: str = ""
    partition: str = ""

    def check(self, place: Place) -> None:
        """Refuses lists that have not one item per rank."""
        for name, items in (("hosts", self.hosts), ("clock.offset_s", self.clock.offset_s)):
            if len(items) != self.ranks:
                raise place.member(name).error(f"has {len(items)} items for {self.ranks} ranks; correct it")

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

    value_s: Seconds
    n: Rounds


@dataclass(frozen=True)
class WorkRate:
    """The time per count of a kind of work."""

    work_kind: Annotated[str, OneOf(WORK_KINDS)]
    seconds_per_count: Seconds
    ci95_low: Annotated[Seconds, Absent(member("seconds_per_count"))]
    ci95_high: Annotated[Seconds, Absent(member("seconds_per_count"))]
    n: Rounds


@dataclass(frozen=True)
class SubstrateBound:
    """Overlap of raw TCP with work of the same duration: the largest overlap on this substrate."""

    direction: Annotated[str, OneOf(DIRECTIONS)]
    size_bytes: Annotated[int, Within(1)]
    transfer_s: Seconds
    value: Eta
    ci95_low: Eta
    ci95_high: Eta
    n: Rounds


@dataclass(frozen=True)
class CaseEnd:
    """The reason for the end of a case's sampling.

    `rounds` were kept and `discarded` were not; `disturbed` counts the samples in which ranks lost their
    processor to other programs.
    """

    probe: str
    case: int
    ended_by: Annotated[str, OneOf(("noise", "budget", "rounds"))]
    rounds: int
    discarded: Rounds
    visits: Annotated[int, Within(1)] = 1
    disturbed: int = 0


@dataclass(frozen=True)
class Checked:
    """The number of verified transfers of a case, and of those with wrong data."""

    probe: str
    case: int
    transfers: int
    wrong: Annotated[int, Within(0, member("transfers"))]


@dataclass(frozen=True)
class Traffic:
    """The traffic between two ranks by one path, summed over the `steps` of a quantity."""

    probe: str
    case: int
    quantity: str
    origin: Rank
    target: Rank
    path: Annotated[str, OneOf(PATHS)]
    steps: Annotated[int, Within(1)]
    operations: int
    bytes: int
    messages: int


@dataclass(frozen=True)
class Skipped:
    """A requested measurement that is impossible here."""

    probe: str
    transport: Text
    operation: Annotated[str, Absent(None)] | None
    reason: str
