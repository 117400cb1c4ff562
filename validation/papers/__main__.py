# SPDX-License-Identifier: BSD-3-Clause
"""Computes the claims of the five papers, attacks them, and says which are reproduced.

The short form leaves out figures that take simulated programs, and takes minutes. The exit status is 0, or 3
where a verdict is not the documented one, 1 where a computation failed, and 2 for wrong input. Users start it
with `make papers`.
"""

from __future__ import annotations

import argparse
import itertools
import multiprocessing
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from stretto.data.shell import command_line
from stretto.errors import INTERRUPTS, CheckError, Interrupted, RunError, UserError, interrupt
from stretto.launch.cores import usable_cores
from stretto.report.screen import show, show_json
from validation.papers.figures import Paper, PaperFigure
from validation.papers.line_program import kept_model
from validation.papers.measured import Measured, of_run
from validation.papers.outcome import Outcome, evaluate
from validation.papers.page_files import FULL, SHORT, check_page, write_page
from validation.papers.registry import accept, selected
from validation.papers.views import (
    changed,
    document_of,
    figure_view,
    line_of,
    list_view,
    summary_view,
)
from validation.papers.world import Form

PROGRAM = ("python", "-m", "validation.papers")


def main(words: Sequence[str]) -> int:
    """Computes what the command line names. Returns the exit status; an error is printed on stderr."""
    options = _parser().parse_intermixed_args(words)
    try:
        if wrong := _compute(options, command_line((*PROGRAM, *words))):
            raise CheckError("; ".join(wrong))
    except (UserError, RunError, CheckError) as error:
        print(f"papers: {error}", file=sys.stderr)
        return error.status
    except Interrupted as interrupted:
        print("papers: interrupted", file=sys.stderr)
        return interrupted.status
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="make papers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("paper", nargs="?", default="", metavar="PAPER", help="one paper (--list names them); default: all")
    add("figure", nargs="?", default="", metavar="FIGURE", help="one of its figures, such as figure-4")
    add("--list", action="store_true", help="name the figures, and compute nothing")
    add("--full", action="store_true", help="also simulated programs, at the papers' sizes where they fit")
    add("--measured", type=Path, metavar="RUN", help="show a run of stretto probe next to the figures")
    add("--accept", action="store_true", help="document the verdicts of this run")
    add(
        "-o",
        "--output",
        type=Path,
        metavar="DIR",
        help="write DIR/papers.md and its pictures, DIR/papers-short.md where not all is computed in full",
    )
    add("--force", action="store_true", help="overwrite these files")
    add("--json", action="store_true", help="print one JSON document")
    return parser


def _compute(options: argparse.Namespace, command: str) -> list[str]:
    """Computes and shows the figures. Returns a sentence for each verdict that is not the documented one."""
    figures = list(selected(options.paper, options.figure))
    if options.list:
        show(list_view(figures))
        return []
    name = FULL if options.full and not options.paper else SHORT
    if options.output is not None:
        check_page(options.output, name, options.force)
    form: Form = "full" if options.full else "short"
    if form == "short" and not options.paper:
        figures = [one for one in figures if not one[1].simulated]
    run: list[Measured] = [] if options.measured is None else of_run(options.measured)
    outcomes = _evaluated(figures, form, run)
    if options.output is not None:
        write_page(options.output, name, outcomes, _note(options), command)
    if options.json:
        show_json(document_of(outcomes, form))
    else:
        show(figure_view(outcomes[0]) if len(outcomes) == 1 else summary_view(outcomes))
    if options.accept:
        accept({one.name: one.verdict.value for each in outcomes if each.comparable for one in each.judged})
        return []
    return changed(outcomes)


def _evaluated(
    figures: Sequence[tuple[Paper, PaperFigure]], form: Form, run: Sequence[Measured]
) -> list[Outcome]:
    """The outcomes of the figures. Those of a paper share simulations, so that a process takes a paper."""
    papers = [list(group) for _, group in itertools.groupby(figures, lambda one: one[0].name)]
    if len(papers) == 1:
        return _of_paper(papers[0], form, run)
    with multiprocessing.get_context("fork").Pool(len(usable_cores())) as pool:
        tasks = [pool.apply_async(_of_paper, (one, form, run)) for one in papers]
        return [outcome for task in tasks for outcome in task.get()]


def _of_paper(
    figures: Sequence[tuple[Paper, PaperFigure]], form: Form, run: Sequence[Measured]
) -> list[Outcome]:
    outcomes = []
    with kept_model():
        for paper, figure in figures:
            begin_s = time.monotonic()
            outcomes.append(evaluate(paper.name, figure, form, run))
            if len(figures) > 1:
                line = f"{line_of(outcomes[-1])}, {time.monotonic() - begin_s:.1f} s"
                print(line, file=sys.stderr, flush=True)
    return outcomes


def _note(options: argparse.Namespace) -> str:
    """What the page does not have; empty for the full page."""
    if options.paper:
        return f"A part: {' '.join((options.paper, options.figure)).strip()} alone."
    return "" if options.full else "The short form: figures that take simulated programs are left out."


if __name__ == "__main__":
    for signum in INTERRUPTS:  # so that context managers end what they started
        signal.signal(signum, interrupt)
    sys.exit(main(sys.argv[1:]))
