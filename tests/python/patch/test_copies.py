# SPDX-License-Identifier: BSD-3-Clause
"""Builds of a patched program in a copy of its sources."""

from pathlib import Path

import pytest

from stretto.errors import RunError
from stretto.patch.copies import build


def test_a_build_makes_the_program_in_its_folder(tmp_path: Path) -> None:
    command = "echo \"#!$KIND\" > 'an app'; chmod +x 'an app'"
    made = build(command, tmp_path, Path("an app"), {"KIND": "patched"})
    assert made.program.read_text() == "#!patched\n"


def test_nothing_of_a_build_is_left(tmp_path: Path) -> None:
    """A compiler in the background held the output open: stretto waited for it."""
    with pytest.raises(RunError, match="ended with 7 in a copy\nbroken"):
        build("sleep 600 & echo $! > id; echo broken >&2; exit 7", tmp_path, Path("app"), {})
    assert not Path("/proc", (tmp_path / "id").read_text().strip()).exists()
