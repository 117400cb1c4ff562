# SPDX-License-Identifier: BSD-3-Clause
"""Which variant of a kernel, over which transport, a profile gives the least time; and what that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stretto.data.results import AxisValue
from stretto.errors import UserError
from stretto.model.advice import EQUAL, Advice, Candidate, advise
from stretto.model.graph import evaluate
from stretto.model.kernels.program import TRANSPORTS, KernelVariant, Phase
from stretto.model.network import Network
from stretto.model.parameters import Bar, Path, Source, has_bar, network, paths
from stretto.model.schedule import Start
from stretto.model.statistics import Floats

_PROGRESS = ("thread", "poll", "none")  # what the runtime takes, the first that the profile knows


@dataclass(frozen=True)
class Choice:
    """A variant and why.

    Attributes:
        advice: Of all candidates.
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


def carrier(source: Source, variant: KernelVariant) -> Path | None:
    """The path that a variant's messages go by; None where the profile lacks it."""
    fetched = any(step.operation == "get" for phase in variant.phases for step in _starts(phase))
    wanted = (variant.transport, "get" if fetched else TRANSPORTS[variant.transport])
    modes = _PROGRESS if variant.transport == "stretto" else _PROGRESS[::-1]
    mine = [path for path in paths(source.profile) if (path.transport, path.operation) == wanted]
    return min(mine, key=lambda path: modes.index(path.progress), default=None)


def variant_s(source: Source, variant: KernelVariant, seconds_per_flop: Floats) -> Floats:
    """The time of a run, shape (draws,), of a variant whose transport the profile has."""
    route = carrier(source, variant)
    assert route is not None, "the profile lacks it: see choose()"
    total_s = np.zeros(source.draws)
    for phase in variant.phases:
        total_s = total_s + phase.times * _phase_s(source, phase, route, seconds_per_flop)
    return total_s


def _phase_s(source: Source, phase: Phase, route: Path, seconds_per_flop: Floats) -> Floats:
    starts = _starts(phase)
    if not starts:
        return phase.flops * seconds_per_flop
    here = _network(source, phase, route)
    # Flags and credits take the place of barriers, but over MPI's window.
    barrier_s = None if route.transport == "mpi-rma" else np.zeros(source.draws)
    return evaluate(phase.schedule, here, phase.flops * seconds_per_flop, barrier_s).total_s


def _network(source: Source, phase: Phase, route: Path) -> Network:
    """As the messages of a phase see it. UserError where the profile lacks a parameter."""
    bar: Bar = "E" if has_bar(source.profile, route, "E") else "M"
    sizes = {step.size_bytes for step in _starts(phase)}
    return network(source, route, sizes, bar, phase.schedule.ranks)


def _lacking(source: Source, variant: KernelVariant) -> UserError | None:
    """What a profile lacks for a variant; None: nothing."""
    route = carrier(source, variant)
    if route is None:
        return UserError(
            f"{source.file}: has no LogGP parameters of {variant.transport} for {variant.variant}; "
            "`stretto probe loggp` measures them"
        )
    try:
        for phase in variant.phases:
            if _starts(phase):
                _network(source, phase, route)
    except UserError as error:
        return error
    return None


def _starts(phase: Phase) -> list[Start]:
    return [step for step in phase.schedule.steps if isinstance(step, Start)]


def told_of(source: Source, variants: Sequence[KernelVariant]) -> list[KernelVariant]:
    """Those that the profile has the parameters of.

    Raises:
        UserError: There is none; what the first one lacks.
    """
    lacking = [_lacking(source, variant) for variant in variants]
    known = [variant for variant, error in zip(variants, lacking, strict=True) if error is None]
    if not known:
        raise next(error for error in lacking if error is not None)
    return known


def choose(
    kernel: str, source: Source, variants: Sequence[KernelVariant], seconds_per_flop: Floats | None
) -> Choice:
    """The simplest variant within EQUAL of the fastest that the profile can tell of.

    Where it is not known how fast the kernel computes, computing is taken to be as long as the communication
    of the first variant, and an overlapped one must not lose even where there is nothing to hide under.

    Args:
        kernel: Its name.
        source: The profile.
        variants: The simplest first, those that do not overlap before the others.
        seconds_per_flop: Shape (draws,), or None.

    Raises:
        UserError: As `told_of`.
    """
    known = told_of(source, variants)
    rate = seconds_per_flop
    if rate is None:
        known, rate = _blind(source, known)
    candidates = [Candidate(_described(one), variant_s(source, one, rate)) for one in known]
    advice = advise(kernel, {"ranks": known[0].phases[0].schedule.ranks}, candidates)
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
    """As candidates are told apart."""
    named: dict[str, AxisValue] = {"variant": variant.variant, "transport": variant.transport}
    return named | {name: value for name, _, value in (one.partition("=") for one in variant.settings)}


def _blind(source: Source, known: list[KernelVariant]) -> tuple[list[KernelVariant], Floats]:
    """Those that do not lose without any computation, and the rate at which it is balanced."""
    nothing = np.zeros(source.draws)
    alone_s = [variant_s(source, one, nothing)[0] for one in known]
    flops = sum(phase.times * phase.flops for phase in known[0].phases)
    rate = np.full(source.draws, alone_s[0] / flops if flops > 0 else 0.0)
    plain_s = min((s for s, one in zip(alone_s, known, strict=True) if not one.overlapped), default=np.inf)
    kept = [
        one for s, one in zip(alone_s, known, strict=True) if not one.overlapped or s <= plain_s * (1 + EQUAL)
    ]
    return kept, rate
