# SPDX-License-Identifier: BSD-3-Clause
"""Options of `stretto gain`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from stretto.options.common import PROFILE_NAME, JsonSwitch, pairs
from stretto.options.declare import option, switch
from stretto.options.kinds import names
from stretto.options.substrate import ApplicationRequest

GAINING = ("progress", "collectives")


@dataclass(frozen=True, kw_only=True)
class GainRequest(ApplicationRequest):
    """A program, and the libraries whose gain is measured and predicted."""

    subject: ClassVar[str] = "gain"

    libraries: Annotated[
        tuple[str, ...],
        option("--preload", names(GAINING, "LIBRARY"), "What may help: progress, collectives, or both."),
    ] = ("progress",)
    runs: Annotated[
        int,
        pairs("Runs with, and as many without."),
    ] = 6
    profile: Annotated[
        Path | None,
        option("--profile", PROFILE_NAME, "The network of the prediction.", default="it is measured"),
    ] = None
    measured_only: Annotated[
        bool, switch("--no-prediction", "Measure only; this saves the runs for the prediction.")
    ] = False
    measure_network: Annotated[
        bool,
        switch("--measure-network", "Measure the network again, instead of taking what a week has kept."),
    ] = False
    as_json: JsonSwitch = False
