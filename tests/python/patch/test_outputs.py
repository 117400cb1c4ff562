# SPDX-License-Identifier: BSD-3-Clause
"""Numbers that differ from run to run, and lines that must not."""

from stretto.patch.outputs import comparable, varying

FIRST = b"rank 0 ready\nrank 1 ready\nseconds 0.123456 sum 17.5\n"
AGAIN = b"rank 1 ready\nrank 0 ready\nseconds  9.3e-05 sum 17.5\n"


def test_a_time_varies_and_the_result_next_to_it_does_not() -> None:
    known = varying(FIRST, AGAIN)
    assert known == {b"seconds # sum #": frozenset({0})}
    assert comparable(FIRST, known) == comparable(AGAIN, known)
    assert comparable(FIRST, known)[:2] == [b"rank 0 ready", b"rank 1 ready"]
    assert comparable(b"seconds 3 sum 17.5", known) == comparable(b"seconds 4 sum 17.5", known)
    assert comparable(b"seconds 3 sum 17.5", known) != comparable(b"seconds 3 sum 17.6", known)


def test_lines_in_another_order_vary_in_nothing() -> None:
    assert varying(b"a 1\nb 2\n", b"b 2\na 1\n") == {}


def test_other_words_or_more_lines_are_no_matter_of_numbers() -> None:
    assert varying(b"took 1 s\n", b"took 1 ms\n") is None
    assert varying(b"took 1 s\n", b"took 1 s\ntook 2 s\n") is None


def test_lines_of_one_form_are_compared_in_pairs() -> None:
    known = varying(b"rank 0 took 1.5\nrank 1 took 2.5\n", b"rank 1 took 2.7\nrank 0 took 1.6\n")
    assert known == {b"rank # took #": frozenset({1})}
