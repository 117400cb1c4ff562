# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of the `loggp` probe on one path, by size: medians over rounds and their replicates.

Module `loggp` fits parameters to them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from stretto.model.cases import Case, Floats
from stretto.model.segments import Flags
from stretto.model.statistics import (
    SHORTEST_S,
    Bootstrapped,
    Estimate,
    bootstrap_medians,
    interval,
    interval_of_several,
    median,
)

NEEDED = ("prtt_1", "prtt_n", "prtt_n_spaced")


@dataclass(frozen=True)
class Series:
    """One quantity in seconds by size. The rounds of a size are a case, independent of those of others.

    Attributes:
        value: Shape (m,).
        replicates: Shape (m, REPLICATES).
        cases: The place of each size among those of the path, shape (m,).
        rounds: Of all sizes of the path.
    """

    value: Floats
    replicates: Floats
    cases: npt.NDArray[np.intp]
    rounds: Floats

    def part(self, place: "slice | Flags") -> "Series":
        return Series(self.value[place], self.replicates[place], self.cases[place], self.rounds)

    def first(self) -> "Combination":
        """The value at the smallest size."""
        return self.part(slice(0, 1)).weighted(np.ones(1))

    def weighted(self, weights: Floats) -> "Combination":
        """A linear combination of the sizes: `weights` has shape (m,)."""
        by_case = np.zeros((len(self.rounds), self.replicates.shape[1]))
        by_case[self.cases] = weights[:, None] * self.replicates
        return Combination(float(weights @ self.value), weights @ self.replicates, by_case, self.rounds)

    def __sub__(self, other: "Series") -> "Series":
        """The difference at each size, or from one value for all sizes."""
        replicates = self.replicates - other.replicates
        return Series(self.value - other.value, replicates, self.cases, self.rounds)

    def __mul__(self, factor: float | Floats) -> "Series":
        column = factor[:, None] if isinstance(factor, np.ndarray) else factor
        return Series(self.value * factor, self.replicates * column, self.cases, self.rounds)


@dataclass(frozen=True)
class Combination:
    """A figure that combines quantities of several sizes of a path.

    Attributes:
        value: Of the samples.
        replicates: Of the resamples, shape (REPLICATES,).
        by_case: What each case adds to the replicates, shape (sizes of the path, REPLICATES). Quantities of a
            case share rounds: they are added within each resample before variances are taken, so that their
            covariance counts.
        rounds: Of each case, shape (sizes of the path,).
    """

    value: float
    replicates: Floats
    by_case: Floats
    rounds: Floats

    def estimate(self, n: int) -> Estimate:
        """The value with its interval, which states `n` rounds."""
        variances = np.var(self.by_case, axis=1)
        used = variances > 0
        if n < 2 or np.count_nonzero(used) < 2 or not np.isfinite(variances.sum()):
            return interval(self.value, self.replicates, n)
        return interval_of_several(self.value, variances[used], self.rounds[used], n)

    def __add__(self, other: "Combination") -> "Combination":
        return Combination(
            self.value + other.value,
            self.replicates + other.replicates,
            self.by_case + other.by_case,
            self.rounds,
        )

    def __sub__(self, other: "Combination") -> "Combination":
        return self + other * -1.0

    def __abs__(self) -> "Combination":
        return Combination(abs(self.value), np.abs(self.replicates), self.by_case, self.rounds)

    def __mul__(self, factor: float) -> "Combination":
        return Combination(self.value * factor, self.replicates * factor, self.by_case * factor, self.rounds)


def larger(one: Combination, other: Combination) -> Combination:
    """The larger of two, in each replicate; its spread has the cases of the larger value (delta method)."""
    by_case = one.by_case if one.value >= other.value else other.by_case
    replicates = np.maximum(one.replicates, other.replicates)
    return Combination(max(one.value, other.value), replicates, by_case, one.rounds)


@dataclass(frozen=True)
class Trains:
    """The measurements of one path by ascending size; None for quantities that were not measured.

    Attributes:
        sizes: Bytes, shape (m,).
        rounds: Rounds at each size, shape (m,).
        prtt: PRTT(1, 0, s).
        gap: [PRTT(n, 0, s) - PRTT(1, 0, s)] / (n - 1).
        train: [PRTT(n, 0, s) - PRTT(1, 0, s)], the numerator of `gap`.
        overhead_send: [PRTT(n, d, s) - (n - 1) d - PRTT(1, 0, s)] / (n - 1).
        spacing: PRTT(n, d, s) / (n - 1), to which the noise of `overhead_send` is proportional.
        receive: The receiver's time in a receive whose message was already there.
        initiation: The time of a start in a row of starts, max(o, g_queue).
        initiation_apart: The time of a start after work longer than a message, o.
        streaming: The time per message with both directions at once, without one small message's latency.
        gather: The time per message when all ranks send to all.
    """

    sizes: Floats
    rounds: Floats
    prtt: Series
    gap: Series
    train: Series
    overhead_send: Series
    spacing: Floats
    receive: Series | None
    initiation: Series | None
    initiation_apart: Series | None
    streaming: Series | None
    gather: Series | None


