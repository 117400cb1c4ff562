# SPDX-License-Identifier: BSD-3-Clause
"""The command line: one file per subcommand. This module joins them and reports all errors alike."""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Annotated, Any

import typer

from stretto.commands.next_step import with_next_step
from stretto.errors import INTERRUPTS, CheckError, Interrupted, RunError, RunInterrupted, UserError, interrupt
from stretto.options.command_line import command_of, parsed, request_type, settings_of
from stretto.options.declare import Request

DONE = 0
_STDOUT, _STDERR = 1, 2
_WRONG_NAMES = (errno.ENAMETOOLONG, errno.ELOOP, errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EACCES)
_OUTPUT_FAILS = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG)

# Module and function of each subcommand, by heading and in the order of the help. `predict` has further
# subcommands. Only the subcommand in use is imported, because all imports take most of a second.
GROUPS: Mapping[str, Mapping[str, str]] = {
    "Measure a machine": {
        "probe": "probe:probe",
        "fit": "fit:fit",
        "profile": "profile:profile",
        "show": "show:show",
        "compare": "compare:compare",
        "report": "report:report",
        "batch": "batch:batch",
        "list": "list:list_all",
    },
    "Predict and choose": {
        "predict ft": "predict_ft:predict_ft",
        "predict spmv": "predict_spmv:predict_spmv",
        "predict collective": "predict_collective:predict_collective",
        "advise": "advise:advise",
        "run": "run:run",
    },
    "Understand and speed up an application": {
        "trace": "trace:trace",
        "potential": "potential:potential",
        "whatif": "whatif:whatif",
        "replay": "replay:replay",
        "gain": "gain:gain",
        "tune": "tune:tune",
        "preload": "preload:preload",
    },
}
COMMANDS = tuple(dict.fromkeys(name.split()[0] for group in GROUPS.values() for name in group))
_PLACES = {name: place for group in GROUPS.values() for name, place in group.items()}
_HELP = {
    "predict": "Predict, from a profile, what a schedule or a collective takes and gains, or compare a run.",
}


def options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and end.")] = False,
    prefix: Annotated[
        bool, typer.Option("--prefix", help="Print the prefix of headers and libraries, and end.")
    ] = False,
) -> None:
    """How much of the communication can run under the computation here, and what would that gain?

    `stretto probe` measures this machine and shows what it found.
    """
    if version:
        from stretto.commands.version import installed_version

        print(f"stretto {installed_version()}")
    elif prefix:
        from stretto.native.programs import library_prefix

        print(library_prefix())
    elif context.invoked_subcommand is None:
        print(context.get_help())


