# SPDX-License-Identifier: BSD-3-Clause
"""Cases of C, spelled in Fortran. The statements of C that cases consist of are few; others are refused.

Where a statement or argument has no counterpart, `IDIOMS` has the text of both languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from tests.standard.case import Case
from tests.standard.completions import EMPTY, SAID
from tests.standard.messages import BUFFER, DETACH, PLACED, PLACED_IN, SEEN
from tests.standard.objects import CLOSE, WINDOW

SPELLINGS = {
    r"\bcounts_n\[rank\]": "counts(rank + 1)",
    r"\b(counts|mine|twos|fours|displs|bytes|zeros)_n\b": r"\1",
    r"\bno_displs_n\b": "zeros",
    r"\bin \+ 8 \* half\b": "in(1 + 8 * half)",
    r"\bMPI_INT\b": "MPI_INTEGER",
    r"\bHUGE_n\b": "huge(1)",
    r"\bNEGATIVE\b": "-77",
    r"\bNOWHERE\b": "nowhere",
    r"\bNULL\b": "nothing",
}


def _condition(text: str) -> str:
    text = text.replace("!=", "/=").replace("&&", ".and.")
    return re.sub(r"!?is_null\((.*)\)", r"\1 /= MPI_REQUEST_NULL", re.sub(r"\bhalf\b", "half == 1", text))


def _chosen(found: re.Match[str]) -> str:
    """C's choice between two values that are not buffers."""
    return f"{found[1]}merge({found[3]}, {found[4]}, {_condition(found[2])})"


STATEMENT_SPELLINGS: Mapping[str, str | Callable[[re.Match[str]], str]] = {
    r"(?<=MPI_)(Start|Wait|Test)(\w+)\(0, NULL\b": r"\1\2(0, no_requests",
    **SPELLINGS,
    r"\bin \+ (\d)": lambda at: f"in({int(at[1]) + 1})",
    r"&?\br\[(\d)\]": lambda at: f"r({int(at[1]) + 1})",
    r"&r\[half\]": "r(1 + half)",
    r"&r\[!half\]": "r(2 - half)",
    r"(?<=MPI_)((?:Wait|Test)(?:all|some)\(.*), s\)": r"\1, statuses)",
    r"\bs->MPI_(SOURCE|TAG)\b": r"\1_OF(status)",
    r"\bs\b(?!')": "status",
    r"\bflag > 0\b": "flag",
    r"\bsome(?= > 0)|&some(?=, which)": "flag_count",
    r"\bindex\b": "position",
    r"\(int\[\]\)\{(.*?)\}": r"[\1]",
    r"!half\b": "1 - half",
    r"\badd_with_locals\b": "add",
    r"(, |\()([^,(]+) \? ([^,]+) : ([^,)]+)": _chosen,
    r"&(?=\w)": "",
}
LOGICALS = {"Cart_create": (3, 4), "Cart_sub": (1,), "Intercomm_merge": (1,), "Op_create": (1,)}
"""Arguments that are logical in Fortran, by call."""
ADDRESSES = {
    **dict.fromkeys(("Put", "Get", "Accumulate", "Rput", "Rget", "Raccumulate", "Fetch_and_op"), 4),
    "Get_accumulate": 7, "Rget_accumulate": 7, "Compare_and_swap": 5, "Win_create": 1,
}  # fmt: skip
"""The argument of a call that is an address or its difference."""
PLACED_AT = (
    "block; TYPE_T :: placed; integer(address_kind) :: address(1); call MPI_Get_address({0}, address(1), code);"
    "call MPI_Type_create_hindexed(1, twos, address, MPI_INTEGER, placed, code); call MPI_Type_commit(placed, code)"
)
IDIOMS = {
    SEEN: "",
    EMPTY: "",
    SAID: "call say_flag('flag', flag); call say('position', position); call say('some', flag_count)",
    PLACED: PLACED_AT.format("out"),
    PLACED_IN: PLACED_AT.format("in"),
    BUFFER: "block; integer, save :: space(2048), size; DETACHED_T :: given; call MPI_Buffer_attach(space, 8192, code)",
    DETACH: "call MPI_Buffer_detach(given, size, code); call say('buffer', size)",
    WINDOW: (
        "block; integer, save, asynchronous :: memory(64); WIN_T :: win; integer :: i; memory = [(7 * rank + i, i = 1, 64)];"
        "call MPI_Win_create(memory, int(256, address_kind), 4, info, comm, win, code)"
    ),
    CLOSE: "shared = memory; call MPI_Win_free(win, code)",
}
TYPES = {"Datatype": "TYPE_T"}


