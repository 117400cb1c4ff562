# SPDX-License-Identifier: BSD-3-Clause
"""The renderer of HTML: a page in one self-contained file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from stretto.report.blocks import Block
from stretto.report.document import Document
from stretto.report.origin import origin
from stretto.report.sections import Section, discover
from stretto.report.units import without_controls


@dataclass(frozen=True)
class Part:
    """A section of a page."""

    anchor: str
    title: str
    blocks: Sequence[Block]


def render(document: Document, sections: Sequence[Section] | None = None) -> str:
    """The page, including Plotly's script.

    Args:
        document: The figures and their context.
        sections: The sections to show; by default all of `stretto.report.sections`.

    Returns:
        HTML text with the document's text escaped. Empty sections are omitted.
    """
    result = ((section, section.body(document)) for section in sections or discover())
    parts = [Part(section.anchor, section.title, blocks) for section, blocks in result if blocks]
    name, dateline = _names(document)
    return page(
        title=f"stretto: {name}",
        heading=f"How much communication hides under computation on {name}",
        dateline=dateline,
        parts=parts,
    )


def page(*, title: str, heading: str, dateline: str, parts: Sequence[Part], script: str = "") -> str:
    """A page of these parts; `script`, a file of `report/page`, runs after the script of the plots."""
    # Imported on use, because it is slow.
    from plotly.offline import get_plotlyjs  # type: ignore[import-untyped]

    own = "".join(resource(name) for name in ("page.js", script) if name)
    return (
        _templates()
        .get_template("page.html")
        .render(
            title=title,
            heading=heading,
            dateline=dateline,
            parts=parts,
            scripts=[Markup(get_plotlyjs()), Markup(own)],
        )
    )


def resource(name: str) -> str:
    """A file of `report/page`."""
    return (files("stretto.report") / "page" / name).read_text(encoding="utf-8")


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
    environment.policies["json.dumps_kwargs"] = {"allow_nan": False, "separators": (",", ":")}
    return environment


def _shown(value: Any) -> Any:
    return value if isinstance(value, Markup) else without_controls(value)


def _names(document: Document) -> tuple[str, str]:
    """The subject of the page, and time and program of the measurement."""
    runs = [origin(header) for header in document.results.provenance]
    if not runs:
        machine = document.profile.machine.name if document.profile else ""
        return machine or "a machine without a name", "From a profile, without samples."
    run = runs[0]
    name = {
        "emulated": "an emulated cluster",
        "simulated": f"the simulated platform {run.network}" if run.network else "a simulated platform",
        "virtual": "a virtual machine with known answers",
    }.get(run.substrate, run.name)
    if run.substrate == "emulated" and run.network:
        name += f" ({run.network})"
    when = run.created_utc.replace("T", " ").replace("Z", " UTC")
    return name, f"{when}, {run.mpi}, {run.ranks} ranks, {run.locality}"
