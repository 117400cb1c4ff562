# SPDX-License-Identifier: BSD-3-Clause
"""Manual pages and completions know every command, option and name, and shells can read them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from stretto.commands import GROUPS
from subcommands import subcommands

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files, made as CMake makes them: by a Python that has nothing but itself."""
    target = tmp_path_factory.mktemp("share")
    script = ROOT / "scripts" / "shell_files.py"
    subprocess.run([sys.executable, "-E", "-S", script, target, "1.2.3"], check=True)
    return target


def bash_completes(share: Path, words: str) -> list[str]:
    script = f"""source {share}/bash-completion/completions/stretto
        COMP_WORDS=(stretto {words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _stretto
        printf '%s\\n' "${{COMPREPLY[@]}}" """
    done = subprocess.run(["bash", "-c", script], cwd=share, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()


def test_the_reader_finds_every_command() -> None:
    assert [one.name for one in subcommands()] == [name for group in GROUPS.values() for name in group]
    assert subcommands() and all(one.summary for one in subcommands())


def test_every_option_is_in_the_manual_page_of_its_command(share: Path) -> None:
    main = (share / "man/man1/stretto.1").read_text()
    for one in subcommands():
        page = (share / f"man/man1/stretto-{one.name.replace(' ', '-')}.1").read_text().replace("\\-", "-")
        assert f"stretto {one.name}" in main
        assert '"stretto 1.2.3"' in page
        for option in one.options:
            for flag in option.option.flags:
                assert f"\\fB{flag}\\fR" in page, (one.name, flag)


@pytest.mark.skipif(shutil.which("groff") is None, reason="NO GROFF: pages are not formatted")
def test_pages_are_formatted_without_a_warning(share: Path) -> None:
    pages = sorted((share / "man/man1").iterdir())
    assert len(pages) > len(subcommands())
    for page in pages:
        done = subprocess.run(
            ["groff", "-man", "-Tutf8", "-ww", page], capture_output=True, text=True, check=True
        )
        assert done.stderr == "", page.name
        assert "SYNOPSIS" in re.sub(".\b", "", done.stdout)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("pro", {"probe", "profile"}),
        ("probe lat", {"latency"}),
        ("probe --on ''", {"local", "emulated", "simulated"}),
        ("probe --transport mpi-rma,st", {"mpi-rma,stretto"}),
        ("predict ''", {"ft", "spmv", "collective"}),
        ("predict ft --pro", {"--profile", "--progress"}),
        ("probe --sizes ''", set()),
    ],
)
def test_bash_completes(share: Path, words: str, found: set[str]) -> None:
    assert set(bash_completes(share, words)) == found


def test_bash_completes_files_where_files_may_stand(share: Path) -> None:
    assert "man" in bash_completes(share, "report m")
    assert bash_completes(share, "probe m") == []
    assert "zsh" in bash_completes(share, "report man -o z")


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_can_read_their_completions(share: Path, shell: str) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"NO {shell.upper()}: its completion is not read; apt-get install {shell}")
    file = {"zsh": "zsh/site-functions/_stretto", "fish": "fish/vendor_completions.d/stretto.fish"}[shell]
    done = subprocess.run([program, "-n", share / file], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(shutil.which("fish") is None, reason="NO FISH: not tested; apt-get install fish")
@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("stretto pro", "probe"),
        ("stretto probe --on e", "emulated"),
        ("stretto predict ft --prof", "--profile"),
    ],
)
def test_fish_completes(share: Path, words: str, found: str) -> None:
    file = share / "fish/vendor_completions.d/stretto.fish"
    script = f"source {file}; complete -C '{words}'"
    done = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True, text=True, check=True)
    assert found in [line.split("\t")[0] for line in done.stdout.splitlines()]


@pytest.mark.skipif(shutil.which("zsh") is None, reason="NO ZSH: not tested; apt-get install zsh")
def test_zsh_loads_the_completion(share: Path) -> None:
    script = (
        f"fpath=({share}/zsh/site-functions $fpath); autoload -Uz compinit; compinit -u -d {share}/dump; "
        "print ${_comps[stretto]}; autoload +X _stretto; functions _stretto >/dev/null && print loaded"
    )
    done = subprocess.run(["zsh", "-f", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["_stretto", "loaded"], done.stderr
