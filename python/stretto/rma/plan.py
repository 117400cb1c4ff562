# SPDX-License-Identifier: BSD-3-Clause
"""What the plans of transforms and sparse products share."""

from __future__ import annotations

from typing import Any

from stretto.rma.arguments import number_of
from stretto.rma.errors import ArgumentError, Error
from stretto.rma.library import check, filled, library
from stretto.rma.runtime import Runtime

TRANSPORTS = ("stretto", "mpi-rma", "mpi-two-sided", "mpi-alltoall")


class Plan:
    """A plan of C in `_cell`, whose functions' names begin with `_functions`."""

    _functions: str
    _cell: Any

    @property
    def messages(self) -> int:
        """Messages, puts or gets that this rank has started so far."""
        return int(filled(self._function("messages"), self._cell[0])[0])

    @property
    def timers(self) -> dict[str, float]:
        """Seconds by what they were spent on: init_s, work_s, sync_s, barrier_s."""
        result = filled(self._function("timers"), self._cell[0])
        return {name: float(getattr(result, name)) for name in ("init_s", "work_s", "sync_s", "barrier_s")}

    def reset_timers(self) -> None:
        """Sets all timers to 0."""
        check(self._function("reset_timers")(self._cell[0]))

    def free(self) -> None:
        """Frees the plan. Collective."""
        if self._cell[0]:
            check(self._function("free")(self._cell))

    def _function(self, name: str) -> Any:
        return getattr(library(), f"{self._functions}_{name}")


def kernels() -> Any:
    """The library; it must have transforms and sparse products, which that for MPI's standard ABI has not."""
    c = library()
    try:
        _ = c.stretto_fft_create
    except AttributeError:
        raise Error(
            "this libstretto.so, for MPI's standard ABI, has no transforms and sparse products"
        ) from None
    return c


def check_runtime(runtime: Any) -> None:
    """Refuses what is none."""
    if not isinstance(runtime, Runtime):
        raise ArgumentError(f"runtime: {runtime!r} is not a runtime")


def transport_number(transport: str) -> int:
    """The number of a transport in kernels.h."""
    return number_of("transport", transport, TRANSPORTS)
