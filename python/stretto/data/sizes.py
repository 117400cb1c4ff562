# SPDX-License-Identifier: BSD-3-Clause
"""Parses and formats sizes, durations and bandwidths such as `64KiB`, `1us`, `500mbit` and `5GB/s`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from stretto.errors import UserError

_NUMBER = re.compile(
    r"\s*([0-9]{1,19}(?:\.[0-9]{1,18})?(?:[eE][-+]?[0-9]{1,2})?)\s*([A-Za-zµμ/]*)\s*", re.ASCII
)
_LARGEST_SIZE = 2**62

SEGMENT_BYTES = 64 << 10
"""The largest segment of TCP. An emulated link sends one at once, so a smaller message shows no rate."""

_SIZES = {
    "": 1,
    "b": 1,
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "tb": 10**12,
    "kib": 2**10,
    "mib": 2**20,
    "gib": 2**30,
    "tib": 2**40,
}
_ROUNDED_UP = 0.9995
"""Times 1000: what three digits show as 1000, and so with the next unit."""
_DURATIONS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ns": 1e-9}
# The units of tc(8) in bits, and bandwidths in bytes.
_BANDWIDTHS = {
    "bit": 1 / 8,
    "kbit": 1e3 / 8,
    "mbit": 1e6 / 8,
    "gbit": 1e9 / 8,
    **{f"{unit}/s": float(factor) for unit, factor in _SIZES.items() if unit},
    **{f"{prefix}bit/s": factor / 8 for prefix, factor in {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9}.items()},
}


class WrittenSize(int):
    """A size with its text, which `format_size` returns, so that 64KB is not printed as 64000."""

    text: str

    def __new__(cls, size_bytes: int, text: str) -> WrittenSize:
        made = super().__new__(cls, size_bytes)
        made.text = text
        return made


def parse_size(text: str) -> WrittenSize:
    """The bytes of a size such as `8`, `64KiB`, `1.5MiB` or `2MB`.

    Raises:
        UserError: The text is no size, no whole number of bytes, or above 4 EiB.
    """
    size = _parse(text, _SIZES, "a size", "8, 64KiB or 1MiB", exact=True)
    if size != int(size) or size > _LARGEST_SIZE:
        raise UserError(f"size '{text}' is not a whole number of bytes up to 4 EiB; write 8, 64KiB or 1MiB")
    return WrittenSize(int(size), text.strip())


def format_size(size_bytes: int) -> str:
    """The text that was parsed, or the shortest exact form of `8`, `64KiB`, `1MiB`, ...

    `parse_size` of the result is `size_bytes`.
    """
    if isinstance(size_bytes, WrittenSize):
        return size_bytes.text
    for unit in ("TiB", "GiB", "MiB", "KiB"):
        factor = _SIZES[unit.lower()]
        if size_bytes and size_bytes % factor == 0:
            return f"{size_bytes // factor}{unit}"
    return str(size_bytes)


def parse_size_range(text: str) -> tuple[WrittenSize, WrittenSize]:
    """The bytes of `MIN:MAX`, or of one size for both. UserError for a reversed range."""
    low, colon, high = text.partition(":")
    sizes = parse_size(low), parse_size(high if colon else low)
    if sizes[0] > sizes[1]:
        raise UserError(f"sizes '{text}' are reversed; write {high}:{low}")
    return sizes


def size_steps(low: int, high: int) -> list[int]:
    """The sizes from `low` in factors of four, and `high`."""
    result, size = [], max(low, 1)
    while size < high:
        result.append(size)
        size *= 4
    return [*result, high]


def parse_duration(text: str) -> float:
    """The seconds of `1us`, `2.5ms` or `3s`; a bare number is seconds. UserError otherwise."""
    return _parse(text, {"": 1.0, **_DURATIONS}, "a duration", "1us, 2.5ms or 3s")


def format_duration(time_s: float, space: str = "") -> str:
    """Four significant digits with a suitable unit, such as `12.53us`, as an option takes it."""
    for unit in ("s", "ms", "us"):
        if abs(time_s) >= _DURATIONS[unit]:
            return f"{time_s / _DURATIONS[unit]:.4g}{space}{unit}"
    return f"{time_s / 1e-9:.4g}{space}ns" if time_s else f"0{space}s"


def shown_duration(time_s: float) -> str:
    """The same to be read, such as `12.53 us`."""
    return format_duration(time_s, " ")


def said_duration(time_s: float) -> str:
    """A duration in a sentence: three significant digits with a suitable unit, such as `12.5 us`."""
    if abs(time_s) >= 1000 * _ROUNDED_UP:
        return f"{time_s:.0f} s"
    for unit in ("s", "ms", "us"):
        if abs(time_s) >= _ROUNDED_UP * _DURATIONS[unit]:
            return f"{time_s / _DURATIONS[unit]:.3g} {unit}"
    return f"{time_s / 1e-9:.3g} ns" if time_s else "0 s"


def said_share(share: float, digits: int = 0) -> str:
    """A share in percent: `12 %`."""
    return f"{100 * share:.{digits}f} %"


def said_change(share: float, digits: int = 0) -> str:
    """A relative difference in percent, with its sign: `+12 %`."""
    return f"{100 * share:+.{digits}f} %"


def said_age(time_s: float) -> str:
    """How long ago something was, in a sentence: `20 minutes`, `1 hour`, `3 days`."""
    lengths_s = {"day": 86400.0, "hour": 3600.0, "minute": 60.0}
    unit = next((name for name, length_s in lengths_s.items() if time_s >= length_s), "minute")
    count = max(int(time_s / lengths_s[unit]), 1)
    return f"{count} {unit}{'s' if count > 1 else ''}"


def parse_bandwidth(text: str) -> float:
    """Bytes per second of `500mbit`, `5GB/s`, `125MiB/s` or a bare number. UserError otherwise."""
    return _parse(text, {"": 1.0, **_BANDWIDTHS}, "a bandwidth", "500mbit or 5GB/s")


def format_bandwidth(bandwidth_bytes_per_s: float, space: str = "") -> str:
    """Four significant digits with a suitable decimal unit, such as `62.5MB/s`, as an option takes it."""
    for unit in ("TB/s", "GB/s", "MB/s", "kB/s"):
        factor = _BANDWIDTHS[unit.lower()]
        if bandwidth_bytes_per_s >= factor:
            return f"{bandwidth_bytes_per_s / factor:.4g}{space}{unit}"
    return f"{bandwidth_bytes_per_s:.4g}{space}B/s"


def shown_bandwidth(bandwidth_bytes_per_s: float) -> str:
    """The same to be read, such as `62.5 MB/s`."""
    return format_bandwidth(bandwidth_bytes_per_s, " ")


def _parse(
    text: str, units: Mapping[str, float] | Mapping[str, int], what: str, examples: str, exact: bool = False
) -> float:
    match = _NUMBER.fullmatch(text)
    factor = units.get(match[2].lower()) if match else None
    if match is None or factor is None:
        raise UserError(f"'{text}' is not {what}; write it like {examples}")
    if exact and match[1].isdigit():
        return int(match[1]) * factor
    return float(match[1]) * factor
