# SPDX-License-Identifier: BSD-3-Clause
"""What the terminal shows of a run directory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from stretto.commands.artefacts import read_document
from stretto.data.run_directory import emulated_run
from stretto.data.shell import quoted
from stretto.errors import UserError
from stretto.report.answer import answer_of
from stretto.report.screen import show
from stretto.report.text import PARTS, part_view
from stretto.report.views.answer import Next, answer_view


def show_run(directory: Path, part: str = "", notes: Sequence[str] = ()) -> None:
    """Prints the answer of a run, or a part of its tables.

    Args:
        directory: Of the run; that of an emulated pair may stand in it.
        part: One of PARTS; empty: the answer, or all tables where the run has none.
        notes: What was not measured, and why.

    Raises:
        UserError: as for `read_document`, or the run has nothing of this part.
    """
    document = read_document(directory)
    answer = answer_of(document)
    if part or answer is None:
        parts = list(part_view(document, part or "all"))
        if not parts:
            known = [name for name in PARTS if list(part_view(document, name))]
            raise UserError(f"{directory} has no {part}; it has {', '.join(known) or 'no figures'}")
        show(parts)
        return
    answers = [answer]
    if (pair := emulated_run(directory)) is not None:
        network = answer_of(read_document(pair))
        answers += [network] if network is not None else []
    show(answer_view(answers, Next(quoted(str(directory)), "stretto gain -- mpiexec -n 2 ./app"), notes))
