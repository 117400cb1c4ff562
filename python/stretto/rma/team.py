# SPDX-License-Identifier: BSD-3-Clause
"""The ranks that share a region: all of a runtime's, or some of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from stretto.rma.arguments import int_of, number_of, real_type_of, refused_together
from stretto.rma.errors import ArgumentError
from stretto.rma.handle import Pending
from stretto.rma.library import address_of, check, ffi, filled, known, library
from stretto.rma.shapes import Array

# Of stretto.h, in the order of its constants.
_REDUCTIONS = (
    "sum",
    "product",
    "min",
    "max",
    "bit_and",
    "bit_or",
    "bit_xor",
    "logical_and",
    "logical_or",
)


class Request(Pending):
    """A collective of a team that has started. `wait()` returns its result.

    The request keeps its arrays alive. A request that nobody waits for gives a ResourceWarning when it is
    dropped, and keeps its arrays and the runtime from being freed.
    """

    __slots__ = ()

    what = "a request of a pending collective"

    def __init__(self, result: Array | None, arrays: tuple[Array, ...] = ()) -> None:
        super().__init__("stretto_request**", result, arrays)

    def wait(self) -> Array | None:
        """Waits, and serves other ranks in the meantime."""
        self._call(library().stretto_request_wait, self.cell)
        result: Array | None = self.result
        return result

    def test(self) -> bool:
        """Whether it is complete; then it is no longer pending."""
        return self._holds(library().stretto_request_test, self.cell)


class Team:
    """Some ranks of a runtime. `Runtime.team` and `Runtime.world` make one."""

    def __init__(self, runtime: Any, cell: Any) -> None:
        """Takes the team of C, which is of this runtime of C."""
        self.runtime = runtime
        self._cell = cell

    @property
    def pointer(self) -> Any:
        """The team in C."""
        return self._cell[0]

    @property
    def rank(self) -> int:
        """This rank in the team."""
        return known("team", library().stretto_team_rank(self.pointer))

    @property
    def size(self) -> int:
        """The number of ranks."""
        return known("team", library().stretto_team_size(self.pointer))

    def runtime_rank(self, member: int) -> int:
        """The rank in the runtime of the team's rank `member`."""
        return int(filled(library().stretto_team_runtime_rank, self.pointer, member)[0])

    def rank_of(self, runtime_rank: int) -> int | None:
        """The rank in the team of a rank of the runtime; None where it is not a member."""
        return _member(filled(library().stretto_team_rank_of, self.pointer, runtime_rank))

    def node(self, member: int) -> int:
        """The lowest rank of the runtime on the member's node."""
        return int(filled(library().stretto_team_node, self.pointer, member)[0])

    def communicator(self) -> int:
        """The handle in Fortran of the team's communicator, for `mpi4py.MPI.Comm.f2py`."""
        return int(filled(library().stretto_team_communicator_fortran, self.pointer)[0])

    def translate(self, member: int, other: Team) -> int | None:
        """The rank in another team of this team's rank `member`; None where it is not a member."""
        if not isinstance(other, Team):
            raise ArgumentError(f"other: {other!r} is not a team")
        return _member(filled(library().stretto_team_translate, self.pointer, member, other.pointer))

    def split(self, color: int, key: int = 0) -> Team | None:
        """The team of the members with this `color`, in the order of `key`; None for a negative color.
        Collective. Free it before the runtime ends.
        """
        split = library().stretto_team_split
        with refused_together(lambda: int(split(self.pointer, 0, 0, ffi.NULL))):
            color, key = int_of("color", color), int_of("key", key)
        cell = filled(split, self.pointer, color, key)
        return Team(self.runtime, cell) if cell[0] else None

    # ---- Collectives ----

    def broadcast(self, array: Array, root: int = 0) -> None:
        """The root's array, to all members. Each gives a contiguous array of the same size."""
        data = _writable(array)
        check(library().stretto_team_broadcast(self.pointer, data, len(data), root))

    def broadcast_nonblocking(self, array: Array, root: int = 0) -> Request:
        """Starts a broadcast."""
        data = _writable(array)
        return self._started("broadcast", Request(array), data, len(data), root)

    def reduce(self, values: Any, reduction: str = "sum", root: int = 0) -> Array:
        """Element by element: sum, product, min, max, bit_and, ... Only the root's result is meaningful."""
        _mine, result, numbers = _reduced(values, reduction)
        check(library().stretto_team_reduce(self.pointer, *numbers, root))
        return result

    def reduce_nonblocking(self, values: Any, reduction: str = "sum", root: int = 0) -> Request:
        """Starts a reduction to one member."""
        mine, result, numbers = _reduced(values, reduction)
        return self._started("reduce", Request(result, (mine,)), *numbers, root)

    def allreduce(self, values: Any, reduction: str = "sum") -> Array:
        """The same to all members."""
        _mine, result, numbers = _reduced(values, reduction)
        check(library().stretto_team_allreduce(self.pointer, *numbers))
        return result

    def allreduce_nonblocking(self, values: Any, reduction: str = "sum") -> Request:
        """Starts a reduction to all members."""
        mine, result, numbers = _reduced(values, reduction)
        return self._started("allreduce", Request(result, (mine,)), *numbers)

    def allgather(self, values: Any) -> Array:
        """The arrays of all members, equal in size, one behind the other."""
        _mine, result, places = self._gathered(values)
        check(library().stretto_team_allgather(self.pointer, *places))
        return result

    def allgather_nonblocking(self, values: Any) -> Request:
        """Starts to gather the arrays of all members."""
        mine, result, places = self._gathered(values)
        return self._started("allgather", Request(result, (mine,)), *places)

    def alltoall(self, blocks: Any) -> Array:
        """blocks[i] to member i; the result has a block from each."""
        _mine, result, places = self._blocks(blocks)
        check(library().stretto_team_alltoall(self.pointer, *places))
        return result

    def alltoall_nonblocking(self, blocks: Any) -> Request:
        """Starts an exchange of blocks."""
        mine, result, places = self._blocks(blocks)
        return self._started("alltoall", Request(result, (mine,)), *places)

    def barrier_nonblocking(self) -> Request:
        """Starts a barrier."""
        return self._started("barrier", Request(None))

    def _started(self, name: str, request: Request, *arguments: Any) -> Request:
        check(getattr(library(), f"stretto_nonblocking_team_{name}")(self.pointer, *arguments, request.cell))
        return request

    def _gathered(self, values: Any) -> tuple[Array, Array, tuple[Any, ...]]:
        mine = _plain("values", values)
        result = np.empty((self.size, *mine.shape), mine.dtype)
        return mine, result, (address_of(mine), mine.nbytes, address_of(result))

    def _blocks(self, blocks: Any) -> tuple[Array, Array, tuple[Any, ...]]:
        mine = _plain("blocks", blocks)
        if mine.ndim == 0 or len(mine) != self.size:
            raise ArgumentError(f"blocks: must be one for each of {self.size} members")
        result = np.empty_like(mine)
        return mine, result, (address_of(mine), mine.nbytes // self.size, address_of(result))

    def barrier(self) -> None:
        """Completes all operations of this rank, and waits for all members. Collective."""
        check(library().stretto_team_barrier(self.pointer))

    def free(self) -> None:
        """Frees the team, once its regions are freed. Collective."""
        if self._cell[0]:
            check(library().stretto_team_free(self._cell))


def _member(rank: Any) -> int | None:
    return int(rank[0]) if rank[0] >= 0 else None


def _plain(name: str, values: Any) -> Array:
    """A contiguous array of plain numbers; one of Python's objects has addresses of this process."""
    array = np.ascontiguousarray(values)
    if array.dtype.hasobject:
        raise ArgumentError(f"{name}: {array.dtype} has Python objects, which no other process can use")
    return array


def _writable(array: Array) -> Any:
    dtype = getattr(array, "dtype", None)
    if dtype is not None and dtype.hasobject:
        raise ArgumentError(f"array: {dtype} has Python objects, which no other process can use")
    try:
        return ffi.from_buffer("char[]", array, True)
    except (ValueError, BufferError, TypeError) as error:
        raise ArgumentError(f"array: must be a contiguous array that can be written to: {error}") from None


def _reduced(values: Any, reduction: str) -> tuple[Array, Array, tuple[Any, ...]]:
    """The source, the result, and what the functions of C take of both."""
    mine = np.ascontiguousarray(values)
    kind = real_type_of("values", mine.dtype)
    number = number_of("reduction", reduction, _REDUCTIONS)
    result = np.empty_like(mine)
    return mine, result, (address_of(mine), address_of(result), mine.size, kind, number)
