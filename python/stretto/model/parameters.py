# SPDX-License-Identifier: BSD-3-Clause
"""What the models of schedules take from a profile: LogGP of a path, its overlap, G of two and of all.

Section 7.5 and 8.2 of the probes' paper: o and g from the pencils probe, L from a latency test, G from a
flood both ways between two ranks (bar M) or from all ranks at once (bar E).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from stretto.data.profile import Figure, LogGPEntry, LogGPRange, OverlapEntry, Profile
from stretto.errors import UserError
from stretto.model.loggp import PENCILS, SPACED_TRAINS
from stretto.model.network import DRAWS, LogGp, Network, drawn
from stretto.model.statistics import DEFAULT_SEED, Floats

Bar = Literal["M", "E"]
BARS: dict[Bar, str] = {
    "M": "G of a flood both ways between two ranks",
    "E": "G of all ranks at once",
}
_LASTING = 0.5  # an eta that falls to less than this part of the largest is that of buffers
UNHELPED = "none"
_APART = 1.1  # measured times that differ by less are the same
_LOCALITIES = (
    "remote",
    "mixed",
    "same-node",
)  # which is taken where a profile has several: the network first


@dataclass(frozen=True)
class Path:
    """What transfers go over."""

    transport: str
    operation: str
    progress: str = "none"

    def __str__(self) -> str:
        return f"{self.operation} over {self.transport}, progress {self.progress}"


@dataclass(frozen=True)
class Source:
    """A profile, where it stands, and which seed draws from its intervals."""

    profile: Profile
    file: str
    seed: int = DEFAULT_SEED
    draws: int = DRAWS

    def rng(self, *what: str) -> np.random.Generator:
        """The same draws for the same figure, whoever asks: candidates are compared within a draw."""
        return np.random.default_rng([self.seed, *"|".join(what).encode()])


def paths(profile: Profile) -> list[Path]:
    """The paths that the profile has LogGP parameters of, under each progress mode that it has overlap of.

    Parameters without help stand in for those of another mode, and not the other way round.
    """
    found: dict[tuple[str, str], set[str]] = {}
    for entry in profile.loggp:
        found.setdefault((entry.transport, entry.operation), set()).add(entry.progress)
    modes = {
        key: dict.fromkeys(e.progress for e in profile.overlap if (e.transport, e.operation) == key)
        for key in found
    }
    return [
        Path(*key, progress)
        for key, known in found.items()
        for progress in modes[key] or sorted(known)
        if progress in known or UNHELPED in known
    ]


def network(source: Source, path: Path, sizes: Iterable[int], bar: Bar, ranks: int) -> Network:
    """The network of a path for messages of `sizes`.

    Raises:
        UserError: The profile lacks a parameter that the models need; it is named.
    """
    by_size = {size: _loggp(source, path, size) for size in {0, *sizes}}
    if bar == "E":
        gap = _contended_gap(source, path, ranks)
        by_size = {size: loggp.with_byte_gap(gap) for size, loggp in by_size.items()}
    return Network(by_size)


def has_bar(profile: Profile, path: Path, bar: Bar) -> bool:
    """Whether the profile can give the G of this bar."""
    return bar == "M" or any(
        e.transport == path.transport
        and e.operation in (None, path.operation)
        and e.progress in (path.progress, UNHELPED)
        and e.gap_s_per_byte.value is not None
        for e in profile.contended
    )


def _loggp(source: Source, path: Path, size: int) -> LogGp:
    zero = np.zeros(source.draws)
    overlap, unattended_bytes = _overlap(source, path, size)
    queue_s = _parameter(source, path, "gap_queue_s", size, (PENCILS, SPACED_TRAINS), optional=True)
    gap_s = _parameter(source, path, "gap_s", size, (SPACED_TRAINS, PENCILS), optional=True)
    return LogGp(
        latency_s=_parameter(source, path, "latency_s", size, (SPACED_TRAINS, PENCILS)),
        overhead_send_s=_parameter(source, path, "overhead_send_s", size, (PENCILS, SPACED_TRAINS)),
        overhead_receive_s=zero
        if path.operation != "send"
        else _parameter(source, path, "overhead_receive_s", size, (SPACED_TRAINS, PENCILS), optional=True),
        # Trains of messages cannot tell the card from the queue before it: what is no longer is the queue.
        gap_s=gap_s if gap_s[0] > _APART * queue_s[0] else zero,
        gap_queue_s=queue_s,
        gap_s_per_byte=_parameter(source, path, "gap_s_per_byte", size, (PENCILS, SPACED_TRAINS)),
        overlap=overlap,
        steal=zero,
        unattended_bytes=unattended_bytes,
    )


def _parameter(
    source: Source, path: Path, name: str, size: int, methods: Sequence[str], optional: bool = False
) -> Floats:
    """One parameter for one size; of an unresolved range that of the nearest lower one. Zero if optional."""
    entries = _entries(source.profile, path, methods)
    for entry in entries:
        of_size = entry.range_for(size)
        below = [r for r in entry.ranges if r.size_min_bytes < of_size.size_min_bytes]
        for fitted in (of_size, *reversed(below)):
            figure = _resolved(fitted, name)
            if figure is not None:
                return drawn(figure, source.rng(str(path), name, str(fitted.size_min_bytes)), source.draws)
    if optional:
        return np.zeros(source.draws)
    raise UserError(
        f"{source.file}: has no {name} of {path.operation} over {path.transport}; "
        "`stretto probe loggp` measures it"
    )


def _resolved(fitted: LogGPRange, name: str) -> Figure | None:
    figure: Figure | None = getattr(fitted, name)
    return figure if figure is not None and figure.value is not None else None


def _entries(profile: Profile, path: Path, methods: Sequence[str]) -> list[LogGPEntry]:
    """The entries of a path: between nodes, if it has such, by method; unnamed methods (by hand) last.

    Those of its own progress mode come before those without help.
    """

    def order(entry: LogGPEntry) -> tuple[int, bool, int]:
        method = methods.index(entry.method) if entry.method in methods else len(methods)
        return _LOCALITIES.index(entry.locality), entry.progress != path.progress, method

    mine = [
        e
        for e in profile.loggp
        if (e.transport, e.operation) == (path.transport, path.operation)
        and e.progress in (path.progress, UNHELPED)
    ]
    nearest = min((order(entry)[0] for entry in mine), default=0)
    return sorted((entry for entry in mine if order(entry)[0] == nearest), key=order)


def _contended_gap(source: Source, path: Path, ranks: int) -> Floats:
    """G when all ranks communicate at once: measured with the number of ranks nearest to `ranks`."""
    entries = [
        e
        for e in source.profile.contended
        if e.transport == path.transport
        and e.operation in (None, path.operation)
        and e.progress in (path.progress, UNHELPED)
        and e.gap_s_per_byte.value is not None
    ]
    if not entries:
        raise UserError(
            f"{source.file}: has no contended gap_s_per_byte of {path.operation} over {path.transport}; "
            "`stretto probe loggp` measures it"
        )
    entry = min(
        entries,
        key=lambda e: (_LOCALITIES.index(e.locality), abs(e.ranks - ranks), e.progress != path.progress),
    )
    return drawn(entry.gap_s_per_byte, source.rng(str(path), "contended"), source.draws)


def _overlap(source: Source, path: Path, size: int) -> tuple[Floats, Floats]:
    """The fraction of a transfer that passes by itself, and how many bytes do at most before a call waits.

    The fraction is eta at T_w = T_c of the size that is nearest in ratio; it has in it what work loses to a
    helper. Where eta falls to less than half at the largest size, it is not progress that hides smaller
    messages but buffers, which many messages fill as one large one does: what they hold is the largest
    eta s. What the profile has no overlap of is taken to be offload.
    """
    unlimited = np.full(source.draws, np.inf)
    mine = [
        e
        for e in source.profile.overlap
        if (e.transport, e.operation, e.progress) == (path.transport, path.operation, path.progress)
        and e.eta.value is not None
    ]
    if not mine:
        return np.ones(source.draws), unlimited
    preferred = min(map(_preference, mine))
    alike = [e for e in mine if _preference(e) == preferred]
    nearest = min(alike, key=lambda e: abs(math.log(max(e.size_bytes, 1) / max(size, 1))))
    rng = source.rng(str(path), "eta", str(nearest.size_bytes))
    overlap = drawn(nearest.eta, rng, source.draws, most=1.0)
    etas = {e.size_bytes: e.eta.value or 0.0 for e in alike}
    if etas[max(etas)] >= _LASTING * max(etas.values()):
        return overlap, unlimited
    return overlap, np.full(source.draws, max(eta * held for held, eta in etas.items()))


def _preference(entry: OverlapEntry) -> tuple[float, ...]:
    """Least for what is most like a schedule: between nodes, both ways, both sides working, at balance."""
    sides = {"both": 0, "origin": 1, "target": 2}
    return (
        _LOCALITIES.index(entry.locality),
        entry.direction != "both-ways",
        sides.get(entry.side, len(sides)),
        abs(math.log(max(entry.ratio, 1e-9))),
    )
