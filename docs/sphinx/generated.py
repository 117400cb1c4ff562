# SPDX-License-Identifier: BSD-3-Clause
"""Parts of pages that come from the sources: a line `<!-- generated: NAME -->` is replaced."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import test_layers
import typer
from typer.cli import get_docs_for_click
from typer.main import get_command

from stretto import rma
from stretto.commands import COMMANDS, application
from stretto.options.declare import declared
from stretto.options.probe import ProbeRequest
from stretto.options.variables import VARIABLES

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
MARK = re.compile(r"^<!-- generated: ([a-z-]+) -->$", re.MULTILINE)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def command_line() -> str:
    """Every subcommand with its options: Typer's own documentation of the program."""
    command = get_command(application(COMMANDS))
    context = typer.Context(command, info_name="stretto")
    pages = get_docs_for_click(obj=command, ctx=context, name="stretto", indent=1)
    return pages.replace("```console\n$ ", "```text\n")


def variables() -> str:
    """The environment variables that a user may set."""
    rows = ([f"`{one.name}`", one.component, one.meaning] for one in VARIABLES)
    return table(["variable", "read by", "meaning"], rows)


def request_members() -> str:
    """The members of a request for probes that an option of `stretto probe` sets."""
    rows = []
    for one in declared(ProbeRequest):
        option = one.option
        if option.native:
            rows.append([f"`{option.native}`", f"`{option.name}`" if option.flags else "names", option.help])
    return table(["member", "option", "meaning"], rows)


def native_components() -> str:
    """The components of src/: what each may use, whether it knows MPI, and its public headers."""
    rows = []
    for component, below in test_layers.NATIVE.items():
        headers = test_layers.PUBLIC_HEADERS.get(component, "").split()
        rows.append(
            [
                f"`{component}`",
                ", ".join(sorted(below)) or "–",
                "yes" if component in test_layers.KNOWS_MPI else "no",
                " ".join(f"`{header}.hpp`" for header in headers) or "–",
            ]
        )
    return table(["component", "may use", "may include `mpi.h`", "public headers"], rows)


def python_components() -> str:
    """The components of python/stretto and what each may import."""
    rows = ([f"`{part}`", ", ".join(sorted(below)) or "–"] for part, below in test_layers.PYTHON.items())
    return table(["component", "may import"], rows)


def cpp_headers() -> str:
    """Every public C++ header, by the component that implements it, as Doxygen reads it."""
    lines = []
    # The runtime comes first: the others build on it.
    for component in sorted(test_layers.PUBLIC_HEADERS, key=lambda name: name != "onesided"):
        headers = test_layers.PUBLIC_HEADERS[component]
        lines.append(f"## {component}\n")
        for header in headers.split():
            lines.append(f"### `stretto/{header}.hpp`\n\n```{{doxygenfile}} {header}.hpp\n```\n")
    return "\n".join(lines)


def python_interface() -> str:
    """The classes of stretto.rma: what each is, and its methods with their first sentences."""
    parts = []
    for name in rma.__all__:
        one = getattr(rma, name)
        parts.append(f"## `{name}`\n\n{with_lists(inspect.cleandoc(one.__doc__))}\n")
        rows = []
        for member, value in inspect.getmembers(one):
            text = inspect.getdoc(value)
            if member.startswith("_") or not text or issubclass(one, Exception):
                continue
            shown = f"{member}{signature(value)}" if inspect.isfunction(value) else member
            rows.append([f"`{shown}`", " ".join(text.partition("\n\n")[0].split())])
        if rows:
            parts.append(table(["", ""], rows) + "\n")
    return "\n".join(parts)


def with_lists(text: str) -> str:
    """A docstring whose sections of arguments and attributes are lists."""
    text = re.sub(r"^(Args|Attributes):$", r"\1:\n", text, flags=re.M)
    return re.sub(r"^    (\w+): ", r"- `\1`: ", text, flags=re.M).replace("\n    ", "\n  ")


def signature(function: Callable[..., object]) -> str:
    """The parameters of a method by name."""
    names = [
        one.name if one.default is one.empty else f"{one.name}={one.default!r}"
        for one in inspect.signature(function).parameters.values()
    ]
    return f"({', '.join(names[1:])})"


def examples() -> str:
    """The programs of examples/ in the order of their README, each with its concept and its text."""
    rows = re.findall(
        r"^\| \[([\w.]+)\]\(\1\) \| (.*) \|$", (EXAMPLES / "README.md").read_text("utf-8"), re.M
    )
    languages = {"cpp": "cpp", "c": "c", "f90": "fortran", "py": "python"}
    parts = []
    for file, concept in rows:
        language = languages[file.partition(".")[2]]
        text = f"```{{literalinclude}} ../examples/{file}\n:language: {language}\n```"
        parts.append(f"## `{file}`\n\n{concept[0].upper()}{concept[1:]}.\n\n{text}\n")
    return "\n".join(parts)


PARTS: Mapping[str, Callable[[], str]] = {
    "command-line": command_line,
    "variables": variables,
    "request-members": request_members,
    "native-components": native_components,
    "python-components": python_components,
    "cpp-headers": cpp_headers,
    "python-interface": python_interface,
    "examples": examples,
}


def fill_in(text: str) -> str:
    """The page with every mark replaced.

    Raises:
        KeyError: a mark names no part.
    """
    return MARK.sub(lambda mark: PARTS[mark[1]](), text)