def trains_of(cases: Sequence[Case], seed: int, clock_overhead_s: float = 0) -> Trains | None:
    """The trains among the `loggp` cases of one path; None when no size has all of NEEDED.

    Args:
        cases: Cases of one transport, operation, progress mode and number of ranks; at least one per size.
        seed: The seed of the bootstrap; consecutive cases use consecutive seeds.
        clock_overhead_s: What reading the clock takes; one reading is in the time of a step.
    """
    usable = sorted((c for c in cases if c.has(*NEEDED) and _is_train(c)), key=lambda c: c.size_bytes)
    if not usable:
        return None
    medians = [_medians(case, seed + index, clock_overhead_s) for index, case in enumerate(usable)]
    rounds = np.array([float(case.rounds) for case in usable])

    def stacked(name: str) -> Series | None:
        if not all(name in case.quantities for case in usable):
            return None
        result = [(one, list(case.quantities).index(name)) for case, one in zip(usable, medians)]
        values, replicates = zip(*((one.value[place], one.replicates[place]) for one, place in result))
        return Series(np.array(values), np.array(replicates), np.arange(len(usable)), rounds)

    prtt, back_to_back, spaced = (stacked(name) for name in NEEDED)
    assert prtt is not None and back_to_back is not None and spaced is not None
    between = np.array([_messages(case, "prtt_n") - 1 for case in usable])
    between_spaced = np.array([_messages(case, "prtt_n_spaced") - 1 for case in usable])
    streaming = stacked("flood_both")
    if streaming is not None:
        # A stream takes the latency of one message more than its messages take one after the other.
        messages = np.array([_messages(case, "flood_both") for case in usable])
        way = prtt.part(slice(0, 1)) * 0.5
        streaming = (streaming - way) * (1 / messages)
    initiation, separate = stacked("pencils"), stacked("pencils_work")
    if initiation is not None and separate is not None:
        # The first start finds an empty queue and takes o. Section 7.5 divides by N, which suits long rows.
        starts = np.array([_messages(case, "pencils") for case in usable])
        initiation = (initiation - separate) * (1 / np.maximum(starts - 1, 1))
    else:
        initiation = None
    total = np.array([float(median(case.quantities["prtt_n_spaced"].time_s)) for case in usable])
    return Trains(
        sizes=np.array([float(case.size_bytes) for case in usable]),
        rounds=rounds,
        prtt=prtt,
        gap=(back_to_back - prtt) * (1 / between),
        train=back_to_back - prtt,
        overhead_send=(spaced - prtt) * (1 / between_spaced),
        spacing=total / between_spaced,
        receive=stacked("receive_late"),
        initiation=initiation,
        initiation_apart=separate,
        streaming=streaming,
        gather=stacked("gather_all"),
    )


def _messages(case: Case, quantity: str) -> float:
    return max(float(case.quantities[quantity].messages[0]), 1.0)


def _is_train(case: Case) -> bool:
    if min(_messages(case, "prtt_n"), _messages(case, "prtt_n_spaced")) < 2:
        return False
    return float(median(case.quantities["prtt_1"].time_s)) > SHORTEST_S


def _medians(case: Case, seed: int, clock_overhead_s: float) -> Bootstrapped:
    """Medians of the quantities of a case, resampled together, because they are subtracted later.

    A spaced train reads the clock before and after each of its computations.
    """
    values = {}
    peers = max(int(case.axes.get("ranks", 2)) - 1, 1)
    for name, quantity in case.quantities.items():
        if name == "prtt_n_spaced":
            readings = 2 * (quantity.messages - 1) + 1
            values[name] = quantity.time_s - quantity.segments_s["work"] - readings * clock_overhead_s
        elif name == "receive_late":
            values[name] = quantity.segments_s["sync"] / np.maximum(quantity.messages, 1)
        elif name == "pencils":
            values[name] = quantity.segments_s["init"]
        elif name == "pencils_work":
            values[name] = quantity.segments_s["init"] / np.maximum(quantity.messages, 1)
        elif name == "gather_all":
            values[name] = quantity.each_s / peers
        else:
            values[name] = quantity.time_s - clock_overhead_s
    return bootstrap_medians(np.array(list(values.values())), seed)
