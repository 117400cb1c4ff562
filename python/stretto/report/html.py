# SPDX-License-Identifier: BSD-3-Clause
"""The renderer of HTML: a page in one self-contained file."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from stretto.report.blocks import Block, figures_in, mapped
from stretto.report.document import Document
from stretto.report.figure_data import csv_address, figure_data, file_name
from stretto.report.origin import conditions, names
from stretto.report.sections import Section, discover
from stretto.report.units import NUMBER_AND_UNIT, without_controls

_CODE = re.compile("`([^`]+)`")
_FOLDER = files("stretto.report") / "page"


@dataclass(frozen=True)
class Part:
    """A section of a page."""

    anchor: str
    title: str
    blocks: Sequence[Block]
    folded: bool = False


def render(document: Document, sections: Sequence[Section] | None = None) -> str:
    """The whole page of one run, the plotting library included.

    Args:
        document: The figures and their context.
        sections: The sections to show; by default all of `stretto.report.sections`.

    Returns:
        HTML text with the document's text escaped. Empty sections are omitted.
    """
    name, dateline = names(document)
    return page(
        title=f"stretto: {name}",
        heading=f"How much communication hides under computation on {name}?",
        dateline=dateline,
        parts=run_parts(document, sections),
    )


def run_parts(document: Document, sections: Sequence[Section] | None = None) -> list[Part]:
    """The parts of a page that come from a run; without pictures, the first part that draws is unfolded."""
    known = conditions(document)
    parts = []
    for section in sections or discover():
        blocks = section.body(document)
        if blocks:
            parts.append(Part(section.anchor, section.title, stated(blocks, known), section.folded))
    if not any(figures_in(part.blocks) for part in parts if not part.folded):
        first = next((part for part in parts if part.folded and figures_in(part.blocks)), None)
        parts = [replace(part, folded=False) if part is first else part for part in parts]
    return parts


def stated(blocks: Sequence[Block], known: str) -> list[Block]:
    """The blocks, every figure with the conditions that hold for all, where it has none of its own."""
    return mapped(blocks, lambda one: replace(one, conditions=one.conditions or known))


def page(*, title: str, heading: str, dateline: str, parts: Sequence[Part], script: str = "") -> str:
    """A page of these parts; `script`, a file of `report/page`, is run after that of the plots.

    The first part is the answer, and the links to the others stand below it.
    """
    return (
        _templates()
        .get_template("page.html")
        .render(
            title=title,
            heading=heading,
            dateline=dateline,
            parts=parts,
            plotly=_plotly() if any(figures_in(part.blocks) for part in parts) else "",
            scripts=[Markup(resource(name)) for name in ("page.js", script) if name],
        )
    )


@lru_cache(maxsize=1)
def _plotly() -> str:
    """The plotting library, compressed, as text: the page unpacks it."""
    return b64encode((_FOLDER / "plotly-basic.min.js.gz").read_bytes()).decode("ascii")


def resource(name: str) -> str:
    """A file of `report/page`."""
    return (_FOLDER / name).read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def _templates() -> Environment:
    """The templates, which escape all text and replace control characters."""
    environment = Environment(
        loader=PackageLoader("stretto.report", "page"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        keep_trailing_newline=False,
    )
    environment.globals |= {"figure_data": figure_data, "csv_address": csv_address, "file_name": file_name}
    environment.filters["coded"] = _coded
    environment.policies["json.dumps_kwargs"] = {"allow_nan": False, "separators": (",", ":")}
    return environment


def _coded(text: Any) -> Markup:
    """The text with what stands between backticks, such as commands, as code."""
    parts = _CODE.split(str(text))
    shown = (
        Markup("<code>{}</code>" if at % 2 else "{}").format(_shown(one)) for at, one in enumerate(parts)
    )
    return Markup("").join(shown)


def _shown(value: Any) -> Any:
    """Text without control characters, of which no line ends between a number and its unit."""
    if isinstance(value, Markup):
        return value
    return NUMBER_AND_UNIT.sub(lambda space: space[0].replace(" ", "\xa0"), without_controls(value))
