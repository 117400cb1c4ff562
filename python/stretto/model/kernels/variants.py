# SPDX-License-Identifier: BSD-3-Clause
"""The kernels of `stretto run` and their variants: what `stretto-model` says that each of them does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from stretto.errors import UserError
from stretto.model.kernels.sizes import CgSize, FtSize, MgSize
from stretto.model.schedule import Operation
from stretto.native.model import Answer, InvalidRequest, Request, query_model

TRANSPORTS: Mapping[str, Operation] = {"mpi-two-sided": "send", "stretto": "put", "mpi-rma": "put"}
"""Whose parameters of the profile the blocks of a kernel travel by; the simplest first."""


@dataclass(frozen=True)
class ProductNeeds:
    """Products with a sparse matrix, of the average rank.

    Attributes:
        sources: In how many others' blocks lie elements that its rows need.
        elements: How many in each.
        block_elements: How many elements a block has.
        flops: Of a product.
        own_share: Which share of them needs no others' elements.
    """

    sources: float
    elements: float
    block_elements: int
    flops: float
    own_share: float


@dataclass(frozen=True)
class Phase:
    """A schedule that a rank goes through `times` times; `flops` are its computation in one of them.

    Attributes:
        messages: With data, that a rank starts in one of them.
        sizes_bytes: Of its messages, each once.
    """

    name: str
    times: int
    flops: float
    messages: int
    sizes_bytes: tuple[int, ...]


@dataclass(frozen=True)
class KernelVariant:
    """A variant over a transport. `overlapped`: whether it computes while messages are under way.

    Attributes:
        kernel: What it is a variant of.
        settings: Options of the kernel that belong to it (`--set`).
        operation: What carries its messages.
    """

    kernel: Kernel
    variant: str
    transport: str
    overlapped: bool
    settings: tuple[str, ...]
    operation: str
    phases: tuple[Phase, ...]

    @property
    def messages(self) -> int:
        """Messages with data that a rank starts, in all phases."""
        return sum(phase.times * phase.messages for phase in self.phases)

    @property
    def flops(self) -> float:
        """Of a rank, in all phases."""
        return sum(phase.times * phase.flops for phase in self.phases)

    @property
    def request(self) -> dict[str, object]:
        """As a request of `stretto-model` names it."""
        settings = list(self.settings)
        return {
            **self.kernel.request,
            "variant": self.variant,
            "transport": self.transport,
            "settings": settings,
        }


@dataclass(frozen=True)
class Kernel:
    """A kernel of one size on so many ranks."""

    size: FtSize | MgSize | CgSize | ProductNeeds
    ranks: int

    @property
    def name(self) -> str:
        """As `stretto run` has it."""
        return {FtSize: "ft", MgSize: "mg", CgSize: "cg", ProductNeeds: "spmv"}[type(self.size)]

    @property
    def request(self) -> dict[str, object]:
        """As a request of `stretto-model` names it."""
        return {"kind": "kernel", "kernel": self.name, "ranks": self.ranks, **asdict(self.size)}

    def variants(self) -> list[KernelVariant]:
        """All that a profile could carry, the simplest first.

        Raises:
            UserError: The model does not know so many ranks.
        """
        return self._described(self.request)

    def variant(self, name: str, transport: str, settings: tuple[str, ...] = ()) -> KernelVariant:
        """One of them by name; of ft also packed slabs over any transport. UserError as `variants`."""
        named = {"variant": name, "transport": transport, "settings": list(settings)}
        (result,) = self._described({**self.request, **named})
        return result

    def _described(self, request: Request) -> list[KernelVariant]:
        try:
            (answer,) = query_model([request])
        except InvalidRequest as error:
            if error.member != "ranks":
                raise
            raise UserError(f"-n {self.ranks}: {error.what}") from None
        return [self._variant(one) for one in answer["variants"]]

    def _variant(self, answer: Answer) -> KernelVariant:
        phases = (
            Phase(one["name"], one["times"], one["flops"], one["messages"], tuple(one["sizes_bytes"]))
            for one in answer["phases"]
        )
        return KernelVariant(
            self,
            answer["variant"],
            answer["transport"],
            answer["overlapped"],
            tuple(answer["settings"]),
            answer["operation"],
            tuple(phases),
        )
