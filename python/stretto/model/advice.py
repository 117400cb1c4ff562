# SPDX-License-Identifier: BSD-3-Clause
"""What to choose among candidates whose times are predicted, and how sure that is. Knows no subject."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stretto.data.results import AxisValue
from stretto.model.prediction import Gain, estimate
from stretto.model.statistics import Estimate, Floats

EQUAL = 0.01  # times that differ by less are equally good: then the simplest candidate is advised
TOLERANCE = 0.05  # how far from the best candidate advice may be, in how many of the draws
SURE = 0.95  # in fewer draws within the tolerance of the best than this, nothing is advised


@dataclass(frozen=True)
class Candidate:
    """Something that could be chosen. Earlier candidates are simpler: they are advised where none is better.

    Attributes:
        choice: What it is, by axis: schedule, chunks, prefetch, transport, progress, algorithm, grid, ...
        time_s: Its predicted time, shape (draws,); all candidates have the same draws.
        gain: Over what is compared with, if there is such a thing.
    """

    choice: Mapping[str, AxisValue]
    time_s: Floats
    gain: Gain | None = None


@dataclass(frozen=True)
class Advice:
    """What was to be chosen, and the choice.

    Attributes:
        subject: `ft`, `spmv`, a collective's name, ...
        problem: For which sizes.
        leading: The candidate that is advised, or would be if it were sure.
        decided: Whether the parameters' intervals allow an answer.
        confidence: In which share of the draws it is within TOLERANCE of the best candidate.
        rivals: Candidates that are better than `leading` by more than TOLERANCE in some draws: all that they
            leave open. Empty where decided.
        candidates: All of them, the leading one too.
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
        """Of the leading candidate."""
        return estimate(self.leading.time_s)


def advise(subject: str, problem: Mapping[str, AxisValue], candidates: Sequence[Candidate]) -> Advice:
    """The first candidate believed to be within EQUAL of the best; undecided where TOLERANCE is unsure.

    Args:
        subject: What the question is about.
        problem: Its sizes, to be shown.
        candidates: At least one, the simplest first.
    """
    times = np.stack([candidate.time_s for candidate in candidates])
    best_s = times.min(axis=0)
    place = int(np.argmax(times[:, 0] <= best_s[0] * (1 + EQUAL)))  # the first draw is the believed one
    confidence = float((times[place] <= best_s * (1 + TOLERANCE)).mean())
    decided = confidence >= SURE
    better = (times * (1 + TOLERANCE) < times[place]).any(axis=1)
    rivals = [c for index, c in enumerate(candidates) if better[index]] if not decided else []
    return Advice(subject, problem, candidates[place], decided, confidence, tuple(rivals), tuple(candidates))
