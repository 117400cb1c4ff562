# SPDX-License-Identifier: BSD-3-Clause
"""Runs `stretto-replay`, which computes the time of a schedule or a trace on LogGP networks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stretto.native.document import document_of


def run_replay(arguments: Sequence[str]) -> dict[str, Any]:
    """The document that the program prints.

    Raises:
        UserError: the program refused its input.
        CheckError: the schedule deadlocks.
        RunError: the program failed.
    """
    return document_of("stretto-replay", arguments)
