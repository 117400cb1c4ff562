# SPDX-License-Identifier: BSD-3-Clause
"""Where a wait or a start may move, by the syntax tree of small functions and what a trace is said to have seen."""

from __future__ import annotations

import functools
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("clang.cindex")

from stretto.patch.clang_source import ParsedSource, parse_options
from stretto.patch.moves import LocalKind, Move, move_of
from stretto.patch.statements import Statement

MPICC = shutil.which("mpicc") or str(Path(sys.executable).parent / "mpicc")
HEAD = """#include <mpi.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#define CHECK(call) do { if ((call) != MPI_SUCCESS) abort(); } while (0)
#define INNER(u) for (int i = 0; i < n; ++i) u[i] += 1
double mystery(double *);
static double *global;
static void inner(double *u, int n) { for (int i = 0; i < n; ++i) u[i] = sqrt(u[i]); }
static void twice(double *u, int n) { inner(u, n); if (n < 2) return; inner(u, n); }
static void asks(double *u, int n) { inner(u, n); MPI_Barrier(MPI_COMM_WORLD); }
static double globally(void) { return global[0]; }
"""
WAIT = """
void step(double *u, double *other, int n, double tolerance) {{
  double *halo = malloc(n * sizeof *halo);
  double *v = malloc(n * sizeof *v);
  double *alias = halo;
  double sum = 0;
  MPI_Request request;
  MPI_Status status;
  for (int turn = 0; turn < 3; ++turn) {{
    MPI_Irecv(halo, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status); // WAIT
    {crossed}
    sum += halo[0]; // USE
  }}
  other[0] = sum; alias[0] = v[0];
}}
"""
SEND = """
void step(double *u, double *other, int n, double tolerance) {{
  double *out = malloc(n * sizeof *out);
  double *v = malloc(n * sizeof *v);
  double edge[4];
  MPI_Request request;
  int next = 1;
  for (int turn = 0; turn < 3; ++turn) {{
    out[0] = turn; // STORE
    {crossed}
    MPI_Isend(out, n, MPI_DOUBLE, next, 0, MPI_COMM_WORLD, &request); // START
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }}
  edge[0] = v[0]; other[0] = edge[0];
}}
"""


@dataclass
class Seen:
    """A trace that followed everything, or nothing, and saw accesses in some lines."""

    follows: bool = False
    lines: tuple[int, ...] = ()

    def followed(self, moved: Sequence[Statement]) -> bool:
        return self.follows

    def seen_in(self, moved: Sequence[Statement], other: Statement) -> int:
        return sum(other.first <= line <= other.last for line in self.lines)


@functools.cache
def options() -> tuple[str, ...]:
    return tuple(parse_options(MPICC, Path("program.c"), []))


def line_of(text: str, mark: str) -> int:
    return next(number for number, line in enumerate(text.split("\n"), 1) if mark in line)


def moved(
    directory: Path,
    text: str,
    mark: str,
    kind: LocalKind,
    evidence: Seen | None = None,
    name: str = "program.c",
) -> Move | str:
    path = directory / name
    path.write_text(text)
    source = ParsedSource(path, text.encode(), options())
    block = source.block_of(line_of(text, mark))
    return block if isinstance(block, str) else move_of(block, line_of(text, mark), kind, evidence or Seen())


def wait(directory: Path, crossed: str, evidence: Seen | None = None) -> Move | str:
    return moved(directory, HEAD + WAIT.format(crossed=crossed), "// WAIT", "wait later", evidence)


def start(directory: Path, crossed: str, evidence: Seen | None = None) -> Move | str:
    return moved(directory, HEAD + SEND.format(crossed=crossed), "// START", "start earlier", evidence)


