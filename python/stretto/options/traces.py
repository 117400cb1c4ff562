# SPDX-License-Identifier: BSD-3-Clause
"""Options of the commands about applications: trace, preload, potential, whatif, replay."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from stretto.data.sizes import format_bandwidth, format_duration, parse_duration
from stretto.data.sweep import (
    LEVELS,
    SLIDES_BANDWIDTHS,
    SLIDES_LATENCIES_S,
    TRACED,
    parse_bandwidths,
    parse_node,
)
from stretto.errors import UserError
from stretto.options.common import PROFILE_NAME, JsonSwitch, MpiName, Rate, TraceDirectory, Words, pairs
from stretto.options.declare import Request, argument, option, switch
from stretto.options.kinds import Bandwidth, Duration, Kind, ListOf, OneOf, PathKind, Size, Text, names
from stretto.options.substrate import HOSTS, LAUNCHED_ON, LIBRARIES, RATE, ApplicationRequest

MEMORY = ("off", "page", "byte")
GROUPS = ("site", "function", "data")


@dataclass(frozen=True, kw_only=True)
class TraceRequest(ApplicationRequest):
    """A program to record."""

    subject: ClassVar[str] = "trace"

    output: Annotated[Path | None, option("-o", "--output", PathKind("DIR"), "Where the trace goes.")] = None
    memory: Annotated[
        str, option("--memory", OneOf(MEMORY, "|".join(MEMORY)), "When data is produced and consumed.")
    ] = "off"
    clean: Annotated[
        Path | None,
        option("--clean", PathKind("DIR"), "Durations of this trace, made without --memory."),
    ] = None
    limit: Annotated[
        int | None,
        option("--limit", Size(low=1), "Size of all its files; of a longer run, its end is kept."),
    ] = None
    force: Annotated[bool, switch("--force", "Replace a trace that is there.")] = False

    def check(self) -> None:
        """Raises UserError where --clean has no effect, or options contradict each other."""
        super().check()
        if self.limit is not None and self.memory != "off":
            raise UserError("--limit: keeps the end of a trace without --memory; leave one of them out")
        if self.clean is not None and self.memory == "off":
            raise UserError(
                "--clean: gives a trace with --memory its durations; add --memory byte, or leave it out"
            )


@dataclass(frozen=True, kw_only=True)
class PreloadRequest(Request):
    """A program, and the libraries to preload into it."""

    subject: ClassVar[str] = "preload"

    libraries: Annotated[
        tuple[str, ...],
        argument(
            "LIBRARY,...", names(LIBRARIES), "Of trace, collectives, progress; the first is called first."
        ),
    ]
    command: Words
    mpi: MpiName = None
    program: Annotated[
        str | None,
        option(
            "--program",
            Text("WORD"),
            "The word of COMMAND that is the program.",
            default="by the launcher's options",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class PotentialRequest(Request):
    """A trace, and the network that gives the costs of its messages."""

    subject: ClassVar[str] = "potential"

    directory: TraceDirectory
    profile: Annotated[
        Path | None, option("--profile", PROFILE_NAME, "The network to compare costs with.")
    ] = None
    latency: Annotated[
        float | None, option("--latency", Duration(), "Or its latency.", default="this machine's")
    ] = None
    bandwidth: Annotated[
        float | None, option("--bandwidth", Bandwidth(), "And its bandwidth.", default="this machine's")
    ] = None
    by: Annotated[
        str, option("--by", OneOf(GROUPS, "|".join(GROUPS)), "One entry per call site, function or variable.")
    ] = "site"
    patch: Annotated[
        bool,
        switch(
            "--patch", "Print a patch of the source instead: waits later, sends earlier, where that is safe."
        ),
    ] = False
    verify: Annotated[
        str | None,
        option(
            "--verify",
            Text("COMMAND"),
            "Prove the patch: build copies with this, compare their output, watch buffers, time both.",
        ),
    ] = None
    launch: Annotated[
        str | None,
        option(
            "--launch",
            Text("COMMAND"),
            "How --verify starts the program, in the folder of the sources.",
            default="as it was recorded",
        ),
    ] = None
    runs: Annotated[
        int,
        pairs("Timed runs of --verify with the patch, and as many without."),
    ] = 6
    on: Annotated[
        str, option("--on", OneOf(LAUNCHED_ON), "Where --verify runs the program: local, or emulated hosts.")
    ] = "local"
    hosts: Annotated[int, HOSTS] = 2
    rate: Annotated[str, RATE] = "500mbit"
    as_json: JsonSwitch = False

    def check(self) -> None:
        """Raises UserError where options contradict each other."""
        if self.patch and (self.as_json or self.gave("by")):
            raise UserError("--patch: prints a patch, no table; leave out --json and --by")
        if self.verify is not None and not self.patch:
            raise UserError("--verify: proves a patch; add --patch")
        if self.verify is None and self.gave("launch", "runs", "on"):
            raise UserError("--launch, --runs and --on: are for a patch that is proved; add --verify COMMAND")
        if self.launch is not None and self.on != "local":
            raise UserError("--launch: starts its own ranks; leave it out, or --on emulated")


_PROGRESS_MODELS = ("offload", "eager-only", "inside-calls")


@dataclass(frozen=True)
class Bandwidths(Kind[tuple[float, ...]]):
    """A list of bandwidths, or a range MIN:MAX with the values 1, 2, 5 of each decade."""

    metavar: str = SLIDES_BANDWIDTHS

    def parse(self, text: str) -> tuple[float, ...]:
        for part in text.replace(":", ",").split(","):
            Bandwidth().parse(part)
        return parse_bandwidths(text)

    def text(self, value: tuple[float, ...]) -> str:
        return f"{format_bandwidth(min(value))}:{format_bandwidth(max(value))}"


@dataclass(frozen=True)
class Node(Kind[tuple[int, float]]):
    """The ranks per node, and the latency between them."""

    metavar: str = "RANKS:LATENCY"

    def parse(self, text: str) -> tuple[int, float]:
        result = parse_node(text)
        Duration("0.5us").parse(text.partition(":")[2])
        return result


@dataclass(frozen=True)
class ProgressModelName(Kind[str]):
    """What moves messages: a name, or `thread=` with a period. The native programs have the models."""

    metavar: str = "M"

    def parse(self, text: str) -> str:
        name, is_period, period = text.partition("=")
        if name == "thread" and is_period:
            if parse_duration(period) <= 0:
                raise UserError("give a period above zero, such as thread=1ms")
        elif text not in _PROGRESS_MODELS:
            raise UserError(f"unknown '{text}'; choose from {', '.join(_PROGRESS_MODELS)}, thread=PERIOD")
        return text


@dataclass(frozen=True, kw_only=True)
class WhatIfRequest(Request):
    """A trace, and the networks to replay it on; None means the profile's, else those of the slides."""

    subject: ClassVar[str] = "whatif"

    directory: TraceDirectory
    profile: Annotated[
        Path | None, option("--profile", PROFILE_NAME, "Overheads, latency and bandwidth of this machine.")
    ] = None
    latency: Annotated[
        tuple[float, ...] | None,
        option(
            "--latency",
            ListOf(Duration(metavar="TIME")),
            "Latencies.",
            default=",".join(map(format_duration, SLIDES_LATENCIES_S)),
        ),
    ] = None
    bandwidth: Annotated[
        tuple[float, ...] | None,
        option("--bandwidth", Bandwidths(), "A range or a list.", default=SLIDES_BANDWIDTHS),
    ] = None
    overhead: Annotated[
        float | None,
        option("--overhead", Duration("0.5us"), "Processor time of a message, each side.", default="0"),
    ] = None
    node: Annotated[
        tuple[int, float] | None,
        option("--node", Node(), "So many ranks share a node, with this latency: 4:0.5us."),
    ] = None
    progress_model: Annotated[
        tuple[str, ...],
        option(
            "--progress-model",
            ListOf(ProgressModelName()),
            "offload, eager-only, inside-calls, thread=PERIOD; all but offload need an eager limit.",
        ),
    ] = ("offload",)
    eager: Annotated[
        int | None,
        option(
            "--eager",
            Size(),
            "Up to this size messages need no handshake, such as 64KiB.",
            default="the profile's, where it matters",
        ),
    ] = None
    level: Annotated[
        tuple[str, ...] | None,
        option(
            "--level",
            names(LEVELS, "LEVEL"),
            "traced, independent, consumer, producer-consumer.",
            default="all that the trace knows of",
        ),
    ] = None
    flops_rate: Rate = None
    as_json: JsonSwitch = False

    def check(self) -> None:
        """Raises UserError where a progress model lacks the eager limit, which a profile may have."""
        waiting = [model for model in self.progress_model if model != "offload"]
        if waiting and self.eager is None and self.profile is None:
            raise UserError(
                f"--progress-model {waiting[0]}: say up to which size messages are eager, with --eager 64KiB"
            )


