# SPDX-License-Identifier: BSD-3-Clause
"""Memory that functions of the program return, and pointers that are exchanged: what is of its own, and what is not."""

from pathlib import Path

import pytest

pytest.importorskip("clang.cindex", reason="NO libclang: no patch is tested; pip install libclang")

from moved_sources import HEAD, SEND, WAIT, Seen, line_of, moved

from stretto.patch.moves import Move

PLAIN = "double *make(int n) { double *p = malloc(n * sizeof *p); for (int i = 0; i < n; ++i) p[i] = i; return p; }"
ALLOCATORS = {
    "plain": PLAIN,
    "calloc": "double *make(int n) { return calloc(n, sizeof(double)); }",
    "realloc of nothing": "double *make(int n) { return realloc(NULL, n * 8); }",
    "for MPI": "double *make(int n) { double *p; MPI_Alloc_mem(n * 8, MPI_INFO_NULL, &p); p[0] = 0; return p; }",
    "null where it fails": "double *make(int n) { if (n < 1) return NULL; void *p = malloc(n * 8); return p; }",
    "one calls another": PLAIN.replace("make", "inner_make")
    + "\ndouble *make(int n) { return inner_make(2 * n); }",
    "keeps a copy that is not given": "static double *kept;\n"
    + PLAIN.replace("return p;", "kept = p; return p;"),
}
IMPOSTORS = {
    "a static pool": "static double pool[999]; static int used;\n"
    "double *make(int n) { used += n; return pool + used - n; }",
    "static on a condition": "double *make(int n) { static double *p; if (!p) p = malloc(n * 8); return p; }",
    "a static array at times": "double *make(int n) { static double few[8]; return n < 9 ? few : malloc(n * 8); }",
    "the kept copy": "static double *kept;\n"
    "double *make(int n) { if (!kept) { kept = malloc(n * 8); return kept; } return kept; }",
    "its argument": "double *make_of(double *p, int n) { return n < 9 ? p : malloc(n * 8); }\n"
    "#define make(n) make_of(u, n)",
    "its argument, restrict": "double *make_of(double *restrict p, int n) { return p; }\n#define make(n) make_of(u, n)",
    "what it was told to grow": "double *make_of(double *p, int n) { return realloc(p, n * 8); }\n#define make(n) make_of(u, n)",
    "a stack of freed memory": "static double *last;\n"
    "double *make(int n) { double *p = last; last = NULL; return p ? p : malloc(n * 8); }",
    "whatever another stores": "void fill(double **p);\ndouble *make(int n) { double *p = malloc(n * 8); fill(&p); return p; }",
    "through a pointer to it": "static double pool[999];\n"
    "double *make(int n) { double *p = malloc(8), **q = &p; *q = pool; return p; }",
    "not known": "double *make(int n);",
    "itself": "double *make(int n) { return n < 9 ? malloc(n * 8) : make(n - 1); }",
}  # fmt: skip


def with_allocator(text: str) -> str:
    made = (HEAD + text + WAIT.format(crossed="v[0] = 1; // CROSSED")).replace(
        "double *v = malloc(n * sizeof *v);", "double *v = make(n);"
    )
    return made.replace("double *halo = malloc(n * sizeof *halo);", "double *halo = make(n);")


@pytest.mark.parametrize("text", ALLOCATORS.values(), ids=ALLOCATORS)
def test_what_a_function_allocates_and_returns_is_memory_of_its_own(tmp_path: Path, text: str) -> None:
    source = with_allocator(text)
    move = moved(tmp_path, source, "// WAIT", "wait later")
    assert isinstance(move, Move), move
    assert not move.assumed
    assert move.before == line_of(source, "// USE")


@pytest.mark.parametrize("text", IMPOSTORS.values(), ids=IMPOSTORS)
def test_what_may_have_another_name_is_not(tmp_path: Path, text: str) -> None:
    source = with_allocator(text)
    said = moved(tmp_path, source, "// WAIT", "wait later")
    assert isinstance(said, str), said
    assert said.startswith(f"line {line_of(source, '// CROSSED')}: stores to v, which may be ")


def test_a_copy_that_an_allocator_keeps_is_another_name(tmp_path: Path) -> None:
    kept = "static double *kept;\n" + PLAIN.replace("return p;", "kept = p; return p;")
    source = with_allocator(kept).replace("v[0] = 1; // CROSSED", "kept[0] = 1; // CROSSED")
    said = moved(tmp_path, source, "// WAIT", "wait later")
    assert said == (
        f"line {line_of(source, '// CROSSED')}: stores to kept, which may be part of halo, the buffer of the message"
    )


def test_memory_that_an_allocator_stores_through_a_parameter_too_is_the_same(tmp_path: Path) -> None:
    text = "double *both(int n, double **other) { double *p = malloc(n * 8); *other = p; return p; }\n"
    source = (HEAD + text + WAIT.format(crossed="v[0] = 1; // CROSSED")).replace(
        "double *v = malloc(n * sizeof *v);", ""
    )
    source = source.replace("double *halo = malloc(n * sizeof *halo);", "double *v, *halo = both(n, &v);")
    said = moved(tmp_path, source, "// WAIT", "wait later")
    assert isinstance(said, str) and "stores to v, which may be part of halo" in said


