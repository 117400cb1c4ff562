# SPDX-License-Identifier: BSD-3-Clause
"""Files that commands write: overwritten only with --force, and never a file that the command reads."""

import pkgutil
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from screens import refusal
from synthetic_samples import loggp_rows, write_samples

from stretto import options
from stretto.commands import exit_status, request_of
from stretto.options.declare import Request, declared
from stretto.options.kinds import PathKind

Words = Callable[[Path], list[str]]

WRITERS: dict[str, Words] = {
    "fit": lambda made: ["fit", str(made / "run"), "-o"],
    "compare": lambda made: ["compare", str(made / "run"), str(made / "run"), "-o"],
    "report": lambda made: ["report", str(made / "run"), "-o"],
}
"""Commands that write one file, without its name."""

SLOW_WRITERS: dict[str, Words] = {
    "tune": lambda made: ["tune", "--", "no-such-command", "-o"],
    "predict": lambda made: ["predict", "ft", "--profile", "clic", "--ranks", "4", "--rows", "8", "--goal"],
}
"""Those of which only the refusal is tested: it comes before their work."""
OPTION = {"predict": "--goal"}


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A directory with a run."""
    (tmp_path / "run").mkdir()
    write_samples(tmp_path / "run" / "samples.jsonl", loggp_rows(rounds=3), on="local", hosts=["a", "b"])
    return tmp_path


def words_of(command: str, made: Path, file: Path, *more: str) -> list[str]:
    """The command line that writes `file`."""
    words = ({**WRITERS, **SLOW_WRITERS})[command](made)
    if "--" in words:  # the program of tune stands last
        return [words[0], words[-1], str(file), *more, *words[1:-1]]
    return [*words, str(file), *more]


@pytest.mark.parametrize("command", [*WRITERS, *SLOW_WRITERS])
def test_a_file_that_exists_is_kept(command: str, made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = made / "other.html"
    file.write_text("mine")
    error = refusal(capsys, *words_of(command, made, file))
    assert f"{file} exists: choose another with {OPTION.get(command, '-o')}, or overwrite it" in error
    assert file.read_text() == "mine"


@pytest.mark.parametrize("command", WRITERS)
def test_force_overwrites_it(command: str, made: Path) -> None:
    file = made / "other.html"
    file.write_text("mine")
    assert exit_status(words_of(command, made, file, "--force")) == 0
    assert len(file.read_text()) > 1000


@pytest.mark.parametrize("command", WRITERS)
@pytest.mark.parametrize("linked", [False, True])
def test_its_own_input_is_never_overwritten(
    command: str, linked: bool, made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    samples = made / "run" / "samples.jsonl"
    before = samples.read_bytes()
    file = samples
    if linked:
        file = made / "link.html"
        file.symlink_to(samples)
    assert "is read by this command" in refusal(capsys, *words_of(command, made, file, "--force"))
    assert samples.read_bytes() == before and file.is_symlink() == linked


@pytest.mark.parametrize("command", [*WRITERS, *SLOW_WRITERS])
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("run", "is a directory: name a file in it"),
        ("nowhere/x.html", "cannot be written (no directory"),
        ("/dev/full", "is no regular file"),
        ("run/samples.jsonl/x", "cannot be written"),
        ("x" * 300, "cannot be written (File name too long)"),
    ],
)
def test_what_cannot_be_written_is_said_before_the_work(
    command: str, name: str, reason: str, made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = made / name
    assert f"{file} {reason}" in refusal(capsys, *words_of(command, made, file, "--force"))


def test_every_option_of_a_file_to_write_is_tested_here() -> None:
    for module in pkgutil.iter_modules(options.__path__):
        import_module(f"stretto.options.{module.name}")
    known = {"fit", "compare", "report", "tune", "predict ft", "predict spmv"}
    directories = {"probe", "trace"}
    writers = {
        one.subject
        for one in _requests(Request)
        for option in declared(one)
        if option.field in ("output", "goal") and isinstance(option.option.kind, PathKind)
    }
    assert writers - {""} == known | directories
    for subject in known - {"predict spmv"}:
        words = words_of(subject.split()[0], Path("/m"), Path("/x"))
        assert not request_of(words).gave("force")
        assert {"force"} <= {one.field for one in declared(type(request_of(words)))}


def _requests(base: type[Request]) -> list[type[Request]]:
    return [one for kind in base.__subclasses__() for one in (kind, *_requests(kind))]
