# SPDX-License-Identifier: BSD-3-Clause
"""Curves over message size from the LogGP parameters of a profile."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stretto.data.profile import Figure, LogGPEntry, LogGPRange, Profile

_STEPS = 24


@dataclass(frozen=True)
class Curve:
    """One protocol range: sizes in bytes and the model's values (seconds, or bytes per second)."""

    sizes_bytes: tuple[float, ...]
    values: tuple[float, ...]


def entry_for(
    profile: Profile | None, transport: object, operation: object, locality: object, progress: object
) -> LogGPEntry | None:
    """The profile's parameters of a path, preferably by a method that gives L.

    Any locality and progress mode match where the figures lack theirs.
    """
    selected = [
        entry
        for entry in (profile.loggp if profile else ())
        if (entry.transport, entry.operation) == (transport, operation)
        and locality in (None, entry.locality)
        and progress in (None, entry.progress)
    ]
    return next(
        (entry for entry in selected if entry.ranges[0].latency_s is not None),
        selected[0] if selected else None,
    )


def latency_curves(entry: LogGPEntry, largest_bytes: int) -> list[Curve]:
    """Time of one transfer: `o_s + L + (s-1) G + o_r`; of a completed put or get `o_s + 2 L + (s-1) G`.

    L of a one-sided operation is half of the rest of put and flush (docs/formats.md). Where the overheads of
    a range are unknown or bounds, its L was fitted with those of the lowest range, which are used here too.
    """

    def time_s(r: LogGPRange, size_bytes: float) -> float | None:
        latency, gap = known(r.latency_s), known(r.gap_s_per_byte)
        send, receive = overhead_s(entry, r, "overhead_send_s"), overhead_s(entry, r, "overhead_receive_s")
        if latency is None or gap is None or send is None:
            return None
        if entry.operation != "send":
            return send + 2 * latency + (size_bytes - 1) * gap
        return None if receive is None else send + latency + (size_bytes - 1) * gap + receive

    return _curves(entry, largest_bytes, time_s)


def bandwidth_curves(entry: LogGPEntry, largest_bytes: int) -> list[Curve]:
    """Bytes per second of an endless train: `s / (max(g, o_s) + (s-1) G)`."""

    def rate(r: LogGPRange, size_bytes: float) -> float | None:
        overhead = overhead_s(entry, r, "overhead_send_s")
        starts = [value for value in (known(r.gap_s), overhead) if value is not None]
        gap = known(r.gap_s_per_byte)
        period = max(starts) + (size_bytes - 1) * gap if starts and gap is not None else 0.0
        return size_bytes / period if period > 0 else None

    return _curves(entry, largest_bytes, rate)


def overhead_s(entry: LogGPEntry, r: LogGPRange, name: str) -> float | None:
    """An overhead of a range, or of the lowest range where this one has none or a bound."""
    own: Figure | None = getattr(r, name)
    usable = own is not None and own.value is not None and own.bound is None
    return known(own if usable or r is entry.ranges[0] else getattr(entry.ranges[0], name))


def known(figure: Figure | None) -> float | None:
    return None if figure is None else figure.value


def _curves(
    entry: LogGPEntry, largest_bytes: int, value: Callable[[LogGPRange, float], float | None]
) -> list[Curve]:
    result: list[Curve] = []
    for index, r in enumerate(entry.ranges):
        # A range ends where the next one begins, so that the curve has no gap between measured sizes.
        end = entry.ranges[index + 1].size_min_bytes if index + 1 < len(entry.ranges) else r.size_max_bytes
        sizes = _between(max(1, r.size_min_bytes), min(end, max(largest_bytes, 1)))
        values = [(size, v) for size in sizes if (v := value(r, size)) is not None]
        if values:
            result.append(Curve(tuple(size for size, _ in values), tuple(v for _, v in values)))
    return result


def _between(low: float, high: float) -> Sequence[float]:
    """Sizes from `low` to `high`, evenly on a logarithmic axis."""
    if high < low:
        return ()
    ratio = (high / low) ** (1 / _STEPS)
    return [low * ratio**step for step in range(_STEPS)] + [high]
