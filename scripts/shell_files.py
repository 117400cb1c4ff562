# SPDX-License-Identifier: BSD-3-Clause
"""Writes the manual pages and the completions of stretto below a directory.

Usage: python scripts/shell_files.py SHARE VERSION

The files are man/man1/*.1, and completions where bash, zsh and fish look for them below `share`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from subcommands import subcommands  # first: it makes stretto importable

from completions import completions  # isort: skip
from man_pages import man_pages  # isort: skip


def main(share: str, version: str) -> None:
    """Writes all files."""
    commands = subcommands()
    files = [(f"man/man1/{name}", text) for name, text in man_pages(commands, version)]
    for name, text in [*files, *completions(commands)]:
        path = Path(share) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
