# SPDX-License-Identifier: BSD-3-Clause
"""`stretto preload` and `stretto run --preload` start programs by the same function."""

from collections.abc import Sequence
from importlib import import_module

import pytest
from screens import refusal

from stretto.commands import exit_status
from stretto.launch.application import Application


@pytest.mark.parametrize(
    ("words", "command", "ranks"),
    [
        ("preload trace,progress --mpi mpich -- mpiexec -n 2 sh", ("mpiexec", "-n", "2", "sh"), None),
        ("run -n 2 --mpi mpich --preload trace,progress -- sh", ("sh",), 2),
    ],
)
def test_the_application_and_its_libraries_are_passed_on(
    words: str, command: tuple[str, ...], ranks: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[Application, Sequence[str]]] = []

    def run_application(application: Application, libraries: Sequence[str]) -> int:
        started.append((application, libraries))
        return 7

    for module in ("preload", "run"):  # by its name, because a function has that of the module run
        command_module = import_module(f"stretto.commands.{module}")
        monkeypatch.setattr(command_module, "run_application", run_application)
    assert exit_status(words.split()) == 7
    ((application, libraries),) = started
    assert (application.command, application.ranks, application.mpi) == (command, ranks, "mpich")
    assert libraries == ("trace", "progress")


def test_an_unknown_library_is_named_with_its_argument(capsys: pytest.CaptureFixture[str]) -> None:
    assert "library: unknown 'nosuch'; choose from trace" in refusal(capsys, "preload", "nosuch", "--", "x")
