# SPDX-License-Identifier: BSD-3-Clause
"""Runs `stretto-replay`, which computes the time of a schedule or a trace on LogGP networks."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from typing import Any

from stretto.errors import CheckError, RunError, UserError
from stretto.native.programs import native_program

_PROGRAM = "stretto-replay"
_STUCK = 3


def run_replay(arguments: Sequence[str]) -> dict[str, Any]:
    """The document that the program prints.

    Raises:
        UserError: the program refused its input.
        CheckError: the schedule deadlocks.
        RunError: the program failed.
    """
    command = [str(native_program(_PROGRAM, "none")), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode == 0:
        document: dict[str, Any] = json.loads(done.stdout)
        return document
    message = done.stderr.strip().removeprefix(f"{_PROGRAM}: ")
    failures = {UserError.status: UserError, _STUCK: CheckError}
    raise failures.get(done.returncode, RunError)(message or f"{_PROGRAM} ended with {done.returncode}")
