# SPDX-License-Identifier: BSD-3-Clause
"""Chooses the variant and transport of a kernel with the shortest time that a profile predicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stretto.data.results import AxisValue
from stretto.errors import UserError
from stretto.model.advice import EQUAL, Advice, Candidate, advise
from stretto.model.kernels.variants import KernelVariant
from stretto.model.network import PathCosts, shortened
from stretto.model.parameters import Bar, Path, Source, has_bar, path_costs, paths
from stretto.model.statistics import Floats
from stretto.native.model import query_model

_PROGRESS = ("thread", "poll", "none")  # the runtime's progress modes; the first that the profile has is used


@dataclass(frozen=True)
class Choice:
    """A variant and the reasons for it.

    Attributes:
        advice: The advice on all candidates.
        chosen: The variant.
        plain: The best of those that do not overlap, if there are any.
        plain_s: Its predicted time.
        computing_known: Whether the profile says how fast this kernel computes.
    """

    advice: Advice
    chosen: KernelVariant
    plain: KernelVariant | None
    plain_s: float | None
    computing_known: bool


def message_path(source: Source, variant: KernelVariant) -> Path | None:
    """The path of a variant's messages; None where the profile lacks it."""
    needed = (variant.transport, variant.operation)
    modes = _PROGRESS if variant.transport == "stretto" else _PROGRESS[::-1]
    selected = [path for path in paths(source.profile) if (path.transport, path.operation) == needed]
    return min(selected, key=lambda path: modes.index(path.progress), default=None)


def variants_s(source: Source, variants: Sequence[KernelVariant], seconds_per_flop: Floats) -> list[Floats]:
    """The times of a run with each variant, shape (draws,).

    Raises:
        UserError: The profile lacks a parameter that the models need.
    """
    requests = [
        {
            **variant.request,
            "path": _costs(source, variant).request,
            "seconds_per_flop": shortened(seconds_per_flop),
        }
        for variant in variants
    ]
    totals = [np.array(answer["total_s"]) for answer in query_model(requests)]
    return [np.full(source.draws, one[0]) if len(one) == 1 else one for one in totals]


def _costs(source: Source, variant: KernelVariant) -> PathCosts:
    """The costs of the path of a variant's messages. UserError where the profile lacks a parameter."""
    route = message_path(source, variant)
    if route is None:
        raise UserError(
            f"{source.file}: has no LogGP parameters of {variant.transport} for {variant.variant}; "
            "`stretto probe loggp` measures them"
        )
    if not any(phase.sizes_bytes for phase in variant.phases):  # without messages, parameters do not matter
        return PathCosts({0: {}})
    bar: Bar = "E" if has_bar(source.profile, route, "E") else "M"
    return path_costs(source, route, bar, variant.kernel.ranks)


def _missing_parameter(source: Source, variant: KernelVariant) -> UserError | None:
    """The error about a parameter that the profile lacks for a variant; None: it lacks nothing."""
    try:
        _costs(source, variant)
    except UserError as error:
        return error
    return None


def predictable(source: Source, variants: Sequence[KernelVariant]) -> list[KernelVariant]:
    """The variants for which the profile has all parameters.

    Raises:
        UserError: There is none; the message says what the first one lacks.
    """
    lacking = [_missing_parameter(source, variant) for variant in variants]
    known = [variant for variant, error in zip(variants, lacking, strict=True) if error is None]
    if not known:
        raise next(error for error in lacking if error is not None)
    return known


def choose(
    kernel: str, source: Source, variants: Sequence[KernelVariant], seconds_per_flop: Floats | None
) -> Choice:
    """The simplest variant within EQUAL of the fastest predictable one.

    Without a compute rate, computation is assumed to take as long as the communication of the first variant.
    An overlapped variant must then be no slower without any computation.

    Args:
        kernel: The kernel's name.
        source: The profile.
        variants: The candidates, the simplest first, and those without overlap before the others.
        seconds_per_flop: Shape (draws,), or None.

    Raises:
        UserError: as `predictable`.
    """
    known = predictable(source, variants)
    rate = seconds_per_flop
    if rate is None:
        known, rate = _with_balanced_rate(source, known)
    times_s = variants_s(source, known, rate)
    candidates = [Candidate(_described(one), time_s) for one, time_s in zip(known, times_s, strict=True)]
    advice = advise(kernel, {"ranks": known[0].kernel.ranks}, candidates)
    plain = [place for place, one in enumerate(known) if not one.overlapped]
    best = min(plain, key=lambda place: float(candidates[place].time_s[0]), default=None)
    leading = next(place for place, one in enumerate(candidates) if one is advice.leading)
    return Choice(
        advice,
        known[leading],
        None if best is None else known[best],
        None if best is None else float(candidates[best].time_s[0]),
        seconds_per_flop is not None,
    )


def _described(variant: KernelVariant) -> dict[str, AxisValue]:
    """The members that identify the variant among candidates."""
    named: dict[str, AxisValue] = {"variant": variant.variant, "transport": variant.transport}
    return named | {name: value for name, _, value in (one.partition("=") for one in variant.settings)}


def _with_balanced_rate(source: Source, known: list[KernelVariant]) -> tuple[list[KernelVariant], Floats]:
    """The variants that are no slower without computation, and the rate that balances computation."""
    nothing = np.zeros(source.draws)
    alone_s = [float(time_s[0]) for time_s in variants_s(source, known, nothing)]
    flops = known[0].flops
    rate = np.full(source.draws, alone_s[0] / flops if flops > 0 else 0.0)
    plain_s = min((s for s, one in zip(alone_s, known, strict=True) if not one.overlapped), default=np.inf)
    kept = [
        one for s, one in zip(alone_s, known, strict=True) if not one.overlapped or s <= plain_s * (1 + EQUAL)
    ]
    return kept, rate
