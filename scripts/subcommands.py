# SPDX-License-Identifier: BSD-3-Clause
"""The subcommands of stretto as data: name, heading, help text, options.

Reads the declarations in `python/stretto/options` and the docstrings of `python/stretto/commands`. It needs
nothing but Python, because it runs while stretto is built or installed.
"""

from __future__ import annotations

import ast
import importlib
import pkgutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1] / "python" / "stretto"
sys.path.insert(0, str(PACKAGE.parent))

import stretto.options  # noqa: E402  # found by the line above
from stretto.options.declare import Declared, Request, declared  # noqa: E402

_NEEDS_TYPER = "command_line"


@dataclass(frozen=True)
class Subcommand:
    """`name` has two words for a command of a group (`predict ft`); `text` is its docstring."""

    name: str
    heading: str
    text: str
    options: tuple[Declared, ...]

    @property
    def summary(self) -> str:
        """The first sentence, on one line, without a full stop."""
        first = " ".join(self.text.partition("\n\n")[0].split())
        return first.partition(". ")[0].rstrip(".")


def subcommands() -> list[Subcommand]:
    """All of them, in the order of the help."""
    requests = {request.__name__: request for request in _requests()}
    found = []
    for heading, commands in _groups().items():
        for name, place in commands.items():
            module, function = place.split(":")
            text, request = _function(PACKAGE / "commands" / f"{module}.py", function)
            found.append(Subcommand(name, heading, text, declared(requests[request])))
    return found


def _requests() -> Iterator[type[Request]]:
    for module in pkgutil.iter_modules(stretto.options.__path__):
        if module.name != _NEEDS_TYPER:
            importlib.import_module(f"stretto.options.{module.name}")
    waiting = [Request]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += one.__subclasses__()


def _groups() -> Mapping[str, Mapping[str, str]]:
    """The table GROUPS of `stretto.commands`, which cannot be imported without Typer."""
    tree = ast.parse((PACKAGE / "commands" / "__init__.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if (
            isinstance(node, ast.AnnAssign)
            and isinstance(node.target, ast.Name)
            and node.target.id == "GROUPS"
        ):
            assert node.value is not None
            groups: Mapping[str, Mapping[str, str]] = ast.literal_eval(node.value)
            return groups
    raise SystemExit("stretto.commands has no table GROUPS")


def _function(file: Path, name: str) -> tuple[str, str]:
    """The docstring of a command, and the name of the type of its request."""
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            annotation = node.args.args[0].annotation
            assert annotation is not None
            return ast.get_docstring(node) or "", ast.unparse(annotation)
    raise SystemExit(f"{file}: there is no function {name}")
