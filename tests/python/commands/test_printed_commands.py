# SPDX-License-Identifier: BSD-3-Clause
"""Every command that stretto prints is one that its command line accepts: next steps, advice, mends in errors."""

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

import stretto
from stretto.commands import COMMANDS, GROUPS, request_of
from stretto.commands.next_step import STEPS, recording
from stretto.errors import UserError
from stretto.options.declare import Request, again
from stretto.options.gain import GainRequest
from stretto.options.run import RunRequest
from stretto.options.traces import TraceRequest

PACKAGE = Path(stretto.__file__).parent

FIELDS = {"probe": "loggp"}
"""What stands for the fields of printed commands; another field is a file."""
PLACEHOLDERS = {"PAPER": "probes", "FIGURE": "figure-4", "KERNEL": "ft"}
COMMAND = re.compile(rf"(?:^\s*|: |and |[A-Z_]+=\S+ |\d )(stretto (?:{'|'.join(COMMANDS)})\b.*)")


def texts(source: str) -> Iterator[str]:
    """The texts of a module that may be printed, with values in place of the fields."""
    if "stretto" not in re.sub(r"^(from|import) .*|\bstretto\.", "", source, flags=re.MULTILINE):
        return  # takes most modules, and parsing takes most of the time
    tree = ast.parse(source)
    unprinted = {
        id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values
    }
    unprinted |= {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(_part(part) for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in unprinted:
            yield node.value


def _part(part: ast.expr) -> str:
    if isinstance(part, ast.FormattedValue):
        return FIELDS.get(ast.unparse(part.value), "file")
    return str(ast.literal_eval(part))


def commands_in(text: str) -> Iterator[tuple[str, bool]]:
    """The commands of stretto in a text, and whether they are to be typed as they stand: between backticks a
    command may only be named, with an option; from a colon or the beginning of a line on it is complete.
    """
    for found in re.finditer(r"`(stretto\s[^`]*)`", text):
        yield " ".join(found[1].split()), False
    for line in re.sub(r"`[^`]*`", "", text).splitlines():
        if match := COMMAND.search(line):
            yield match[1], True


def accepted(command: str, complete: bool = True) -> list[Request]:
    """The requests of a printed command; of each where several are joined."""
    made = []
    for one in re.split(r", and (?=stretto )| > |\|", command):
        words = [PLACEHOLDERS.get(word, word) for word in shlex.split(one)]
        if words[0] != "stretto":
            continue
        try:
            made.append(request_of(words[1:]))
        except UserError as error:
            names = [name.split()[0] for group in GROUPS.values() for name in group]
            named = len(words) == 2 and words[1] in names
            missing = re.match(r"Missing |.* requires an argument", str(error))
            if complete or not (named or missing):
                raise
    return made


NOT_COMMANDS = ("stretto tune, file: file", "stretto file--help")
"""The heading of a file that names what wrote it, and the help of any command."""
CATALOGUE = sorted(
    {
        (str(file.relative_to(PACKAGE)), *found)
        for file in PACKAGE.rglob("*.py")
        for text in texts(file.read_text(encoding="utf-8"))
        for found in commands_in(text)
        if found[0] not in NOT_COMMANDS
    }
)


@pytest.mark.parametrize(("file", "command", "complete"), CATALOGUE)
def test_a_command_in_a_text_is_accepted(file: str, command: str, complete: bool) -> None:
    accepted(command, complete)


def test_the_catalogue_finds_commands_and_refuses_wrong_ones() -> None:
    assert len(CATALOGUE) > 40
    assert list(commands_in("see `stretto\nprobe x` or y")) == [("stretto probe x", False)]
    assert list(commands_in("next: stretto probe loggp")) == [("stretto probe loggp", True)]
    for wrong in ("stretto probe --nosuch 1", "stretto nosuch", "stretto fit --instal"):
        with pytest.raises(UserError):
            accepted(wrong, complete=False)
    with pytest.raises(UserError):
        accepted("stretto fit --install")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with a trace, two runs, and files with names that need quotes."""
    monkeypatch.chdir(tmp_path)
    for name in ("a run", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "samples.jsonl").write_text("{}")
    (tmp_path / "profile.json").write_text("{}")
    (tmp_path / "a trace; rm").mkdir()
    (tmp_path / "a trace; rm" / "rank-000000.trace").write_text("")
    return tmp_path


LINES = {
    "report": ["report 'a run'", "report 'a run' b", "report 'a trace; rm'", "report 'a run' 'a trace; rm'"],
    "show": ["show 'a run/samples.jsonl'", "show profile.json"],
    "list": ["list"],
    "predict ft": ["predict ft --profile 'my profile.json'", "predict ft --against 'a run'"],
    "predict spmv": ["predict spmv --profile clic"],
    "predict collective": ["predict collective --profile clic", "predict collective --against 'a run'"],
    "run": [
        "run ft",
        "run ft -n 4 --class W --variant slabs --set 'a=b c'",
        "run -n 2 --mpi mpich --preload progress -- sh -c 'echo $HOME' -n 9",
        "run --on emulated --hosts 3 --rate 1gbit -- sh",
    ],
    "potential": ["potential 'a trace; rm'"],
    "whatif": ["whatif 'a trace; rm' --latency 1us", "whatif ti.txt --flops-rate 1G"],
    "replay": [
        "replay 'a trace; rm' --loggp L=1us",
        "replay x.goal --loggp L=1us",
        "replay ti.txt --loggp L=1us --flops-rate 1G",
        "replay a.prv --loggp L=1us",
    ],
    "preload": ["preload progress --mpi mpich -- mpiexec -n 2 ./app 'a b'"],
}


@pytest.mark.parametrize("line", [line for lines in LINES.values() for line in lines])
def test_the_next_step_is_accepted_with_its_files(line: str, place: Path) -> None:
    words = shlex.split(line)
    name = next(name for name in LINES if words[: len(name.split())] == name.split())
    step = STEPS[name](request_of(words))
    assert accepted(step)
    for word in words:
        if " " in word and word.partition("/")[0] in ("a run", "a trace; rm", "my profile.json"):
            assert {word.partition("/")[0], "a trace; rm"} & set(shlex.split(step)) or step.endswith(
                ("./app", "--variant auto")
            )


def test_steps_after_foreign_traces_name_what_reads_them() -> None:
    def step(line: str) -> str:
        name, *_ = words = shlex.split(line)
        return STEPS[name](request_of(words))

    assert step("replay ti.txt --loggp L=1us --flops-rate 1G") == "stretto whatif ti.txt --flops-rate 1e+09"
    assert step("whatif ti.txt --flops-rate 1G") == "stretto probe loggp"
    assert step("replay a.prv --loggp L=1us") == "stretto whatif a.prv"


def test_every_step_has_a_line_here() -> None:
    assert set(LINES) | {"batch"} == set(STEPS)


@pytest.mark.parametrize("kind", [GainRequest, TraceRequest, RunRequest])
def test_a_request_is_written_as_it_was_read(kind: type[Request], place: Path) -> None:
    words = (
        "-n 3 --hostfile 'my hosts' --ranks-per-node 2 --launcher 'env {command}' --timeout 90 --mpi mpich"
    )
    more = "--preload progress,collectives --json" if kind is GainRequest else ""
    request = request_of([kind.subject, *shlex.split(f"{words} {more} -- sh -c 'echo $HOME' --json -n 5")])
    assert request_of(shlex.split(again(request, kind))[1:]) == request


def test_a_trace_that_exists_is_not_named(place: Path) -> None:
    request = request_of(["gain", "--runs", "9", "--", "mpiexec", "-n", "2", "./my app"])
    program = "-- mpiexec -n 2 './my app'"
    assert recording(request) == (f"stretto trace -o TRACE {program}", "stretto potential TRACE")
    (place / "TRACE").mkdir()
    assert recording(request) == (f"stretto trace -o TRACE-2 {program}", "stretto potential TRACE-2")
