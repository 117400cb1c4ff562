# SPDX-License-Identifier: BSD-3-Clause
"""Mutexes that are held by ranks, first come first served."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from stretto.rma.library import check, library


class Mutexes:
    """The mutexes of all ranks. `Runtime.mutexes` makes them."""

    def __init__(self, cell: Any) -> None:
        self._cell = cell

    def lock(self, owner: int, index: int = 0) -> None:
        """Returns when this rank holds the mutex: what earlier holders have put under it is visible."""
        check(library().stretto_mutexes_lock(self._cell[0], owner, index))

    def unlock(self, owner: int, index: int = 0) -> None:
        """Fences all targets, and passes the mutex on."""
        check(library().stretto_mutexes_unlock(self._cell[0], owner, index))

    @contextmanager
    def held(self, owner: int, index: int = 0) -> Iterator[None]:
        """Holds a mutex for the body of a with statement."""
        self.lock(owner, index)
        try:
            yield
        finally:
            self.unlock(owner, index)

    def free(self) -> None:
        """None may be held. Collective."""
        if self._cell[0]:
            check(library().stretto_mutexes_free(self._cell))
