# SPDX-License-Identifier: BSD-3-Clause
"""Shows lists of names with descriptions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from stretto.report.screen import Column, Part, heading, table

Named = tuple[str, str]
_NAME_CELLS = 18


def catalogue_view(lists: Iterable[tuple[str, Iterable[Named]]]) -> Iterator[Part]:
    """One titled table a list of names with a description each."""
    columns = (Column("", width=_NAME_CELLS), Column("", words=True))
    for title, rows in lists:
        yield heading(title)
        yield table(columns, ([f"  {name}", about] for name, about in rows), with_head=False)
        yield ""
