# SPDX-License-Identifier: BSD-3-Clause
"""What a runtime function is fitted to: measured times over p and b, with their resampled medians."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Points:
    """Measured calls of one operation, one row a point.

    Attributes:
        members: p, shape (n,).
        size_bytes: b, shape (n,).
        time_s: Smoothed medians over the rounds, shape (n,).
        replicates_s: The same of resampled rounds, shape (n, R).
    """

    members: Floats
    size_bytes: Floats
    time_s: Floats
    replicates_s: Floats

    def __len__(self) -> int:
        return len(self.time_s)

    @staticmethod
    def exact(members: Iterable[float], size_bytes: Iterable[float], time_s: Iterable[float]) -> "Points":
        """Times without noise: of a formula, or of a simulation that repeats itself."""
        t = np.array(list(time_s), dtype=float)
        return Points(
            np.array(list(members), dtype=float), np.array(list(size_bytes), dtype=float), t, t[:, None]
        )

    def where(self, chosen: npt.NDArray[np.bool_]) -> "Points":
        return Points(
            self.members[chosen], self.size_bytes[chosen], self.time_s[chosen], self.replicates_s[chosen]
        )

    @property
    def root_bytes(self) -> Floats:
        """What the root of a gather holds."""
        product: Floats = self.members * self.size_bytes
        return product

    def noise(self) -> float:
        """The variance of the medians relative to them, averaged over the points."""
        return float(np.mean(np.var(self.replicates_s, axis=1) / self.time_s**2)) if len(self) else 0.0


def joined(parts: Sequence[Points]) -> Points:
    """Points of several groups as one; as many replicates as all of them have."""
    replicates = min(part.replicates_s.shape[1] for part in parts)
    return Points(
        np.concatenate([part.members for part in parts]),
        np.concatenate([part.size_bytes for part in parts]),
        np.concatenate([part.time_s for part in parts]),
        np.concatenate([part.replicates_s[:, :replicates] for part in parts]),
    )


def relative_deviation(predicted_s: Floats, measured_s: Floats) -> Floats:
    """(predicted - measured) / measured, a fraction."""
    found: Floats = predicted_s / measured_s - 1
    return found
