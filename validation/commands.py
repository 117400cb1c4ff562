# SPDX-License-Identifier: BSD-3-Clause
"""Runs the command `stretto` for end-to-end validation."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from bench.harness.builds import ROOT
from stretto.errors import RunError

STRETTO = ROOT / ".venv" / "bin" / "stretto"


def stretto(*arguments: str) -> str:
    """Runs the command and returns its output.

    Raises:
        RunError: The command failed; the text is its error message.
    """
    done = subprocess.run([str(STRETTO), *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RunError(f"stretto {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def document(command: str, *arguments: str) -> dict[str, Any]:
    """The document that the command prints with `--json`; the command may have two words: `predict ft`."""
    result: dict[str, Any] = json.loads(stretto(*command.split(), "--json", *arguments))
    return result


def measured_profile(
    directory: Path, place: tuple[str, ...], budget_s: float, lengths: tuple[int, ...]
) -> Path:
    """A profile of the place: LogGP parameters and overlap by probes, compute rates by runs of FT."""
    budget = ("--budget", f"{budget_s:g}")
    stretto("probe", "loggp", "overlap", *place, "--ratio", "1", *budget, "-o", str(directory / "network"))
    rates = (
        "--rows",
        "64",
        "--row-length",
        ",".join(map(str, lengths)),
        "--scale",
        "1",
        "--schedules",
        "exchange",
    )
    stretto("probe", "ft", *place, *rates, *budget, "-o", str(directory / "rates"))
    profile = directory / "profile.json"
    stretto("fit", str(directory / "network"), str(directory / "rates"), "-o", str(profile))
    return profile
