# SPDX-License-Identifier: BSD-3-Clause
"""Options of the commands that read a run's files (fit, compare, report, show), and of list."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from stretto.data.collectives import TORUS_WANTED, is_torus
from stretto.errors import UserError
from stretto.options.choices import PARTS
from stretto.options.common import JsonSwitch
from stretto.options.declare import Request, argument, option, switch
from stretto.options.kinds import Kind, Number, OneOf, PathKind


@dataclass(frozen=True)
class Torus(Kind[tuple[int, ...]]):
    """The widths of a torus."""

    metavar: str = "X[xYxZ]"

    def parse(self, text: str) -> tuple[int, ...]:
        parts = text.lower().split("x") if len(text) <= 40 else []
        widths = tuple(int(part) for part in parts if part.isascii() and part.isdigit())
        if len(widths) != len(parts) or not is_torus(widths):
            raise UserError(f"is no torus; {TORUS_WANTED}, like 8x8x8")
        return widths


@dataclass(frozen=True, kw_only=True)
class FitRequest(Request):
    """Sample files to fit, and the destination of the profile."""

    subject: ClassVar[str] = "fit"

    paths: Annotated[
        tuple[Path, ...],
        argument(
            "DIR|FILE...", PathKind(), "Directories or samples files.", repeatable=True, keeps_duplicates=True
        ),
    ]
    output: Annotated[
        Path | None,
        option("-o", "--output", PathKind(), "The profile to write.", default="profile.json"),
    ] = None
    force: Annotated[bool, switch("--force", "Overwrite the profile where it exists.")] = False
    install: Annotated[
        bool, switch("--install", "Make it this machine's profile, which the runtime reads.")
    ] = False
    torus: Annotated[
        tuple[int, ...] | None,
        option(
            "--torus",
            Torus(),
            "The network is a torus of so many nodes, rank i at node i: how reference algorithms of "
            "collectives share its links.",
            default="the simulated platform's; else a switch",
        ),
    ] = None


@dataclass(frozen=True, kw_only=True)
class CompareRequest(Request):
    """Two runs A and B; B is compared with A."""

    subject: ClassVar[str] = "compare"

    def check(self) -> None:
        """Raises UserError where options contradict each other."""
        if self.predicted and (self.output is not None or self.show_all):
            raise UserError("--predicted has no page and shows all predictions: leave -o and --all away")
        if self.predicted and self.fail_on not in (None, "different"):
            raise UserError(f"--fail-on {self.fail_on}: with --predicted only `different` has a meaning")

    a: Annotated[Path, argument("A", PathKind(), "A run directory, results.json or samples.jsonl.")]
    b: Annotated[Path, argument("B", PathKind(), "The same, which is judged against A.")]
    fail_on: Annotated[
        str | None,
        option(
            "--fail-on",
            OneOf(("slower", "faster", "different"), "WHAT"),
            "slower, faster, different: exit 3.",
        ),
    ] = None
    show_all: Annotated[bool, switch("--all", "Show all figures, not only those that differ.")] = False
    predicted: Annotated[
        bool,
        switch(
            "--predicted",
            "A predicts B's time: A is what whatif, replay or gain printed with --json, B a trace, or "
            "the --json of run, gain or whatif.",
        ),
    ] = False
    output: Annotated[
        Path | None,
        option("-o", "--output", PathKind(), "Write the comparison as an HTML page, too."),
    ] = None
    force: Annotated[bool, switch("--force", "Overwrite the file of -o where it exists.")] = False
    threshold: Annotated[
        float,
        option(
            "--threshold",
            Number(correction="is no fraction; write one such as 0.05"),
            "A difference that does not matter, as a fraction.",
        ),
    ] = 0.05
    as_json: JsonSwitch = False


@dataclass(frozen=True, kw_only=True)
class ReportRequest(Request):
    """Runs, runs of kernels and traces, and the page to write."""

    subject: ClassVar[str] = "report"

    sources: Annotated[
        tuple[Path, ...],
        argument(
            "DIR|FILE...",
            PathKind(),
            "Runs, traces (OTF2 archives, too), outputs of `stretto run KERNEL --json`.",
            repeatable=True,
            keeps_duplicates=True,
        ),
    ]
    output: Annotated[
        Path | None,
        option(
            "-o",
            "--output",
            PathKind(),
            "The page to write.",
            default="report.html in the first DIR; trace-events.json with --trace-events",
        ),
    ] = None
    trace_events: Annotated[
        bool,
        switch("--trace-events", "Of one trace: Chrome's trace events (Perfetto) instead of a page."),
    ] = False
    force: Annotated[bool, switch("--force", "Overwrite the file of -o where it exists.")] = False


@dataclass(frozen=True, kw_only=True)
class ShowRequest(Request):
    """A run and the part of its tables to show, or a file to print as text."""

    subject: ClassVar[str] = "show"

    shown: Annotated[
        Path,
        argument(
            "RUN|FILE", PathKind(), "A run's directory; or samples, results, a profile, a trace's file."
        ),
    ]
    part: Annotated[
        str,
        argument("[PART]", OneOf(PARTS), f"Of a run: {', '.join(PARTS)}; without: the answer."),
    ] = ""

    @property
    def is_run(self) -> bool:
        """Whether a run's directory is shown, and not a file; what does not exist is taken for a run."""
        return self.shown.is_dir() or not self.shown.exists()

    def check(self) -> None:
        """Raises UserError where a part of a file is wanted."""
        if self.part and not self.is_run:
            raise UserError(
                f"{self.part}: is a part of a run's tables; name the run's directory, "
                f"or leave it out to print {self.shown} as text"
            )


@dataclass(frozen=True, kw_only=True)
class ListRequest(Request):
    """A request for the names of everything that options choose from."""

    subject: ClassVar[str] = "list"
