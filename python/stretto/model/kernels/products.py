# SPDX-License-Identifier: BSD-3-Clause
"""Products with a sparse matrix: the exchanges of `stretto/spmv.hpp`, by what the matrix needs of others."""

from __future__ import annotations

from dataclasses import dataclass

from stretto.errors import UserError
from stretto.model.kernels.program import KernelVariant, Phase, Program
from stretto.model.schedule import Finish, Start, Step

_REAL_BYTES = 8


@dataclass(frozen=True)
class ProductNeeds:
    """Of the average rank: in how many others' blocks lie elements that its rows need, how many in each, how
    many elements a block has, the flops of a product, and which share of them needs no others' elements.
    """

    ranks: int
    sources: float
    elements: float
    block_elements: int
    flops: float
    own_share: float

    def __post_init__(self) -> None:
        if self.ranks < 2:
            raise UserError(f"-n {self.ranks}: the model of spmv knows 2 ranks and more")

    def variants(self) -> list[KernelVariant]:
        """Those that can be the fastest (as `Plan::tuned`), the simplest first; a product each.

        An element at a time never is, and an aggregate is a vector that is described anew at each product.
        """
        found = [self._signalled(transport) for transport in ("stretto", "mpi-two-sided", "mpi-rma")]
        found.append(self._fetched("vector", round(self.elements), len(self._hops), ()))
        for depth in dict.fromkeys((1, self.ranks - 1)):
            found.append(self._fetched("blocks", self.block_elements, depth, (f"prefetch={depth}",)))
        return found

    def _phase(self, name: str, program: Program) -> Phase:
        return program.phase(f"spmv {name}", self.ranks, 1, self.flops)

    @property
    def _hops(self) -> range:
        return range(1, 1 + min(max(round(self.sources), 1), self.ranks - 1))

    def _signalled(self, transport: str) -> KernelVariant:
        program = Program(transport)
        messages = [program.start(hop, round(self.elements) * _REAL_BYTES) for hop in self._hops]
        program.compute(self.own_share)
        for message in messages:
            program.arrive([message])
            program.compute((1 - self.own_share) / len(messages))
        return KernelVariant("signalled", transport, True, (self._phase("signalled", program),))

    def _fetched(self, name: str, elements: int, ahead: int, settings: tuple[str, ...]) -> KernelVariant:
        """Gets, `ahead` of them under way while another one's elements are multiplied with."""
        program = Program("stretto")
        gets: list[Step] = [
            Start(place, hop, elements * _REAL_BYTES, "get", "init") for place, hop in enumerate(self._hops)
        ]
        program.steps += gets[:ahead]
        program.compute(self.own_share)
        for place in range(len(gets)):
            program.steps += gets[ahead + place : ahead + place + 1]
            program.steps.append(Finish(place))
            program.compute((1 - self.own_share) / len(gets))
        return KernelVariant(name, "stretto", True, (self._phase(name, program),), settings)
