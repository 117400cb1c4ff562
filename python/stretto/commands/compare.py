# SPDX-License-Identifier: BSD-3-Clause
"""`stretto compare`: is B the same as A, faster, or slower? Verdicts are made in `stretto.model.compare`."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer

from stretto.data.files import artefact_kind
from stretto.data.results import Results, read_results
from stretto.data.samples import read_samples
from stretto.errors import CheckError, UserError
from stretto.model.compare import DEFAULT_THRESHOLD, compare_results, failures
from stretto.model.derive import derive_results
from stretto.report.screen import show, show_json
from stretto.report.views.comparison import comparison_document, comparison_view

FAIL_ON = ("slower", "faster", "different")


def compare(
    a: Annotated[Path, typer.Argument(metavar="A", help="A run directory, results.json or samples.jsonl.")],
    b: Annotated[Path, typer.Argument(metavar="B", help="The same, which is judged against A.")],
    fail_on: Annotated[
        str | None,
        typer.Option("--fail-on", metavar="WHAT", help="slower, faster, different: exit 3."),
    ] = None,
    threshold: Annotated[
        float, typer.Option(metavar="F", help="A difference that does not matter, as a fraction.")
    ] = DEFAULT_THRESHOLD,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document, no tables.")] = False,
) -> None:
    """Compare two runs, row by row: is B SAME, FASTER, SLOWER or AMBIGUOUS?

    SAME: the 95 % intervals overlap and the values differ by no more than the threshold. FASTER and SLOWER:
    the intervals are apart and the values differ by more; for bandwidth and overlap faster means larger.
    Otherwise AMBIGUOUS: measure longer.
    """
    if fail_on is not None and fail_on not in FAIL_ON:
        raise UserError(f"--fail-on: '{fail_on}' is not one of {', '.join(FAIL_ON)}")
    if not (math.isfinite(threshold) and threshold >= 0):
        raise UserError(f"--threshold: {threshold} is no fraction; write one such as {DEFAULT_THRESHOLD}")
    comparison = compare_results(load_results(a), load_results(b), threshold)
    if not comparison.rows and not comparison.unresolved:
        raise UserError(f"{a} and {b} have no figure in common; compare runs of the same probes")
    if as_json:
        show_json(comparison_document(comparison, threshold))
    else:
        show(comparison_view(comparison, threshold))
    if fail_on is not None and (failed := failures(comparison, fail_on)):
        differ = "differ from" if fail_on == "different" else f"are {fail_on} than"
        raise CheckError(f"{len(failed)} of {len(comparison.rows)} figures of {b} {differ} those of {a}")


def load_results(path: Path) -> Results:
    """The figures of a run: its results.json, or derived from its samples.jsonl when it has only that.

    Raises:
        UserError: `path` is neither, nor a directory that holds one.
    """
    if path.is_dir():
        found = next(
            (path / name for name in ("results.json", "samples.jsonl") if (path / name).exists()), None
        )
        if found is None:
            raise UserError(f"{path}: holds no results.json and no samples.jsonl; name a run's directory")
        path = found
    kind = artefact_kind(path)
    if kind == "profile":
        raise UserError(f"{path}: is a profile; compare results.json or samples.jsonl")
    return read_results(path) if kind == "results" else derive_results(read_samples(path))
