# SPDX-License-Identifier: BSD-3-Clause
"""A shell completes commands, options and the names that options take."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from processes import completed

STRETTO = Path(sys.executable).with_name("stretto")


def bash_completes(words: str, directory: Path) -> set[str]:
    """What bash offers for the last word, by the script that `stretto --install-completion` installs."""
    environment = {**os.environ, "PATH": f"{STRETTO.parent}:{os.environ['PATH']}"}
    script = f"""eval "$(_STRETTO_COMPLETE=source_bash stretto)"
        COMP_WORDS=(stretto {words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
        $(complete -p stretto | sed 's/.*-F \\([^ ]*\\).*/\\1/') stretto; printf '%s\\n' "${{COMPREPLY[@]}}" """
    done = completed(["bash", "-c", script], cwd=directory, env=environment, check=True)
    assert done.stderr == ""
    return set(done.stdout.split())


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("pro", {"probe", "profile"}),
        pytest.param("probe lat", {"latency"}, marks=pytest.mark.slow),
        pytest.param("probe --on e", {"emulated"}, marks=pytest.mark.slow),
        ("probe --transport mpi-rma,st", {"mpi-rma,stretto"}),
        pytest.param("predict ft --pro", {"--profile", "--progress"}, marks=pytest.mark.slow),
        pytest.param("probe --sizes 8", set(), marks=pytest.mark.slow),
    ],
)
def test_bash_completes(words: str, found: set[str], tmp_path: Path) -> None:
    assert bash_completes(words, tmp_path) == found


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_can_read_their_completions(shell: str, tmp_path: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"NO {shell.upper()}: its completion is not read; apt-get install {shell}")
    environment = {**os.environ, "_STRETTO_COMPLETE": f"source_{shell}"}
    file = tmp_path / "completion"
    file.write_bytes(subprocess.run([STRETTO], env=environment, capture_output=True, check=True).stdout)
    assert "stretto" in file.read_text()
    done = subprocess.run([program, "-n", file], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
