# SPDX-License-Identifier: BSD-3-Clause
"""The one-sided runtime of a process: its ranks, its progress, and completion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Literal, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from stretto.rma.aggregate import Aggregate
from stretto.rma.arguments import int_of, number_of, refused_together, size_of, sizes_of
from stretto.rma.counters import Counters, PathCounters
from stretto.rma.errors import ArgumentError
from stretto.rma.handle import Handle, wait_all, wait_any
from stretto.rma.interrupts import see_signals
from stretto.rma.kept import Kept, hold, let_go
from stretto.rma.library import address_of, check, ffi, filled, library, world
from stretto.rma.mutexes import Mutexes
from stretto.rma.region import Region
from stretto.rma.remote_function import RemoteFunction
from stretto.rma.shapes import region_bytes
from stretto.rma.team import Team

_PROGRESS = ("none", "poll", "thread")
_PATHS = ("direct", "rma", "message")


class _Freed(Protocol):
    def free(self) -> None: ...


_Made = TypeVar("_Made", bound=_Freed)


class Runtime:
    """The runtime over a duplicate of a communicator of mpi4py, or over MPI_COMM_WORLD. Collective.

    In a with statement it frees all that it has made at the end, and finalizes the runtime. Where the body
    raises, nothing collective is done.

    Args:
        communicator: Of mpi4py, or its handle in Fortran. None: MPI_COMM_WORLD of mpi4py where that is
            imported, else of the embedded MPI, which is then initialised.
        progress: `none`, `poll` or `thread`; None: thread where MPI allows it. The other options are those
            of C++'s stretto/options.hpp.
    """

    def __init__(
        self,
        communicator: Any = None,
        *,
        progress: Literal["none", "poll", "thread"] | None = None,
        path: Literal["direct", "rma", "message"] | None = None,
        contiguous: Literal["rma", "message"] | None = None,
        **numbers: float,
    ) -> None:
        self._made: list[_Freed] = []
        self._implicit = Kept()
        handle = _handle(communicator)
        options = filled(library().stretto_options_init)
        see_signals(ffi, library())
        create = library().stretto_runtime_create_fortran
        with refused_together(lambda: int(create(handle, ffi.NULL, ffi.NULL))):
            options.progress = _number("progress", _PROGRESS, progress)
            options.path = _number("path", _PATHS, path)
            options.contiguous = _number("contiguous", _PATHS, contiguous)
            for name, value in numbers.items():
                _set_option(options, name, value)
        self._cell = filled(create, handle, options)
        hold(self)  # until `finalize`: the runtime of C uses the arrays and functions that are kept here
        self.rank = int(library().stretto_rank(self.pointer))
        self.size = int(library().stretto_size(self.pointer))

    def __enter__(self) -> Runtime:
        """Itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Frees what the runtime has made, last first, and finalizes it."""
        if kind is None and self._cell[0]:
            self.finalize()

    @property
    def pointer(self) -> Any:
        """The runtime in C."""
        return self._cell[0]

    @property
    def options(self) -> dict[str, Any]:
        """The effective options by name."""
        options = filled(library().stretto_options_effective, self.pointer)
        names = {"progress": _PROGRESS, "path": _PATHS, "contiguous": _PATHS}
        chosen = {name: getattr(options, name) for name in names}
        named = {name: names[name][one] if one >= 0 else None for name, one in chosen.items()}
        return {**named, **{name: getattr(options, name) for name in _NUMBERS}}

    @property
    def progress(self) -> str:
        """The progress mode in effect."""
        return str(self.options["progress"])

    def communicator(self) -> int:
        """The handle in Fortran of the runtime's communicator, for `mpi4py.MPI.Comm.f2py`."""
        return int(filled(library().stretto_communicator_fortran, self.pointer)[0])

    def finalize(self) -> None:
        """Frees what the runtime has made and finalizes it. Collective."""
        while self._made:
            self._made[-1].free()
            self._made.pop()
        held = bool(self._cell[0])
        check(library().stretto_runtime_free(self._cell))
        if held:
            let_go(self)

    # ---- What it makes ----

    def region(
        self, shape: int | Sequence[int], dtype: DTypeLike = float, flags: int = 0, team: Team | None = None
    ) -> Region:
        """Memory of all ranks, or of a team's: an array of zeros on each, of this rank's `shape`.
        Collective.
        """
        create, over = self._region_creator("", team)
        with refused_together(lambda: create(over, 0, ffi.NULL)):
            dimensions = sizes_of("shape", (shape,) if np.ndim(shape) == 0 else tuple(cast(Any, shape)))
            kind = np.dtype(dtype)
            if kind.hasobject:
                raise ArgumentError("dtype: Python objects cannot be put into another process's memory")
            if kind.itemsize == 0:
                raise ArgumentError(f"dtype: {kind} has no bytes")
            size_bytes = size_of("shape", region_bytes(dimensions, kind, size_of("flags", flags)))
        cell = filled(create, over, size_bytes)
        return self._keep(
            Region(self.pointer, cell, dimensions, kind, flags, self._implicit, self._ranks(team))
        )

    def region_over(self, array: NDArray[Any], team: Team | None = None) -> Region:
        """An array of this program as this rank's part of a region; it is kept until the region is freed.
        Collective. The first of a runtime is over the runtime, while no operation is outstanding.
        """
        create, on = self._region_creator("_over", team)
        with refused_together(lambda: create(on, ffi.NULL, 0, ffi.NULL)):
            if not isinstance(array, np.ndarray):
                raise ArgumentError("array: must be an array of NumPy")
            if not (array.flags.c_contiguous and array.flags.writeable) or array.dtype.hasobject:
                raise ArgumentError("array: must be contiguous, writable and of plain numbers")
            if array.dtype.itemsize == 0:
                raise ArgumentError(f"array: {array.dtype} has no bytes")
        cell = filled(create, on, address_of(array), array.nbytes)
        region = Region(self.pointer, cell, array.shape, array.dtype, 0, self._implicit, self._ranks(team))
        region.local = array
        return self._keep(region)

    def _ranks(self, team: Team | None) -> Sequence[int]:
        """The ranks of a region's members in the runtime."""
        return range(self.size) if team is None else [team.runtime_rank(one) for one in range(team.size)]

    def _region_creator(self, kind: str, team: Team | None) -> tuple[Callable[..., int], Any]:
        """The function of C, and what it makes a region of: the runtime, or the team."""
        name = f"stretto_region_create{kind}"
        if team is None:
            return getattr(library(), name), self.pointer
        if not isinstance(team, Team):
            raise ArgumentError(f"team: {team!r} is not a team")
        if team.pointer and team.runtime != self.pointer:
            raise ArgumentError("team: is of another runtime")
        return getattr(library(), f"{name}_on"), team.pointer

    def remote_function(self, function: Callable[[int, bytes], None]) -> RemoteFunction:
        """A function that any rank may run on any other, with the rank that calls and a payload. Collective.
        The first of a runtime needs that no operation is outstanding.
        """
        create = library().stretto_remote_function_create
        with refused_together(lambda: int(create(self.pointer, ffi.NULL, ffi.NULL, ffi.NULL))):
            if not callable(function):
                raise ArgumentError(f"function: {function!r} cannot be called")
        return self._keep(RemoteFunction(self.pointer, function))

    def team(self, ranks: Sequence[int]) -> Team:
        """A team of these ranks, in this order. Collective over them."""
        members = [int_of("ranks", one) for one in ranks]
        cell = filled(library().stretto_team_create, self.pointer, len(members), members)
        return self._keep(Team(self.pointer, cell))

    def world(self) -> Team:
        """The team of all ranks."""
        return self._keep(Team(self.pointer, filled(library().stretto_team_world, self.pointer)))

    def aggregate(self) -> Aggregate:
        """An aggregate of puts, or of gets."""
        return self._keep(Aggregate(self.pointer, filled(library().stretto_aggregate_create, self.pointer)))

    def mutexes(self, count: int) -> Mutexes:
        """`count` mutexes of this rank; the counts may differ. Collective."""
        create = library().stretto_mutexes_create
        with refused_together(lambda: int(create(self.pointer, 0, ffi.NULL))):
            number = size_of("count", count)
        return self._keep(Mutexes(filled(create, self.pointer, number)))

    def keep(self, made: _Freed) -> None:
        """Has `finalize` free something."""
        self._made.append(made)

    def _keep(self, made: _Made) -> _Made:
        self._made.append(made)
        return made

    # ---- Completion ----

    def wait_all(self, handles: list[Handle]) -> None:
        """Waits for all handles."""
        wait_all(self.pointer, handles)

    def wait_any(self, handles: list[Handle]) -> int:
        """Waits for one of the pending handles, and returns its index."""
        return wait_any(self.pointer, handles)

    def wait_implicit(self, target: int | None = None) -> None:
        """Waits for the implicit operations to one rank, or to all."""
        started = self._implicit.numbers(target)  # other threads may start more during the wait
        if target is None:
            check(library().stretto_wait_implicit_all(self.pointer))
        else:
            check(library().stretto_wait_implicit(self.pointer, target))
        self._implicit.release(started)

    def fence(self, target: int | None = None) -> None:
        """Waits until all puts and accumulates of this rank are visible at the target, or at all ranks."""
        if target is None:
            check(library().stretto_fence_all(self.pointer))
        else:
            check(library().stretto_fence(self.pointer, target))

    def fence_nonblocking(self, target: int | None = None) -> list[Handle]:
        """Begins a fence: handles that complete when it would return. None where nothing is outstanding."""
        cells = ffi.new("stretto_handle*[]", self.size if target is None else 1)
        if target is None:
            count = ffi.new("size_t*")
            check(library().stretto_nonblocking_fence_all(self.pointer, count, cells))
        else:
            check(library().stretto_nonblocking_fence(self.pointer, target, cells))
        handles = [Handle(self.pointer, None) for cell in cells if cell]
        for handle, cell in zip(handles, cells):
            handle.cell[0] = cell
        return handles

    def barrier(self) -> None:
        """fence() on every rank, and a barrier. Collective."""
        check(library().stretto_barrier(self.pointer))

    def poll(self) -> None:
        """One progress poll."""
        check(library().stretto_poll(self.pointer))

    def notify(self, target: int) -> int:
        """Notifies a rank after everything that this rank has started there. Returns the number so far."""
        return int(filled(library().stretto_notify, self.pointer, target)[0])

    def wait_notify(self, source: int) -> int:
        """Waits for the next notification of a rank. Returns how many were waited for."""
        return int(filled(library().stretto_wait_notify, self.pointer, source)[0])

    # ---- Counters ----

    def counters(self, target: int | None = None) -> Counters:
        """Of this rank's operations to one rank, or to all."""
        if target is None:
            result = filled(library().stretto_counters_all, self.pointer)
        else:
            result = filled(library().stretto_counters_of, self.pointer, target)
        paths = {
            name: PathCounters(path.operations, path.bytes, path.messages, path.copied_bytes)
            for name, path in ((name, getattr(result, name)) for name in _PATHS)
        }
        return Counters(**paths, fences=int(result.fences))

    def reset_counters(self) -> None:
        """Sets all counters to 0."""
        check(library().stretto_counters_reset(self.pointer))


_NUMBERS = (
    "poll_interval_s",
    "segment_bytes",
    "outstanding",
    "contexts",
    "node_ranks",
    "report_after_s",
    "timeout_s",
)


def _handle(communicator: Any) -> int:
    """The handle in Fortran of a communicator."""
    if communicator is None:
        return world()
    if isinstance(communicator, int):
        return communicator
    if not hasattr(communicator, "py2f"):
        raise ArgumentError("communicator: must be one of mpi4py, or a handle of Fortran")
    return int(communicator.py2f())


def _set_option(options: Any, name: str, value: float) -> None:
    if name not in _NUMBERS:
        raise TypeError(f"Runtime: there is no option {name}; there are {', '.join(_NUMBERS)}")
    try:
        setattr(options, name, value)
    except (TypeError, OverflowError) as error:
        raise ArgumentError(f"{name}: {value!r} does not fit: {error}") from None


def _number(option: str, names: Sequence[str], chosen: str | None) -> int:
    return -1 if chosen is None else number_of(option, chosen, names)