EXCHANGE = (
    "static void exchange(double **one, double **other) { double *t = *one; *one = *other; *other = t; }\n"
)
SWAPS = {
    "function": "exchange(&out, &v);",
    "statements": "double *t = out; out = v; v = t;",
    "two functions": "exchange(&out, &v); exchange(&v, &out);",
}
NO_SWAPS = {
    "an assignment": "out = v;",
    "a copy after": "exchange(&out, &v); v = out;",
    "an unfinished exchange": "double *t = out; out = v; t = v;",
    "its address elsewhere": "exchange(&out, &v); keep(&out);",
    "with another": "exchange(&out, &v); exchange(&v, &u);",
    "another function": "keep_both(&out, &v);",
    "through pointers": "double **p = &out, **q = &v; exchange(p, q);",
}
KEEPS = (
    "void keep(double **p);\nstatic void keep_both(double **one, double **other) { *one = *other; }\n"
    + EXCHANGE
)


def exchanged(text: str, crossed: str = "v[0] = 1; // CROSSED") -> str:
    return (HEAD + KEEPS + SEND.format(crossed=crossed)).replace(
        "    MPI_Wait(&request, MPI_STATUS_IGNORE);\n",
        f"    MPI_Wait(&request, MPI_STATUS_IGNORE);\n    {text}\n",
    )


@pytest.mark.parametrize("text", SWAPS.values(), ids=SWAPS)
def test_exchanged_buffers_are_never_the_same_at_one_time(tmp_path: Path, text: str) -> None:
    source = exchanged(text)
    move = moved(tmp_path, source, "// START", "start earlier")
    assert isinstance(move, Move), move
    assert move.before == line_of(source, "// CROSSED") and not move.assumed


@pytest.mark.parametrize("text", NO_SWAPS.values(), ids=NO_SWAPS)
def test_pointers_that_are_assigned_otherwise_may_be_the_same(tmp_path: Path, text: str) -> None:
    said = moved(tmp_path, exchanged(text), "// START", "start earlier")
    assert isinstance(said, str) and "stores to v, which may be " in said


def test_another_name_of_an_exchanged_buffer_may_be_it(tmp_path: Path) -> None:
    source = exchanged(SWAPS["function"], "double *p = v; p[0] = 1; // CROSSED")
    said = moved(tmp_path, source, "// START", "start earlier")
    assert isinstance(said, str) and "stores to p, which may be out" in said


def test_an_exchange_is_not_crossed(tmp_path: Path) -> None:
    source = exchanged("", "exchange(&out, &v); // CROSSED")
    said = moved(tmp_path, source, "// START", "start earlier")
    assert said == f"line {line_of(source, '// CROSSED')}: changes out, which MPI_Isend uses"


def test_a_wait_may_be_for_what_was_exchanged_since(tmp_path: Path) -> None:
    """The buffer of a message in flight has another name once it is exchanged."""
    source = HEAD + KEEPS + WAIT.format(crossed="v[0] = 1; // CROSSED")
    source = source.replace("    MPI_Wait(&request, &status); // WAIT",
                            "    exchange(&halo, &v);\n    MPI_Wait(&request, &status); // WAIT")  # fmt: skip
    said = moved(
        tmp_path, source.replace("  double *alias = halo;", "  double *alias = u;"), "// WAIT", "wait later"
    )
    assert isinstance(said, str) and "stores to v, which may be halo" in said


@pytest.mark.parametrize(
    ("head", "made", "after", "moves"),
    [
        ("", "new double[n]", "", True),
        ("", "new double[n]", "std::swap(out, v);", True),
        ("static void swap_them(double *&a, double *&b) { double *t = a; a = b; b = t; }", "new double[n]",
         "swap_them(out, v);", True),
        ("static void same(double *&a, double *&b) { a = b; }", "new double[n]", "same(out, v);", False),
        ("", "new double[n]", "double *&name = v; name = out;", False),
        ("", "new double[n]", "auto set = [&] { v = out; }; set();", False),
        ("static double pool[99];", "new (pool) double[n]", "", False),
        ("struct Pool { double *malloc(int); } pool;", "pool.malloc(n)", "", False),
        ("struct Any { virtual double *get(int n) { return new double[n]; } }; void use(Any &);", "Any().get(n)", "", False),
    ],
)  # fmt: skip
def test_pointers_of_cxx(tmp_path: Path, head: str, made: str, after: str, moves: bool) -> None:
    source = f"""#include <mpi.h>
#include <new>
#include <utility>
{head}
void step(int n) {{
  double *out = {made}, *v = {made};
  for (int turn = 0; turn < 3; ++turn) {{
    MPI_Request request;
    out[0] = turn; // STORE
    v[0] = 1; // CROSSED
    MPI_Isend(out, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request); // START
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    {after}
  }}
}}
"""
    said = moved(tmp_path, source, "// START", "start earlier", name="program.cpp")
    assert isinstance(said, Move) == moves, said


def test_a_branch_that_was_not_taken_leaves_no_trace(tmp_path: Path) -> None:
    crossed = "for (int i = 4; i < n; ++i) out[i] = 1; // CROSSED"
    text = HEAD + SEND.format(crossed=crossed)
    move = moved(tmp_path, text, "// START", "start earlier", Seen(True, (line_of(text, "// STORE"),)))
    assert isinstance(move, Move), move
    line = line_of(text, "// CROSSED")
    assert move.assumed == (
        f"line {line}: out is other elements than the message's; no iteration touched it",
    )
    for rare in (
        "if (n < 0) out[0] = 1;",
        "for (int i = 0; i < n; ++i) { if (i < n) continue; out[i] = 1; }",
        "n < 0 && (out[0] = 1) > 0;",
        "memset(out, 0, 8);",
    ):
        said = moved(tmp_path, HEAD + SEND.format(crossed=rare), "// START", "start earlier", Seen(True))
        assert isinstance(said, str) and said.endswith("stores to out, the buffer of the message"), rare
