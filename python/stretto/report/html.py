# SPDX-License-Identifier: BSD-3-Clause
"""The report as one HTML file that needs nothing else: no server, no network, no second file."""

from collections.abc import Sequence
from importlib.resources import files
from string import Template

from plotly.offline import get_plotlyjs  # type: ignore[import-untyped]

from stretto.report.document import Document
from stretto.report.markup import Html, element, escaped, joined
from stretto.report.origin import origin
from stretto.report.sections import Section, discover


def render(document: Document, sections: Sequence[Section] | None = None) -> str:
    """The whole page, Plotly's script included.

    Args:
        document: The figures and what belongs to them.
        sections: Those to show; all that `stretto.report.sections` has unless told.

    Returns:
        HTML text, all of the document's words escaped in it. Sections without anything to show are left out.
    """
    found = [(s, body) for s in sections or discover() if (body := s.body(document)) is not None]
    name, dateline = _names(document)
    style = Template(_resource("style.css")).substitute(dark=" ".join(_resource("dark.css").split("\n")))
    return Template(_resource("page.html")).substitute(
        title=escaped(f"stretto: {name}"),
        heading=escaped(f"How much communication hides under computation on {name}"),
        dateline=escaped(dateline),
        contents=joined(element("a", s.title, href=f"#{s.anchor}") for s, _ in found),
        sections=joined(_section(s, body) for s, body in found),
        style=style,
        plotly=get_plotlyjs(),
        script=_resource("page.js"),
    )


def _section(section: Section, body: Html) -> Html:
    return element("section", element("h2", section.title), body, id=section.anchor)


def _resource(name: str) -> str:
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
