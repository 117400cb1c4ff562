# SPDX-License-Identifier: BSD-3-Clause
"""Puts, or gets, to one rank that leave as one message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stretto.rma.library import address_of, check, filled, library
from stretto.rma.pieces import Piece, arrays_of
from stretto.rma.region import Region
from stretto.rma.shapes import Array, blocks


class Aggregate:
    """Holds puts, or gets, until it is waited for. `Runtime.aggregate` makes one.

    It leaves on wait, test, a full buffer, a fence of its target and a barrier. It keeps the arrays alive;
    until the wait those of puts must not change, and those of gets are undefined. Then it is empty, and may
    be used again.
    """

    def __init__(self, runtime: Any, cell: Any) -> None:
        self._runtime = runtime
        self._cell = cell
        self._kept: list[object] = []

    def put(self, region: Region, values: Array, target: int, at: Any = 0) -> None:
        """Adds a put of an array of the region's type."""
        self._add("put", region, region._unconverted(values), target, at)

    def get(self, region: Region, out: Array, target: int, at: Any = 0) -> None:
        """Adds a get into an array of the region's type."""
        self._add("get", region, region._writable(out), target, at)

    def put_pieces(self, region: Region, pieces: Sequence[Piece], target: int) -> None:
        """Adds a put of all pieces."""
        vector = region.outgoing(pieces)
        self._kept.append(arrays_of(pieces))
        check(library().stretto_aggregate_put_vector(self._cell[0], region.pointer, target, *vector))

    def get_pieces(self, region: Region, pieces: Sequence[Piece], target: int) -> None:
        """Adds a get of all pieces."""
        vector = region.incoming(pieces)
        self._kept.append(arrays_of(pieces))
        check(library().stretto_aggregate_get_vector(self._cell[0], region.pointer, target, *vector))

    @property
    def pending(self) -> bool:
        """Whether it holds operations that were not waited for."""
        return bool(filled(library().stretto_aggregate_pending, self._cell[0])[0])

    def wait(self) -> None:
        """Sends what it holds, and waits for local completion."""
        check(library().stretto_aggregate_wait(self._runtime, self._cell[0]))
        self._kept.clear()

    def test(self) -> bool:
        """Sends what it holds. Whether that is complete."""
        complete = bool(filled(library().stretto_aggregate_test, self._runtime, self._cell[0])[0])
        if complete:
            self._kept.clear()
        return complete

    def free(self) -> None:
        """Frees it; it must have been waited for."""
        if self._cell[0]:
            check(library().stretto_aggregate_free(self._cell))

    def _add(self, name: str, region: Region, array: Array, target: int, at: Any) -> None:
        offset, part = region._part(at, array.shape)
        shape = blocks(array, part)
        address = address_of(array)
        self._kept.append(array)
        where = (self._cell[0], region.pointer, target, offset, address)
        if array.size == 0 or len(shape.counts) == 1:
            check(getattr(library(), f"stretto_aggregate_{name}")(*where, array.nbytes))
            return
        strides = (len(shape.local), shape.counts, shape.local, shape.remote)
        check(getattr(library(), f"stretto_aggregate_{name}_strided")(*where, *strides))
