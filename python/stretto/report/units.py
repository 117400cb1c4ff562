# SPDX-License-Identifier: BSD-3-Clause
"""Formats numbers with units such as µs, MB/s, percent and KiB; all other modules use SI units."""

import re
import unicodedata

from stretto.data.sizes import format_size

MICRO = 1e6
MEGA = 1e6
_LONGEST_SIZE = 7
# Control and format characters, surrogates, private use, unassigned.
_STEERING = ("Cc", "Cf", "Cs", "Co", "Cn")
NUMBER_AND_UNIT = re.compile(
    r"(?<=\d)\s(?=(?:%|[numµμ]?s|(?:[kMGT]?|[KMGT]i)B(?:/s)?|[kMGT]?bit/s|[kMG]?Hz|[kMGT]?flop(?:s|/s)|\d{3})(?!\w))"
)
"""The space between a number and its unit, or between a number's thousands: no line ends there."""
_BINARY = (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10))


def size_label(size_bytes: float, space: str = " ") -> str:
    """`8 B`, `64 KiB`, `1 MiB`; what is no round number of a unit keeps its bytes, or one decimal when
    long.
    """
    for name, unit in _BINARY:
        if size_bytes >= unit and size_bytes % unit == 0:
            return f"{size_bytes / unit:.0f}{space}{name}"
    if size_bytes < 100_000:
        return f"{size_bytes:.0f}{space}B"
    name, unit = next((n, u) for n, u in _BINARY if size_bytes >= u)
    return f"{size_bytes / unit:.1f}{space}{name}"


def span_label(low_bytes: int, high_bytes: int) -> str:
    """`8 B to 64 KiB`; one size where both are it."""
    low, high = size_label(low_bytes), size_label(high_bytes)
    return low if low == high else f"{low} to {high}"


def compact_size(size_bytes: float) -> str:
    """As the command line writes a size: `8`, `64KiB`, `1MiB`; a long odd one is rounded (`11.8MiB`)."""
    exact = format_size(int(size_bytes))
    return exact if len(exact) <= _LONGEST_SIZE else size_label(size_bytes, space="")


def significant(value: float) -> str:
    """At least three significant digits, all digits of a whole part, and at most 10 characters."""
    if value == 0:
        return "0"
    # A value that rounds up to the next power of ten (9.996) has one digit more before its point.
    magnitude = int(f"{value:.2e}".partition("e")[2])
    if magnitude < -4 or magnitude > 6:
        return f"{value:.2e}"
    return f"{value:.{max(0, 2 - magnitude)}f}"


def microseconds(value_s: float) -> str:
    return significant(value_s * MICRO)


def megabytes_per_second(value_bytes_per_s: float) -> str:
    return significant(value_bytes_per_s / MEGA)


def nanoseconds_per_byte(value_s_per_byte: float) -> str:
    return significant(value_s_per_byte * 1e9)


def percent(fraction: float) -> str:
    """Whole percent, without a sign on zero."""
    return str(round(fraction * 100))


def ratio(value: float) -> str:
    return f"{value:.2f}" if abs(value) < 100 else significant(value)


def grouped(number: str) -> str:
    """Thousands of a plain decimal number set apart with a narrow no-break space: for prose, not for
    columns.
    """
    whole, dot, rest = number.partition(".")
    digits = whole.lstrip("-")
    if not digits.isdigit() or len(digits) < 5:
        return number
    return f"{whole[: len(whole) - len(digits)]}{int(digits):,}".replace(",", "\u202f") + dot + rest


def without_controls(text: object) -> str:
    """`text` with control characters replaced by `?`, and tabs and line ends by a space."""
    return "".join(
        " " if c in "\n\t\r" else "?" if unicodedata.category(c) in _STEERING else c for c in str(text)
    )


def printable(text: object) -> str:
    """`text` on one line without control characters, which could control the reader's terminal."""
    return " ".join(without_controls(text).split())
