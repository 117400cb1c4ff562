# SPDX-License-Identifier: BSD-3-Clause
"""The kinds of the paths on a command line of `stretto report`, and the page made from them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from stretto.commands.artefacts import read_document
from stretto.commands.trace_report import is_trace_directory, trace_document
from stretto.data.kernel_run import KernelResult, read_kernel_run
from stretto.data.run_directory import FILES, REPORT, emulated_run
from stretto.launch.trace_source import trace_directory
from stretto.report.document import Document
from stretto.report.html import render
from stretto.report.together import Subjects, render_together
from stretto.report.trace_document import TraceDocument
from stretto.report.trace_page import render_trace


def page_of(sources: Sequence[Path]) -> str:
    """The page of probe runs, kernel runs and traces, as HTML text.

    Args:
        sources: At least one path: a directory of any kind, or the file of a kernel run.

    Raises:
        UserError: A path is none of these, or its content is damaged.
    """
    runs: list[tuple[str, Document]] = []
    kernels: list[KernelResult] = []
    traces: list[TraceDocument] = []
    for source in sources:
        if is_trace_directory(directory := trace_directory(source)):
            traces.append(trace_document(directory))
        elif source.is_file():
            kernels.append(read_kernel_run(source))
        elif files := _kernel_files(source):
            kernels += [read_kernel_run(file) for file in files]
        else:
            runs += _named_runs(source, [name for name, _ in runs], alone=len(sources) == 1)
    if len(sources) == len(runs) == 1:
        return render(runs[0][1])
    if len(sources) == 1 and traces:
        return render_trace(traces[0])
    return render_together(Subjects(runs, kernels, traces))


def _named_runs(directory: Path, names: list[str], alone: bool) -> list[tuple[str, Document]]:
    """The run of a directory with its name, and the run of the emulated pair in it, if there is one.

    `names` are taken; `alone` is whether the page has only this directory.
    """
    run, pair = read_document(directory), emulated_run(directory)
    name = _distinct(directory, names)
    if pair is None:
        return [(name, run)]
    of_run, of_pair = ("one node", "emulated network") if alone else (name, f"{name}, emulated")
    return [(of_run, run), (of_pair, read_document(pair))]


def _kernel_files(directory: Path) -> list[Path]:
    """The JSON files of a directory; none where it has the files of a probe run."""
    if not directory.is_dir() or any((directory / name).exists() for name in FILES if name != REPORT):
        return []
    return sorted(directory.glob("*.json"))


def _distinct(directory: Path, names: list[str]) -> str:
    """The directory's name, or its path where another run has the same name."""
    name = directory.absolute().name or str(directory)
    return str(directory) if name in names else name
