# SPDX-License-Identifier: BSD-3-Clause
"""Items by a key."""

from collections.abc import Callable, Iterable
from typing import TypeVar

Item = TypeVar("Item")
Key = TypeVar("Key")


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """The items of each key; keys and items in the order in which they come."""
    result: dict[Key, list[Item]] = {}
    for item in items:
        result.setdefault(key(item), []).append(item)
    return result
