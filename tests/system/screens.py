# SPDX-License-Identifier: BSD-3-Clause
"""What commands print, run in this process: a new one starts for a second."""

import json
from pathlib import Path
from typing import Any

import pytest

from stretto.commands import exit_status

COMMAND = "next: "


def widest(text: str) -> int:
    """Characters of the longest line. A printed command does not count: it is one line, to be copied."""
    return max(len(line) for line in text.splitlines() if not line.startswith(COMMAND))


def document(shown: pytest.CaptureFixture[str], *words: str | Path, warns: bool = False) -> Any:
    """The document that `stretto WORDS --json` prints, and nothing else but warnings where it `warns`."""
    shown.readouterr()
    assert exit_status([*map(str, words), "--json"]) == 0
    text = shown.readouterr()
    assert warns == bool(text.err), text.err
    return json.loads(text.out)


def refusal(shown: pytest.CaptureFixture[str], *words: str | Path, status: int = 2) -> str:
    """The line in which `stretto WORDS` refuses what it is given."""
    shown.readouterr()
    ended = exit_status([*map(str, words)])
    text = shown.readouterr()
    assert (ended, text.out, text.err.count("\n")) == (status, "", 1), text.err
    assert text.err.startswith("stretto: ")
    return text.err.removeprefix("stretto: ").rstrip("\n")
