# SPDX-License-Identifier: BSD-3-Clause
"""Commands are short, take one request each, and do not use each other."""

import ast
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from stretto import commands
from stretto.commands import COMMANDS, GROUPS, exit_status, request_of
from stretto.errors import UserError

DIRECTORY = Path(commands.__file__).parent
MODULES = {place.split(":")[0] for group in GROUPS.values() for place in group.values()}
MAX_LINES = 65
MAX_COMMANDS = 20


def test_a_user_meets_few_commands() -> None:
    assert sum(map(len, GROUPS.values())) <= MAX_COMMANDS


@pytest.mark.parametrize("module", sorted(MODULES))
def test_a_command_is_short_and_uses_no_other(module: str) -> None:
    text = (DIRECTORY / f"{module}.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MAX_LINES
    imports = [node.module for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    assert not {f"stretto.commands.{other}" for other in MODULES} & set(imports)


def test_no_command_waits_at_its_start_for_what_few_need() -> None:
    """SciPy and Polars take longer to import than most commands take to run."""
    modules = ", ".join(f"stretto.commands.{module}" for module in sorted(MODULES))
    program = f"import sys, {modules}\nprint(*{{'scipy', 'polars', 'plotly'}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


def test_a_command_line_is_read_without_running_it() -> None:
    request = request_of(["predict", "ft", "--profile", "clic", "--rows", "64"])
    assert request.words == ("stretto", "predict", "ft", "--profile", "clic", "--rows", "64")
    for words in (["predict", "waves"], ["nosuch"], ["predict", "ft", "--rows", "0"], []):
        with pytest.raises(UserError):
            request_of(words)
    assert len(COMMANDS) == len(set(COMMANDS)) > 10


def test_a_name_with_control_characters_stays_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Only what stood before the line's end was printed, without the mend."""
    assert exit_status(["show", "a\nb\x1b[31m"]) == 2
    assert capsys.readouterr().err == (
        "stretto: a?b?[31m does not exist: name the output directory of a probe\n"
    )


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_a_request_to_stop_while_the_subcommand_is_imported_is_one_line(signum: signal.Signals) -> None:
    program = (
        "import os, sys\n"
        "from stretto import commands\n"
        "class Stops:\n"  # asked for each module that is imported
        "    def find_spec(self, name, *_):\n"
        f"        if name == 'stretto.commands.show': os.kill(os.getpid(), {int(signum)})\n"
        "sys.meta_path.insert(0, Stops())\n"
        "commands.main(['show', 'nosuch'])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (128 + signum, "", "stretto: interrupted\n")
