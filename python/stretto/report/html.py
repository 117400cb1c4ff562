# SPDX-License-Identifier: BSD-3-Clause
"""The report as one HTML file that needs nothing else: no server, no network, no second file."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from string import Template

from stretto.report.document import Document
from stretto.report.markup import Html, element, escaped, joined
from stretto.report.origin import origin
from stretto.report.sections import Section, discover


@dataclass(frozen=True)
class Part:
    """A section as it stands on a page."""

    anchor: str
    title: str
    body: Html


def render(document: Document, sections: Sequence[Section] | None = None) -> str:
    """The whole page, Plotly's script included.

    Args:
        document: The figures and what belongs to them.
        sections: Those to show; all that `stretto.report.sections` has unless told.

    Returns:
        HTML text, all of the document's words escaped in it. Sections without anything to show are left out.
    """
    found = ((s, s.body(document)) for s in sections or discover())
    parts = [Part(s.anchor, s.title, body) for s, body in found if body is not None]
    name, dateline = _names(document)
    return page(
        title=f"stretto: {name}",
        heading=f"How much communication hides under computation on {name}",
        dateline=dateline,
        parts=parts,
    )


def page(*, title: str, heading: str, dateline: str, parts: Sequence[Part], script: str = "") -> str:
    """A page of these parts; `script` is run after that of the plots."""
    # Takes long to import, which only a page should pay.
    from plotly.offline import get_plotlyjs  # type: ignore[import-untyped]

    style = Template(resource("style.css")).substitute(dark=" ".join(resource("dark.css").split("\n")))
    return Template(resource("page.html")).substitute(
        title=escaped(title),
        heading=escaped(heading),
        dateline=escaped(dateline),
        contents=joined(element("a", part.title, href=f"#{part.anchor}") for part in parts),
        sections=joined(
            element("section", element("h2", part.title), part.body, id=part.anchor) for part in parts
        ),
        style=style,
        plotly=get_plotlyjs(),
        script=resource("page.js") + script,
    )


def resource(name: str) -> str:
    """A file of `report/page`."""
    return (files("stretto.report") / "page" / name).read_text(encoding="utf-8")


def _names(document: Document) -> tuple[str, str]:
    """What the page is of, and when and with what it was measured."""
    runs = [origin(header) for header in document.results.provenance]
    if not runs:
        machine = document.profile.machine.name if document.profile else ""
        return machine or "a machine without a name", "From a profile; no samples were at hand."
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
