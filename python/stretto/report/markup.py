# SPDX-License-Identifier: BSD-3-Clause
"""HTML that cannot be injected into: whatever is not `Html` already is escaped. No figures, no sections."""

import html
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stretto.data.results import ResultRow
from stretto.report.reasons import reasons_of
from stretto.report.units import without_controls


class Html(str):
    """Text that is markup. Only this module makes it from plain text."""


def escaped(text: object) -> Html:
    """`text` as content or attribute value, control characters replaced."""
    return text if isinstance(text, Html) else Html(html.escape(without_controls(text), quote=True))


def joined(parts: Iterable[object]) -> Html:
    return Html("".join(escaped(part) for part in parts))


def element(name: str, *children: object, **attributes: object) -> Html:
    """`<name attributes>children</name>`; an attribute's trailing underscore is dropped, others become
    hyphens.
    """
    said = "".join(f' {k.rstrip("_").replace("_", "-")}="{escaped(v)}"' for k, v in attributes.items())
    return Html(f"<{name}{said}>{joined(children)}</{name}>")


def figure(spec: Mapping[str, Any], label: str, caption: object = "", height: int = 380) -> Html:
    """A plot: its place, and its data for the page's script. `label` is what a screen reader says.

    `spec` has Plotly's `data` and `layout`; a colour `var(--name)` is looked up in the page's theme.
    """
    # `<` must not stand in a script element: `</script>` and `<!--` would end or change it.
    data = json.dumps(spec, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")
    place = element("div", class_="plot", role="img", aria_label=label, style=f"height:{height}px")
    held = Html(f'<script type="application/json">{data}</script>')
    return element("figure", place, held, element("figcaption", caption) if caption else Html(""))


@dataclass(frozen=True)
class Column:
    """A column's head, what its unit is, and whether it holds words instead of numbers."""

    head: str
    unit: str = ""
    words: bool = False


def table(columns: Sequence[Column], rows: Iterable[Sequence[object]], caption: str = "") -> Html:
    """A table that scrolls sideways by itself where the page is too narrow for it."""
    heads = (
        element("th", c.head, Html(" "), element("span", c.unit, class_="unit"), scope="col", class_=_kind(c))
        if c.unit
        else element("th", c.head, scope="col", class_=_kind(c))
        for c in columns
    )
    body = (
        element("tr", *(element("td", cell, class_=_kind(c)) for c, cell in zip(columns, row, strict=True)))
        for row in rows
    )
    title = element("caption", caption) if caption else Html("")
    inner = element("table", title, element("thead", element("tr", *heads)), element("tbody", *body))
    return element("div", inner, class_="scroll", tabindex="0", role="region", aria_label=caption or "table")


def _kind(column: Column) -> str:
    return "words" if column.words else "number"


def facts(pairs: Iterable[tuple[str, object]]) -> Html:
    """A list of names and what they are."""
    items = (element("div", element("dt", name), element("dd", value)) for name, value in pairs)
    return element("dl", *items, class_="facts")


def folded(summary: str, *content: object) -> Html:
    """What only some readers want: closed on the screen, open in print."""
    return element("details", element("summary", summary), *content)


# ---- one result in one cell


Format = Callable[[float], str]


def value(row: ResultRow | None, form: Format) -> Html:
    """A figure; `unresolved` with its reason on hover; `≤` before an upper bound."""
    if row is None:
        return element("span", "–", class_="none")
    if row.value is None:
        return element("span", "unresolved", class_="unresolved", title=row.reason or "")
    sign = {"upper": "≤ ", "lower": "≥ "}.get(row.bound or "", "")
    shown = sign + negative(form(row.value))
    return element("span", shown, title=row.reason) if row.reason else escaped(shown)


def interval(row: ResultRow | None, form: Format) -> Html:
    if row is None or row.ci95_low is None or row.ci95_high is None:
        return Html("")
    return element(
        "span", f"{negative(form(row.ci95_low))} to {negative(form(row.ci95_high))}", class_="interval"
    )


def negative(number: str) -> str:
    """With a minus sign as wide as a plus, instead of a hyphen."""
    return "−" + number[1:] if number.startswith("-") else number


def reasons(rows: Iterable[ResultRow], name: Callable[[ResultRow], str]) -> Html:
    """Why figures are unresolved or only bounds: each reason once, with what it holds for."""
    notes = [element("li", reason.sentence()) for reason in reasons_of(rows, name)]
    return element("ul", *notes, class_="notes") if notes else Html("")
