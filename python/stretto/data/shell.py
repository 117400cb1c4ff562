# SPDX-License-Identifier: BSD-3-Clause
"""Words of commands for a shell to read: quoted, and on one line whatever they hold."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path

_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quoted(word: str) -> str:
    r"""A word as a shell reads it back. Control characters and bytes that are no text are escaped, `$'a\nb'`,
    as bash, zsh, ksh and POSIX of 2024 read them.
    """
    if word.isprintable() or not word:
        return shlex.quote(word)
    return "$'" + "".join(map(_escaped, word)) + "'"


def _escaped(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    if letter.isprintable():
        return letter
    return "".join(f"\\x{byte:02x}" for byte in letter.encode("utf-8", "surrogateescape"))


def command_line(words: Iterable[object]) -> str:
    """A command as it can be typed, on one line."""
    return " ".join(quoted(str(word)) for word in words)


def comment(text: str) -> str:
    """A comment of a shell file, on one line."""
    return "# " + "".join(c if c.isprintable() else " " if c in "\n\r\t" else "?" for c in text)


def sourced(file: Path) -> str:
    """The command with which a shell reads a file."""
    path = str(file)
    return f". {quoted(path if '/' in path else f'./{path}')}"
