# SPDX-License-Identifier: BSD-3-Clause
"""`stretto reproduce`: the papers' figures, each with what comes out here and a verdict."""

from __future__ import annotations

import sys
import time

from stretto.commands.paper_files import check_page, write_page
from stretto.data.shell import command_line
from stretto.errors import CheckError
from stretto.model.reproduction import Form, evaluate_figure
from stretto.options.reproduce import ReproduceRequest
from stretto.papers.registry import selected
from stretto.report.screen import show, show_json
from stretto.report.views.reproduction import (
    changes,
    figure_view,
    line_of,
    list_view,
    reproduction_document,
    summary_view,
)


def reproduce(request: ReproduceRequest) -> None:
    """Compute figures and tables of the five papers, and compare them with what the papers show.

    All figures take minutes. The exit status is 3 where a verdict is not the documented one.
    """
    figures = list(selected(request.paper, request.figure))
    if request.only_list:
        show(list_view(figures))
        return
    if request.output is not None:
        check_page(request.output, request.force)
    form: Form = "full" if request.full else "short"
    outcomes = []
    for paper, figure in figures:
        outcomes.append(evaluate_figure(paper.name, figure, form, time.monotonic))
        if len(figures) > 1:
            line = f"{line_of(outcomes[-1])}, {outcomes[-1].seconds:.1f} s"
            print(line, file=sys.stderr, flush=True)
    if request.output is not None:
        write_page(request.output, outcomes, command_line(request.words))
    if request.as_json:
        show_json(reproduction_document(outcomes, form))
    else:
        show(figure_view(outcomes[0]) if len(outcomes) == 1 else summary_view(outcomes))
    if wrong := changes(outcomes):
        raise CheckError("; ".join(wrong))
