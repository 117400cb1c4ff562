# SPDX-License-Identifier: BSD-3-Clause
"""`stretto compare`: is B the same as A, faster, or slower? Verdicts are made in `stretto.model.compare`."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from stretto.data.files import artefact_kind
from stretto.data.results import ResultRow, Results, read_results
from stretto.data.samples import read_samples
from stretto.data.sizes import format_bandwidth, format_duration, format_size
from stretto.errors import CheckError, UserError
from stretto.model.compare import (
    DEFAULT_THRESHOLD,
    VERDICTS,
    Compared,
    Comparison,
    compare_results,
    failures,
)
from stretto.model.derive import derive_results

FAIL_ON = ("slower", "faster", "different")
_STYLES = {"FASTER": "green", "SLOWER": "red", "AMBIGUOUS": "yellow", "SAME": ""}


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
        print(json.dumps(_document(comparison, threshold), indent=1, allow_nan=False))
    else:
        _show(comparison, threshold)
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


def _document(comparison: Comparison, threshold: float) -> dict[str, Any]:
    return {
        "threshold": threshold,
        "counts": {verdict: comparison.count(verdict) for verdict in VERDICTS},
        "unresolved": comparison.unresolved,
        "only_a": comparison.only_a,
        "only_b": comparison.only_b,
        "rows": [
            {
                **row.a.axes,
                "metric": row.a.metric,
                "unit": row.a.unit,
                "a": _figure(row.a),
                "b": _figure(row.b),
                "difference": row.difference,
                "verdict": row.verdict,
            }
            for row in comparison.rows
        ],
    }


def _figure(row: ResultRow) -> dict[str, Any]:
    return {"value": row.value, "ci95_low": row.ci95_low, "ci95_high": row.ci95_high, "n": row.n}


def _show(comparison: Comparison, threshold: float) -> None:
    console = Console(width=None if sys.stdout.isatty() else 80, highlight=False)
    differing = [row for row in comparison.rows if row.verdict != "SAME"]
    if differing:
        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1))
        for name, side in (
            ("metric", "left"),
            ("of", "left"),
            ("A", "right"),
            ("B", "right"),
            ("diff", "right"),
        ):
            table.add_column(name, justify="left" if side == "left" else "right", no_wrap=name != "of")
        table.add_column("verdict", no_wrap=True)
        varying = _varying(differing)
        for row in differing:
            cells = (
                row.a.metric,
                _place(row.a.axes, varying),
                _value(row.a),
                _value(row.b),
                _difference(row),
            )
            table.add_row(*(Text(cell) for cell in cells), Text(row.verdict, style=_STYLES[row.verdict]))
        console.print(table)
    counts = ", ".join(f"{comparison.count(verdict)} {verdict}" for verdict in VERDICTS)
    console.print(f"B against A: {counts} (threshold {threshold:.3g})")
    if comparison.unresolved:
        console.print(f"unresolved in both: {comparison.unresolved}")
    if comparison.only_a or comparison.only_b:
        console.print(f"only in A: {comparison.only_a}, only in B: {comparison.only_b}")


def _varying(rows: Sequence[Compared]) -> tuple[str, ...]:
    """The axes in which the rows differ: what they share need not be said on each."""
    names = dict.fromkeys(name for row in rows for name in row.a.axes)
    return tuple(name for name in names if len({row.a.axes.get(name) for row in rows}) > 1)


def _place(axes: Mapping[str, Any], names: Sequence[str]) -> str:
    words = []
    for name in names:
        value = axes.get(name)
        if value is None:
            continue
        if name.endswith("_bytes") and isinstance(value, int):
            words.append(format_size(value))
        else:
            words.append(str(value) if isinstance(value, str) else f"{name} {value:g}")
    return " ".join(words)


def _value(row: ResultRow) -> str:
    if row.value is None:
        return "unresolved"
    if row.unit == "s":
        return format_duration(row.value)
    if row.unit == "B/s":
        return format_bandwidth(row.value)
    return f"{row.value * 1e9:.3g}ns/B" if row.unit == "s/B" else f"{row.value:.3f}"


def _difference(row: Compared) -> str:
    if row.difference is None:
        return "-"
    return f"{row.difference:+.3f}" if row.a.unit == "1" else f"{row.difference:+.1%}"
