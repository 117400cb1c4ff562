# SPDX-License-Identifier: BSD-3-Clause
"""How lists of names with a description each are shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich import box
from rich.table import Table

from stretto.report.screen import Part

Named = tuple[str, str]


def catalogue_view(lists: Iterable[tuple[str, Iterable[Named]]]) -> Iterator[Part]:
    """One titled table a list of names with a description each."""
    return (_table(title, list(rows)) for title, rows in lists)


def _table(title: str, rows: Sequence[Named]) -> Table:
    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=box.SIMPLE,
        show_header=False,
        padding=(0, 1),
    )
    table.add_column(no_wrap=True, min_width=14)
    table.add_column(overflow="fold")
    for name, text in rows:
        table.add_row(name, text)
    return table
