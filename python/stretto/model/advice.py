# SPDX-License-Identifier: BSD-3-Clause
"""Chooses among candidates with predicted times, and gives the confidence; independent of the subject."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stretto.data.results import AxisValue
from stretto.model.prediction import Gain, estimate
from stretto.model.statistics import Estimate, Floats

EQUAL = 0.01  # times that differ by less count as equal, and the simplest candidate is advised
TOLERANCE = 0.05  # largest relative distance of advice from the best candidate
SURE = 0.95  # least share of draws in which advice is within TOLERANCE of the best


@dataclass(frozen=True)
class Candidate:
    """A possible choice. Earlier candidates are simpler, and are advised where no later one is better.

    Attributes:
        choice: Its values by axis: schedule, chunks, prefetch, transport, progress, algorithm, grid, ...
        time_s: The predicted time, shape (draws,); all candidates have the same draws.
        gain: The gain over a reference, if there is one.
    """

    choice: Mapping[str, AxisValue]
    time_s: Floats
    gain: Gain | None = None


@dataclass(frozen=True)
class Advice:
    """A question and the advised choice.

    Attributes:
        subject: `ft`, `spmv`, a collective's name, ...
        problem: The sizes.
        leading: The advised candidate, or the best one where undecided.
        decided: Whether the parameters' intervals allow an answer.
        confidence: The share of draws in which `leading` is within TOLERANCE of the best candidate.
        rivals: Candidates that beat `leading` by more than TOLERANCE in some draws. Empty where decided.
        candidates: All candidates, with the leading one.
    """

    subject: str
    problem: Mapping[str, AxisValue]
    leading: Candidate
    decided: bool
    confidence: float
    rivals: tuple[Candidate, ...]
    candidates: tuple[Candidate, ...]

    @property
    def time_s(self) -> Estimate:
        """The predicted time of the leading candidate."""
        return estimate(self.leading.time_s)


def advise(subject: str, problem: Mapping[str, AxisValue], candidates: Sequence[Candidate]) -> Advice:
    """Advises the first candidate within EQUAL of the best.

    It is undecided where that candidate is within TOLERANCE of the best in less than SURE of the draws.

    Args:
        subject: The subject of the question.
        problem: The sizes to show.
        candidates: At least one; the simplest first.
    """
    times = np.stack([candidate.time_s for candidate in candidates])
    best_s = times.min(axis=0)
    place = int(np.argmax(times[:, 0] <= best_s[0] * (1 + EQUAL)))  # draw 0 has the estimates
    confidence = float((times[place] <= best_s * (1 + TOLERANCE)).mean())
    decided = confidence >= SURE
    better = (times * (1 + TOLERANCE) < times[place]).any(axis=1)
    rivals = [c for index, c in enumerate(candidates) if better[index]] if not decided else []
    return Advice(subject, problem, candidates[place], decided, confidence, tuple(rivals), tuple(candidates))