@pytest.mark.parametrize(
    "crossed",
    [
        "v[0] = 1;",
        "inner(v, n);",
        "twice(v, n);",
        "for (int i = 0; i < n; ++i) v[i] = fabs(v[i]) + n;",
        "while (v[0] > 1) { v[0] *= 0.5; if (v[0] < 0) break; }",
        "memset(v, 0, n * sizeof *v);",
        "if (tolerance > 1) inner(v, n); else v[1] = 2;",
        "double w[n]; w[0] = 3; v[0] = w[0];",
        "INNER(v);",
        "switch (n) { case 1: v[0] = 1; break; default: v[1] = 2; }",
        "/* MPI_Wait */ v[0] = 1; // halo",
        "v[0] = turn; v[1] = sizeof(halo[0]);",
    ],
)
def test_a_wait_moves_across_work_that_leaves_its_data_alone(tmp_path: Path, crossed: str) -> None:
    move = wait(tmp_path, crossed)
    assert isinstance(move, Move), move
    text = HEAD + WAIT.format(crossed=crossed)
    assert move.before == line_of(text, "// USE")
    assert move.first == move.last == line_of(text, "// WAIT")
    assert move.stops == f"line {move.before}: loads from halo, the buffer of the message"
    assert not move.assumed


@pytest.mark.parametrize(
    ("crossed", "reason"),
    [
        ("if (halo[0] > tolerance) inner(v, n);", "branches on halo, the buffer of the message"),
        ("while (halo[0] > tolerance) v[0] += 1;", "branches on halo, the buffer of the message"),
        ("inner(halo, n);", "stores to halo, the buffer of the message"),
        ("alias[1] = 2;", "stores to alias, which may be halo, the buffer of the message"),
        ("double *p = alias + 1; v[0] = *p;", "loads from p, which may be halo, the buffer of the message"),
        ("double *p = &halo[1]; v[0] = p[0];", "loads from p, which may be halo, the buffer of the message"),
        ("memcpy(v, halo, 8);", "loads from halo, the buffer of the message"),
        ("v[0] = mystery(v);", "calls mystery, whose effect is not known"),
        ("asks(v, n);", "calls asks: another call of MPI, MPI_Barrier"),
        ("MPI_Send(v, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);", "another call of MPI, MPI_Send"),
        ("v[0] = MPI_Wtime();", "another call of MPI, MPI_Wtime"),
        ("if (n > 3) return;", "returns"),
        ("if (n > 3) break;", "leaves the block by break"),
        ("if (n > 3) continue;", "leaves the block by continue"),
        ("goto end; end:;", "jumps"),
        ("v[0] = status.MPI_TAG;", "uses status, which MPI_Wait uses"),
        (
            "v[0] = globally();",
            "loads from global of globally, which may be part of halo, the buffer of the message",
        ),
        ('__asm__("nop");', "assembler, whose effect is not known"),
        ("void (*f)(double *, int) = inner; f(v, n);", "calls f, whose effect is not known"),
    ],
)
def test_a_wait_stays_before_what_may_concern_its_message(tmp_path: Path, crossed: str, reason: str) -> None:
    text = HEAD + WAIT.format(crossed=crossed)
    said = wait(tmp_path, crossed)
    stops = said if isinstance(said, str) else said.stops
    line = line_of(text, "// WAIT") + 1
    assert stops == f"line {line}: {reason}"


def test_memory_of_unknown_origin_is_crossed_only_where_the_trace_saw_no_access(tmp_path: Path) -> None:
    crossed = "global[0] = 1;"
    line = line_of(HEAD + WAIT.format(crossed=crossed), "global[0] = 1;")
    reason = f"line {line}: stores to global, which may be part of halo, the buffer of the message"
    assert wait(tmp_path, crossed) == reason
    assert wait(tmp_path, crossed, Seen(True, (line,))) == reason
    move = wait(tmp_path, crossed, Seen(True))
    assert isinstance(move, Move)
    assert move.assumed == (f"line {line}: global is not the memory of halo; no iteration touched it",)


def test_what_the_trace_saw_stops_a_wait_that_the_syntax_tree_lets_pass(tmp_path: Path) -> None:
    crossed = "v[0] = 1;"
    line = line_of(HEAD + WAIT.format(crossed=crossed), crossed)
    assert wait(tmp_path, crossed, Seen(True, (line, line))) == (
        f"line {line}: the data of 2 messages was first accessed here"
    )


@pytest.mark.parametrize("crossed", ["inner(v, n);", "v[0] = out[0];", "edge[0] = edge[1];", "turn += 0;"])
def test_a_send_moves_across_work_that_stores_nothing_of_it(tmp_path: Path, crossed: str) -> None:
    move = start(tmp_path, crossed)
    text = HEAD + SEND.format(crossed=crossed)
    assert isinstance(move, Move), move
    assert move.before == line_of(text, "// STORE") + 1
    assert move.stops == f"line {move.before - 1}: stores to out, the buffer of the message"


