# SPDX-License-Identifier: BSD-3-Clause
"""`stretto report`: the figures of a run directory, or a trace, as one HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stretto.commands.fit import simulated_torus
from stretto.commands.report_trace import is_trace_directory, report_trace
from stretto.commands.trace_source import trace_directory
from stretto.data.files import write_atomically
from stretto.data.profile_file import read_profile
from stretto.data.results import Results, read_results
from stretto.data.samples import read_samples
from stretto.errors import UserError
from stretto.model.derive import derive_results
from stretto.model.fit import profile_of
from stretto.report.document import Document
from stretto.report.html import render

SAMPLES, RESULTS, PROFILE, REPORT = "samples.jsonl", "results.json", "profile.json", "report.html"


def report(
    directory: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="Of a run, or a trace (OTF2 archives, too)."),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE.html",
            help="Instead of DIR/report.html; of a trace also FILE.json, Chrome's trace events (Perfetto).",
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE.html where it exists.")] = False,
) -> None:
    """Make one self-contained HTML page of what was found: it works offline, and needs no second file."""
    target = output or (directory.with_suffix(".html") if directory.suffix == ".otf2" else directory / REPORT)
    # DIR's own report follows from DIR's other files and is made anew; any other file is somebody's.
    if output is not None and not force:
        refuse_existing(output)
    if is_trace_directory(source := trace_directory(directory)):
        report_trace(source, target)
    elif target.suffix == ".json":
        raise UserError(f"-o {target}: only a trace becomes Chrome's trace events; name a page, FILE.html")
    else:
        write_atomically(target, render(read_document(directory)))
    print(target)


def refuse_existing(path: Path) -> None:
    """Raises UserError where there is something at `path`."""
    if path.exists():
        raise UserError(f"{path} exists: choose another with -o, or overwrite it with --force")


def read_document(directory: Path) -> Document:
    """What is in a run directory: derived from its samples where they are, else its other files as they are.

    Raises:
        UserError: There is none of the three files, or one is not what docs/formats.md allows.
    """
    if not directory.is_dir():
        what = "is no directory" if directory.exists() else "does not exist"
        raise UserError(f"{directory} {what}: name the output directory of a probe")
    if (directory / SAMPLES).exists():
        samples = read_samples(directory / SAMPLES)
        results = derive_results(samples)
        return Document.of(results, profile_of([samples], [results], simulated_torus([samples])), [samples])
    found = [name for name in (RESULTS, PROFILE) if (directory / name).exists()]
    if not found:
        raise UserError(
            f"{directory} has no {SAMPLES}, {RESULTS} or {PROFILE}: name the output directory of a probe"
        )
    return Document.of(
        read_results(directory / RESULTS) if RESULTS in found else Results(()),
        read_profile(directory / PROFILE) if PROFILE in found else None,
    )
