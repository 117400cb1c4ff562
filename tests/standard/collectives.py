# SPDX-License-Identifier: BSD-3-Clause
"""Edge cases of collective operations: what each rank passes, by the words of src/interpose/calls.txt.

An argument that MPI ignores at a rank has a value there that nobody can use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from tests.standard.case import Case

ROOT = "1"
AT_ROOT = "rank == 1"
GARBAGE_N = "half ? HUGE_n : NEGATIVE"
PLAIN: Mapping[str, str] = {
    "B": "shared, 4, MPI_INT",
    "S": "out, 2, MPI_INT", "R": "in, 2, MPI_INT", "SB": "out, 2, MPI_INT", "RB": "in, 2, MPI_INT",
    "SV": "out, counts_n, displs_n, MPI_INT", "RV": "in, mine_n, displs_n, MPI_INT",
    "SW": "out, counts_n, bytes_n, types", "RW": "in, mine_n, bytes_n, types",
    "SR": "out, in, 2, MPI_INT", "SRV": "out, in, counts_n, MPI_INT",
    "SBN": "out, 2, MPI_INT", "RBN": "in, 2, MPI_INT",
    "SVN": "out, twos_n, displs_n, MPI_INT", "RVN": "in, twos_n, displs_n, MPI_INT",
    "SXN": "out, twos_n, spaces, types", "RXN": "in, twos_n, spaces, types",
    "op": "MPI_SUM", "root": ROOT, "comm": "comm", "info": "info",
}  # fmt: skip
# Where every rank receives the counts of all, or the root does.
OF_ALL = {"RV": "in, counts_n, displs_n, MPI_INT", "S": "out, counts_n[rank], MPI_INT"}
FROM_ROOT = {"SV": "out, counts_n, displs_n, MPI_INT", "R": "in, counts_n[rank], MPI_INT"}
OWN_COUNTS: Mapping[str, Mapping[str, str]] = {
    "Gatherv": OF_ALL,
    "Allgatherv": OF_ALL,
    "Scatterv": FROM_ROOT,
}


NO_TYPE = "nothing of no type"
ACCEPTS_NO_TYPE = frozenset(["Bcast", "Alltoallw", "Neighbor_alltoallw"])
"""Operations that take a null type for no elements in some MPI; the others report it."""
SIMPLE = frozenset(["B", "S", "R", "SB", "RB", "SBN", "RBN"])
"""Words of a buffer, a count and a type."""


def either(condition: str, first: str, second: str) -> str:
    """Two lists of arguments, of which a rank passes the first where the condition holds."""
    pairs = zip(first.split(", "), second.split(", "), strict=True)
    return ", ".join(a if a == b else f"({condition}) ? {a} : {b}" for a, b in pairs)


def garbage(word: str) -> str:
    """Arguments of a word that nobody may look at."""
    match word.removesuffix("N"):
        case "SV" | "RV":
            return "NOWHERE, NOWHERE, NOWHERE, freed_type"
        case "SW" | "RW" | "SX" | "RX":
            return "NOWHERE, NOWHERE, NOWHERE, NOWHERE"
        case _:
            return f"NOWHERE, {GARBAGE_N}, freed_type"


def in_place(word: str) -> str:
    return garbage(word).replace("NOWHERE", "MPI_IN_PLACE", 1)


def nothing(word: str) -> str:
    """No elements, of no type, into nowhere. Null for both buffers would be the same buffer, which MPICH refuses."""
    buffer = "out" if word[0] == "S" else "NULL"
    match word.removesuffix("N"):
        case "SV" | "RV":
            return f"{buffer}, zeros_n, no_displs_n, MPI_DATATYPE_NULL"
        case "SW" | "RW":
            return f"{buffer}, zeros_n, no_displs_n, nulls"
        case "SX" | "RX":
            return f"{buffer}, zeros_n, spaces, nulls"
        case "SR":
            return "NULL, NULL, 0, MPI_INT"  # a type on which the operation is defined
        case "SRV":
            return "NULL, NULL, zeros_n, MPI_INT"
        case _:
            return f"{buffer}, 0, MPI_DATATYPE_NULL"


def other_type(arguments: str) -> str:
    """The same data as pairs on odd ranks: counts and types may differ between ranks."""
    buffer, count, _ = arguments.split(", ")
    return f"{buffer}, half ? {int(count) // 2} : {count}, half ? pair : MPI_INT"


def _buffers(words: tuple[str, ...]) -> list[str]:
    return [word for word in words if word[0] in "SRB"]


def variants(name: str, words: tuple[str, ...]) -> Iterator[tuple[str, dict[str, str]]]:
    """The cases of an operation: a title, and the arguments by word."""
    plain = {**PLAIN, **OWN_COUNTS.get(name, {})}
    if name.startswith("Neighbor"):
        plain["comm"] = "ring"
    buffers = _buffers(words)
    yield "ordinary", plain
    if not buffers:
        yield "between groups", {**plain, "comm": "inter"}
        return
    if not name.startswith("Neighbor"):
        yield "of one rank", {**plain, "comm": "lone", "root": "0"}
    yield NO_TYPE, {**plain, **{word: nothing(word) for word in buffers}}
    no_buffer = {word: nothing(word).replace("MPI_DATATYPE_NULL", "MPI_INT") for word in buffers}
    yield "nothing", {**plain, **{word: text.replace("nulls", "types") for word, text in no_buffer.items()}}
    if all(word in SIMPLE and plain[word].split(", ")[1].isdigit() for word in buffers):
        without = {word: plain[word].replace("MPI_INT", "none") for word in buffers}
        yield "elements without data", {**plain, **without}
        yield "other types elsewhere", {**plain, **{word: other_type(plain[word]) for word in buffers}}
    yield from _ignored(name, plain)
    if not name.startswith("Neighbor") and name not in ("Scan", "Exscan"):
        yield from _between_groups(name, plain)
    for problem, change in FAILING.items():
        if change[0] in words:
            yield problem, {**plain, change[0]: change[1]}


FAILING = {
    "an invalid root": ("root", "ranks + 3"),
    "a null operation": ("op", "MPI_OP_NULL"),
    "a null communicator": ("comm", "MPI_COMM_NULL"),
}
"""Errors that every rank makes, so that nobody waits."""


def _ignored(name: str, plain: dict[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Ignored arguments on an intracommunicator."""
    match name:
        case "Gather" | "Gatherv":
            receive = "RB" if name == "Gather" else "RV"
            elsewhere = either(AT_ROOT, plain[receive], garbage(receive))
            yield "garbage elsewhere", {**plain, receive: elsewhere}
            own = either(AT_ROOT, in_place("S"), plain["S"])
            yield "in place at the root", {**plain, receive: elsewhere, "S": own}
        case "Scatter" | "Scatterv":
            send = "SB" if name == "Scatter" else "SV"
            elsewhere = either(AT_ROOT, plain[send], garbage(send))
            yield "garbage elsewhere", {**plain, send: elsewhere}
            own = either(AT_ROOT, in_place("R"), plain["R"])
            yield "in place at the root", {**plain, send: elsewhere, "R": own}
        case "Allgather" | "Allgatherv":
            yield "in place", {**plain, "S": in_place("S")}
            if name == "Allgatherv":
                yield "other displacements elsewhere", {**plain, "RV": "in + 8 * half, counts_n, half ? bytes_n : displs_n, MPI_INT"}  # fmt: skip
        case "Alltoall":
            yield "in place", {**plain, "SB": in_place("SB")}
        case "Alltoallv":
            yield "in place", {**plain, "SV": in_place("SV"), "RV": "in, twos_n, displs_n, MPI_INT"}
        case "Alltoallw":
            yield "in place", {**plain, "SW": in_place("SW"), "RW": "in, twos_n, bytes_n, types"}
        case "Reduce":
            yield "garbage elsewhere", {**plain, "SR": f"out, {AT_ROOT} ? in : NOWHERE, 2, MPI_INT"}
            yield "in place at the root", {**plain, "SR": f"{AT_ROOT} ? MPI_IN_PLACE : out, {AT_ROOT} ? in : NOWHERE, 2, MPI_INT"}  # fmt: skip
        case "Reduce_scatter":
            yield "in place", {**plain, "SRV": "MPI_IN_PLACE, in, counts_n, MPI_INT"}
        case "Allreduce" | "Reduce_scatter_block" | "Scan" | "Exscan":
            yield "in place", {**plain, "SR": "MPI_IN_PLACE, in, 2, MPI_INT"}
        case _:
            return