@pytest.mark.parametrize(
    ("crossed", "reason"),
    [
        ("out[1] = 2;", "stores to out, the buffer of the message"),
        ("next = 2;", "changes next, which MPI_Isend uses"),
        ("n += 1;", "changes n, which MPI_Isend uses"),
        ("out = v;", "changes out, which MPI_Isend uses"),
        ("MPI_Barrier(MPI_COMM_WORLD);", "another call of MPI, MPI_Barrier"),
        ("if (n > 3) continue;", "leaves the block by continue"),
        ("mystery(v);", "calls mystery, whose effect is not known"),
    ],
)
def test_a_send_stays_behind_what_it_needs(tmp_path: Path, crossed: str, reason: str) -> None:
    line = line_of(HEAD + SEND.format(crossed=crossed), "// START") - 1
    said = start(tmp_path, crossed)
    assert said == f"line {line}: {reason}"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("MPI_Wait(&request, &status); // WAIT", "CHECK(MPI_Wait(&request, &status)); // WAIT", "a macro holds the statement"),
        (
            "MPI_Wait(&request, &status); // WAIT",
            "if (n > 0) MPI_Wait(&request, &status); // WAIT",
            "its value is used, or it is the only statement of an if or of a loop",
        ),
        (
            "MPI_Wait(&request, &status); // WAIT",
            "for (int k = 0; k < 1; ++k)\n MPI_Wait(&request, &status); // WAIT",
            "its value is used, or it is the only statement of an if or of a loop",
        ),
        (
            "MPI_Wait(&request, &status); // WAIT",
            "int e = MPI_Wait(&request, &status); // WAIT",
            "its value is used, or it is the only statement of an if or of a loop",
        ),
        ("MPI_Wait(&request, &status); // WAIT", "sum = 1; MPI_Wait(&request, &status); // WAIT", "other code stands in the same line"),
        ("MPI_Wait(&request, &status); // WAIT", "MPI_Wait(&request, &status); sum = 1; // WAIT", "other code stands in the same line"),
        (
            "MPI_Wait(&request, &status); // WAIT",
            "MPI_Wait(&request, &status); MPI_Barrier(MPI_COMM_WORLD); // WAIT",
            "several calls of MPI share the line",
        ),
        ("MPI_Irecv(halo, n,", "MPI_Irecv(MPI_BOTTOM, n,", "its buffer is no memory that has a name, as MPI_BOTTOM"),
        ("// USE", "request = MPI_REQUEST_NULL; // USE", "which messages request stands for is not known in this function"),
        ("  MPI_Request request;", "  extern MPI_Request request;", "which messages request stands for is not known in this function"),
    ],
)  # fmt: skip
def test_statements_that_are_no_lines_of_their_own_stay(
    tmp_path: Path, old: str, new: str, reason: str
) -> None:
    text = (HEAD + WAIT.format(crossed="v[0] = 1;")).replace(old, new)
    assert moved(tmp_path, text, "// WAIT", "wait later") == reason


def test_a_directive_of_the_preprocessor_is_not_crossed(tmp_path: Path) -> None:
    crossed = "v[0] = 1;\n#ifdef FAST\n    v[1] = 2;\n#endif"
    move = wait(tmp_path, crossed)
    text = HEAD + WAIT.format(crossed=crossed)
    assert isinstance(move, Move)
    assert move.stops == f"line {line_of(text, '#ifdef FAST')}: a directive of the preprocessor"
    assert move.before == line_of(text, "// USE")


def test_waits_next_to_each_other_move_together(tmp_path: Path) -> None:
    text = (HEAD + WAIT.format(crossed="inner(v, n);")).replace(
        "MPI_Wait(&request, &status); // WAIT",
        "MPI_Irecv(v, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &more);\n    MPI_Wait(&request, &status); // WAIT\n"
        "    MPI_Wait(&more, &status);",
    )
    text = text.replace("MPI_Request request;", "MPI_Request request, more;")
    line = line_of(text, "inner(v, n);  ") if "inner(v, n);  " in text else line_of(text, "    inner(v, n);")
    assert (
        moved(tmp_path, text, "// WAIT", "wait later")
        == f"line {line}: stores to v, the buffer of the message"
    )


