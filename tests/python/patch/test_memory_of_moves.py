# SPDX-License-Identifier: BSD-3-Clause
"""Whether the statements that a call moves across may touch its buffer: aliases, containers, members, references."""

from collections.abc import Mapping
from pathlib import Path

import pytest

pytest.importorskip("clang.cindex", reason="NO libclang: no patch is tested; pip install libclang")

from moved_sources import HEAD, WAIT, Seen, line_of, moved

from stretto.patch.moves import Move


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


MEMBER = {
    "MPI_Irecv(halo,": "MPI_Irecv(field.in,",
    "  MPI_Status status;": "  struct { double *in, *out; } field = {halo, v};\n  MPI_Status status;",
}


def with_other(crossed: str, replaced: Mapping[str, str]) -> str:
    """The function with a wait, of which some words are replaced."""
    text = HEAD + WAIT.format(crossed=crossed)
    for old, new in replaced.items():
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(
    ("crossed", "replaced", "said"),
    [
        ("if (n < 0) v[0] = global[0]; // CROSSED", {"MPI_Irecv(halo,": "MPI_Irecv(global,"},
         "loads from global, the buffer of the message"),
        ("if (n < 0) alias[0] = 1; // CROSSED",
         {"MPI_Irecv(halo,": "MPI_Irecv(global,", "double *alias = halo;": "double *alias = global;"},
         "stores to alias, which may be global, the buffer of the message"),
        ("v[0] = 1; // CROSSED", {"// USE": "{ double *t = halo; halo = v; v = t; } // USE"},
         "stores to v, which may be halo, the buffer of the message"),
        ("if (n < 0) field.in[0] = 1; // CROSSED", MEMBER, "stores to field.in, the buffer of the message"),
    ],
    ids=["global", "pointer to a global", "swapped pointers", "member"],
)  # fmt: skip
def test_a_name_of_the_buffer_is_no_matter_of_what_the_trace_saw(
    tmp_path: Path, crossed: str, replaced: Mapping[str, str], said: str
) -> None:
    text = with_other(crossed, replaced)
    line = line_of(text, "// CROSSED")
    assert moved(tmp_path, text, "// WAIT", "wait later", Seen(True)) == f"line {line}: {said}"


def test_an_integer_that_holds_an_address_may_hold_any(tmp_path: Path) -> None:
    text = with_other("long at = n;\n    double *p = (double *)at;\n    p[0] = 1; // CROSSED", MEMBER)
    move = moved(tmp_path, text, "// WAIT", "wait later")
    assert isinstance(move, Move)
    assert move.stops == (
        f"line {line_of(text, '// CROSSED')}: stores to p, which may be part of field.in, the buffer of the message"
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
