# SPDX-License-Identifier: BSD-3-Clause
"""The edge cases of collective operations in Fortran: those of C with their arguments spelled as in Fortran.

Where a rank chooses between two arguments, Fortran has two calls, because an argument is a place and not a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from tests.standard.case import Case
from tests.standard.collectives import FAILING, NO_TYPE, SIMPLE, variants, with_null_arguments
from tests.standard.fortran_spelling import spelled

Choice = str | tuple[str, "Choice", "Choice"]


def _parsed(tokens: list[str]) -> Choice:
    """An expression of C with `?` and `:`; a choice is a condition and two expressions."""
    head = tokens.pop(0)
    if not tokens or tokens[0] != "?":
        return head
    tokens.pop(0)
    first = _parsed(tokens)
    assert tokens.pop(0) == ":"
    return head.strip("()"), first, _parsed(tokens)


def choice(text: str) -> Choice:
    return _parsed(re.split(r" ([?:]) ", text))


def calls(name: str, arguments: Sequence[Choice]) -> str:
    """The call; where an argument depends on the rank, one for each of its values."""
    for one in arguments:
        if isinstance(one, tuple):
            condition = one[0]
            halves = [
                [
                    given[side] if isinstance(given, tuple) and given[0] == condition else given
                    for given in arguments
                ]
                for side in (1, 2)
            ]
            first, second = (calls(name, half) for half in halves)
            holds = re.sub(r"\bhalf\b", "half == 1", condition).replace("||", ".or.")
            return f"if ({holds}) then; {first} else; {second} end if;"
    listed = ", ".join([*(spelled(str(one)) for one in arguments), "code"])
    return f"call MPI_{name}({listed});"


def _arguments(word: str, text: str) -> list[Choice]:
    """A word's arguments. Arrays that nobody may look at are arrays in Fortran, too."""
    found = [choice(one) for one in text.split(", ")]
    if word in SIMPLE or word in ("SR", "root", "comm", "op"):
        return found
    kinds = {"types": "nowhere_types", "type": "freed_type"}
    names = {"SV": ("counts", "displs", "type"), "SRV": ("buffer", "counts", "type")}.get(
        "SV" if word[1] == "V" else word, ("counts", "displs", "types")
    )
    first, *others = found
    arrays = [_with_array(one, kinds.get(name, "nowheres")) for one, name in zip(others, names, strict=True)]
    return [first, *arrays]


def _with_array(one: Choice, array: str) -> Choice:
    if isinstance(one, tuple):
        return one[0], _with_array(one[1], array), _with_array(one[2], array)
    return array if one in ("NOWHERE", "NULL") else one


def collective_cases(operations: Mapping[str, tuple[str, ...]]) -> Iterator[Case]:
    """Each operation's cases, blocking and nonblocking. MPI 3.1, which Fortran's bindings here have, has no
    persistent ones.
    """
    for name, words in operations.items():
        for title, arguments in with_null_arguments(variants(name, words)):
            fails = title in FAILING or title == NO_TYPE  # Open MPI 4.1 reports the null type
            listed = [one for word in words for one in _arguments(word, arguments[word])]
            yield Case(f"{name}: {title}", f"{calls(name, listed)} call say_code('call')", fails=fails)
            nonblocking = calls(f"I{name.lower()}", [*listed, "r(1)"])
            yield Case(
                f"I{name.lower()}: {title}",
                f"{nonblocking} call say_code('call'); call MPI_Wait(r(1), MPI_STATUS_IGNORE, code); call say_code('wait')",
                fails=fails,
            )
