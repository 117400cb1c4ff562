# SPDX-License-Identifier: BSD-3-Clause
"""Damaged text of traces of other tools, for their readers."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from stretto.data.trace_directory import open_trace

SETTINGS = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def with_odd_parts(data: st.DataObject, parts: list[str], odd: Sequence[str]) -> list[str]:
    """The parts, of which up to three are odd."""
    for _ in range(data.draw(st.integers(1, 3))):
        parts[data.draw(st.integers(0, len(parts) - 1))] = data.draw(st.sampled_from(odd))
    return parts


def write_text(path: Path, text: str) -> None:
    """Writes text with any bytes in it."""
    path.write_bytes(text.encode("utf-8", errors="surrogateescape"))


def assert_read_or_refused(convert: Callable[[Path], object], directory: Path) -> None:
    """A reader refuses a trace with one line of its own, or makes one of it that can be read."""
    made = directory / "trace"
    made.mkdir()
    try:
        convert(made)
    except ValueError as error:
        assert str(error) and "\n" not in str(error)
        place = traceback.extract_tb(error.__traceback__)[-1]
        assert str(place.line).startswith("raise "), (
            f"{place.filename}:{place.lineno} did not expect this: {error}"
        )
        return
    for file in open_trace(made):
        for block in file.blocks():
            list(file.events(block.records))
