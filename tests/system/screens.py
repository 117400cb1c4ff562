# SPDX-License-Identifier: BSD-3-Clause
"""What tests ask of the text that a command has printed."""

from __future__ import annotations

COMMAND = "next: "


def widest(text: str) -> int:
    """Characters of the longest line. A printed command does not count: it is one line, to be copied."""
    return max(len(line) for line in text.splitlines() if not line.startswith(COMMAND))
