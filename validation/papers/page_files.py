# SPDX-License-Identifier: BSD-3-Clause
"""The page of the papers and its pictures as files."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path

from stretto.data.files import write_atomically
from stretto.errors import UserError
from validation.papers.figures import Outcome
from validation.papers.page import PICTURES, papers_page, picture_name
from validation.papers.picture import picture
from validation.papers.registry import PAPERS

PAGE = "papers.md"


def check_page(directory: Path, force: bool) -> None:
    """Raises UserError where the page must not be written."""
    if directory.exists() and not directory.is_dir():
        raise UserError(f"-o {directory}: is no directory; name another")
    if (page := directory / PAGE).exists() and not force:
        raise UserError(f"{page} exists: choose another directory with -o, or overwrite it with --force")


def write_page(directory: Path, outcomes: Sequence[Outcome], command: str) -> Path:
    """Writes the page and one picture per plot, and removes pictures of earlier figures.

    Raises:
        UserError: The directory cannot be written.
    """
    pictures = directory / PICTURES
    try:
        pictures.mkdir(parents=True, exist_ok=True)
        for old in pictures.glob("*.svg"):
            old.unlink()
    except OSError as error:
        raise UserError(f"-o {directory}: cannot be written ({error.strerror}); name another") from None
    for one in outcomes:
        if one.result is not None and one.result.plot is not None:
            title = f"{one.paper} {one.figure.name}"
            write_atomically(pictures / picture_name(one), picture(one.result.plot, title))
    today = datetime.now(timezone.utc).strftime("%Y-%m-%d")
    write_atomically(directory / PAGE, papers_page(PAPERS, outcomes, command, today))
    return directory / PAGE
