# SPDX-License-Identifier: BSD-3-Clause
"""`stretto run --variant auto`: variant and transport of a kernel as a profile has them fastest."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from stretto.data.profile_file import read_profile
from stretto.data.published import profile_path
from stretto.errors import UserError
from stretto.model.kernels.choice import Choice, choose, told_of
from stretto.model.kernels.sizes import CG_SIZES, FT_SIZES, MG_SIZES
from stretto.model.kernels.variants import TRANSPORTS, Kernel, KernelVariant, ProductNeeds
from stretto.model.parameters import Source
from stretto.model.problem import FFT_WORK, SPMV_WORK, seconds_per_flop
from stretto.model.statistics import Floats
from stretto.options.choices import AUTO, check_choice

_KERNELS = ("ft", "cg", "mg", "spmv")
_MG_LOOK_CLASS = "W"  # of larger classes, too: beyond caches as they are, and over in a moment

RunOnce = Callable[..., dict[str, Any]]
"""Takes what `KernelRun.but` takes; runs the kernel so, and gives what it printed."""


@dataclass(frozen=True)
class Chosen:
    """What to run: variant, transport (None: the kernel's own) and settings (`--set`).

    Attributes:
        shown: Member `choice` of the document.
    """

    variant: str
    transport: str | None
    settings: Mapping[str, str]
    shown: dict[str, Any]


@dataclass(frozen=True)
class VariantChoice:
    """What is to be chosen, among which transports, and by which profile."""

    kernel: str
    class_name: str
    ranks: int
    transport: str | None
    source: Source

    @staticmethod
    def of(
        kernel: str,
        class_name: str | None,
        variant: str | None,
        transport: str | None,
        profile: Path | None,
        ranks: int,
    ) -> VariantChoice | None:
        """The request; None where the variant was named. UserError where it cannot be fulfilled."""
        if variant != AUTO:
            if profile is not None:
                raise UserError(f"--profile {profile}: is for --variant {AUTO}; leave it out, or choose that")
            return None
        if kernel not in _KERNELS:
            raise UserError(f"--variant {AUTO}: is there for {', '.join(_KERNELS)}; name one of {kernel}'s")
        if transport:
            check_choice("--transport", transport, TRANSPORTS)
        named = profile_named(profile, f"--variant {AUTO}")
        if kernel != "spmv":
            check_choice("--class", class_name or "S", FT_SIZES)
        source = Source(read_profile(profile_path(named)), str(named))
        return VariantChoice(kernel, class_name or "S", ranks, transport or None, source)

    def decide(self, run_once: RunOnce) -> Chosen:
        """As `choose`, ready to be run and shown."""
        choice = self.choose(run_once)
        mine = choice.chosen
        settings = dict(text.split("=", 1) for text in mine.settings)
        return Chosen(mine.variant, mine.transport, settings, self._shown(choice))

    def choose(self, run_once: RunOnce) -> Choice:
        """The choice. What no profile has is seen in a run first: for spmv in two products, what the matrix
        needs and multiplying takes; for mg, in a small class, what its stencils take.

        Raises:
            UserError: the profile has no parameters of any transport that may be taken.
        """
        if self.kernel == "spmv":
            document = run_once("signalled", settings={"products": "2"})
            needs, each_s = _looked_at(document, self.ranks, self.source)
            return self._of(Kernel(needs, self.ranks).variants(), each_s)
        if self.kernel == "ft":
            size = FT_SIZES[self.class_name]
            rate = seconds_per_flop(self.source, FFT_WORK, size.nx)
            return self._of(Kernel(size, self.ranks).variants(), rate)
        if self.kernel == "cg":
            products = Kernel(CG_SIZES[self.class_name], self.ranks)
            return self._of(products.variants(), seconds_per_flop(self.source, SPMV_WORK))
        cycles = Kernel(MG_SIZES[self.class_name], self.ranks).variants()
        told_of(self.source, self._allowed(cycles))  # else nothing need be run
        return self._of(cycles, _mg_rate(run_once, self.class_name, self.ranks, self.source))

    def _of(self, variants: Sequence[KernelVariant], rate: Floats | None) -> Choice:
        return choose(self.kernel, self.source, self._allowed(variants), rate)

    def _allowed(self, variants: Sequence[KernelVariant]) -> list[KernelVariant]:
        return [one for one in variants if self.transport in (None, one.transport)]

    def _shown(self, choice: Choice) -> dict[str, Any]:
        """As member `choice` of the document has it; seconds are of the timed part, of spmv of a product."""
        plain = None
        if choice.plain is not None:
            plain = {
                "variant": choice.plain.variant,
                "transport": choice.plain.transport,
                "predicted_s": choice.plain_s,
            }
        return {
            "profile": self.source.file,
            "predicted_s": float(choice.advice.leading.time_s[0]),
            "confidence": choice.advice.confidence,
            "computing_known": choice.computing_known,
            "without_overlap": plain,
            "candidates": [
                {**one.choice, "predicted_s": float(one.time_s[0])} for one in choice.advice.candidates
            ],
        }


def profile_named(profile: Path | None, option: str) -> Path:
    """The profile to choose by: named, or that of the environment. UserError, of `option`: neither."""
    named = profile or Path(os.environ.get("STRETTO_PROFILE", ""))
    if named == Path():
        raise UserError(f"{option}: needs --profile FILE; `stretto probe` and `stretto fit` make it")
    return named


def _mg_rate(run_once: RunOnce, class_name: str, ranks: int, source: Source) -> Floats:
    """Seconds a flop of MG on these ranks, shape (draws,): of its work in a class that takes a moment."""
    look = min(class_name, _MG_LOOK_CLASS, key=list(MG_SIZES).index)
    document = run_once("two-sided", class_name=look)
    flops = Kernel(MG_SIZES[look], ranks).variant("two-sided", "mpi-two-sided").flops
    return np.full(source.draws, document["timers"]["work"] / flops)


def _looked_at(document: dict[str, Any], ranks: int, source: Source) -> tuple[ProductNeeds, Floats]:
    """What a product needs of others, of the average rank, and how fast these ranks multiply."""
    pairs = document["messages"] / document["products"]
    columns, needed = document["columns"], document["elements_of_others"]
    needs = ProductNeeds(
        sources=pairs / ranks,
        elements=needed / max(pairs, 1),
        block_elements=-(-columns // ranks),
        flops=2 * document["nonzeros"] / ranks,
        own_share=columns / max(columns + needed, 1),
    )
    work_s = document["timers"]["work"] / document["products"]
    return needs, np.full(source.draws, work_s / max(needs.flops, 1))
