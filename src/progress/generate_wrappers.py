# SPDX-License-Identifier: BSD-3-Clause
"""Generates the C and Fortran wrappers of libstretto_progress.so from the list of calls.

Usage: `generate_wrappers.py MPI.H OUTPUT`, with the preprocessed header. A wrapper counts the operations that
a call starts or completes, or marks a call that makes progress.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from calls import Call, Parameters, declared_calls, every_call, fortran_suffixes, write_wrappers
from words import LENT, PEERS

# The guard of wrapping.hpp around a call, by the call's kind, and the words that it reads.
BLOCKING = frozenset(
    [
        "send",
        "recv",
        "sendrecv",
        "sendrecv_replace",
        "probe",
        "mprobe",
        "mrecv",
        "collective",
        "gather",
        "scatter",
        "neighbor",
        "new_comm",
        "new_group_comm",
        "new_intercomm",
        "free_comm",
        "synchronise",
        "synchronise_with",
        "synchronise_group",
    ]
)
STARTING = frozenset(
    [
        "isend",
        "irecv",
        "imrecv",
        "isendrecv",
        "isendrecv_replace",
        "icollective",
        "igather",
        "iscatter",
        "ineighbor",
        "new_comm_later",
    ]
)
PREPARING = frozenset(["send_init", "recv_init", "collective_init"])
# The messages among both. Anything else may have several steps, each of which waits for the one before.
MESSAGES = frozenset(["isend", "irecv", "imrecv", "isendrecv", "isendrecv_replace", "send_init", "recv_init"])
GUARDS = {
    "start": "Restarting guard(1, [&] {{ restarted(1, {old_request}); }})",
    "startall": "Restarting guard({length}, [&] {{ restarted({length}, {requests}); }})",
    **dict.fromkeys(("psend_init", "precv_init"), "PreparingParts guard"),
    "wait": "CompletingOne guard({old_request})",
    "waitall": "CompletingAll guard({length}, {requests})",
    "waitany": "CompletingAny guard({length}, {requests}, {index})",
    "waitsome": "CompletingSome guard({length}, {requests}, {outcount})",
    "test": "TestingOne guard({old_request}, {flag})",
    "testall": "TestingAll guard({length}, {requests}, {flag})",
    "testany": "CompletingAny guard({length}, {requests}, {index})",
    "request_free": "Freeing guard({freed_request})",
    "new_window": "OpeningWindow guard",
    "new_dynamic_window": "OpeningWindow guard",
    "free_window": "ClosingWindow guard",
}
# At the root, or at other ranks, their counts mean nothing.
WITHOUT_BYTES = frozenset(["igather", "iscatter", "ineighbor"])
# A reduction that has its count once for each rank, as the words of PEERS have.
SCATTERED = re.compile(r"I?reduce_scatter_block(_init)?", re.IGNORECASE)


def guard_of(call: Call) -> str | None:
    """The guard that the call's wrapper declares; None where the call needs no wrapper."""
    if call.kind in BLOCKING:
        return "Inside guard"
    kind = f"Activity::Kind::{'message' if call.kind in MESSAGES else 'steps'}"
    if call.kind in STARTING or (call.kind == "one_sided" and "new_request" in call.words):
        return f"Starting guard({kind}, {{data_size}}, {{note}})"
    if call.kind in PREPARING:
        return f"Preparing guard({kind}, {{data_size}}, {{note}})"
    guard = GUARDS.get(call.kind)
    if call.kind == "wait" and "old_request" not in call.words:  # of a buffer
        return "Inside guard"
    if call.kind == "test" and "old_request" not in call.words:  # it completes nothing
        return None
    return guard


