# SPDX-License-Identifier: BSD-3-Clause
"""Moves across what the preprocessor makes conditional: the call stays as often compiled as it was."""

from pathlib import Path

import pytest

pytest.importorskip("clang.cindex", reason="NO libclang: no patch is tested; pip install libclang")

from moved_sources import HEAD, SEND, WAIT, line_of, moved, start, wait

from stretto.patch.conditionals import directives_of
from stretto.patch.moves import Move


def test_a_wait_moves_behind_a_whole_conditional(tmp_path: Path) -> None:
    crossed = "v[0] = 1;\n#ifndef SLOW\n    v[1] = 2;\n#endif"
    move = wait(tmp_path, crossed)
    assert isinstance(move, Move) and not move.assumed
    assert move.before == line_of(HEAD + WAIT.format(crossed=crossed), "// USE")


def test_a_start_moves_before_a_whole_conditional(tmp_path: Path) -> None:
    crossed = "#ifndef SLOW\n#ifndef LATE\n    v[1] = 2;\n#endif\n#endif"
    move = start(tmp_path, crossed)
    assert isinstance(move, Move) and not move.assumed
    assert move.before == line_of(HEAD + SEND.format(crossed=crossed), "#ifndef SLOW")


def test_what_is_not_compiled_is_named(tmp_path: Path) -> None:
    crossed = "#ifdef FAST\n    halo[1] = 2;\n#else\n    v[1] = 2;\n#endif"
    move = wait(tmp_path, crossed)
    assert isinstance(move, Move)
    line = line_of(HEAD + WAIT.format(crossed=crossed), "halo[1] = 2;")
    assert move.assumed == (f"line {line}: not compiled here, and not looked at",)


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        # Into a branch, because the use stands in it.
        ("    v[0] = 1;\n", "#ifndef SLOW\n    v[0] = 1;\n    sum += halo[0];\n#endif\n", "#ifndef SLOW"),
        # Out of a branch.
        ("    MPI_Wait(&request, &status); // WAIT\n",
         "#ifndef SLOW\n    MPI_Wait(&request, &status); // WAIT\n#endif\n", "#endif"),
        ("    v[0] = 1;\n", "#define N 3\n    v[0] = 1;\n", "#define N 3"),
        ("    v[0] = 1;\n", "    for (int i = 0; i < n; ++i)\n#ifdef FAST\n    v[1] = 1;\n#else\n    v[0] = 1;\n#endif\n",
         "#ifdef FAST"),
    ],
)  # fmt: skip
def test_a_move_does_not_change_when_a_call_is_compiled(
    tmp_path: Path, old: str, new: str, line: str
) -> None:
    text = (HEAD + WAIT.format(crossed="v[0] = 1;")).replace(old, new)
    assert moved(tmp_path, text, "// WAIT", "wait later") == (
        f"line {line_of(text, line)}: a directive of the preprocessor"
    )


def test_directives_that_do_not_match_are_not_crossed() -> None:
    found = directives_of([b"#if A", b"x;", b"#else", b"#endif", b"#endif"])
    assert not found.conditionals
    assert found.others == {1, 3, 4, 5}
    assert directives_of([b"#if A", b"x;"]).others == {1}


def test_branches_of_nested_conditionals() -> None:
    found = directives_of([b"#if A", b"x;", b"# if B", b"y;", b"# endif", b"#else /* no */", b"", b"#endif"])
    assert [one.lines for one in found.conditionals] == [(1, 6, 8), (3, 5)]
    assert found.conditionals[0].has_code == (True, False)
    assert [found.conditionals[0].branch(line) for line in (1, 2, 4, 7, 9)] == [0, 1, 1, 2, 0]
