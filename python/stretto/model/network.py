# SPDX-License-Identifier: BSD-3-Clause
"""Costs of transfers over a path: LogGP parameters and overlap by message size, drawn from their intervals.

`stretto.model.parameters` selects the parameters, and `stretto-model` evaluates them for messages. This
module is independent of schedules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from stretto.data.profile import LOGGP, Figure
from stretto.model.statistics import Floats
from stretto.native.model import query_model

DRAWS = 200
PARAMETERS = tuple(LOGGP.values())
"""The LogGP parameters of a range of message sizes."""

MEASURED = ("time_s", "stream_s", "overhead_send_s", "receive_s")
"""What is measured of a size where the parameters cannot be separated."""

_NORMAL_95 = 1.959964  # half of the 95 % interval of a normal distribution, in standard deviations


@dataclass(frozen=True)
class LogGp:
    """Parameters for messages of one size: arrays of shape (draws,), the believed value first.

    Attributes:
        latency_s: L.
        overhead_send_s: o_s, the processor's time to start a transfer.
        overhead_receive_s: o_r, the processor's time to complete a received message; zero for put and get.
        gap_s: g of LogGP: the network card's time per message, without its bytes.
        gap_queue_s: g of the probes' paper (section 7.2): how long a start keeps the injection queue busy.
        gap_s_per_byte: G.
        overlap: The fraction of a transfer's wire time that passes while its origin is in no call, 0 to 1.
        steal: The fraction of the processor that moving messages take from computation, 0 to 1.
        unattended_bytes: The most bytes that pass without a call, limited by buffers.
    """

    latency_s: Floats
    overhead_send_s: Floats
    overhead_receive_s: Floats
    gap_s: Floats
    gap_queue_s: Floats
    gap_s_per_byte: Floats
    overlap: Floats
    steal: Floats
    unattended_bytes: Floats

    @staticmethod
    def of(
        L: float = 0.0,
        o: float = 0.0,
        o_r: float = 0.0,
        g: float = 0.0,
        g_queue: float = 0.0,
        G: float = 0.0,
        overlap: float = 1.0,
        steal: float = 0.0,
        unattended_bytes: float = np.inf,
    ) -> LogGp:
        """One draw, from plain numbers: seconds, G in seconds a byte. Offload unless told."""
        values = (L, o, o_r, g, g_queue, G, overlap, steal, unattended_bytes)
        return LogGp(*(np.array([value]) for value in values))

    def with_byte_gap(self, gap_s_per_byte: Floats) -> LogGp:
        """The same costs with another G (another bar: M, E)."""
        return replace(self, gap_s_per_byte=gap_s_per_byte)


Times = Mapping[int, Mapping[str, Floats]]
"""Times or parameters by message size and name; every array of shape (draws,)."""


@dataclass(frozen=True)
class PathCosts:
    """The costs of a path; every array of shape (draws,).

    Attributes:
        ranges: The LogGP parameters by the smallest message size that they are for; absent ones are zero.
        points: The measured times by message size, where the parameters cannot be separated.
        operation: What the points are of: `send`, `put` or `get`.
        byte_gap: G of all sizes, instead of that of ranges and points.
        byte_speed: What G of all sizes is divided by.
        overlap: By message size; the size that is nearest in ratio counts. Empty: everything overlaps.
        steal: As in `LogGp`.
        unattended_bytes: As in `LogGp`; None: unlimited.
    """

    ranges: Times
    points: Times = field(default_factory=dict)
    operation: str = "send"
    byte_gap: Floats | None = None
    byte_speed: Floats | None = None
    overlap: Mapping[int, Floats] = field(default_factory=dict)
    steal: Floats | None = None
    unattended_bytes: Floats | None = None

    @staticmethod
    def uniform(loggp: LogGp) -> PathCosts:
        """The same costs for all sizes."""
        return PathCosts(
            {0: {name: getattr(loggp, name) for name in PARAMETERS}},
            overlap={0: loggp.overlap},
            steal=loggp.steal,
            unattended_bytes=loggp.unattended_bytes if np.isfinite(loggp.unattended_bytes).all() else None,
        )

    def with_byte_gap(self, gap_s_per_byte: Floats) -> PathCosts:
        """The same path with another G for all sizes."""
        return replace(self, byte_gap=gap_s_per_byte)

    def with_faster_bytes(self, factors: Floats) -> PathCosts:
        """The path in all draws for each of `factors`, which G is divided by: shape (factors * draws,)."""

        def repeated(values: Floats) -> Floats:
            return values if len(values) == 1 else np.tile(values, len(factors))

        def of_all(times: Times) -> Times:
            return {size: {name: repeated(of) for name, of in one.items()} for size, one in times.items()}

        return replace(
            self,
            ranges=of_all(self.ranges),
            points=of_all(self.points),
            byte_gap=None if self.byte_gap is None else repeated(self.byte_gap),
            byte_speed=np.repeat(factors, self.draws),
            overlap={size: repeated(eta) for size, eta in self.overlap.items()},
            steal=None if self.steal is None else repeated(self.steal),
            unattended_bytes=None if self.unattended_bytes is None else repeated(self.unattended_bytes),
        )

    @property
    def draws(self) -> int:
        """How many draws the times have; one where all are sure."""
        times = [of for one in (*self.ranges.values(), *self.points.values()) for of in one.values()]
        return max((len(of) for of in times), default=1)

    @property
    def request(self) -> dict[str, object]:
        """Member `path` of a request."""
        result: dict[str, object] = {
            "operation": self.operation,
            "ranges": _by_size(self.ranges, "from_bytes"),
            "points": _by_size(self.points, "size_bytes"),
            "overlap": [
                {"size_bytes": size, "eta": shortened(eta)} for size, eta in sorted(self.overlap.items())
            ],
        }
        for name in ("byte_gap", "byte_speed", "steal", "unattended_bytes"):
            values = getattr(self, name)
            if values is not None:
                result[name] = shortened(values)
        return result


def _by_size(times: Times, size_name: str) -> list[dict[str, object]]:
    return [
        {size_name: size, **{name: shortened(values) for name, values in of.items()}}
        for size, of in sorted(times.items())
    ]


def costs_at(of: Sequence[tuple[PathCosts, int]]) -> list[LogGp]:
    """The costs of messages, each of a given size on a path."""
    answers = query_model(
        [{"kind": "costs", "path": costs.request, "sizes_bytes": [size]} for costs, size in of],
    )
    return [_loggp(answer["costs"][0]) for answer in answers]


def _loggp(costs: Mapping[str, Sequence[float | None]]) -> LogGp:
    draws = len(costs["latency_s"])
    values = {name: np.array(costs[name], dtype=float) for name in (*PARAMETERS, "overlap")}
    held = [np.inf if one is None else one for one in costs["unattended_bytes"]]
    return LogGp(**values, steal=np.zeros(draws), unattended_bytes=np.array(held))


def shortened(values: Floats) -> float | list[float]:
    """One number where all are the same."""
    if (values == values[0]).all():
        return float(values[0])
    listed: list[float] = values.tolist()
    return listed


def drawn(figure: Figure, rng: np.random.Generator, draws: int = DRAWS, most: float = np.inf) -> Floats:
    """Values that the figure's interval allows: shape (draws,), the believed value first.

    The distribution is two half normal ones that meet at the value, with the widths of the interval, cut
    at zero and at `most`. A figure without an interval is sure.
    """
    assert figure.value is not None
    value = figure.value
    low = value if figure.ci95_low is None else min(figure.ci95_low, value)
    high = value if figure.ci95_high is None else max(figure.ci95_high, value)
    normal = rng.standard_normal(draws)
    normal[0] = 0.0
    width = np.where(normal < 0, value - low, high - value) / _NORMAL_95
    clipped: Floats = np.clip(value + normal * width, 0.0, most)
    return clipped
