# SPDX-License-Identifier: BSD-3-Clause
"""The kernels of `stretto run` and their variants, as `stretto-model` describes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from stretto.errors import UserError
from stretto.model.schedule import Operation
from stretto.native.model import Answer, InvalidRequest, Request, query_model

TRANSPORTS: Mapping[str, Operation] = {"mpi-two-sided": "send", "stretto": "put", "mpi-rma": "put"}
"""The transports of a kernel's blocks with their operations; the simplest first."""


NAS_CLASSES = ("S", "W", "A", "B", "C", "D")
"""The classes of ft, mg and cg, the smallest first; `src/network/nas_sizes.hpp` has their sizes."""


@dataclass(frozen=True)
class NasClass:
    """A class of a NAS kernel. `iterations`: instead of the class's own."""

    kernel: str
    name: str
    iterations: int | None = None


@dataclass(frozen=True)
class ProductNeeds:
    """The communication and computation of sparse products on the average rank.

    Attributes:
        sources: The number of other ranks with elements that its rows need.
        elements: The number of needed elements per source.
        block_elements: The number of elements in a block.
        flops: The flops of a product.
        own_share: The share of the flops that need no remote elements.
    """

    sources: float
    elements: float
    block_elements: int
    flops: float
    own_share: float


@dataclass(frozen=True)
class Phase:
    """A schedule that a rank repeats `times` times; `flops` is the computation of one repetition.

    Attributes:
        messages: The messages with data that a rank starts in one repetition.
        sizes_bytes: The distinct sizes of its messages.
    """

    name: str
    times: int
    flops: float
    messages: int
    sizes_bytes: tuple[int, ...]


@dataclass(frozen=True)
class KernelVariant:
    """A variant over a transport. `overlapped`: whether it computes while messages are in flight.

    Attributes:
        kernel: Its kernel.
        settings: The kernel's options (`--set`) that select it.
        operation: The operation of its messages.
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
        """The messages with data that a rank starts in all phases."""
        return sum(phase.times * phase.messages for phase in self.phases)

    @property
    def flops(self) -> float:
        """The flops of a rank in all phases."""
        return sum(phase.times * phase.flops for phase in self.phases)

    @property
    def request(self) -> dict[str, object]:
        """The members of a request to `stretto-model`."""
        settings = list(self.settings)
        return {
            **self.kernel.request,
            "variant": self.variant,
            "transport": self.transport,
            "settings": settings,
        }


@dataclass(frozen=True)
class Kernel:
    """A kernel of one size on a number of ranks."""

    size: NasClass | ProductNeeds
    ranks: int

    @property
    def name(self) -> str:
        """Its name in `stretto run`."""
        return self.size.kernel if isinstance(self.size, NasClass) else "spmv"

    @property
    def request(self) -> dict[str, object]:
        """The members of a request to `stretto-model`."""
        size = asdict(self.size)
        if isinstance(self.size, NasClass):
            size = {"class": self.size.name, "iterations": self.size.iterations}
        return {"kind": "kernel", "kernel": self.name, "ranks": self.ranks, **size}

    def variants(self) -> list[KernelVariant]:
        """All variants, the simplest first.

        Raises:
            UserError: The model does not support this number of ranks.
        """
        return self._described(self.request)

    def class_sizes(self) -> Mapping[str, int]:
        """The sizes of the NAS class by name, such as `nx` of ft. UserError as `variants`."""
        sizes: Mapping[str, int] = self._answer(self.request)["sizes"]
        return sizes

    def variant(self, name: str, transport: str, settings: tuple[str, ...] = ()) -> KernelVariant:
        """One variant by name; for ft, also packed slabs over any transport. UserError as `variants`."""
        named = {"variant": name, "transport": transport, "settings": list(settings)}
        (result,) = self._described({**self.request, **named})
        return result

    def _described(self, request: Request) -> list[KernelVariant]:
        return [self._variant(one) for one in self._answer(request)["variants"]]

    def _answer(self, request: Request) -> Answer:
        try:
            (answer,) = query_model([request])
        except InvalidRequest as error:
            if error.member != "ranks":
                raise
            raise UserError(f"-n {self.ranks}: {error.what}") from None
        return answer

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
