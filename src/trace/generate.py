# SPDX-License-Identifier: BSD-3-Clause
"""Generates the recorder's wrappers from calls.txt: for C, for counts beyond 2^31, and for Fortran.

Usage: `generate.py MPI.H OUTPUT`, where MPI.H is the preprocessed header. A call that it does not
declare gets no wrapper; without MPI_Status_f2c there is none for Fortran. The compiler checks each wrapper
against its declaration there.
"""

from __future__ import annotations

import re

from calls import Call, Parameters, declared_calls, every_call, fortran_suffixes, write_wrappers
from words import LENT, LENT_ALL, PEERS, WORDS

FIRST_CALL = 16  # record::first_call
COLLECTIVES = ("collective", "gather", "scatter", "neighbor")
POLLS = ("Iprobe", "Test", "Testall", "Testany", "Testsome")
RECEIVING = ("recv", "sendrecv", "sendrecv_replace", "mrecv")
STARTING = ("start", "startall", "cancel")


class Wrapper(Parameters):
    """The text of one call's wrappers."""

    def __init__(self, call: Call, number: int) -> None:
        super().__init__(call)
        self.number = number

    def c_wrapper(self) -> str:
        passed = self._passed(fortran=False)
        called = f"NEXT_MPI({self.call.name})" if self.call.kind in COLLECTIVES else f"PMPI_{self.call.name}"
        return self._function(
            f'extern "C" STRETTO_TRACED int MPI_{self.call.name}({self.declared_in_c()})',
            f"const int error = {called}({', '.join(passed)});",
            "return error;",
            fortran=False,
        )

    def fortran_wrapper(self, suffix: str = "_") -> str:
        """The Fortran wrapper, also of mpi_f08 (`_f08_`) with structure handles and an optional error."""
        optional = suffix != "_"
        declared = self.declared_in_fortran("given_error" if optional else "error")
        lower = f"{self.call.name.lower()}{suffix}"
        weak = f'extern "C" __attribute__((weak)) void pmpi_{lower}({declared});\n'
        passed = [*self._passed(fortran=True), "error"]
        called = f"NEXT_FORTRAN({lower})" if self.call.kind in COLLECTIVES else f"pmpi_{lower}"
        return weak + self._function(
            f'extern "C" STRETTO_TRACED void mpi_{lower}({declared})',
            f"{called}({', '.join(passed)});",
            "",
            fortran=True,
            begin=(
                "const OptionalError optional_error(given_error);",
                "void* error = optional_error.pointer();",
            )
            if optional
            else (),
        )

    def _passed(self, fortran: bool) -> list[str]:
        return [
            self._text(word.passed, names, fortran) if word.passed else name
            for word, names in self.words()
            for name in names
        ]

    def _text(self, text: str, names: tuple[str, ...], fortran: bool) -> str:
        length = self.named.get("length", "")
        handle = f"handle_at({names[0]})"
        if fortran:
            declared = re.search(r"\w+(?=\*)", self.type_of(names[0]))
            handle = f"{declared[0] if declared else ''}_f2c(*fint({names[0]}))"
        return text.format(
            *names,
            comm=self.named.get("comm", ""),
            length=f"*fint({length})" if fortran else length,
            fortran="Fortran" if fortran else "C",
            handle=handle,
            stores=self._significant("root", fortran) if "root" in self.named else "true",
        )

    def _argument(self, word: str, fortran: bool) -> str:
        """The handle or number of a word, in C's form."""
        name = self.named[word]
        convert = {"comm": "MPI_Comm_f2c(*fint({}))", "op": "MPI_Op_f2c(*fint({}))"}.get(word, "*fint({})")
        return convert.format(name) if fortran else name

    def _significant(self, mark: str, fortran: bool) -> str:
        """The condition under which MPI reads arguments with this mark; empty: always."""
        if mark == "op":
            return f"{self._argument('op', fortran)} != MPI_NO_OP"
        if "root" not in self.named:
            return ""
        comm, root = self._argument("comm", fortran), self._argument("root", fortran)
        return {"root": f"is_root({comm}, {root})", "leaf": f"is_leaf({root})", "": f"takes_part({root})"}[
            mark
        ]

    def _recorded(self, error: str, fortran: bool) -> str:
        """The statement that records a call. A failed wait may have ended operations; a receive, too."""
        given = {
            word: f"given_{names[0]}.values()"
            for word, names in zip(self.call.words, self.by_word, strict=True)
            if word in ("status", "statuses")
        }
        note = "plain(call)" if self.call.kind == "plain" else self._noted(fortran)
        if self.call.kind in RECEIVING:
            return f"if (call.ended_receiving({error})) {note};"
        requests = self.named.get("old_request", self.named.get("requests"))
        if requests is None or self.call.kind in STARTING:
            return f"if (call.ended({error})) {note};"
        after = f"fortran_requests({requests})" if fortran else requests
        statuses = given.get("statuses", "nullptr")
        failed = f"failed_wait(call, {error}, requests_before, {after}, {given.get('status', statuses)})"
        return f"if (call.ended_waiting({error}, {statuses})) {note}; else {failed};"

    def _noted(self, fortran: bool) -> str:
        texts: dict[str, str] = {}
        order = []
        for index, (word, names) in enumerate(self.words()):
            text = (word.fortran or word.noted) if fortran else word.noted
            if text:
                key = f"{index}:{self.call.words[index]}"
                texts[key] = self._text(text, names, fortran)
                where = self._significant(self.call.marks[index], fortran)
                if where and text.startswith("amount"):
                    texts[key] = f"{where} ? {texts[key]} : Amount{{}}"
                order.append(key)
        base = re.sub(r"_init$", "", re.sub(r"^i(?=collective|gather|scatter|neighbor)", "", self.call.kind))
        if base in COLLECTIVES:
            return self._noted_collective(texts)
        return f"{self.call.kind}({', '.join(['call', *(texts[key] for key in order)])})"

    def _noted_collective(self, texts: dict[str, str]) -> str:
        amounts = {True: "Amount{}", False: "Amount{}"}
        by_word = {key.split(":")[1]: text for key, text in texts.items()}
        for word, text in by_word.items():
            if WORDS[word].noted.startswith("amount"):
                amounts[WORDS[word].sends] = text
        comm, root = by_word["comm"], by_word.get("root", "no_root")
        request = by_word.get("new_request", "MPI_REQUEST_NULL")
        starts = "false" if self.call.kind.endswith("_init") else "true"
        return f"collective(call, {amounts[True]}, {amounts[False]}, {root}, {comm}, {request}, {starts})"

    def _lent(self, fortran: bool) -> list[str]:
        """Code before a call that unprotects the memory that the call may access."""
        kind = self.call.kind
        if kind in ("plain", "one_sided") or kind in ("send_init", "recv_init"):
            return []  # no access by the kernel, the end of recording, or a later start
        if kind in ("start", "startall"):
            return ["if (recorder().protects_pages()) unprotect_started(call, requests_before);"]
        lines = []
        collective = re.sub(r"^i", "", kind) in COLLECTIVES
        for word, mark, names in zip(self.call.words, self.call.marks, self.by_word, strict=True):
            if LENT_ALL.fullmatch(word) or (word in LENT and kind.endswith("_init")):
                return ["if (recorder().protects_pages()) call.unprotect_all();"]
            for place, span in enumerate(LENT.get(word, ())):
                buffer, count, datatype = (names[index] for index in span)
                if fortran:
                    buffer, count = f"fortran_buffer({buffer})", f"*fint({count})"
                    datatype = f"MPI_Type_f2c(*fint({datatype}))"
                comm = self._argument("comm", fortran) if "comm" in self.named else ""
                guard = f"unprotects(call, {comm})" if collective else "recorder().protects_pages()"
                of_reduction = ("leaf", "root")[place] if word == "SR" else mark
                if collective and (where := self._significant(of_reduction, fortran)):
                    guard += f" && {where}"
                if word in PEERS:
                    count = f"static_cast<MPI_Count>({count}) * {PEERS[word].format(comm=comm)}"
                lines.append(f"if ({guard}) call.unprotect(span({buffer}, {count}, {datatype}));")
        return lines

    def _function(self, head: str, body: str, end: str, fortran: bool, begin: tuple[str, ...] = ()) -> str:
        before = [self._text(word.before, names, fortran) for word, names in self.words() if word.before]
        before += self._lent(fortran)
        error = "*fint(error)" if fortran else "error"
        polls = ", Call::Polls()" if self.call.name in POLLS else ""
        lines = [*begin, f"Call call({self.number}, __builtin_return_address(0){polls});", *before, body]
        lines += [self._recorded(error, fortran), end]
        return head + " {\n" + "".join(f"  {line}\n" for line in lines if line) + "}\n"


