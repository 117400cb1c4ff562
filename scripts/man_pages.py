# SPDX-License-Identifier: BSD-3-Clause
"""Writes manual pages in roff below a directory: one of stretto, one of each subcommand.

Usage: python scripts/man_pages.py SHARE VERSION

It needs nothing but Python, because it runs while stretto is built or installed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from subcommands import Subcommand, subcommands  # first: it makes stretto importable

from stretto.options.declare import Declared  # isort: skip
from stretto.options.kinds import Switch  # isort: skip

_STATUSES = (
    ("0", "The command has done what it should."),
    ("1", "The run failed: a program, a launcher or the machine."),
    ("2", "The input was wrong. One line names the file, line or option, and the correction."),
    ("3", "A check did not hold."),
    ("130", "The user has interrupted the command."),
)
_OPTIONS = (
    ("--version", "Print the version and end."),
    ("--prefix", "Print the prefix of headers and libraries, for CMake and pkg-config, and end."),
    ("--help", "Show the help."),
)
_TITLE = "how much MPI communication can run under computation"


def main(share: str, version: str) -> None:
    """Writes all pages."""
    directory = Path(share) / "man" / "man1"
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in man_pages(subcommands(), version):
        (directory / name).write_text(text, encoding="utf-8")


def man_pages(commands: Sequence[Subcommand], version: str) -> Iterator[tuple[str, str]]:
    """Names of files and their texts."""
    yield "stretto.1", "\n".join(_main_page(commands, version)) + "\n"
    for one in commands:
        name = f"stretto-{one.name.replace(' ', '-')}"
        yield f"{name}.1", "\n".join(_page(one, name, version)) + "\n"


def _main_page(commands: Sequence[Subcommand], version: str) -> Iterator[str]:
    yield from _head("stretto", _TITLE, version)
    yield ".SH SYNOPSIS\n.B stretto\n.I COMMAND\n[\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]..."
    yield ".SH DESCRIPTION\n\\fBstretto probe\\fR measures this machine and shows what it found."
    yield "Each command has a manual page of its own, such as\n.BR stretto-probe (1)."
    heading = ""
    for one in commands:
        if one.heading != heading:
            heading = one.heading
            yield f".SH {_escaped(heading.upper())}"
        stop = "" if one.summary.endswith("?") else "."
        yield f".TP\n\\fBstretto {_escaped(one.name)}\\fR\n{_escaped(one.summary)}{stop}"
    yield ".SH OPTIONS"
    for flag, meaning in _OPTIONS:
        yield f".TP\n\\fB{_escaped(flag)}\\fR\n{meaning}"
    yield from _ending()


def _page(one: Subcommand, name: str, version: str) -> Iterator[str]:
    yield from _head(name, one.summary[:1].lower() + one.summary[1:], version)
    arguments = [_escaped(option.option.metavar) for option in one.options if not option.option.flags]
    yield f".SH SYNOPSIS\n.B stretto {_escaped(one.name)}\n[\\fIOPTION\\fR]... {' '.join(arguments)}".rstrip()
    yield ".SH DESCRIPTION"
    for index, paragraph in enumerate(one.text.split("\n\n")):
        yield (".PP\n" if index else "") + _marked(" ".join(paragraph.split()))
    for option in one.options:
        if not option.option.flags:
            yield f".TP\n\\fI{_escaped(option.option.metavar)}\\fR\n{_marked(option.option.help)}"
    yield ".SH OPTIONS"
    panels = dict.fromkeys(option.option.panel for option in one.options if option.option.flags)
    for panel in panels:
        if panel:
            yield f".SS {_escaped(panel)}"
        for option in one.options:
            if option.option.flags and option.option.panel == panel:
                yield _option(option)
    yield ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nShow the help."
    yield from _ending()


def _option(one: Declared) -> str:
    option = one.option
    names = ", ".join(f"\\fB{_escaped(flag)}\\fR" for flag in option.flags)
    if not isinstance(option.kind, Switch):
        names += f" \\fI{_escaped(option.metavar or option.kind.metavar)}\\fR"
    shown = one.default_text()
    return f".TP\n{names}\n{_marked(option.help)}" + (f" Default: {_escaped(shown)}." if shown else "")


def _head(name: str, title: str, version: str) -> Iterator[str]:
    yield f'.TH {name.upper()} 1 "" "stretto {version}" "User Commands"'
    yield f".SH NAME\n{_escaped(name)} \\- {_marked(title)}"


def _ending() -> Iterator[str]:
    yield ".SH EXIT STATUS"
    for status, meaning in _STATUSES:
        yield f".TP\n.B {status}\n{_escaped(meaning)}"
    yield ".PP\n\\fBtrace\\fR, \\fBpreload\\fR and \\fBrun \\-\\-\\fR pass the status of the application on."
    yield ".SH SEE ALSO\n.BR stretto (1).\nThe pages of docs/ in the source tree."


def _marked(text: str) -> str:
    """Escaped, with code in bold."""
    parts = text.split("`")
    return "".join(
        f"\\fB{_escaped(part)}\\fR" if index % 2 else _escaped(part) for index, part in enumerate(parts)
    )


def _escaped(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"(?m)^([.'])", r"\\&\1", text)


if __name__ == "__main__":
    main(*sys.argv[1:])