def test_other_elements_than_the_message_are_assumed_where_the_trace_saw_none_touched(tmp_path: Path) -> None:
    text = (HEAD + SEND.format(crossed="v[3] = 1; // CROSSED")).replace(
        "MPI_Isend(out,", "MPI_Isend(&v[n - 1],"
    )
    line = line_of(text, "// CROSSED")
    assert moved(tmp_path, text, "// START", "start earlier") == (
        f"line {line}: stores to v, which may be part of v, the buffer of the message"
    )
    move = moved(tmp_path, text, "// START", "start earlier", Seen(True))
    assert isinstance(move, Move)
    assert move.assumed == (f"line {line}: v is other elements than the message's; no iteration touched it",)


def test_a_container_of_cxx_is_memory_of_its_own(tmp_path: Path) -> None:
    text = """#include <mpi.h>
#include <vector>
void step(int n) {
  std::vector<double> halo(n), v(n);
  MPI_Request request;
  MPI_Irecv(halo.data(), n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE); // WAIT
  for (int i = 0; i < n; ++i) v[i] += 1;
  v[0] = halo[0]; // USE
}
"""
    move = moved(tmp_path, text, "// WAIT", "wait later", name="program.cpp")
    assert isinstance(move, Move), move
    assert move.before == line_of(text, "// USE")


def test_a_name_of_the_buffer_is_no_matter_of_what_the_trace_saw(tmp_path: Path) -> None:
    text = HEAD + WAIT.format(crossed="if (n < 0) v[0] = global[0]; // CROSSED")
    text = text.replace("MPI_Irecv(halo,", "MPI_Irecv(global,")
    line = line_of(text, "// CROSSED")
    assert moved(tmp_path, text, "// WAIT", "wait later", Seen(True)) == (
        f"line {line}: loads from global, the buffer of the message"
    )


@pytest.mark.parametrize(
    ("use", "ends"),
    [
        ("/* now\n       it is used */ sum += halo[0]; // USE", "// USE"),
        ("// a comment that goes on \\\n    on the next line\n    sum += halo[0]; // USE", ""),
    ],
)
def test_nothing_moves_into_a_comment(tmp_path: Path, use: str, ends: str) -> None:
    text = (HEAD + WAIT.format(crossed="v[0] = 1;\n    v[1] = 2; // LAST")).replace(
        "sum += halo[0]; // USE", use
    )
    move = moved(tmp_path, text, "// WAIT", "wait later")
    assert isinstance(move, Move)
    where = "// LAST" if ends else "sum += halo[0]"
    assert move.before == line_of(text, where)


@pytest.mark.parametrize("declared", ["double halo[n];", "static double halo[64];", "double halo[64];"])
def test_arrays_of_the_function_are_memory_of_their_own(tmp_path: Path, declared: str) -> None:
    text = (HEAD + WAIT.format(crossed="v[0] = 1;")).replace(
        "double *halo = malloc(n * sizeof *halo);", declared
    )
    move = moved(tmp_path, text, "// WAIT", "wait later")
    assert isinstance(move, Move), move
    assert not move.assumed


def test_swapped_pointers_may_be_the_buffer(tmp_path: Path) -> None:
    text = HEAD + WAIT.format(crossed="v[0] = 1; // CROSSED")
    text = text.replace("// USE", "{ double *t = halo; halo = v; v = t; } // USE")
    line = line_of(text, "// CROSSED")
    assert moved(tmp_path, text, "// WAIT", "wait later", Seen(True)) == (
        f"line {line}: stores to v, which may be halo, the buffer of the message"
    )


def test_parameters_are_assumed_to_differ_only_where_the_trace_saw_no_access(tmp_path: Path) -> None:
    text = (HEAD + WAIT.format(crossed="u[0] = 1; // CROSSED")).replace("MPI_Irecv(halo,", "MPI_Irecv(other,")
    line = line_of(text, "// CROSSED")
    assert moved(tmp_path, text, "// WAIT", "wait later") == (
        f"line {line}: stores to u, which may be part of other, the buffer of the message"
    )
    move = moved(tmp_path, text, "// WAIT", "wait later", Seen(True))
    assert isinstance(move, Move)
    assert move.assumed == (f"line {line}: u is not the memory of other; no iteration touched it",)
    sure = text.replace("double *u,", "double *restrict u,").replace(
        "double *other,", "double *restrict other,"
    )
    move = moved(tmp_path, sure, "// WAIT", "wait later")
    assert isinstance(move, Move), move
    assert not move.assumed


