# SPDX-License-Identifier: BSD-3-Clause
"""The ranks that share a region: all of a runtime's, or some of them."""

from __future__ import annotations

from typing import Any

from stretto.rma.library import check, ffi, library


class Team:
    """Some ranks of a runtime. `Runtime.team` and `Runtime.world` make one."""

    def __init__(self, cell: Any) -> None:
        self._cell = cell

    @property
    def pointer(self) -> Any:
        """The team in C."""
        return self._cell[0]

    @property
    def rank(self) -> int:
        """This rank in the team."""
        return int(library().stretto_team_rank(self.pointer))

    @property
    def size(self) -> int:
        """The number of ranks."""
        return int(library().stretto_team_size(self.pointer))

    def runtime_rank(self, member: int) -> int:
        """The rank in the runtime of the team's rank `member`."""
        result = ffi.new("int*")
        check(library().stretto_team_runtime_rank(self.pointer, member, result))
        return int(result[0])

    def rank_of(self, runtime_rank: int) -> int | None:
        """The rank in the team of a rank of the runtime; None where it is not a member."""
        result = ffi.new("int*")
        check(library().stretto_team_rank_of(self.pointer, runtime_rank, result))
        return int(result[0]) if result[0] >= 0 else None

    def node(self, member: int) -> int:
        """The lowest rank of the runtime on the member's node."""
        result = ffi.new("int*")
        check(library().stretto_team_node(self.pointer, member, result))
        return int(result[0])

    def communicator(self) -> int:
        """The handle in Fortran of the team's communicator, for `mpi4py.MPI.Comm.f2py`."""
        result = ffi.new("int*")
        check(library().stretto_team_communicator_fortran(self.pointer, result))
        return int(result[0])

    def barrier(self) -> None:
        """Completes all operations of this rank, and waits for all members. Collective."""
        check(library().stretto_team_barrier(self.pointer))

    def free(self) -> None:
        """Frees the team, once its regions are freed. Collective."""
        if self._cell[0]:
            check(library().stretto_team_free(self._cell))
