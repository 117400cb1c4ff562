# SPDX-License-Identifier: BSD-3-Clause
"""The renderer of text: at most 80 cells wide, without lost figures or control characters."""

import io
import json
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from stretto.report.screen import (
    WIDTH,
    Column,
    comment,
    cut,
    heading,
    labelled,
    plain_text,
    prose,
    show,
    show_json,
    table,
)


def lines_of(*parts: object) -> list[str]:
    return plain_text(parts).splitlines()  # type: ignore[arg-type]


@given(st.text(), st.integers(0, 30))
@example("0" * 77 + "\u1100", 0)  # 78 characters of which the last has two cells
@example("\u5bbd" * 60, 7)  # a word of wide characters that is longer than a line
@example("\u5bbd " * 60, 0)
@example("\U0001f469\u200d\U0001f52c" * 60, 0)  # joined to one character
@example("\u263a\ufe0f" * 60, 0)  # made wide by what follows
@example("e\u0301" * 100, 0)  # accents without a cell
def test_headings_and_prose_fit(text: str, indent: int) -> None:
    for line in lines_of(heading(text), prose(text, indent), *comment(text), labelled([(text, text)], 14)):
        assert cell_len(line) <= WIDTH


@given(st.lists(st.tuples(st.text(), st.text(), st.text()), max_size=4))
def test_tables_fit_with_any_content(rows: list[tuple[str, str, str]]) -> None:
    columns = [Column("size"), Column("of", words=True), Column("time")]
    assert all(cell_len(line) <= WIDTH for line in lines_of(table(columns, rows)))


def test_words_are_cut_before_figures() -> None:
    columns = [Column("metric"), Column("of", words=True), Column("time")]
    shown = lines_of(table(columns, [["latency", "word " * 40, "123456.789us"]]))
    assert shown[0].split() == ["#", "metric", "of", "time"]
    assert shown[1].split()[0] == "latency" and shown[1].split()[-1] == "123456.789us"
    assert "".join(shown).count("word") == 40


def test_figures_are_right_aligned_and_words_left() -> None:
    shown = lines_of(table([Column("a"), Column("b")], [["x", "1"], ["long", "22.5"]]))
    assert shown == ["# a      b", "x        1", "long  22.5"]


def test_tables_of_fixed_widths_line_up() -> None:
    columns = [Column("", width=1), Column("count", width=9)]
    head, one = lines_of(table(columns, [["", "7"]]))
    (other,) = lines_of(table(columns, [["", "12345"]], with_head=False))
    assert len(head) == len(one) == len(other)
    assert head.startswith("#") and other.endswith("12345")


def test_each_line_of_a_comment_begins_with_its_mark() -> None:
    lines = lines_of(*comment("word " * 40))
    assert len(lines) > 2 and all(line.startswith("# word") for line in lines)


def test_a_comment_has_all_words_and_fills_its_lines() -> None:
    words = ["\u5bbd" * 9, "word"] * 20
    lines = lines_of(*comment(" ".join(words)))
    assert " ".join(line.removeprefix("# ") for line in lines).split() == words
    assert all(cell_len(line) > WIDTH - 2 - 18 for line in lines[:-1])
    assert list(comment("")) == []


NUMBERS = (
    *("26.5 %", "5 s", "43.3 us", "3 \u00b5s", "64 KiB", "8 B", "945 MB/s", "12.5 ms", "500 Mbit/s", "2 GB"),
    *("1.86 Gflop/s", "12 345 678 B", "12\u202f345 B"),
)


@pytest.mark.parametrize("number", NUMBERS)
def test_no_line_ends_between_a_number_and_its_unit(number: str) -> None:
    whole = number.replace("\u202f", " ")
    for before in range(55, 84):
        text = f"{'x' * before} {number}, which is enough"
        for parts in (
            [prose(text)],
            list(comment(text)),
            [labelled([("name", text)], 8)],
            [table([Column("a", words=True)], [[text]])],
            [table([Column("a"), Column("b", words=True)], [["name", text]])],
        ):
            lines = lines_of(*parts)
            assert sum(whole in line for line in lines) == 1
            assert all(cell_len(line) <= WIDTH for line in lines)


def test_a_unit_stays_with_its_number_on_a_narrow_screen() -> None:
    console = Console(file=io.StringIO(), width=24, highlight=False)
    show([prose("late partners 4.4 %, transfer and progress 100.0 % of it", 4)], console)
    lines = console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert [line for line in lines if line.strip().startswith("%")] == []
    assert " ".join(" ".join(lines).split()) == "late partners 4.4 %, transfer and progress 100.0 % of it"


def test_a_number_that_is_no_measure_may_end_a_line() -> None:
    (first, _) = lines_of(prose(f"{'x' * 70} of 12 sites", 0))
    assert first.rstrip().endswith("of 12")


def test_a_text_is_cut_by_its_cells() -> None:
    assert cut("abc", 3) == "abc" and cut("abcd", 3) == "ab\u2026"
    assert cut("\u5bbd\u5bbd", 4) == "\u5bbd\u5bbd"
    assert cell_len(cut("\u5bbd" * 3, 4)) <= 4 and cut("\u5bbd" * 3, 4).endswith("\u2026")


def test_a_plain_line_is_neither_wrapped_nor_cut() -> None:
    path = "/a/very/long" * 20
    assert lines_of(path) == [path]


@pytest.mark.parametrize("text", ["[bold]x[/bold]", ":smile:", "[/]"])
def test_markup_is_escaped(text: str) -> None:
    for part in (text, heading(text), prose(text, 0), table([Column("a", words=True)], [[text]], False)):
        assert lines_of(part) == [text]


def test_control_characters_are_removed() -> None:
    hostile = "a\x1b[2Jb\rc"
    parts = (
        heading(hostile),
        prose(hostile),
        labelled([(hostile, hostile)], 14),
        table([Column("a")], [[hostile]]),
    )
    assert not any(character in plain_text(parts) for character in "\x1b\r")


def test_json_is_one_document_without_what_is_no_number(capsys: pytest.CaptureFixture[str]) -> None:
    show_json({"a": [1.5, None]})
    assert json.loads(capsys.readouterr().out) == {"a": [1.5, None]}
    with pytest.raises(ValueError, match="not JSON compliant"):
        show_json({"a": math.nan})
    assert capsys.readouterr().out == ""


def test_a_pipe_has_eighty_columns_and_no_colours(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    show([heading("x" * 100)])
    assert capsys.readouterr().out == "x" * 79 + "…\n"