def with_a_member(crossed: str) -> str:
    text = (HEAD + WAIT.format(crossed=crossed)).replace("MPI_Irecv(halo,", "MPI_Irecv(field.in,")
    return text.replace(
        "  MPI_Status status;", "  struct { double *in, *out; } field = {halo, v};\n  MPI_Status status;"
    )


def test_a_member_is_the_buffer_by_its_name(tmp_path: Path) -> None:
    text = with_a_member("if (n < 0) field.in[0] = 1; // CROSSED")
    assert moved(tmp_path, text, "// WAIT", "wait later", Seen(True)) == (
        f"line {line_of(text, '// CROSSED')}: stores to field.in, the buffer of the message"
    )


def test_an_integer_that_holds_an_address_may_hold_any(tmp_path: Path) -> None:
    text = with_a_member("long at = n;\n    double *p = (double *)at;\n    p[0] = 1; // CROSSED")
    move = moved(tmp_path, text, "// WAIT", "wait later")
    assert isinstance(move, Move)
    assert move.stops == (
        f"line {line_of(text, '// CROSSED')}: stores to p, which may be part of field.in, the buffer of the message"
    )


def test_a_pointer_to_a_global_buffer_is_the_buffer(tmp_path: Path) -> None:
    text = HEAD + WAIT.format(crossed="if (n < 0) alias[0] = 1; // CROSSED")
    text = text.replace("MPI_Irecv(halo,", "MPI_Irecv(global,").replace(
        "double *alias = halo;", "double *alias = global;"
    )
    line = line_of(text, "// CROSSED")
    assert moved(tmp_path, text, "// WAIT", "wait later", Seen(True)) == (
        f"line {line}: stores to alias, which may be global, the buffer of the message"
    )


def test_elements_of_a_member_container_are_not_known(tmp_path: Path) -> None:
    text = """#include <mpi.h>
#include <vector>
struct Grid { std::vector<double> in, out; };
void step(Grid &grid, int n) {
  std::vector<int> at(n);
  MPI_Request request;
  MPI_Irecv(grid.in.data(), n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE); // WAIT
  grid.in[at[0]] = 1;
}
"""
    said = moved(tmp_path, text, "// WAIT", "wait later", Seen(True), name="program.cpp")
    assert said == "line 9: calls operator[], whose effect is not known"


def test_statements_of_an_included_file_are_not_crossed(tmp_path: Path) -> None:
    (tmp_path / "part.inc").write_text("\n\nv[0] = 1;\n")
    text = HEAD + WAIT.format(crossed='v[1] = 2;\n#include "part.inc"')
    line = line_of(text, "for (int turn")
    said = moved(tmp_path, text, "// WAIT", "wait later", Seen(True))
    assert said == f"line {line}: this block includes statements of another file"


@pytest.mark.parametrize(
    ("crossed", "stops"),
    [
        ("y = 2;", "loads from x, the buffer of the message"),
        ("add(y);", "loads from x, the buffer of the message"),
        ("add(x);", "stores to x, the buffer of the message"),
        ("double &z = x; z = 1;", "loads from x, the buffer of the message"),
        ("elements(v);", "loads from x, the buffer of the message"),
        ("elements(w);", "stores to w, the buffer of the message"),
    ],
)
def test_references_lead_to_what_they_are_made_of(tmp_path: Path, crossed: str, stops: str) -> None:
    is_container = crossed == "elements(w);"
    text = f"""#include <mpi.h>
#include <vector>
static void add(double &value) {{ value += 1; }}
static void elements(std::vector<double> &of) {{ of[0] += 1; }}
double step(int n) {{
  double x = 0, y = 0;
  std::vector<double> v(n), w(n);
  MPI_Request request;
  MPI_Irecv({"w.data()" if is_container else "&x"}, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE); // WAIT
  {crossed}
  y += x; // USE
  return y;
}}
"""
    said = moved(tmp_path, text, "// WAIT", "wait later", name="program.cpp")
    reason = said if isinstance(said, str) else said.stops
    assert reason.endswith(stops)
