# SPDX-License-Identifier: BSD-3-Clause
"""Computes figures and tables of the five papers, and compares them with what the papers show.

All figures take minutes. The exit status is 0, or 3 where a verdict is not the documented one, 1 where a
computation failed, and 2 for wrong input. Users start it with `make papers`.
"""

from __future__ import annotations

import argparse
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from stretto.data.shell import command_line
from stretto.errors import INTERRUPTS, CheckError, Interrupted, RunError, UserError, interrupt
from stretto.report.screen import show, show_json
from validation.papers.figures import Form, Outcome, evaluate_figure
from validation.papers.page_files import check_page, write_page
from validation.papers.registry import selected
from validation.papers.views import (
    changes,
    figure_view,
    line_of,
    list_view,
    reproduction_document,
    summary_view,
)

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
    add("--full", action="store_true", help="the papers' sizes where the short form has smaller ones")
    add(
        "-o",
        "--output",
        type=Path,
        metavar="DIR",
        help="write DIR/papers.md and its pictures, DIR/papers/*.svg",
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
    if options.output is not None:
        check_page(options.output, options.force)
    form: Form = "full" if options.full else "short"
    outcomes: list[Outcome] = []
    for paper, figure in figures:
        outcomes.append(evaluate_figure(paper.name, figure, form, time.monotonic))
        if len(figures) > 1:
            line = f"{line_of(outcomes[-1])}, {outcomes[-1].seconds:.1f} s"
            print(line, file=sys.stderr, flush=True)
    if options.output is not None:
        write_page(options.output, outcomes, command)
    if options.json:
        show_json(reproduction_document(outcomes, form))
    else:
        show(figure_view(outcomes[0]) if len(outcomes) == 1 else summary_view(outcomes))
    return changes(outcomes)


if __name__ == "__main__":
    for signum in INTERRUPTS:  # so that context managers end what they started
        signal.signal(signum, interrupt)
    sys.exit(main(sys.argv[1:]))
