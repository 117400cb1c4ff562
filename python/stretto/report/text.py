# SPDX-License-Identifier: BSD-3-Clause
"""What the terminal shows: tables at 80 columns, the headline sentences, the settings.
A document in, lines out.
"""

from rich.console import Console
from rich.text import Text

from stretto.report.collectives import collective_tables
from stretto.report.columns import Line, heading, wrapped
from stretto.report.document import Document
from stretto.report.echo import settings
from stretto.report.sentences import headlines
from stretto.report.text_tables import TABLES


def lines(document: Document) -> list[Line]:
    """The whole view. No line is wider than 80 cells."""
    found = [line for tables in TABLES for line in tables(document.results.rows)]
    found += collective_tables(document)
    found += [Line(""), heading("In short")]
    for sentence in headlines(document):
        found += wrapped(sentence.text, 2, "  ")
    found += [Line(""), heading("Measured with")]
    for name, value in settings(document):
        found += wrapped(value, 14, f"  {name:<11} ")
    return found[1:] if found[0].text == "" else found


def plain_text(document: Document) -> str:
    """The view without colours, for files and pipes."""
    return "".join(f"{line.text}\n" for line in lines(document))


def show(document: Document, console: Console) -> None:
    """Prints the view; colours only where the console is a terminal.
    Never wraps, so that columns stay columns.
    """
    for line in lines(document):
        console.print(Text(line.text, style=line.style), soft_wrap=True)
