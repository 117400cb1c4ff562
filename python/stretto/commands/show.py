# SPDX-License-Identifier: BSD-3-Clause
"""`stretto show`: what a run found, on the terminal."""

from __future__ import annotations

from stretto.commands.screens import show_run
from stretto.options.files import ShowRequest


def show(request: ShowRequest) -> None:
    """Show the answer of a run, or one part of its tables.

    Without PART: the one screen of `stretto probe`.
    """
    show_run(request.run, request.part)
