# SPDX-License-Identifier: BSD-3-Clause
"""Manual pages know every command and option."""

import os
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
    """The pages, made as CMake makes them: by a Python that has nothing but itself."""
    target = tmp_path_factory.mktemp("share")
    script = ROOT / "scripts" / "man_pages.py"
    subprocess.run([sys.executable, "-E", "-S", script, target, "1.2.3"], check=True)
    return target


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


def test_an_activated_environment_has_the_pages() -> None:
    """`make setup` and `pip install` put them where man looks: next to `bin`, which is on the PATH."""
    environment = Path(sys.prefix)
    assert (environment / "share/man/man1/stretto.1").is_file()
    if shutil.which("man") is None:
        return
    path = f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"
    variables = {name: value for name, value in os.environ.items() if name != "MANPATH"} | {"PATH": path}
    shown = subprocess.run(
        ["man", "-w", "stretto-probe"], env=variables, capture_output=True, text=True, check=False
    )
    assert shown.stdout.strip() == str(environment / "share/man/man1/stretto-probe.1")
