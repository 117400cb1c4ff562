# SPDX-License-Identifier: BSD-3-Clause
"""The page of the papers and its pictures as files. Only a full run of all papers writes `papers.md`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path

from stretto.data.files import write_atomically
from stretto.errors import UserError
from validation.papers.outcome import Outcome
from validation.papers.page import papers_page, picture_name
from validation.papers.picture import picture
from validation.papers.registry import changes, papers

FULL, SHORT = "papers", "papers-short"
"""The names of the page, and of the directory of its pictures."""


def check_page(directory: Path, name: str, force: bool) -> None:
    """Raises UserError where the page must not be written."""
    if directory.exists() and not directory.is_dir():
        raise UserError(f"-o {directory}: is no directory; name another")
    if (page := directory / f"{name}.md").exists() and not force:
        raise UserError(f"{page} exists: choose another directory with -o, or overwrite it with --force")


def write_page(directory: Path, name: str, outcomes: Sequence[Outcome], note: str, command: str) -> Path:
    """Writes the page and one picture per plot, and removes pictures of earlier figures.

    Raises:
        UserError: The directory cannot be written.
    """
    pictures = directory / name
    try:
        pictures.mkdir(parents=True, exist_ok=True)
        for old in pictures.glob("*.svg"):
            old.unlink()
    except OSError as error:
        raise UserError(f"-o {directory}: cannot be written ({error.strerror}); name another") from None
    for one in outcomes:
        if one.plot is not None:
            write_atomically(
                pictures / picture_name(one), picture(one.plot, f"{one.paper} {one.figure.name}")
            )
    today = datetime.now(timezone.utc).strftime("%Y-%m-%d")
    text = papers_page(
        papers(), outcomes, note=note, pictures=name, command=command, when=today, log=changes()
    )
    write_atomically(directory / f"{name}.md", text)
    return directory / f"{name}.md"
