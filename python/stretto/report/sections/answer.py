# SPDX-License-Identifier: BSD-3-Clause
"""The answer: the sentences that matter, before any picture."""

from collections.abc import Sequence

from stretto.report.blocks import Block, Group, Headlines, Paragraph
from stretto.report.document import Document
from stretto.report.sections import Section
from stretto.report.sentences import headlines

_NOTE = (
    "In brackets: 95 % intervals. Overlap is the share of the communication that computation hides when both "
    "take equally long alone (T_w/T_c = 1)."
)


def body(document: Document) -> Sequence[Block]:
    """A list of sentences with emphasised figures and their intervals."""
    text = Headlines([sentence.parts for sentence in headlines(document)])
    return [Group("", [text, Paragraph(_NOTE, "aside")])]


SECTION = Section(10, "answer", "The answer", body, folded=False)
