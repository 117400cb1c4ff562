# SPDX-License-Identifier: BSD-3-Clause
"""The names of the files in a run's directory. Reads none of them."""

from pathlib import Path

SAMPLES, RESULTS, PROFILE, REPORT = "samples.jsonl", "results.json", "profile.json", "report.html"
TRACE_EVENTS = "trace-events.json"
PACKED_SAMPLES = f"{SAMPLES}.gz"
"""The samples once the run has ended."""
HOSTS = "hosts.json"
FILES = (SAMPLES, PACKED_SAMPLES, RESULTS, PROFILE, REPORT, HOSTS)

EMULATED = "emulated"
"""The folder of an emulated pair that was asked the same question."""


def samples_in(directory: Path) -> Path | None:
    """The samples of a run, compressed or not; None where there are none."""
    return next((directory / name for name in (SAMPLES, PACKED_SAMPLES) if (directory / name).exists()), None)


def emulated_run(directory: Path) -> Path | None:
    """The run of an emulated pair in the directory of a run; None where there is none."""
    place = directory / EMULATED
    return place if samples_in(place) or (place / RESULTS).exists() else None
