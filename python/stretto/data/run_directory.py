# SPDX-License-Identifier: BSD-3-Clause
"""The names of the files in a run's directory. Reads none of them."""

from pathlib import Path

SAMPLES, RESULTS, PROFILE, REPORT = "samples.jsonl", "results.json", "profile.json", "report.html"
PACKED_SAMPLES = f"{SAMPLES}.gz"
"""The samples once the run has ended."""
HOSTS = "hosts.json"
FILES = (SAMPLES, PACKED_SAMPLES, RESULTS, PROFILE, REPORT, HOSTS)


def samples_in(directory: Path) -> Path | None:
    """The samples of a run, compressed or not; None where there are none."""
    return next((directory / name for name in (SAMPLES, PACKED_SAMPLES) if (directory / name).exists()), None)
