# SPDX-License-Identifier: BSD-3-Clause
"""Options of `stretto probe`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, ClassVar

from stretto.errors import UserError
from stretto.options.choices import (
    BUFFERS,
    DIRECTIONS,
    OPERATIONS,
    PATHS,
    PROBES,
    PROGRESS,
    SIDES,
    TRANSPORTS,
    USUAL_PROBES,
)
from stretto.options.collective import CollectiveOptions
from stretto.options.declare import argument, declared, option, switch
from stretto.options.kinds import ListOf, Number, OneOf, PathKind, Seconds, Size, SizeRange, Whole, names
from stretto.options.native import native_members
from stretto.options.question import BUDGET_S as QUESTION_BUDGET_S
from stretto.options.question import NEEDS_A_NAME, question_members
from stretto.options.schedules import ScheduleOptions
from stretto.options.substrate import WHERE, SubstrateRequest

_LARGEST_BYTES = 64 << 20
_runtime = partial(option, panel="Transport stretto")
_effort = partial(option, panel="How long")
_BUDGET_S = {"local": 60.0, "emulated": 240.0, "simulated": 60.0}
_SIMULATED_ROUNDS = 3  # the simulator is deterministic; more rounds add no information
_SIMULATED_ROWS = 256  # of a rank in ft: the simulator's time and memory grow with the messages of all ranks
_VISITS = 3  # of a case, with others in between: a burst of other programs spoils one of them
_START_S = 3.0  # until the first case begins
_SELF_TEST_S = 14.0  # the same where the network is tested first
_ALONE = {"ft", "spmv"}  # probes that also run on one rank


@dataclass(frozen=True, kw_only=True)
class ProbeRequest(CollectiveOptions, ScheduleOptions, SubstrateRequest):
    """Probes to run, their substrate, their transports and their time limits."""

    subject: ClassVar[str] = "probe"

    names: Annotated[
        tuple[str, ...],
        argument(
            "[PROBE]...",
            OneOf(tuple(PROBES)),
            "Probes by name. Without: whether MPI communicates during computation here.",
            repeatable=True,
            native="probes",
        ),
    ] = ()
    everything: Annotated[
        bool, switch("--all", "All probes but those that run only by name, over all that they vary.")
    ] = False
    sizes: Annotated[
        tuple[int, int] | None,
        option(
            "--sizes", SizeRange(1, _LARGEST_BYTES), "Message sizes, such as 8:1MiB.", native="sizes_bytes"
        ),
    ] = None
    transport: Annotated[
        tuple[str, ...],
        option(
            "--transport",
            names(TRANSPORTS, "T"),
            "Over what.",
            default="mpi-two-sided,mpi-rma,stretto, and the probe's own",
            native="transports",
        ),
    ] = ()
    progress: Annotated[
        tuple[str, ...], option("--progress", names(PROGRESS, "M"), "none, poll, thread.", native="progress")
    ] = ("none", "poll")
    operation: Annotated[
        tuple[str, ...],
        option("--operation", names(OPERATIONS, "O"), "Of send, put, get.", native="operations"),
    ] = OPERATIONS
    side: Annotated[
        tuple[str, ...],
        option("--side", names(SIDES, "S"), "Which side computes: origin, target, both.", native="sides"),
    ] = SIDES
    direction: Annotated[
        tuple[str, ...],
        option("--direction", names(DIRECTIONS, "D"), "one-way, both-ways.", native="directions"),
    ] = DIRECTIONS
    ratio: Annotated[
        tuple[float, ...],
        option(
            "--ratio",
            ListOf(
                Number(0, 100, above=True, metavar="R"),
                correction="write numbers above 0 and at most 100, such as 0.5,1,2",
            ),
            "T_w/T_c of the probe overlap; of nbc and neighbourhood 1 without.",
            native="ratios",
        ),
    ] = (0.25, 0.5, 1.0, 2.0, 4.0)
    buffers: Annotated[
        tuple[str, ...],
        option(
            "--buffers",
            names(BUFFERS, "B"),
            "Of consecutive messages: each its own (distinct), or one for all (same).",
            default="latency: same; bandwidth: distinct",
            probes=("latency", "bandwidth"),
            native="buffers",
        ),
    ] = ()
    pairs: Annotated[
        tuple[int, ...],
        option(
            "--pairs",
            ListOf(Whole(1, 1 << 20, "write whole numbers from 1 on, such as 1,2,4", "P")),
            "How many pairs of ranks at once.",
            default="powers of two, and all",
            probes=("pairs",),
            native="pairs",
        ),
    ] = ()
    partitions: Annotated[
        tuple[int, ...],
        option(
            "--partitions",
            ListOf(Whole(1, 1 << 12, "write whole numbers from 1 to 4096, such as 1,4,16", "P")),
            "Parts of a message.",
            default="1,2,4,8,16,32",
            probes=("partitioned",),
            native="partitions",
        ),
    ] = ()
    path: Annotated[
        tuple[str, ...],
        _runtime("--path", names(PATHS, "P"), "Force direct, rma or message.", native="paths"),
    ] = ()
    poll_interval: Annotated[
        float,
        _runtime(
            "--poll-interval",
            Seconds(1e-06, 1),
            "Between two polls of the progress thread.",
            default="the runtime chooses",
            native="poll_interval_s",
        ),
    ] = 0.0
    segment: Annotated[
        int,
        _runtime(
            "--segment",
            Size(256, _LARGEST_BYTES),
            "Data in a message.",
            default="the runtime chooses",
            native="segment_bytes",
        ),
    ] = 0
    max_noise: Annotated[
        float,
        _effort(
            "--max-noise",
            Number(0, 1, above=True, below=True, correction="give a fraction between 0 and 1, such as 0.05"),
            "Half width of an interval that is enough, as a fraction.",
            native="max_noise",
        ),
    ] = 0.03
    budget: Annotated[
        float | None,
        _effort(
            "--budget",
            Seconds(),
            "Seconds for all cases.",
            default="60; emulated: 240; without a probe's name: 20",
        ),
    ] = None
    rounds: Annotated[
        int | None,
        _effort(
            "--rounds",
            Whole(1, 100000, "give 1 to 100000"),
            "Exactly so many rounds a case, whatever the noise.",
            default="simulated: 3",
        ),
    ] = None
    seed: Annotated[
        int,
        _effort(
            "--seed",
            Whole(0, 2**63 - 1, "give a whole number from 0 on"),
            "Of the random order of cases and measurements.",
            native="seed",
        ),
    ] = 1
    check_data: Annotated[
        bool, switch("--check", "Compare the data that arrives with what was sent.", native="check")
    ] = False
    dry_run: Annotated[
        bool, switch("--dry-run", "Print the launch line, and measure nothing.", on=("local",), panel=WHERE)
    ] = False
    output: Annotated[
        Path | None, option("-o", "--output", PathKind("DIR"), "Directory for the results.")
    ] = None
    force: Annotated[bool, switch("--force", "Overwrite the output directory's files.")] = False

    def check(self) -> None:
        """Raises UserError where options contradict each other."""
        if self.names and self.everything:
            raise UserError("--all: means all probes; leave it out, or the names of probes")
        for one in declared(ProbeRequest) if self.is_question else ():
            if one.field in NEEDS_A_NAME and self.gave(one.field):
                raise UserError(f"{one.option.name}: is for the probe overlap; name it, or add --all")
        if "hosts" in self.names and (len(self.names) > 1 or self.on == "simulated"):
            raise UserError("hosts: runs by itself, on local or emulated hosts")
        least = 1 if set(self.probes) <= _ALONE else 2
        if self.ranks < least:
            raise UserError(f"-n {self.ranks}: probes need at least {least} rank{'s' if least > 1 else ''}")
        if "thread" in self.progress and self.on == "simulated":
            raise UserError(
                "--progress thread: SimGrid's ranks have no threads of their own; use poll or none"
            )
        if "thread" in self.progress and self.transport and "stretto" not in self.transport:
            raise UserError(
                "--progress thread: only transport stretto has a progress thread; add it to --transport"
            )
        self.check_schedules(self.probes, self.ranks)

    @property
    def is_question(self) -> bool:
        """Whether this is the one question that is asked without a probe's name."""
        return not self.names and not self.everything

    @property
    def wants_all_nodes(self) -> bool:
        """Whether without -n every node gets a rank, and not two of them."""
        return self.names == ("hosts",)

    @property
    def probes(self) -> tuple[str, ...]:
        """The probes that run."""
        if self.is_question:
            return ("overlap", "latency", "bandwidth", "loggp")
        return self.names or USUAL_PROBES

    @property
    def expected(self) -> tuple[str, float | None]:
        """What progress says: what is measured, and how long it takes in seconds where that is known."""
        if not self.is_question or self.on == "simulated":
            return "", None
        budget_s = QUESTION_BUDGET_S[self.on] if self.budget is None else self.budget
        if self.on == "emulated":
            return "emulated network", budget_s + _SELF_TEST_S
        return "this machine", budget_s + _START_S

    def native(self) -> dict[str, Any]:
        """The members of the native program's request, with the substrate's defaults."""
        exact = self.on == "simulated" and self.budget is None and self.rounds is None
        budgets_s = QUESTION_BUDGET_S if self.is_question else _BUDGET_S
        members = {
            **native_members(self),
            "probes": self.probes,
            "budget_s": budgets_s[self.on] if self.budget is None else self.budget,
            "rounds": _SIMULATED_ROUNDS if exact else self.rounds,
            "visits": 1 if self.on == "simulated" else _VISITS,
        }
        if self._may_simulate_less:
            members["rows"] = (_SIMULATED_ROWS,)
        return question_members(self, members) if self.is_question else members

    @property
    def _may_simulate_less(self) -> bool:
        """Whether ft is simulated with the probe's own problem, of which half shows the same."""
        own = not (self.rows or self.row_length or self.sweep)
        divides = _SIMULATED_ROWS % self.ranks == 0
        return self.on == "simulated" and set(self.probes) & _ALONE == {"ft"} and own and divides