ROOTS = "rank == 0 ? MPI_ROOT : half ? 0 : MPI_PROC_NULL"
SENDER, RECEIVERS = "rank == 0", "half"


def _between_groups(name: str, plain: dict[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    """On an intercommunicator, where rank 0 is the root, and rank 1 has the same number in its own group."""
    there = {**plain, "comm": "inter", "root": ROOTS}
    match name:
        case "Bcast":
            yield "between groups", {**there, "B": either("rank == 0 || half", plain["B"], garbage("B"))}
        case "Gather" | "Gatherv":
            receive = "RB" if name == "Gather" else "RV"
            real = "in, 2, MPI_INT" if name == "Gather" else "in, twos_n, displs_n, MPI_INT"
            send = either(RECEIVERS, "out, 2, MPI_INT", garbage("S"))
            yield "between groups", {**there, "S": send, receive: either(SENDER, real, garbage(receive))}
        case "Scatter" | "Scatterv":
            send = "SB" if name == "Scatter" else "SV"
            real = "out, 2, MPI_INT" if name == "Scatter" else "out, twos_n, displs_n, MPI_INT"
            receive = either(RECEIVERS, "in, 2, MPI_INT", garbage("R"))
            yield "between groups", {**there, send: either(SENDER, real, garbage(send)), "R": receive}
        case "Reduce":
            yield "between groups", {**there, "SR": "half ? out : NOWHERE, rank == 0 ? in : NOWHERE, 2, MPI_INT"}  # fmt: skip
        case "Allgather":
            yield "between groups", there
            yield "between groups, one way", {**there, "S": "half ? NULL : out, half ? 0 : 2, MPI_INT", "RB": "half ? in : NULL, half ? 2 : 0, MPI_INT"}  # fmt: skip
        case "Allgatherv":
            yield "between groups", {**there, "S": "out, 2, MPI_INT", "RV": "in, twos_n, displs_n, MPI_INT"}
        case "Alltoallv":
            yield "between groups", {**there, "SV": "out, twos_n, displs_n, MPI_INT", "RV": "in, twos_n, displs_n, MPI_INT"}  # fmt: skip
        case "Alltoallw":
            yield "between groups", {**there, "SW": "out, twos_n, bytes_n, types", "RW": "in, twos_n, bytes_n, types"}  # fmt: skip
        case "Reduce_scatter":
            yield "between groups", {**there, "SRV": "out, in, twos_n, MPI_INT"}
        case _:
            yield "between groups", there


def with_null_arguments(cases: Iterable[tuple[str, dict[str, str]]]) -> Iterator[tuple[str, dict[str, str]]]:
    """Each case with garbage, and the same with null arguments in its place: some MPIs look at ignored types."""
    for title, arguments in cases:
        yield title, arguments
        if any("freed_type" in text or "NOWHERE" in text for text in arguments.values()):
            null = {
                word: text.replace("freed_type", "MPI_DATATYPE_NULL")
                .replace("NOWHERE", "NULL")
                .replace(GARBAGE_N, "0")
                for word, text in arguments.items()
            }
            yield f"{title}, null", null


def _code(call: str, words: tuple[str, ...], arguments: Mapping[str, str]) -> str:
    """A blocking call; a nonblocking one and its wait; a persistent one, started twice."""
    listed = ", ".join(arguments[word] for word in words if word != "new_request")
    if "new_request" not in words:
        return f'say_code("call", MPI_{call}({listed}));'
    made = f'say_code("call", MPI_{call}({listed}, &r[0]));'
    wait = 'say_code("wait", MPI_Wait(&r[0], MPI_STATUS_IGNORE));'
    if not call.endswith("_init"):
        return made + wait
    start = f'say_code("start", MPI_Start(&r[0])); {wait}'
    return f"{made} if (!is_null(r[0])) {{ {start} {start} MPI_Request_free(&r[0]); }}"


def collective_cases(calls: Mapping[str, tuple[str, ...]]) -> Iterator[Case]:
    """Each operation's cases, blocking, nonblocking and persistent; `calls` has those operations' words."""
    for name, words in calls.items():
        for title, arguments in with_null_arguments(variants(name, words)):
            lone = title in FAILING or (title == NO_TYPE and name not in ACCEPTS_NO_TYPE)
            forms = [(name, words), (f"I{name.lower()}", (*words, "new_request"))]
            if not lone:
                forms.append((f"{name}_init", (*words, "info", "new_request")))
            for form, its_words in forms:
                yield Case(f"{form}: {title}", _code(form, its_words, arguments), fails=lone)
    yield Case(
        "Alltoallw: no types of nothing",
        "COUNT_n some_n[MANY] = {0}; some_n[rank] = 1; MPI_Datatype own[MANY];"
        "for (int i = 0; i < MANY; ++i) own[i] = i == rank ? MPI_INT : MPI_DATATYPE_NULL;"
        'say_code("call", MPI_Alltoallw(out, some_n, bytes_n, own, in, some_n, bytes_n, own, comm));',
    )
