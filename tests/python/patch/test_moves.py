# SPDX-License-Identifier: BSD-3-Clause
"""Where a wait or a start may move, by the syntax tree of small functions and what a trace is said to have seen."""

from pathlib import Path

import pytest

pytest.importorskip("clang.cindex", reason="NO libclang: no patch is tested; pip install libclang")

from moved_sources import HEAD, SEND, WAIT, Seen, line_of, moved, start, wait

from stretto.patch.moves import Move


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
        ("stop = 1;", "uses stop, which is volatile"),
        ("while (stop == 0) v[0] += 1;", "uses stop, which is volatile"),
        ("volatile double *p = v; p[0] = 1;", "declares p, which is volatile"),
        ("*(volatile double *)v = 1;", "uses memory, which is volatile"),
        ("turns += 1;", "uses turns, which is atomic"),
        ("__atomic_store_n(&n, 1, __ATOMIC_RELEASE);", "an expression whose effect is not known"),
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
    use = line_of(HEAD + WAIT.format(crossed=crossed), "// USE")
    move = wait(tmp_path, crossed, Seen(True, (use,)))
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


@pytest.mark.parametrize(
    ("crossed", "stops"),
    [("shifted(v);", "loads from halo, the buffer of the message"), ("shifted(halo);", "")],
)
def test_functions_of_an_included_file_do_what_their_bodies_do(
    tmp_path: Path, crossed: str, stops: str
) -> None:
    (tmp_path / "shifted.h").write_text("static inline void shifted(double *u) { u[0] = u[1] + 1; }\n")
    text = HEAD + '#include "shifted.h"\n' + WAIT.format(crossed=crossed)
    move = moved(tmp_path, text, "// WAIT", "wait later")
    if not stops:
        assert isinstance(move, str) and move.endswith("stores to halo, the buffer of the message")
    else:
        assert isinstance(move, Move) and move.stops == f"line {line_of(text, '// USE')}: {stops}"
