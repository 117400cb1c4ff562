# SPDX-License-Identifier: BSD-3-Clause
"""The one way to standard output: parts of a view for people, or one JSON document for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from rich.console import Console
from rich.table import Table
from rich.text import Text

WIDTH = 80

Part: TypeAlias = str | Text | Table
"""A part of a view: a line of text, which is never wrapped, or a table."""


def screen() -> Console:
    """Standard output: as wide as the terminal; 80 columns and no colours for a file or a pipe."""
    width = None if sys.stdout.isatty() else WIDTH
    return Console(width=width, highlight=False, markup=False, emoji=False)


def show(parts: Iterable[Part]) -> None:
    """Prints the parts of a view one below the other."""
    console = screen()
    for part in parts:
        console.print(part, soft_wrap=not isinstance(part, Table))


def show_json(document: Mapping[str, Any]) -> None:
    """Prints one JSON document, and nothing else. ValueError where a number in it is not finite."""
    print(json.dumps(document, indent=1, allow_nan=False))
