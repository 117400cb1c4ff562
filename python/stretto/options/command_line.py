# SPDX-License-Identifier: BSD-3-Clause
"""The command line of a request: its options become text parameters of Typer."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

from stretto.errors import UserError
from stretto.options.declare import Declared, Request, declared, read
from stretto.options.kinds import Kind, ListOf, OneOf, Switch

R = TypeVar("R", bound=Request)
Command = Callable[..., Any]


def command_of(function: Callable[[Any], int | None]) -> Command:
    """A function for Typer that reads the request from the command line, and calls `function` with it."""
    return _command(request_type(function), function)


def request_type(function: Callable[[Any], int | None]) -> type[Request]:
    """The type of request that a command takes."""
    hints = get_type_hints(function)
    request: type[Request] = next(kind for name, kind in hints.items() if name != "return")
    return request


def settings_of(request: type[Request]) -> dict[str, bool]:
    """The settings of Typer for the command of a request."""
    return {"allow_interspersed_args": False} if request.words_follow else {}


def parsed(request: type[R], words: Sequence[str]) -> R:
    """The request that a command line, without the names of program and command, describes.

    Raises:
        UserError: as for `read`, or there is no such option.
    """
    app = typer.Typer(add_completion=False)
    app.command(context_settings=settings_of(request))(_command(request, lambda made: made))
    try:
        made: R = app(args=list(words), standalone_mode=False)
    except typer.exceptions.TyperException as error:
        raise UserError(error.format_message()) from None
    return made


def _command(request: type[Request], function: Callable[[Any], Any]) -> Command:
    @wraps(function)
    def command(**texts: Any) -> Any:
        return function(read(request, texts))

    command.__annotations__ = {}
    del command.__wrapped__
    setattr(command, "__signature__", inspect.Signature(list(_parameters(request))))  # noqa: B010
    return command


def _parameters(request: type[Request]) -> Iterator[inspect.Parameter]:
    for one in declared(request):
        yield _parameter(one)


def _parameter(one: Declared) -> inspect.Parameter:
    option = one.option
    flags = option.flags
    panel = option.panel or None
    if not flags:
        info = typer.Argument(
            metavar=option.metavar,
            help=option.help,
            show_default=False,
            autocompletion=_completion(option.kind),
        )
    elif isinstance(option.kind, Switch):
        info = typer.Option(*flags, help=option.help, rich_help_panel=panel)
    else:
        info = typer.Option(
            *flags,
            metavar=option.metavar or option.kind.metavar,
            help=_help(one),
            rich_help_panel=panel,
            show_default=False,
            autocompletion=_completion(option.kind),
        )
    kind: Any = list[str] if option.repeatable else str
    default: Any = None
    if isinstance(option.kind, Switch):
        kind, default = bool, False
    elif one.required:
        default = inspect.Parameter.empty
    else:
        kind = kind | None
    return inspect.Parameter(
        one.field, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info]
    )


def _completion(kind: Kind[Any]) -> Callable[[str], list[str]] | None:
    """What completes a value's beginning; None where the shell completes files."""
    one = kind.of if isinstance(kind, ListOf) else kind
    if not isinstance(one, OneOf):
        return None
    names = one.known

    def complete(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",") if isinstance(kind, ListOf) else ("", "", incomplete)
        return [
            before + comma + name for name in names if name.startswith(last) and name not in before.split(",")
        ]

    return complete


def _help(one: Declared) -> str:
    shown = one.default_text()
    return f"{one.option.help}  [default: {shown}]" if shown else one.option.help
