# SPDX-License-Identifier: BSD-3-Clause
"""Declarations become a command line: names, defaults, units and messages."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest

from stretto.commands import COMMANDS, GROUPS, application, exit_status
from stretto.errors import UserError
from stretto.options.command_line import parsed
from stretto.options.declare import Declared, Request, argument, declared, option, switch
from stretto.options.gain import GainRequest
from stretto.options.kinds import Bandwidth, Duration, Kind, ListOf, OneOf, PathKind, Size, Text, Whole
from stretto.options.native import native_members
from stretto.options.run import RunRequest
from stretto.options.traces import PotentialRequest, PreloadRequest, TraceRequest, WhatIfRequest
from stretto.options.tune import TuneRequest
from subcommands import subcommands


@dataclass(frozen=True, kw_only=True)
class Brew(Request):
    subject = "brew"

    beans: Annotated[tuple[str, ...], argument("BEANS...", Text(), "Which.", repeatable=True, native="beans")]
    cups: Annotated[int, option("-c", "--cups", Whole(1, 9), "How many.", native="cups")] = 2
    grind: Annotated[float, option("--grind", Duration("4us"), "How long.", native="grind_s")] = 1e-6
    flow: Annotated[float, option("--flow", Bandwidth(), "How fast.")] = 1e6
    water: Annotated[tuple[int, ...], option("--water", ListOf(Size()), "How much.")] = ()
    decaf: Annotated[bool, switch("--decaf", "Without.", native="decaf")] = False


def test_texts_become_typed_values_and_members_of_a_request_file() -> None:
    made = parsed(Brew, ["a", "b", "-c", "3", "--grind", "2us", "--water", "1KiB,8", "--decaf"])
    assert made == Brew(
        words=("stretto", "brew", "a", "b", "-c", "3", "--grind", "2us", "--water", "1KiB,8", "--decaf"),
        given=frozenset({"beans", "cups", "grind", "water", "decaf"}),
        beans=("a", "b"),
        cups=3,
        grind=2e-6,
        water=(1024, 8),
        decaf=True,
    )
    assert native_members(made) == {"beans": ("a", "b"), "cups": 3, "grind_s": 2e-6, "decaf": True}
    assert parsed(Brew, ["a"]).cups == 2


@pytest.mark.parametrize("request_", [GainRequest, TraceRequest, TuneRequest, PreloadRequest, RunRequest])
def test_what_stands_behind_the_dashes_is_the_programs(request_: type[Request]) -> None:
    """Every option of the command, as an option of the program: none of them is the command's."""
    flags = [flag for one in declared(request_) for flag in one.option.flags]
    program = ("env", *flags, "--", "-n")
    first = ["progress"] if request_ is PreloadRequest else []
    made = parsed(request_, [*first, "--", *program])
    assert made.command == program  # type: ignore[attr-defined]
    own = {"libraries"} if request_ is PreloadRequest else set()
    assert made.given == {"command", *own}
    assert made.words[-len(program) - 1 :] == ("--", *program)


@pytest.mark.parametrize("request_", [GainRequest, TraceRequest, TuneRequest])
def test_an_option_for_ranks_that_stretto_starts_is_refused_before_the_dashes_only(
    request_: type[Request],
) -> None:
    command = ["--", "mpirun", "--hostfile", "h", "-np", "2", "./app"]
    assert not parsed(request_, command).gave("hostfile", "ranks")
    with pytest.raises(UserError, match="--hostfile: is for ranks that stretto starts; add -n RANKS"):
        parsed(request_, ["--hostfile", "h", *command])


def test_the_number_of_ranks_is_that_of_the_command_and_not_of_the_program() -> None:
    words = ["--hostfile", "h", "--ranks-per-node", "2", "--", "env", "-n", "100"]
    assert not parsed(RunRequest, words).gave("ranks")
    assert parsed(RunRequest, ["-n", "2", *words]).gave("ranks")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a", "-c", "10"], "-c 10: give a whole number from 1 to 9"),
        (["a", "--grind", "4"], "--grind 4: give a unit, such as 4us"),
        (["a", "--grind", "soon"], "--grind: 'soon' is not a duration; write it like 1us, 2.5ms or 3s"),
        (["a", "--flow", "5"], "--flow 5: give a unit, such as 5MB/s"),
        (["a", "--flow", "0MB/s"], "--flow 0MB/s: give a bandwidth above zero, such as 945MB/s"),
        (["a", "--water", "8,x"], "--water 8,x: 'x' is not a size; write it like 8, 64KiB or 1MiB"),
        (["a", "--milk"], "No such option: --milk"),
        ([], "Missing argument 'BEANS...'"),
    ],
)
def test_invalid_input_is_named_with_the_correction(words: list[str], message: str) -> None:
    with pytest.raises(UserError) as caught:
        parsed(Brew, words)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("request_", "words", "message"),
    [
        (WhatIfRequest, ["--latency", "4"], "--latency 4: give a unit, such as 4us"),
        (WhatIfRequest, ["--latency", "1us,2"], "--latency 1us,2: give a unit, such as 2us"),
        (WhatIfRequest, ["--bandwidth", "1:5"], "--bandwidth 1:5: give a unit, such as 1MB/s"),
        (WhatIfRequest, ["--bandwidth", "5GB/s:1MB/s"], "--bandwidth 5GB/s:1MB/s: give MIN:MAX"),
        (WhatIfRequest, ["--overhead", "1"], "--overhead 1: give a unit, such as 1us"),
        (WhatIfRequest, ["--node", "4:1"], "--node 4:1: give a unit, such as 1us"),
        (WhatIfRequest, ["--node", "4"], "--node 4: give RANKS:LATENCY, such as 4:0.5us"),
        (WhatIfRequest, ["--node", "0:1us"], "--node 0:1us: give RANKS:LATENCY, such as 4:0.5us"),
        (WhatIfRequest, ["--progress-model", "eager-only"], "--progress-model eager-only: say up to which"),
        (WhatIfRequest, ["--progress-model", "thread=1ms"], "--progress-model thread=1ms: say up to which"),
        (
            WhatIfRequest,
            ["--progress-model", "foo"],
            "--progress-model: unknown 'foo'; choose from offload, eager-only, inside-calls, thread=PERIOD",
        ),
        (
            WhatIfRequest,
            ["--progress-model", "thread"],
            "--progress-model: unknown 'thread'; choose from off",
        ),
        (WhatIfRequest, ["--progress-model", "thread=x"], "--progress-model thread=x: "),
        (WhatIfRequest, ["--progress-model", "thread=0s"], "--progress-model thread=0s: give a period"),
        (PotentialRequest, ["--latency", "4"], "--latency 4: give a unit, such as 4us"),
        (PotentialRequest, ["--bandwidth", "945"], "--bandwidth 945: give a unit, such as 945MB/s"),
    ],
)
def test_a_quantity_of_a_prediction_needs_its_unit(
    request_: type[Request], words: list[str], message: str
) -> None:
    with pytest.raises(UserError) as caught:
        parsed(request_, ["DIR", *words])
    assert str(caught.value).startswith(message)


