# SPDX-License-Identifier: BSD-3-Clause
"""What a samples file holds besides its samples: the header, and the rows of other kinds."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SUBSTRATES = ("local", "emulated", "simulated", "virtual")
LOCALITIES = ("same-node", "remote", "mixed")


@dataclass(frozen=True)
class Mpi:
    """Which MPI the run used."""

    family: str
    library: str
    standard: str


@dataclass(frozen=True)
class Clock:
    """The clock that timed the run; `offset_s` one a rank."""

    name: str
    resolution_s: float
    overhead_s: float
    offset_s: tuple[float, ...]
    offset_error_s: float


@dataclass(frozen=True)
class Header:
    """The first line: the run and its machine. `members` is the line itself, for provenance."""

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


@dataclass(frozen=True)
class NoiseFloor:
    """What the harness reports for a step that does nothing."""

    value_s: float
    n: int


@dataclass(frozen=True)
class WorkRate:
    """How long one count of a kind of work takes."""

    work_kind: str
    seconds_per_count: float
    ci95_low: float
    ci95_high: float
    n: int


@dataclass(frozen=True)
class SubstrateBound:
    """Overlap of raw TCP with counted work of the same duration: what any MPI can reach on this substrate."""

    direction: str
    size_bytes: int
    transfer_s: float
    value: float
    ci95_low: float
    ci95_high: float
    n: int


@dataclass(frozen=True)
class CaseEnd:
    """What ended the sampling of a case."""

    probe: str
    case: int
    ended_by: str
    rounds: int
    discarded: int


@dataclass(frozen=True)
class Checked:
    """How many transfers of a case were looked at, and how many had arrived wrong."""

    probe: str
    case: int
    transfers: int
    wrong: int


@dataclass(frozen=True)
class Traffic:
    """What the steps of a quantity have moved between two ranks by one path, summed over `steps`."""

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
    """A requested measurement that cannot be made here."""

    probe: str
    transport: str
    operation: str | None
    reason: str