def generate(header: str) -> str:
    """The C++ code of all wrappers, and of the table of calls in a trace's header."""
    declared = declared_calls(header)
    suffixes = fortran_suffixes(header)
    wrappers, table = [], []
    calls = [call for call in every_call() if call.name in declared]
    for number, call in enumerate(calls, FIRST_CALL):
        kind = call.kind.lstrip("-") or "plain"
        table.append(f'    {{"MPI_{call.name}", "{kind}"}},')
        if call.kind.startswith("-"):  # lifetime.cpp or session_lifetime.cpp wraps it
            wrappers.append(f"const std::uint16_t stretto::trace::call_{call.name.lower()} = {number};\n")
            continue
        wrapper = Wrapper(call, number)
        wrappers.append(wrapper.c_wrapper())
        if call.has_fortran_wrapper:
            wrappers.extend(wrapper.fortran_wrapper(suffix) for suffix in suffixes)
    return "\n".join(
        [
            "// Made by src/trace/generate.py from src/interpose/calls.txt.",
            f'#include "trace/{"fortran" if suffixes else "wrapping"}.hpp"',
            "",
            "namespace stretto::trace {",
            "const CallName call_names[] = {",
            *table,
            "};",
            f"const std::size_t calls = {len(calls)};",
            "}  // namespace stretto::trace",
            "",
            "using namespace stretto::trace;",
            "",
            *wrappers,
        ]
    )


if __name__ == "__main__":
    write_wrappers(generate)