class Wrapper(Parameters):
    """The text of one call's wrappers."""

    def __init__(self, call: Call, guard: str) -> None:
        super().__init__(call)
        self.guard = guard

    def c_wrapper(self) -> str:
        passed = ", ".join(self.names)
        request = f"*{self.named['new_request']}" if "new_request" in self.named else ""
        size, note = self._size_and_note("{}", "{}", request, self.named.get("comm", ""))
        return (
            f'extern "C" STRETTO_WRAPPED int MPI_{self.call.name}({self.declared_in_c()}) {{\n'
            f"  if (!activity.used()) return NEXT(MPI_{self.call.name})({passed});\n"
            f"  {self.guard.format(**self.named, data_size=size, note=note)};\n"
            f"  return guard.returned(NEXT(MPI_{self.call.name})({passed}));\n}}\n"
        )

    def fortran_wrapper(self, suffix: str) -> str:
        """The Fortran wrapper. Every argument is an address; the error of mpi_f08 may be null."""
        lower = f"mpi_{self.call.name.lower()}{suffix}"
        addresses = ", ".join(["void*"] * (len(self.names) + 1))
        passed = ", ".join([*self.names, "error"])
        values = {word: f"fortran_{word}({name})" for word, name in self.named.items()}
        size, note = self._size_and_note(
            "fortran_length({})", "fortran_type({})", values.get("new_request", ""), values.get("comm", "")
        )
        return (
            f'extern "C" STRETTO_WRAPPED void {lower}({self.declared_in_fortran()}) {{\n'
            f'  static const auto next = stretto::mpi::next_function<void({addresses})>("{lower}");\n'
            f"  if (!activity.used()) return next({passed});\n"
            f"  {self.guard.format(**values, data_size=size, note=note)};\n"
            f"  next({passed});\n"
            f"  (void)guard.returned(fortran_error(error));\n}}\n"
        )

    def _size_and_note(self, count: str, datatype: str, request: str, communicator: str) -> tuple[str, str]:
        """The bytes of the request, and what the statistics are told of them.

        What is received counts: what is sent may be in place, and its datatype then means nothing.
        """
        places = [word for word in self.call.words if word in LENT]
        if not places or not request or self.call.kind in WITHOUT_BYTES:
            return "any_size", "no_note"
        word = places[-1]
        if word == "S" and any(one.startswith("R") for one in self.call.words):
            return "any_size", "no_note"  # the receive buffer has a count for each rank
        _, of_count, of_type = LENT[word][-1]
        position = int(self.named[word][1:])
        arguments = [count.format(f"a{position + of_count}"), datatype.format(f"a{position + of_type}")]
        function = "bytes_of"
        if word in PEERS or SCATTERED.fullmatch(self.call.name.removesuffix("_c")):
            function, arguments = "bytes_of_all", [*arguments, communicator]
        elif "root" in self.call.words:
            function, arguments = "bytes_with_root", [*arguments, communicator]
        persistent = "true" if self.call.kind in PREPARING else "false"
        size = f"[&] {{ return {function}({', '.join(arguments)}); }}"
        note = f"[&](std::int64_t bytes) {{ moved_bytes().started({request}, bytes, {persistent}); }}"
        return size, note


def wrappers(declared: frozenset[str], suffixes: list[str]) -> Iterator[str]:
    for call in every_call():
        guard = guard_of(call)
        if call.name not in declared or guard is None:
            continue
        wrapper = Wrapper(call, guard)
        yield wrapper.c_wrapper()
        if call.has_fortran_wrapper:
            yield from (wrapper.fortran_wrapper(suffix) for suffix in suffixes)


def generate(header: str) -> str:
    """The C++ code of all wrappers."""
    declared = frozenset(declared_calls(header))
    # MPICH's Fortran library calls MPI's C functions, and so these wrappers; Open MPI's calls PMPI.
    suffixes = fortran_suffixes(header) if "ompi_communicator_t" in header else []
    return "\n".join(
        [
            "// Made by src/progress/generate_wrappers.py from src/interpose/calls.txt.",
            '#include "progress/wrapping.hpp"',
            "",
            "using namespace stretto::progress;",
            "",
            *wrappers(declared, suffixes),
        ]
    )


if __name__ == "__main__":
    write_wrappers(generate)