def spelled(text: str, spellings: Mapping[str, str | Callable[[re.Match[str]], str]] = SPELLINGS) -> str:
    for pattern, replacement in spellings.items():
        text = re.sub(pattern, replacement, text)
    return text


def _logical(value: str) -> str:
    digits = {"0": ".false.", "1": ".true."}
    return re.sub(r"\d", lambda digit: digits[digit[0]], value).replace("half", "half == 1")


def _call(name: str, arguments: str) -> str:
    given = spelled(f"MPI_{name}({arguments})", STATEMENT_SPELLINGS)
    listed = given.removeprefix(f"MPI_{name}(")[:-1].split(", ")
    for at in LOGICALS.get(name, ()):
        listed[at] = _logical(listed[at])
    if name in ADDRESSES:
        listed[ADDRESSES[name]] = f"int({listed[ADDRESSES[name]]}, address_kind)"
    call = f"call MPI_{name}({', '.join([*listed, 'code'])})"
    return f"{call}; call say_code('{name.lower()}')" if name in ("Start", "Wait") else call


def _statement(text: str) -> str:
    """A statement of C in Fortran.

    Raises:
        ValueError: It is none of those that cases consist of.
    """
    if found := re.fullmatch(r'say_code\("(\w+)", (.*)\)', text):
        return f"{_statement(found[2])}; call say_code('{found[1]}')"
    if found := re.fullmatch(r"MPI_(\w+)\((.*)\)", text):
        return _call(found[1], found[2])
    if text.startswith("say_status("):
        return "call say_status()"
    if found := re.fullmatch(r'say\("%d", is_null\((.*)\)\)', text):
        return f"call say_flag('null', {spelled(found[1], STATEMENT_SPELLINGS)} == MPI_REQUEST_NULL)"
    if found := re.fullmatch(r'say\("%d", (.*)\)', text):
        return f"call say_flag('flag', {spelled(found[1], STATEMENT_SPELLINGS)})"
    if text == 'say("%d %d", s->MPI_SOURCE, s->MPI_TAG)':
        return "call say('source', SOURCE_OF(status)); call say('tag', TAG_OF(status))"
    if found := re.fullmatch(r"while \(!\((.*?)\)\) (.*)", text):
        condition = spelled(found[1], STATEMENT_SPELLINGS)
        return f"do while (.not. ({condition})); {_statement(found[2])}; end do"
    if found := re.fullmatch(r"if \((.*?)\) (MPI_.*)", text):
        condition = _condition(spelled(found[1], STATEMENT_SPELLINGS))
        return f"if ({condition}) then; {_statement(found[2])}; end if"
    if text == "free_comm(made)":
        return f"call {text}"
    if found := re.fullmatch(r"MPI_(\w+) (\w+(?:, \w+)*)(?: = (\w+))?", text):
        declared = f"block; {TYPES.get(found[1], f'{found[1].upper()}_T')} :: {found[2]}"
        return f"{declared}; {found[2]} = {found[3]}" if found[3] else declared
    if found := re.fullmatch(r"int flag = (\d)", text):
        return f"flag = {'.true.' if int(found[1]) else '.false.'}"
    if found := re.fullmatch(r"int (peer|gone|own)", text):
        return f"block; {'logical' if found[1] == 'gone' else 'integer'} :: {found[1]}"
    raise ValueError(f"no Fortran for: {text}")


def in_fortran(case: Case) -> Case:
    """The case with its code in Fortran; variables are declared where C declares them."""
    lines = []
    for part in re.split("|".join(f"({re.escape(one)})" for one in IDIOMS), case.code):
        if part in IDIOMS:
            lines.append(IDIOMS[part])
        elif part:
            lines += [_statement(one.strip()) for one in part.split(";") if one.strip()]
    code = "; ".join(line for line in lines if line)
    return replace(case, code=code + "; end block" * code.count("block;"))
