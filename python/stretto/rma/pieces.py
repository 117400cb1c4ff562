# SPDX-License-Identifier: BSD-3-Clause
"""Transfers of several pieces at once (an I/O vector); the base of Region, with its checks of arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from stretto.rma.arguments import type_of
from stretto.rma.errors import ArgumentError, Error
from stretto.rma.handle import Handle
from stretto.rma.kept import Kept
from stretto.rma.library import address_of, check, ffi, library
from stretto.rma.shapes import Array

Piece = tuple[Array, int]


def arrays_of(pieces: Sequence[Piece]) -> list[Array]:
    """The arrays alone: the program may change its list of pieces while they are in use."""
    return [array for array, _at in pieces]


class Pieces:
    """A region's operations on sequences of pieces: pairs of a contiguous array and an element of the
    target's.
    """

    def __init__(
        self, runtime: Any, cell: Any, dtype: np.dtype[Any], kept: Kept, ranks: Sequence[int]
    ) -> None:
        """Of a region of C. `kept` has what implicit operations need until they are waited for, `ranks` the
        members' ranks in the runtime.
        """
        self._runtime = runtime
        self._cell = cell
        self._pointer = cell[0]
        self.dtype = dtype
        self._itemsize = dtype.itemsize
        self._kept = kept
        self._ranks = ranks
        known = type_of(dtype) if dtype.kind != "u" else None
        self._element_type = -1 if known is None else known  # of those that accumulate adds

    @property
    def pointer(self) -> Any:
        """The region in C."""
        return self._pointer

    def put_pieces(self, pieces: Sequence[Piece], target: int) -> None:
        """Writes all pieces to the array of rank `target`."""
        check(library().stretto_put_vector(self._pointer, target, *self.outgoing(pieces)))

    def put_pieces_nonblocking(self, pieces: Sequence[Piece], target: int) -> Handle:
        """Starts a put of all pieces."""
        function = library().stretto_nonblocking_put_vector
        return self._with_handle_of(function, pieces, target, self.outgoing(pieces))

    def put_pieces_implicit(self, pieces: Sequence[Piece], target: int) -> None:
        """Starts a put of all pieces without a handle."""
        function = library().stretto_implicit_put_vector
        self._implicitly(arrays_of(pieces), target, function, self._pointer, target, *self.outgoing(pieces))

    def get_pieces(self, pieces: Sequence[Piece], target: int) -> None:
        """Fills the arrays of all pieces from the array of rank `target`."""
        check(library().stretto_get_vector(self._pointer, target, *self.incoming(pieces)))

    def get_pieces_nonblocking(self, pieces: Sequence[Piece], target: int) -> Handle:
        """Starts a get of all pieces."""
        function = library().stretto_nonblocking_get_vector
        return self._with_handle_of(function, pieces, target, self.incoming(pieces))

    def get_pieces_implicit(self, pieces: Sequence[Piece], target: int) -> None:
        """Starts a get of all pieces without a handle."""
        function = library().stretto_implicit_get_vector
        self._implicitly(arrays_of(pieces), target, function, self._pointer, target, *self.incoming(pieces))

    def accumulate_pieces(self, pieces: Sequence[Piece], target: int, factor: Any = None) -> None:
        """Adds `factor` times all pieces."""
        scale = self._scale(factor)
        check(library().stretto_accumulate_vector(self._pointer, target, *self.outgoing(pieces), *scale))

    def accumulate_pieces_nonblocking(
        self, pieces: Sequence[Piece], target: int, factor: Any = None
    ) -> Handle:
        """Starts to add `factor` times all pieces."""
        function = library().stretto_nonblocking_accumulate_vector
        return self._with_handle_of(function, pieces, target, self.outgoing(pieces), *self._scale(factor))

    def accumulate_pieces_implicit(self, pieces: Sequence[Piece], target: int, factor: Any = None) -> None:
        """Starts to add `factor` times all pieces without a handle."""
        arrays, vector, scale = arrays_of(pieces), self.outgoing(pieces), self._scale(factor)
        function = library().stretto_implicit_accumulate_vector
        self._implicitly(arrays, target, function, self._pointer, target, *vector, *scale)

    def outgoing(self, pieces: Sequence[Piece]) -> tuple[int, Any]:
        """The pieces of a put as C takes them."""
        return self._vector("stretto_put_piece[]", pieces, False)

    def incoming(self, pieces: Sequence[Piece]) -> tuple[int, Any]:
        """The pieces of a get as C takes them."""
        return self._vector("stretto_get_piece[]", pieces, True)

    def _with_handle_of(
        self, function: Any, pieces: Sequence[Piece], target: int, vector: tuple[int, Any], *more: Any
    ) -> Handle:
        """Calls a function of C that starts an operation on pieces, whose arrays the handle keeps."""
        handle = Handle(self._runtime, pieces, arrays_of(pieces))
        check(function(self._pointer, target, *vector, *more, handle.cell))
        return handle

    def _implicitly(self, arrays: Any, target: int, function: Any, *arguments: Any) -> None:
        """Calls a function of C that starts an implicit operation, whose arrays are kept."""
        number = self._kept.begin(arrays)
        try:
            check(function(*arguments))
        except Error:
            self._kept.refused(number)
            raise
        self._kept.started(number, self._ranks[target])

    def _vector(self, kind: str, pieces: Sequence[Piece], writable: bool) -> tuple[int, Any]:
        vector = ffi.new(kind, len(pieces))
        for one, (array, at) in zip(vector, pieces):
            checked = self._writable(array) if writable else self._unconverted(array)
            if not checked.flags.c_contiguous:
                raise ArgumentError("pieces: an array is not contiguous")
            address = address_of(checked)
            if writable:
                one.to = address
            else:
                setattr(one, "from", address)
            one.offset, one.size_bytes = at * self._itemsize, checked.nbytes
        return len(pieces), vector

    def _scale(self, factor: Any) -> tuple[int, Any]:
        """The element type, and the factor as C takes it."""
        if self._element_type < 0:
            raise ArgumentError(f"dtype: {self.dtype} is none of the types that accumulate adds")
        if factor is None:
            return self._element_type, ffi.NULL
        return self._element_type, ffi.from_buffer(np.array([factor], self.dtype))

    def _unconverted(self, array: Any) -> Array:
        """An array of the region's type, which is sent as it lies in memory."""
        if not isinstance(array, np.ndarray) or array.dtype != self.dtype:
            raise ArgumentError(f"values: must be an array of {self.dtype}, because it is not copied")
        return array

    def _writable(self, array: Any) -> Array:
        if not isinstance(array, np.ndarray) or array.dtype != self.dtype or not array.flags.writeable:
            raise ArgumentError(f"out: must be an array of {self.dtype} that can be written to")
        return array