def test_every_option_of_every_command_has_help_and_a_name_of_its_own() -> None:
    for request in _requests(Request):
        flags = [flag for one in declared(request) for flag in one.option.flags]
        assert len(flags) == len(set(flags)), request
        for one in declared(request):
            assert one.option.help.endswith((".", "to")), (request, one.field)
            assert one.required or one.default is None or _reads_back(one), (request, one.field)


SIMILAR = {"--node", "--partition", "--segment"}
"""Names that differ from another by an s only, with meanings that their panels or commands keep apart."""
SAME_VALUES = (
    ("--scale", {"Number", "Scale"}),  # a number, or `balance`
    ("--sizes", {"SizeRange", "Sizes"}),  # a range, or a list, too
    ("--bandwidth", {"Bandwidth", "Bandwidths"}),  # one, or a range of them
    ("--transport", {"OneOf", "Text"}),  # of all, or of those in a profile or a kernel
    ("--progress", {"OneOf", "Text"}),  # of all, or of those in a profile
)
"""Options of which a command takes more forms of the same values than another."""


def test_an_option_name_has_one_meaning_everywhere() -> None:
    """The same flags, the same type of value, and names from one set, whichever command has the option."""
    found: dict[str, list[Declared]] = {}
    for command in subcommands():
        for one in command.options:
            for flag in one.option.flags:
                found.setdefault(flag, []).append(one)
    assert len(found) > 80
    for flag, uses in found.items():
        assert len({one.option.flags for one in uses}) == 1, flag
        kinds = {_of_one(one) for one in uses}
        assert len(kinds) == 1 or (flag, kinds) in SAME_VALUES, (flag, kinds)
        sets = [_names(one) for one in uses if _names(one)]
        largest = max(sets, key=len, default=frozenset())
        assert all(names <= largest for names in sets), (flag, sets)
        assert flag in SIMILAR or f"{flag}s" not in found, flag


def _single(one: Declared) -> Kind[Any]:
    return one.option.kind.of if isinstance(one.option.kind, ListOf) else one.option.kind


def _of_one(one: Declared) -> str:
    """What a single value of the option is."""
    return type(_single(one)).__name__


def _names(one: Declared) -> frozenset[str]:
    kind = _single(one)
    return frozenset(kind.known) if isinstance(kind, OneOf) else frozenset()


def _reads_back(one: object) -> bool:
    """Whether the default is a value that the option takes when it is written out."""
    kind, default = one.option.kind, one.default  # type: ignore[attr-defined]
    if default in ((), "", False) or one.option.default or one.option.repeatable:  # type: ignore[attr-defined]
        return True
    return bool(kind.parse(kind.text(default)) == default)


def _requests(base: type[Request]) -> list[type[Request]]:
    result = []
    for request in base.__subclasses__():
        result += [request, *_requests(request)] if request is not Brew else []
    return result


def test_help_is_grouped_and_80_columns_wide(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_status(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f"─ {title} ─" in shown for title in GROUPS)
    assert application(COMMANDS)
    for name in COMMANDS:
        assert exit_status([name, "--help"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines)) <= 80 and not any("…" in line for line in lines), name


def test_an_empty_path_is_not_the_working_directory() -> None:
    for words in (["--clean", "", "--memory", "byte"], ["-o", ""]):
        with pytest.raises(UserError, match="is empty; name a file or directory"):
            parsed(TraceRequest, [*words, "--", "true"])


def test_a_file_whose_name_looks_like_an_option_is_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`./-x` is `-x` as a path, which native programs and printed commands take for an option."""
    monkeypatch.chdir(tmp_path)
    assert PathKind().parse("./-x/y") == tmp_path / "-x" / "y"
    assert PathKind().parse("./x") == Path("x")
