# SPDX-License-Identifier: BSD-3-Clause
"""The origin of the figures: command, revision, settings, end of sampling, and unresolved figures."""

from collections.abc import Sequence

from stretto.report.blocks import Block, Column, Folded, Paragraph, Table
from stretto.report.document import Document
from stretto.report.echo import settings
from stretto.report.sections import Section
from stretto.report.select import axis, series_of, size_of, title
from stretto.report.units import size_label


def body(document: Document) -> Sequence[Block]:
    pairs = Table(
        [Column("What", words=True), Column("As it was", words=True)],
        settings(document),
        "Settings and provenance",
    )
    return [pairs, _unresolved(document)]


def _unresolved(document: Document) -> Block:
    """Every unresolved figure with its reason, ordered by reason."""
    result = [r for r in document.results.rows if r.value is None]
    if not result:
        return Paragraph("Every requested figure is resolved.", "aside")
    rows = []
    for row in sorted(result, key=lambda r: (r.reason or "", r.metric)):
        size, at = size_of(row), axis(row, "ratio")
        point = size_label(size) if size is not None else ""
        if isinstance(at, int | float):
            point += f", T_w/T_c {at:g}"
        rows.append(
            (
                str(axis(row, "probe") or ""),
                row.metric,
                title(series_of(row)),
                point,
                row.reason or "not recorded",
            )
        )
    heads = ("Probe", "Figure", "Of", "At", "Reason")
    columns = [Column(head, words=True) for head in heads]
    summary = f"{len(result)} unresolved figures, with their reasons"
    return Folded(summary, [Table(columns, rows, "Unresolved")])


SECTION = Section(90, "provenance", "Provenance", body)
