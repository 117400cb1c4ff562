# SPDX-License-Identifier: BSD-3-Clause
"""Options of `stretto tune`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from stretto.options.choices import KNOBS
from stretto.options.common import JsonSwitch, pairs
from stretto.options.declare import argument, option, switch
from stretto.options.kinds import PathKind, Seconds, Text, names
from stretto.options.substrate import ApplicationRequest


@dataclass(frozen=True, kw_only=True)
class TuneRequest(ApplicationRequest):
    """A program, and what to try on it."""

    subject: ClassVar[str] = "tune"

    command: Annotated[
        tuple[str, ...],
        argument(
            "[-- COMMAND...]",
            Text(),
            "What to run; without: the probe overlap.",
            repeatable=True,
            keeps_duplicates=True,
        ),
    ] = ()
    knobs: Annotated[
        tuple[str, ...],
        option("--knobs", names(KNOBS, "KNOB"), f"Of {', '.join(KNOBS)}.", default="all"),
    ] = ()
    budget: Annotated[float, option("--budget", Seconds(), "Seconds for all runs together.")] = 600.0
    runs: Annotated[
        int,
        pairs("Pairs of runs that confirm the answer."),
    ] = 7
    output: Annotated[Path, option("-o", "--output", PathKind("FILE"), "The environment file.")] = Path(
        "tuned.env"
    )
    force: Annotated[bool, switch("--force", "Overwrite FILE where it exists.")] = False
    as_json: JsonSwitch = False
