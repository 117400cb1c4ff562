# SPDX-License-Identifier: BSD-3-Clause
"""What a shell reads back from quoted words, comments and names of files."""

import os
import subprocess
from pathlib import Path

import pytest

from stretto.data.shell import command_line, comment, quoted, sourced

WORDS = [
    "plain",
    "",
    "a b",
    "it's",
    "$(touch made)`touch made`",
    "a\nb",
    "a\r\tb\\n",
    "'\n'\\",
    "\x1b[31m",
    "na\u00efve \u4e2d",
    "\u2028",
    os.fsdecode(b"\xff\xfe"),
]


@pytest.mark.parametrize("word", WORDS)
def test_bash_reads_a_quoted_word_back(word: str, tmp_path: Path) -> None:
    script = f"printf %s {quoted(word)}\n"
    assert script.count("\n") == 1
    done = subprocess.run(["bash"], input=os.fsencode(script), capture_output=True, cwd=tmp_path, check=True)
    assert done.stdout == os.fsencode(word) and not any(tmp_path.iterdir())


def test_a_command_is_one_line() -> None:
    assert command_line(["bash", "-c", "a\nb", Path("x y")]) == r"bash -c $'a\nb' 'x y'"


@pytest.mark.parametrize("word", WORDS)
def test_a_comment_is_one_line_that_does_nothing(word: str, tmp_path: Path) -> None:
    line = comment(f"{word}\ntouch made")
    assert len(line.splitlines()) == 1
    subprocess.run(["sh"], input=line.encode(), cwd=tmp_path, check=True)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["x.env", "-x.env", "it's.env", "a b/x.env", "{}/x.env"])
def test_a_shell_sources_the_file(name: str, tmp_path: Path) -> None:
    file = Path(name.format(tmp_path))
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text("export FOUND=it\n")
    line = sourced(file)
    done = subprocess.run(
        ["sh", "-c", f"{line} && echo $FOUND"], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.stdout == "it\n" and "//" not in line.replace(str(tmp_path), "")
