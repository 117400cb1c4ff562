# SPDX-License-Identifier: BSD-3-Clause
"""Options of `stretto predict` and `stretto advise`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from stretto.data.collectives import OPERATIONS
from stretto.data.sizes import parse_size, parse_size_range, size_steps
from stretto.errors import UserError
from stretto.options.collective import Grid
from stretto.options.common import (
    MACHINE_HELP,
    MAX_RANKS,
    PROFILE_NAME,
    Algorithm,
    JsonSwitch,
    Machine,
    Ranks,
    Rate,
)
from stretto.options.declare import Request, declared, option, switch
from stretto.options.kinds import Kind, ListOf, Number, OneOf, PathKind, Text, Whole, names
from stretto.options.schedules import Scale, Schedule

_MAX_SCALE = 1e6
_MAX_ROWS = 1 << 40
_WITH_RUN = frozenset({"profile", "against", "within", "as_json"})


@dataclass(frozen=True, kw_only=True)
class AgainstOptions(Request):
    """The machine, and the measured run that predictions are compared with, if any."""

    profile: Annotated[
        Path | None,
        option(
            "--profile",
            PROFILE_NAME,
            MACHINE_HELP,
            default="with --against the run's own",
        ),
    ] = None
    against: Annotated[
        Path | None,
        option("--against", PathKind("RUN"), "Show a measured run next to its prediction, with deviations."),
    ] = None
    within: Annotated[
        float | None,
        option(
            "--within",
            Number(correction="is no fraction; write one such as 0.05"),
            "With --against: exit 3 if the mean deviation, a fraction, is larger.",
        ),
    ] = None
    as_json: JsonSwitch = False

    @property
    def machine(self) -> Path:
        """The profile of a prediction without a run, which `check` has asked for."""
        assert self.profile is not None
        return self.profile

    def check(self) -> None:
        """Raises UserError where no machine is named, or an option has no meaning with or without a run."""
        if self.against is None:
            if self.profile is None:
                raise UserError("--profile: of which machine? give --profile FILE, or --against RUN")
            if self.within is not None:
                raise UserError("--within: is for --against RUN; leave it out")
            return
        for one in declared(type(self)):
            if one.field not in _WITH_RUN and self.gave(one.field):
                raise UserError(f"{one.option.name}: is the run's own with --against; leave it out")


@dataclass(frozen=True, kw_only=True)
class SchedulesRequest(AgainstOptions):
    """Schedules on the machine of a profile; the profile supplies what is None."""

    ranks: Ranks = None
    transport: Annotated[
        str | None, option("--transport", Text("T"), "Over which transport of the profile.")
    ] = None
    progress: Annotated[
        str | None, option("--progress", Text("M"), "With which progress mode of the profile.")
    ] = None
    bar: Annotated[
        str | None,
        option("--bar", OneOf(("M", "E")), "M: G of a stream between two; E: G of all ranks at once."),
    ] = None
    flops_rate: Rate = None
    goal: Annotated[
        Path | None, option("--goal", PathKind(), "Also write the one schedule for stretto replay.")
    ] = None
    force: Annotated[bool, switch("--force", "Overwrite the file of --goal where it exists.")] = False


@dataclass(frozen=True, kw_only=True)
class PredictFtRequest(SchedulesRequest):
    """The problem and schedules of the probe ft."""

    subject: ClassVar[str] = "predict ft"

    rows: Annotated[int, option("--rows", Whole(1, _MAX_ROWS), "Rows of a rank.")] = 8192
    row_length: Annotated[int, option("--row-length", Whole(1, _MAX_ROWS), "Complex doubles in a row.")] = 512
    scale: Annotated[
        float, option("--scale", Number(high=_MAX_SCALE), "Computation: transforms of each row.")
    ] = 1.0
    schedules: Annotated[
        tuple[str, ...],
        option("--schedules", ListOf(Schedule()), "Of exchange, slabs, pencils, chunks=X."),
    ] = ("exchange", "slabs", "pencils")


@dataclass(frozen=True, kw_only=True)
class PredictSpmvRequest(SchedulesRequest):
    """The problem and schedules of the probe spmv."""

    subject: ClassVar[str] = "predict spmv"

    matrix_rows: Annotated[int, option("--matrix-rows", Whole(1, _MAX_ROWS), "The order of the matrix.")] = (
        1 << 20
    )
    nonzeros: Annotated[
        float, option("--nonzeros", Number(high=1, metavar="RATIO"), "Nonzeros over N squared.")
    ] = 4e-6
    schedules: Annotated[
        tuple[str, ...], option("--schedules", ListOf(Schedule()), "Of bulk, gather, scatter.")
    ] = ("bulk", "gather", "scatter")
    prefetch: Annotated[
        tuple[int, ...],
        option(
            "--prefetch",
            ListOf(Whole(0, correction="write whole numbers, such as 1,4,16", metavar="E")),
            "Depths of gather and scatter, 0 to P-1.",
        ),
    ] = (1,)


@dataclass(frozen=True)
class Sizes(Kind[tuple[int, ...]]):
    """Sizes as a list (`80,1KiB,64KiB`), or as a range in factors of four (`80:1MiB`)."""

    metavar: str = "MIN:MAX|S,..."

    def parse(self, text: str) -> tuple[int, ...]:
        if ":" in text:
            return tuple(size_steps(*parse_size_range(text)))
        return tuple(dict.fromkeys(parse_size(part) for part in text.split(",")))


@dataclass(frozen=True, kw_only=True)
class PredictCollectiveRequest(AgainstOptions):
    """Collective calls to predict; an empty member means all that the profile has."""

    subject: ClassVar[str] = "predict collective"

    collectives: Annotated[
        tuple[str, ...],
        option("--collective", names(OPERATIONS, "C"), "Such as broadcast,allgather.", default="all"),
    ] = ()
    ranks: Annotated[
        tuple[int, ...],
        option(
            "-n",
            "--ranks",
            ListOf(Whole(2, MAX_RANKS)),
            "The numbers of ranks.",
            default="the profile's most",
        ),
    ] = ()
    sizes: Annotated[
        tuple[int, ...],
        option("--sizes", Sizes(), "Bytes of a message or block.", default="the profile's"),
    ] = ()
    grid: Annotated[
        str | None,
        option("--grid", Grid("P1xP2|all"), "One grid, or all of them.", default="the best"),
    ] = None
    algorithm: Algorithm = "library"

    def check(self) -> None:
        """Raises UserError for a grid of which nothing is to show, or as for every prediction."""
        super().check()
        if self.grid == "flat":
            raise UserError("--grid flat: its time is shown with every grid; give P1xP2 or all")


@dataclass(frozen=True, kw_only=True)
class AdviseRequest(Request):
    """The subjects of the advice; None means each subject's default sizes."""

    subject: ClassVar[str] = "advise"

    profile: Machine
    ranks: Ranks = None
    rows: Annotated[
        int | None,
        option("--rows", Whole(1, _MAX_ROWS), "FT: rows of a rank.", default="few and many"),
    ] = None
    row_length: Annotated[
        int | None, option("--row-length", Whole(1, _MAX_ROWS), "FT: complex doubles in a row.")
    ] = None
    scale: Annotated[
        float | None,
        option(
            "--scale",
            Scale(_MAX_SCALE, "F|balance"),
            "FT: transforms of each row, or as long as communication.",
            default="balance",
        ),
    ] = None
    matrix_rows: Annotated[
        int | None,
        option("--matrix-rows", Whole(1, _MAX_ROWS), "SPMV: order of the matrix.", default="1048576"),
    ] = None
    nonzeros: Annotated[
        float | None,
        option(
            "--nonzeros",
            Number(high=1, metavar="RATIO"),
            "SPMV: nonzeros over N squared.",
            default="balance",
        ),
    ] = None
    flops_rate: Rate = None
    explain: Annotated[
        bool, switch("--explain", "Show the protocol of each operation of the runtime, and why.")
    ] = False
    as_json: JsonSwitch = False

    def check(self) -> None:
        """Raises UserError where only one of two options that need each other is given."""
        if (self.rows is None) != (self.row_length is None):
            raise UserError("--rows and --row-length belong together; give both or none")
