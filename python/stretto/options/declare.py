# SPDX-License-Identifier: BSD-3-Clause
"""Declarations of options, and the reader that makes a request from them.

A request is a frozen dataclass. The annotation of each field declares the option that sets it:
`ranks: Annotated[int, option("-n", "--ranks", Whole(1), "How many ranks.")] = 2`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Annotated, Any, ClassVar, TypeVar, get_args, get_origin, get_type_hints

from stretto.data.shell import command_line
from stretto.errors import UserError
from stretto.options.kinds import Kind, Switch

_LONGEST_SHOWN = 60  # characters of a value in a message


@dataclass(frozen=True)
class Option:
    """An option; without flags, an argument.

    Attributes:
        flags: The names; messages use the first one. An argument has none.
        kind: The kind of its value, with unit and limits.
        help: One sentence.
        metavar: The placeholder of the value in the help; empty: the kind's own.
        repeatable: Whether it may be given several times; the field is then a tuple without duplicates.
        keeps_duplicates: Whether that tuple keeps duplicates.
        default: The text of the default in the help, where the default depends on other options.
        probes: The probes that it applies to; empty: it is not specific to probes.
        on: The substrates that it applies to; empty: all.
        native: The member of the native program's request file; empty: only Python uses it.
        panel: The heading of the help under which it appears.
    """

    flags: tuple[str, ...]
    kind: Kind[Any]
    help: str
    metavar: str = ""
    repeatable: bool = False
    keeps_duplicates: bool = False
    default: str = ""
    probes: tuple[str, ...] = ()
    on: tuple[str, ...] = ()
    native: str = ""
    panel: str = ""

    @property
    def name(self) -> str:
        """The name in messages."""
        return self.flags[0] if self.flags else self.metavar.strip("[].,").lower()

    def parse(self, text: str) -> Any:
        """The value. Raises UserError with the option, the given text and the correction."""
        try:
            return self.kind.parse(text)
        except UserError as error:
            shown = "" if f"'{text}'" in str(error) else f" {text[:_LONGEST_SHOWN]}"
            raise UserError(f"{self.name}{shown}: {error}") from None


def option(*words: str | Kind[Any], **more: Any) -> Option:
    """An option from its flags, kind and help, in this order; `more` are attributes of Option."""
    *flags, kind, text = words
    return Option(tuple(map(str, flags)), kind, str(text), **more)  # type: ignore[arg-type]


def switch(flag: str, text: str, **more: Any) -> Option:
    """An option without a value."""
    return Option((flag,), Switch(), text, **more)


def argument(metavar: str, kind: Kind[Any], text: str, **more: Any) -> Option:
    """An argument, which is an option without flags."""
    return Option((), kind, text, metavar, **more)


@dataclass(frozen=True)
class Declared:
    """An option, the field of the request that it sets, and the field's default."""

    field: str
    option: Option
    default: Any

    @property
    def required(self) -> bool:
        """Whether the option has no default."""
        return self.default is MISSING

    def default_text(self) -> str:
        """The default as the help shows it; empty: there is none worth showing."""
        if self.option.default or self.default in (None, ()) or self.required:
            return self.option.default
        return "" if isinstance(self.option.kind, Switch) else str(self.option.kind.text(self.default))


@dataclass(frozen=True, kw_only=True)
class Request:
    """The request that a command carries out; base class."""

    subject: ClassVar[str] = ""
    """The command, as `words` names it."""

    words_follow: ClassVar[bool] = False
    """Whether all that follows the first argument belongs to it, options as well."""

    words: tuple[str, ...] = ()
    """The command line that it was read from, without options that were not given. It is for people: what an
    argument holds may look like an option."""

    given: frozenset[str] = frozenset()
    """The fields whose options the command line has."""

    def gave(self, *names: str) -> bool:
        """Whether the command line has the option of one of these fields."""
        unknown = set(names) - {field.name for field in fields(self)}
        assert not unknown, f"{type(self).__name__} has no {unknown}"
        return not self.given.isdisjoint(names)

    def check(self) -> None:
        """Raises UserError where options contradict each other."""


R = TypeVar("R", bound=Request)


def declared(request: type[Request]) -> tuple[Declared, ...]:
    """The options of a request, in the order of its fields."""
    hints = get_type_hints(request, include_extras=True)
    result = []
    for field in fields(request):
        hint = hints[field.name]
        if get_origin(hint) is Annotated:
            (one,) = (extra for extra in get_args(hint)[1:] if isinstance(extra, Option))
            result.append(Declared(field.name, one, field.default))
    return tuple(result)


def read(request: type[R], texts: Mapping[str, Any]) -> R:
    """The request from texts by field name; None, False and () mean that an option was not given.

    Raises:
        UserError: a text is invalid or contradicts another; the message names the option and the correction.
    """
    options = {one.field: one.option for one in declared(request)}
    given = {name: texts[name] for name in options if texts.get(name) not in (None, False, (), [])}
    values = {name: _value(options[name], text) for name, text in given.items()}
    made = request(words=tuple(_words(request, given)), given=frozenset(given), **values)
    for name in given:
        _check_place(options[name], made)
    made.check()
    return made


def again(request: Request, kind: type[Request], leave: Iterable[str] = (), more: Sequence[str] = ()) -> str:
    """The command line of another request, with the options of this one that both have.

    Args:
        request: The request that was carried out.
        kind: The other request, whose command is `kind.subject`.
        leave: Fields that are left out.
        more: Further words, which stand behind the command's name.
    """
    words = ["stretto", *kind.subject.split(), *more]
    options = [one for one in declared(kind) if one.field in request.given and one.field not in leave]
    for one in sorted(options, key=_is_program):
        words += ["--"] if _is_program(one) else []
        value = getattr(request, one.field)
        for each in value if one.option.repeatable else [value]:
            words += one.option.flags[:1]
            words += [] if isinstance(one.option.kind, Switch) else [one.option.kind.text(each)]
    return command_line(words)


def _value(option: Option, given: str | bool | Sequence[str]) -> Any:
    if isinstance(given, str):
        return option.parse(given)
    if isinstance(given, bool):
        return given
    values = [option.parse(text) for text in given]
    return tuple(values if option.keeps_duplicates else dict.fromkeys(values))


def _words(request: type[Request], given: Mapping[str, Any]) -> Iterator[str]:
    yield from ("stretto", *request.subject.split())
    options = [one for one in declared(request) if one.field in given]
    for one in sorted(options, key=_is_program):  # behind `--`, and so behind the options
        if _is_program(one):
            yield "--"
        text = given[one.field]
        for word in [text] if isinstance(text, str | bool) else text:
            yield from one.option.flags[:1]
            if not isinstance(word, bool):
                yield word


def _is_program(one: Declared) -> bool:
    return "-- COMMAND" in one.option.metavar


def _check_place(option: Option, request: Request) -> None:
    """Refuses an option that does not apply to the substrate or to the probes of the request."""
    on = getattr(request, "on", "")
    if option.on and on not in option.on:
        raise UserError(f"{option.name} is for --on {' or '.join(option.on)}, not for --on {on}")
    probes = option.probes
    if probes and not set(probes) & set(getattr(request, "probes", ())):
        if len(probes) == 1:
            raise UserError(f"{option.name} is for the probe {probes[0]}: name it")
        raise UserError(f"{option.name} is for the probes {' and '.join(probes)}: name one of them")