def application(names: Container[str]) -> typer.Typer:
    """The program with these subcommands."""
    app = typer.Typer(
        name="stretto",
        rich_markup_mode="markdown",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(options)
    groups: dict[str, typer.Typer] = {}
    for title, commands in GROUPS.items():
        for name, place in commands.items():
            first, _, second = name.partition(" ")
            if first not in names:
                continue
            if second and first not in groups:
                groups[first] = typer.Typer(help=_HELP[first], rich_markup_mode="markdown")
                app.add_typer(groups[first], name=first, rich_help_panel=title)
            parent, panel = (groups[first], None) if second else (app, title)
            function = with_next_step(name, _function(place))
            settings = settings_of(request_type(function))
            parent.command(second or first, rich_help_panel=panel, context_settings=settings)(
                command_of(function)
            )
    return app


def request_of(words: Sequence[str]) -> Request:
    """The request of a command line, without the program's name; runs nothing.

    Raises:
        UserError: There is no such command, or its arguments are wrong.
    """
    for count in (2, 1):
        place = _PLACES.get(" ".join(words[:count]))
        if place is not None:
            return parsed(request_type(_function(place)), words[count:])
    raise UserError(f"No such command: {' '.join(words[:2])}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the program and ends the process: 0 done, 1 failed, 2 wrong input, 3 a check did not hold.

    A request to stop ends it with 128 and the signal's number: 130 after Ctrl-C.
    """
    for signum in INTERRUPTS:
        if signal.getsignal(signum) is not signal.SIG_IGN:
            signal.signal(signum, interrupt)  # so that context managers remove incomplete files
    _open_standard_streams()
    sys.exit(exit_status(arguments))


def _open_standard_streams() -> None:
    """Opens those that the caller has closed: another file would take their place, and what is printed. What
    the terminal's encoding lacks is printed as its number.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= _STDERR:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    for descriptor, name in ((_STDOUT, "stdout"), (_STDERR, "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(descriptor, "w", encoding="utf-8"))  # noqa: SIM115 - to the end
        getattr(sys, name).reconfigure(errors="backslashreplace")


def exit_status(arguments: Sequence[str] | None = None) -> int:
    """Runs the program, which prints an error as one line on stderr."""
    try:
        status = _run(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
    except BaseException as error:
        status = _ended_by(error)
    _drop_unwritten_output()
    return status


def _run(words: Sequence[str]) -> int:
    app = application(_wanted(words or _completed_words()))  # imports take a while, too
    status = app(args=words, standalone_mode=False, prog_name="stretto")
    return status if isinstance(status, int) else DONE


def _ended_by(error: BaseException) -> int:
    """Prints what ended the program; returns its status."""
    interrupted = _interrupt_behind(error)
    if interrupted is not None and not isinstance(error, RunInterrupted):
        return _print_error("interrupted", interrupted.status)
    if isinstance(error, UserError | CheckError | RunError):
        return _print_error(str(error), error.status)
    if isinstance(error, typer.exceptions.TyperException):
        text = f"{error.format_message()} (see `stretto {_subcommand(error)}--help`)"
        return _print_error(text, UserError.status)
    if isinstance(error, typer.Abort):
        return _print_error("interrupted", 128 + signal.SIGINT)
    if isinstance(error, BrokenPipeError):  # the reader of the output has closed it
        return RunError.status
    if isinstance(error, OSError):
        return _refused_by_system(error)
    raise error


def _refused_by_system(error: OSError) -> int:
    """Prints what the system refused; returns the status."""
    if error.filename is not None:
        status = UserError.status if error.errno in _WRONG_NAMES else RunError.status
        return _print_error(f"{error.filename}: {error.strerror}", status)
    if error.errno in _OUTPUT_FAILS:
        return _print_error(f"the output cannot be written ({error.strerror})", RunError.status)
    if not _has_working_directory():
        return _print_error("the working directory is gone: change to another one", UserError.status)
    return _print_error(str(error.strerror or error), RunError.status)


def _has_working_directory() -> bool:
    try:
        os.getcwd()
    except FileNotFoundError:
        return False
    return True


def _interrupt_behind(error: BaseException | None) -> Interrupted | None:
    """The request to stop while which, or by tidying up after which, the error arose.

    A terminal that is gone takes no output any more, so that tidying up fails, too.
    """
    while error is not None and not isinstance(error, Interrupted):
        error = error.__cause__ or error.__context__
    return error


def _drop_unwritten_output() -> None:
    """What the output did not take is lost: Python would try again at its end, and change the status."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _function(place: str) -> Callable[[Any], int | None]:
    module, name = place.split(":")
    function: Callable[[Any], int | None] = getattr(import_module(f"stretto.commands.{module}"), name)
    return function


def _wanted(words: Sequence[str]) -> Container[str]:
    """The subcommands to import: the named one, none for --version, or all to list them in the help."""
    if not words or words[0] not in COMMANDS:
        return () if [*words] in (["--version"], ["--prefix"]) else COMMANDS  # `list` may be the subcommand
    return words[:1]


def _completed_words() -> Sequence[str]:
    """What stands behind the program's name on the line that a shell asks Typer to complete."""
    line = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    words = line.split()[1:]
    return words if len(words) > 1 or line.endswith((" ", "\n")) else ()


def _subcommand(error: typer.exceptions.TyperException) -> str:
    path = getattr(getattr(error, "ctx", None), "command_path", "stretto")
    return f"{path.removeprefix('stretto').strip()} ".lstrip()


def _print_error(message: str, status: int) -> int:
    """Prints one line, also where a file's name has several; of a run that failed its output, too."""
    first, *rest = message.splitlines() or [""]
    if status != RunError.status:
        first, rest = "".join(c if c.isprintable() else "?" for c in message), []
    with suppress(OSError):  # the terminal is gone
        print(f"stretto: {first}", file=sys.stderr)
        for line in rest:  # output of a run before it failed
            print(f"  {line}", file=sys.stderr)
    return status
