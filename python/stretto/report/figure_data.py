# SPDX-License-Identifier: BSD-3-Clause
"""The figures behind a plot, as a table for readers who do not see it, and as a CSV file. Draws nothing."""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from stretto.report.blocks import Figure
from stretto.report.figures import MODEL
from stretto.report.units import without_controls

Cell = str | float | None


@dataclass(frozen=True)
class FigureData:
    """The columns of a plot's data, and a row a point; an interval has its two ends, where there is one."""

    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def shown(self) -> list[list[str]]:
        """The rows as a page shows them."""
        return [[_shown(cell) for cell in row] for row in self.rows]


def figure_data(figure: Figure) -> FigureData:
    """What the plot shows: the series, x, y, and the interval of y."""
    layout: Mapping[str, Any] = figure.spec["layout"]
    points = [
        point for trace in figure.spec["data"] if trace.get("meta") != MODEL for point in _points(trace)
    ]
    categories = max((len(place) for _, place, *_ in points), default=1)
    x = [_head(layout, "x") or "case"] if categories == 1 else ["case", "part"]
    y = _head(layout, "y") or "value"
    intervals = any(low is not None for *_, low, _ in points)
    heads = ("series", *x, y, *(("95 % from", "to") if intervals else ()))
    rows = [
        (name, *place, value, *((low, high) if intervals else ())) for name, place, value, low, high in points
    ]
    return FigureData(tuple(heads), tuple(rows))


def csv_address(figure: Figure) -> str:
    """A `data:` address that a browser saves as a CSV file; its first line states caption and conditions."""
    found = figure_data(figure)
    text = io.StringIO()
    said = " ".join(filter(None, (figure.label + ".", figure.conditions)))
    text.write(f"# {without_controls(said)}\n")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(found.heads)
    writer.writerows([_harmless(cell) for cell in row] for row in found.rows)
    return "data:text/csv;charset=utf-8," + quote(text.getvalue(), safe=" ,.:;()/=+-_")


def file_name(figure: Figure) -> str:
    """`overlap-by-message-size.csv`."""
    return re.sub(r"[^a-z0-9]+", "-", figure.label.lower()).strip("-")[:60] + ".csv"


def _points(
    trace: Mapping[str, Any],
) -> Iterator[tuple[str, tuple[Cell, ...], float, float | None, float | None]]:
    errors = trace.get("error_y", {})
    above, below = errors.get("array", []), errors.get("arrayminus", [])
    name = _plain(trace.get("name", ""))
    for index, (place, value) in enumerate(zip(_places(trace["x"]), trace["y"])):
        if value is None:
            continue
        up, down = (above[index], below[index]) if above else (None, None)
        known = up is not None and down is not None and (up or down)
        yield (name, place, value, *((value - down, value + up) if known else (None, None)))


def _places(x: Sequence[Any]) -> Iterator[tuple[Cell, ...]]:
    """Plotly writes categories of two levels as two lists."""
    if len(x) == 2 and all(isinstance(level, list | tuple) for level in x):
        return ((_plain(outer), _plain(inner)) for outer, inner in zip(*x))
    return ((_plain(one) if isinstance(one, str) else one,) for one in x)


def _head(layout: Mapping[str, Any], axis: str) -> str:
    known: Mapping[str, str] = layout.get("meta", {})
    return known.get(axis) or _plain(layout.get(f"{axis}axis", {}).get("title", {}).get("text", ""))


def _plain(text: str) -> str:
    """Without the little HTML that Plotly reads."""
    words = re.sub(r"<sub>(.*?)</sub>", r"_\1", text.replace("<br>", ", "))
    return html.unescape(words)


def _harmless(cell: Cell) -> Cell:
    """A spreadsheet would compute a text that begins like a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@") else cell


def _shown(cell: Cell) -> str:
    if cell is None:
        return ""
    return cell if isinstance(cell, str) else f"{cell:.6g}".replace("-", "\u2212")
