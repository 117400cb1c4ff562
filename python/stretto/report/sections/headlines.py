# SPDX-License-Identifier: BSD-3-Clause
"""The three sentences that matter."""

from stretto.report.document import Document
from stretto.report.markup import Html, element
from stretto.report.prose import Strong
from stretto.report.sections import Section
from stretto.report.sentences import headlines


def body(document: Document) -> Html | None:
    """A list, the figures in it set strong; each with its interval, or said to be unresolved."""
    items = (
        element(
            "li", *(element("strong", part) if isinstance(part, Strong) else part for part in sentence.parts)
        )
        for sentence in headlines(document)
    )
    note = element(
        "p",
        "In brackets: 95 % intervals. Overlap is the share of the communication that disappears behind as "
        "much work as the communication takes alone (T_w/T_c = 1).",
        class_="aside",
    )
    return element("div", element("ol", *items, class_="headlines"), note)


SECTION = Section(20, "headlines", "In short", body)
