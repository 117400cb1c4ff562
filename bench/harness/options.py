# SPDX-License-Identifier: BSD-3-Clause
"""Options that entries of several runners share."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection
from typing import TypeVar

T = TypeVar("T")


def comma_list(kind: Callable[[str], T]) -> Callable[[str], list[T]]:
    """The type of an option whose value is a comma-separated list."""

    def parse(text: str) -> list[T]:
        return [kind(part) for part in text.split(",")]

    return parse


def add_kernel_options(
    parser: argparse.ArgumentParser, kernels: Collection[str], entry: str, class_entries: str
) -> None:
    """The kernels of an entry, and the NAS class of these entries."""
    parser.add_argument("--kernels", type=comma_list(str), default=list(kernels), help=entry)
    parser.add_argument("--class", dest="class_name", default="A", help=f"{class_entries} (default A)")
