# SPDX-License-Identifier: BSD-3-Clause
"""`stretto show`: what a run found, on the terminal; or any artefact as text."""

from __future__ import annotations

from stretto.commands.screens import show_run
from stretto.options.files import ShowRequest
from stretto.report.views.artefact import artefact_lines


def show(request: ShowRequest) -> None:
    """Show the answer of a run, or one part of its tables; or print a file as text.

    A run without PART: the one screen of `stretto probe`. The text of a file is stable: one fact a line, in
    an order that depends on its content only; what the file holds wrong is refused as everywhere.
    """
    if request.is_run:
        show_run(request.shown, request.part)
        return
    for line in artefact_lines(request.shown):
        print(line)
