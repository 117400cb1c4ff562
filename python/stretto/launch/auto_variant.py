# SPDX-License-Identifier: BSD-3-Clause
"""`stretto run --variant auto`: runs the variant and transport with the shortest predicted time."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from stretto.data.published import read_named
from stretto.errors import UserError
from stretto.model.kernels.choice import Choice, choose, predictable
from stretto.model.kernels.variants import (
    NAS_CLASSES,
    TRANSPORTS,
    Kernel,
    KernelVariant,
    NasClass,
    ProductNeeds,
)
from stretto.model.parameters import Source
from stretto.model.problem import FFT_WORK, SPMV_WORK, seconds_per_flop
from stretto.model.statistics import Floats
from stretto.options.choices import AUTO, check_choice

_KERNELS = ("ft", "cg", "mg", "spmv")
_MG_TRIAL_CLASS = "W"  # largest class to time: it exceeds the caches as larger ones do, and is short

RunOnce = Callable[..., dict[str, Any]]
"""Runs the kernel with the arguments of `KernelRun.with_variant`; returns its document."""


@dataclass(frozen=True)
class Chosen:
    """The chosen variant, transport (None: the kernel's default) and settings (`--set`).

    Attributes:
        shown: Member `choice` of the document.
    """

    variant: str
    transport: str | None
    settings: Mapping[str, str]
    shown: dict[str, Any]


@dataclass(frozen=True)
class VariantChoice:
    """A request to choose a kernel's variant from a profile.

    Attributes:
        transport: The only transport to consider; None: all.
    """

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
        """The request; None where the user named the variant.

        Raises:
            UserError: The request cannot be fulfilled.
        """
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
            check_choice("--class", class_name or "S", NAS_CLASSES)
        source = Source(read_named(named), str(named))
        return VariantChoice(kernel, class_name or "S", ranks, transport or None, source)

    def decide(self, run_once: RunOnce) -> Chosen:
        """The result of `choose`, ready to be run and shown."""
        choice = self.choose(run_once)
        selected = choice.chosen
        settings = dict(text.split("=", 1) for text in selected.settings)
        return Chosen(selected.variant, selected.transport, settings, self._shown(choice))

    def choose(self, run_once: RunOnce) -> Choice:
        """The choice. A short run first measures what a profile does not hold.

        For spmv, two products give the matrix's communication and compute rate. For mg, a small class gives
        the compute rate of its stencils.

        Raises:
            UserError: the profile has no parameters for any of the candidate transports.
        """
        if self.kernel == "spmv":
            document = run_once("signalled", settings={"products": "2"})
            needs, each_s = _trial_result(document, self.ranks, self.source)
            return self._of(Kernel(needs, self.ranks).variants(), each_s)
        kernel = Kernel(NasClass(self.kernel, self.class_name), self.ranks)
        if self.kernel == "ft":
            rate = seconds_per_flop(self.source, FFT_WORK, kernel.class_sizes()["nx"])
            return self._of(kernel.variants(), rate)
        if self.kernel == "cg":
            return self._of(kernel.variants(), seconds_per_flop(self.source, SPMV_WORK))
        cycles = kernel.variants()
        predictable(self.source, self._allowed(cycles))  # raises before the trial run
        return self._of(cycles, _mg_rate(run_once, self.class_name, self.ranks, self.source))

    def _of(self, variants: Sequence[KernelVariant], rate: Floats | None) -> Choice:
        return choose(self.kernel, self.source, self._allowed(variants), rate)

    def _allowed(self, variants: Sequence[KernelVariant]) -> list[KernelVariant]:
        return [one for one in variants if self.transport in (None, one.transport)]

    def _shown(self, choice: Choice) -> dict[str, Any]:
        """Member `choice` of the document; times are seconds of the timed part, for spmv of one product."""
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
    """The profile to choose from: `profile`, or else that of STRETTO_PROFILE.

    Raises:
        UserError: There is neither; the message names `option`.
    """
    named = profile or Path(os.environ.get("STRETTO_PROFILE", ""))
    if named == Path():
        raise UserError(f"{option}: needs --profile FILE; `stretto probe` and `stretto fit` make it")
    return named


def _mg_rate(run_once: RunOnce, class_name: str, ranks: int, source: Source) -> Floats:
    """Seconds per flop of MG on these ranks, shape (draws,), measured in a class with a short run."""
    trial = min(class_name, _MG_TRIAL_CLASS, key=NAS_CLASSES.index)
    document = run_once("two-sided", class_name=trial)
    flops = Kernel(NasClass("mg", trial), ranks).variant("two-sided", "mpi-two-sided").flops
    return np.full(source.draws, document["timers"]["work"] / flops)


def _trial_result(document: dict[str, Any], ranks: int, source: Source) -> tuple[ProductNeeds, Floats]:
    """The average rank's remote elements per product, and the seconds per flop of these ranks."""
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
