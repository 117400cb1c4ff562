# SPDX-License-Identifier: BSD-3-Clause
"""The answer: the sentences that matter, before any picture."""

from collections.abc import Sequence

from stretto.report.answer import answer_of
from stretto.report.answer_words import help_text, meaning_text
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
    text = Headlines([*(sentence.parts for sentence in headlines(document)), *_consequences(document)])
    return [Group("", [text, Paragraph(_NOTE, "aside")])]


def _consequences(document: Document) -> Sequence[Sequence[str]]:
    """What helps, where the sentence about overlap names nothing, and what that means for a program."""
    answer = answer_of(document)
    if answer is None:
        return []
    helps = [] if answer.helped() else [(f"What would help: {help_text([answer])}",)]
    return [*helps, (meaning_text([answer]),)]


SECTION = Section(10, "answer", "The answer", body, folded=False)
