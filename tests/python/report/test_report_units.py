# SPDX-License-Identifier: BSD-3-Clause
"""Numbers with units."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stretto.report import units


@pytest.mark.parametrize(
    ("size", "label", "compact"),
    [
        (1, "1 B", "1"),
        (8, "8 B", "8"),
        (1000, "1000 B", "1000"),
        (1024, "1 KiB", "1KiB"),
        (65536, "64 KiB", "64KiB"),
        (3 << 19, "1536 KiB", "1536KiB"),
        (1 << 20, "1 MiB", "1MiB"),
        (1 << 30, "1 GiB", "1GiB"),
        (12345678, "11.8 MiB", "11.8MiB"),
    ],
)
def test_sizes(size: int, label: str, compact: str) -> None:
    assert units.size_label(size) == label
    assert units.compact_size(size) == compact


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (9.996, "10.0"),
        (0.99999, "1.00"),
        (-3.2, "-3.20"),
        (123.4, "123"),
        (1234567, "1234567"),
        (2e-7, "2.00e-07"),
    ],
)
def test_three_significant_digits(value: float, text: str) -> None:
    assert units.significant(value) == text


@given(st.floats(-1e300, 1e300))
def test_any_number_fits_its_column_and_keeps_its_value(value: float) -> None:
    text = units.significant(value)
    assert len(text) <= 10
    assert float(text) == pytest.approx(value, rel=0.006)


def test_percent_of_almost_nothing_has_no_sign() -> None:
    assert units.percent(-0.001) == "0"
    assert units.percent(-0.184) == "-18"


@pytest.mark.parametrize(
    ("number", "text"),
    [("1234", "1234"), ("12345.6", "12 345.6"), ("-1234567", "-1 234 567"), ("1e+07", "1e+07")],
)
def test_thousands_are_set_apart(number: str, text: str) -> None:
    assert units.grouped(number).replace("\u202f", " ") == text


def test_control_characters_are_removed() -> None:
    assert units.printable("a\x1b[31mb\nc\u202ed\t e\ud800") == "a?[31mb c?d e?"
