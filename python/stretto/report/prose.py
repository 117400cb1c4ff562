# SPDX-License-Identifier: BSD-3-Clause
"""Sentences in parts, and figures in words."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from stretto.data.results import ResultRow
from stretto.report.select import Series, transport_name
from stretto.report.units import grouped, percent


class Strong(str):
    """An emphasised part of a sentence."""

    form: ClassVar[str] = "strong"


@dataclass(frozen=True)
class Sentence:
    """Text in parts; the parts joined are the sentence."""

    parts: tuple[str, ...]

    @property
    def text(self) -> str:
        return "".join(self.parts)


def subject(series: Series) -> str:
    """`plain MPI`, `MPI RMA put with progress poll`."""
    transport = series.get("transport") or "MPI"
    name = "the virtual machine" if transport == "virtual" else transport_name(transport)
    operation, progress = series.get("operation"), series.get("progress")
    if operation not in (None, "send"):
        name += f" {operation}"
    return name if progress in (None, "none") else f"{name} with progress {progress}"


def between(row: ResultRow, form: Callable[[float], str], unit: str = "") -> str:
    if row.ci95_low is None or row.ci95_high is None:
        return ""
    return f" ({grouped(form(row.ci95_low))} to {grouped(form(row.ci95_high))}{' ' if unit else ''}{unit})"


def percents(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f" ({percent_words(low)} to {percent_words(high)} %)"


def percent_words(fraction: float) -> str:
    return percent(fraction).replace("-", "−")


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]
