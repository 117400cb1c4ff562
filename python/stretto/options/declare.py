# SPDX-License-Identifier: BSD-3-Clause
"""What a declaration of an option is, and how a request is read by it.

A request is a frozen dataclass; an annotation of each of its fields declares the option that it comes from:
`ranks: Annotated[int, option("-n", "--ranks", Whole(1), "How many ranks.")] = 2`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Annotated, Any, ClassVar, TypeVar, get_args, get_origin, get_type_hints

from stretto.errors import UserError
from stretto.options.kinds import Kind, Switch


@dataclass(frozen=True)
class Option:
    """An option, or an argument where it has no flags.

    Attributes:
        flags: The names, the one that messages use first; of an argument none.
        kind: Of its value, with unit and limits.
        help: One sentence.
        metavar: What stands for the value in the help; the kind's own where empty.
        again: It may be given several times; the field is a tuple.
        aliases: Older names, which the help does not show.
        default: For the help, where the default depends on others.
        probes: Which probes it is for; empty: not of probes.
        on: Which substrates it is for; empty: all.
        native: The member of the native program's request file; empty: it is for Python alone.
        panel: The heading of the help that it stands under.
    """

    flags: tuple[str, ...]
    kind: Kind[Any]
    help: str
    metavar: str = ""
    again: bool = False
    aliases: tuple[str, ...] = ()
    default: str = ""
    probes: tuple[str, ...] = ()
    on: tuple[str, ...] = ()
    native: str = ""
    panel: str = ""

    @property
    def name(self) -> str:
        """As messages name it."""
        return self.flags[0] if self.flags else self.metavar.strip("[].").lower()

    def parse(self, text: str) -> Any:
        """The value. UserError that names the option, what was given and the mend."""
        try:
            return self.kind.parse(text)
        except UserError as error:
            shown = "" if f"'{text}'" in str(error) else f" {text}"  # which says it already
            raise UserError(f"{self.name}{shown}: {error}") from None


def option(*words: str | Kind[Any], **more: Any) -> Option:
    """An option by its flags, its kind and its help, in this order; `more` as in Option."""
    *flags, kind, text = words
    return Option(tuple(map(str, flags)), kind, str(text), **more)  # type: ignore[arg-type]


def switch(flag: str, text: str, **more: Any) -> Option:
    """An option without a value."""
    return Option((flag,), Switch(), text, **more)


def argument(metavar: str, kind: Kind[Any], text: str, **more: Any) -> Option:
    """An argument, which has no flag."""
    return Option((), kind, text, metavar, **more)


@dataclass(frozen=True)
class Declared:
    """An option, the field of the request that it fills, and what that is without it."""

    field: str
    option: Option
    default: Any

    @property
    def required(self) -> bool:
        """Whether there is no default."""
        return self.default is MISSING


@dataclass(frozen=True, kw_only=True)
class Request:
    """What a command was asked for."""

    subject: ClassVar[str] = ""
    """The command, as `words` names it."""

    words: tuple[str, ...] = ()
    """The command line that it was read from, without options that were not given."""

    def check(self) -> None:
        """Raises UserError where options do not go with each other."""


R = TypeVar("R", bound=Request)


def declared(request: type[Request]) -> tuple[Declared, ...]:
    """The options of a request, in the order of its fields."""
    hints = get_type_hints(request, include_extras=True)
    found = []
    for field in fields(request):
        hint = hints[field.name]
        if get_origin(hint) is Annotated:
            (one,) = (extra for extra in get_args(hint)[1:] if isinstance(extra, Option))
            found.append(Declared(field.name, one, field.default))
    return tuple(found)


def read(request: type[R], texts: Mapping[str, Any]) -> R:
    """The request that texts by field name make; None, False and () are texts that were not given.

    Raises:
        UserError: one of them is wrong, or does not go with the others; it names the option and the mend.
    """
    options = {one.field: one.option for one in declared(request)}
    given = {name: texts[name] for name in options if texts.get(name) not in (None, False, (), [])}
    values = {name: _value(options[name], text) for name, text in given.items()}
    made = request(words=tuple(_words(request, given)), **values)
    for name in given:
        _check_place(options[name], made)
    made.check()
    return made


def _value(option: Option, given: str | bool | Sequence[str]) -> Any:
    if isinstance(given, str):
        return option.parse(given)
    if isinstance(given, bool):
        return given
    return tuple(dict.fromkeys(option.parse(text) for text in given))


def _words(request: type[Request], given: Mapping[str, Any]) -> Iterator[str]:
    yield from ("stretto", *request.subject.split())
    for one in declared(request):
        if one.field not in given:
            continue
        text = given[one.field]
        for word in [text] if isinstance(text, str | bool) else text:
            yield from one.option.flags[:1]
            if not isinstance(word, bool):
                yield word


def _check_place(option: Option, request: Request) -> None:
    """Refuses an option that is not for the substrate or for the probes of the request."""
    on = getattr(request, "on", "")
    if option.on and on not in option.on:
        raise UserError(f"{option.name} is for --on {' or '.join(option.on)}, not for --on {on}")
    probes = option.probes
    if probes and not set(probes) & set(getattr(request, "names", ())):
        if len(probes) == 1:
            raise UserError(f"{option.name} is for the probe {probes[0]}: name it")
        raise UserError(f"{option.name} is for the probes {' and '.join(probes)}: name one of them")
