# SPDX-License-Identifier: BSD-3-Clause
"""Sizes, durations and bandwidths are parsed and formatted with their units."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stretto.data import sizes
from stretto.errors import UserError


@pytest.mark.parametrize(
    ("text", "size_bytes"),
    [
        ("8", 8),
        ("0", 0),
        ("64KiB", 65536),
        ("64kib", 65536),
        ("1MiB", 1 << 20),
        ("1.5KiB", 1536),
        ("2MB", 2_000_000),
        ("3 GiB", 3 << 30),
        ("17B", 17),
    ],
)
def test_a_size_is_read_in_bytes(text: str, size_bytes: int) -> None:
    assert sizes.parse_size(text) == size_bytes


@pytest.mark.parametrize(
    "text", ["", "KiB", "-1", "1.5", "1e400", "8 8", "64 kilo", "٣", "nan", "1PiB" * 9, "9" * 40]
)
def test_an_invalid_size_is_refused_with_the_correction(text: str) -> None:
    with pytest.raises(UserError, match=r"write .*64KiB"):
        sizes.parse_size(text)


@given(st.integers(0, 2**62))
def test_a_formatted_size_is_read_back_exactly(size_bytes: int) -> None:
    assert sizes.parse_size(sizes.format_size(size_bytes)) == size_bytes


def test_the_shortest_exact_form_is_chosen() -> None:
    assert [sizes.format_size(n) for n in (8, 1000, 1024, 65536, 1 << 20, (1 << 20) + 1)] == [
        "8",
        "1000",
        "1KiB",
        "64KiB",
        "1MiB",
        "1048577",
    ]


@pytest.mark.parametrize("text", ["64KB", "64000", "0.5MiB", "1024", "2MB"])
def test_a_size_is_shown_as_it_was_written(text: str) -> None:
    size = sizes.parse_size(f" {text} ")
    assert sizes.format_size(size) == text
    assert [sizes.format_size(end) for end in sizes.parse_size_range(f"{text}:1GB")] == [text, "1GB"]
    assert json.loads(json.dumps(size)) == int(size)


def test_a_range_is_two_sizes_in_order() -> None:
    assert sizes.parse_size_range("8:1MiB") == (8, 1 << 20)
    assert sizes.parse_size_range("4KiB") == (4096, 4096)
    with pytest.raises(UserError, match="reversed; write 8:1MiB"):
        sizes.parse_size_range("1MiB:8")


@pytest.mark.parametrize(
    ("text", "time_s"), [("1us", 1e-6), ("1µs", 1e-6), ("2.5ms", 2.5e-3), ("3s", 3), ("7", 7), ("4ns", 4e-9)]
)
def test_a_duration_is_read_in_seconds(text: str, time_s: float) -> None:
    assert sizes.parse_duration(text) == pytest.approx(time_s)


@pytest.mark.parametrize(
    ("text", "bytes_per_s"),
    [("500mbit", 62.5e6), ("1gbit", 125e6), ("5GB/s", 5e9), ("1MiB/s", 1 << 20), ("8bit/s", 1)],
)
def test_a_bandwidth_is_read_in_bytes_a_second(text: str, bytes_per_s: float) -> None:
    assert sizes.parse_bandwidth(text) == pytest.approx(bytes_per_s)


@pytest.mark.parametrize(("prefix", "factor"), [("", 1), ("k", 1e3), ("m", 1e6), ("g", 1e9)])
def test_bits_have_eight_to_the_byte_and_decimal_prefixes(prefix: str, factor: float) -> None:
    assert sizes.parse_bandwidth(f"8{prefix}bit") == factor
    assert sizes.parse_bandwidth(f"8{prefix}bit/s") == factor


@pytest.mark.parametrize(
    ("unit", "size_bytes"),
    [
        *((f"{prefix}B", 1000**power) for power, prefix in enumerate("kMGT", start=1)),
        *((f"{prefix}iB", 1024**power) for power, prefix in enumerate("KMGT", start=1)),
    ],
)
def test_units_of_bytes_are_decimal_or_binary(unit: str, size_bytes: int) -> None:
    assert sizes.parse_size(f"3{unit}") == 3 * size_bytes
    assert sizes.parse_bandwidth(f"3{unit}/s") == 3 * size_bytes


def test_the_largest_size_is_four_exbibytes() -> None:
    assert sizes.parse_size(str(2**62)) == 2**62
    with pytest.raises(UserError, match="up to 4 EiB"):
        sizes.parse_size(str(2**62 + 1))
    assert sizes.parse_size("2097152.0MiB") == 1 << 41
    with pytest.raises(UserError, match="not a whole number of bytes"):
        sizes.parse_size("1.0001KiB")


@pytest.mark.parametrize(
    ("time_s", "text"),
    [
        (0, "0s"),
        (1, "1s"),
        (1e-3, "1ms"),
        (1e-6, "1us"),
        (9.9994e-7, "999.9ns"),
        (-2e-6, "-2us"),
        (75, "75s"),
    ],
)
def test_a_duration_is_shown_in_the_unit_that_suits(time_s: float, text: str) -> None:
    assert sizes.format_duration(time_s) == text


@pytest.mark.parametrize(
    ("bandwidth", "text"),
    [
        (999, "999B/s"),
        (1e3, "1kB/s"),
        (62.5e6, "62.5MB/s"),
        (1e9, "1GB/s"),
        (1e12, "1TB/s"),
        (12345, "12.35kB/s"),
    ],
)
def test_a_bandwidth_is_shown_in_the_unit_that_suits(bandwidth: float, text: str) -> None:
    assert sizes.format_bandwidth(bandwidth) == text


@pytest.mark.parametrize("text", ["fast", "5GB", "1us", "-5GB/s", "inf"])
def test_an_invalid_bandwidth_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="500mbit"):
        sizes.parse_bandwidth(text)


@given(st.floats(1e-9, 1e4))
def test_a_formatted_duration_is_read_back_to_four_digits(time_s: float) -> None:
    assert sizes.parse_duration(sizes.format_duration(time_s)) == pytest.approx(time_s, rel=1e-3)


@given(st.floats(1, 1e13))
def test_a_formatted_bandwidth_is_read_back_to_four_digits(bytes_per_s: float) -> None:
    assert sizes.parse_bandwidth(sizes.format_bandwidth(bytes_per_s)) == pytest.approx(bytes_per_s, rel=1e-3)


@given(st.text(max_size=30))
def test_no_text_ends_in_anything_but_a_value_or_a_user_error(text: str) -> None:
    for parse in (sizes.parse_size, sizes.parse_size_range, sizes.parse_duration, sizes.parse_bandwidth):
        try:
            parse(text)
        except UserError as error:
            assert str(error)


@pytest.mark.parametrize(
    ("time_s", "text"),
    [
        (17_123, "17123 s"),
        (999.5, "1000 s"),
        (17.123, "17.1 s"),
        (0.9994, "999 ms"),
        (0.9996, "1 s"),
        (5.26e-6, "5.26 us"),
        (9.996e-7, "1 us"),
        (4.2e-8, "42 ns"),
        (0.0, "0 s"),
        (-0.0025, "-2.5 ms"),
    ],
)
def test_a_duration_in_a_sentence_has_three_digits_and_no_exponent(time_s: float, text: str) -> None:
    assert sizes.said_duration(time_s) == text


@pytest.mark.parametrize(
    ("age_s", "text"),
    [
        (0, "1 minute"),
        (119, "1 minute"),
        (1200, "20 minutes"),
        (3600, "1 hour"),
        (86399, "23 hours"),
        (3 * 86400, "3 days"),
    ],
)
def test_an_age_is_said_in_whole_units(age_s: float, text: str) -> None:
    assert sizes.said_age(age_s) == text
