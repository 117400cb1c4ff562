# SPDX-License-Identifier: BSD-3-Clause
"""Runs a native program that prints one JSON document."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from typing import Any

from stretto.errors import CheckError, RunError, UserError
from stretto.native.programs import native_program

_CHECK = 3


def document_of(program: str, arguments: Sequence[str] = (), text: str = "") -> dict[str, Any]:
    """The document that the program prints, with `text` as its standard input.

    Raises:
        UserError: the program refused its input, or is not built.
        CheckError: a check of the program did not hold.
        RunError: the program failed.
    """
    command = [str(native_program(program, "none")), *arguments]
    done = subprocess.run(command, input=text, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode == 0:
        document: dict[str, Any] = json.loads(done.stdout)
        return document
    message = done.stderr.strip().removeprefix(f"{program}: ")
    failures = {UserError.status: UserError, _CHECK: CheckError}
    raise failures.get(done.returncode, RunError)(message or f"{program} ended with {done.returncode}")
