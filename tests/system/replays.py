# SPDX-License-Identifier: BSD-3-Clause
"""The native replay if it is built, the mark of tests that need it, and a profile of what it replays."""

import json
from pathlib import Path
from typing import Any

from processes import has_program, needs_built

HAS_REPLAY = has_program("stretto-replay", "none")
needs_replay = needs_built(HAS_REPLAY, "STRETTO-REPLAY")


def profile(path: Path, ranges: list[dict[str, Any]], **entry: str) -> str:
    """Writes the profile of a network that has been fitted in these ranges of sizes; returns its name."""
    common = {"transport": "mpi-two-sided", "operation": "send", "locality": "remote"}
    loggp = [{**common, **entry, "ranges": ranges}]
    path.write_text(json.dumps({"schema": "stretto.profile/1.0", "loggp": loggp}), encoding="utf-8")
    return str(path)
