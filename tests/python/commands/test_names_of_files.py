# SPDX-License-Identifier: BSD-3-Clause
"""Names of files that the system refuses are a line and status 2, whatever command reads the file."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from screens import refusal

LONG = "a" * 300
LOGGP = "--loggp=L=2us,o=1us,g=1us,G=0.1ns"


READERS = pytest.mark.parametrize(
    "words",
    [
        ("show", LONG),
        ("compare", LONG, LONG),
        ("report", LONG),
        ("fit", LONG, "-o", "x.json"),
        ("potential", LONG),
        ("whatif", LONG),
        ("replay", LONG, LOGGP),
        ("predict", "ft", "--profile", LONG),
        ("advise", "--profile", LONG),
        ("profile", "show", LONG),
    ],
    ids=lambda words: words[0],
)


@READERS
def test_a_name_that_is_too_long_is_one_line(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert LONG in refusal(capsys, *words)


@READERS
def test_a_link_that_leads_to_itself_is_one_line(
    words: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("loop").symlink_to("loop")
    assert "loop" in refusal(capsys, *(word.replace(LONG, "loop") for word in words))


def test_show_does_not_wait_for_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    program = "import sys; from stretto.commands import exit_status; sys.exit(exit_status(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", program, "show", str(tmp_path / "pipe")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2 and "is not a regular file" in done.stderr