@dataclass(frozen=True, kw_only=True)
class ReplayRequest(Request):
    """A schedule, and the networks to replay it on."""

    subject: ClassVar[str] = "replay"

    file: Annotated[
        Path,
        argument(
            "FILE.goal",
            PathKind(),
            "GOAL text, LogGOPSim's binary, a trace's directory, a trace of another tool.",
        ),
    ]
    profile: Annotated[
        tuple[Path, ...],
        option(
            "--profile",
            PROFILE_NAME,
            "The network of a profile; again for more.",
            repeatable=True,
            keeps_duplicates=True,
        ),
    ] = ()
    loggp: Annotated[
        tuple[str, ...],
        option(
            "--loggp",
            Text("L=..,o=..,g=..,G=.."),
            "A network by its numbers: seconds and s/byte, or with ns, us; also O=, S=; again for more.",
            repeatable=True,
            keeps_duplicates=True,
        ),
    ] = ()
    level: Annotated[
        str,
        option(
            "--level", OneOf(LEVELS, "LEVEL"), "Of a trace: traced, independent, consumer, producer-consumer."
        ),
    ] = TRACED
    flops_rate: Rate = None
    as_json: JsonSwitch = False

    def check(self) -> None:
        """Raises UserError where no network is given."""
        if not self.profile and not self.loggp:
            raise UserError("of which network? give --profile FILE, or --loggp L=2us,o=1us,g=1us,G=0.1ns")
