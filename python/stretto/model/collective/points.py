# SPDX-License-Identifier: BSD-3-Clause
"""What a runtime function is fitted to: measured times over p and b, with their resampled medians."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from stretto.model.collective.terms import Site

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Points:
    """Measured calls of one operation, one row a point.

    Attributes:
        members: p, shape (n,).
        size_bytes: b, shape (n,).
        time_s: Smoothed medians over the rounds, shape (n,).
        replicates_s: The same of resampled rounds, shape (n, R).
        of_messages: Factors that rest on more than p, by name, shape (n,) each.
        sites: Who takes part in each, and where; n of them, or none where nobody asks.
    """

    members: Floats
    size_bytes: Floats
    time_s: Floats
    replicates_s: Floats
    of_messages: Mapping[str, Floats] = field(default_factory=dict)
    sites: tuple[Site, ...] = ()

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
            self.members[chosen],
            self.size_bytes[chosen],
            self.time_s[chosen],
            self.replicates_s[chosen],
            {name: values[chosen] for name, values in self.of_messages.items()},
            tuple(site for site, is_in in zip(self.sites, chosen, strict=False) if is_in),
        )

    def at_sizes(self, sizes: Floats) -> "Points":
        """Each p once, with each of `sizes` (shape (m,)): where a function is asked, no times."""
        rows = np.repeat(np.unique(self.members, return_index=True)[1], len(sizes))
        size_bytes = np.tile(sizes, len(rows) // len(sizes))
        times = np.ones(len(rows))
        factors = {name: values[rows] for name, values in self.of_messages.items()}
        return Points(self.members[rows], size_bytes, times, times[:, None], factors)

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
        {
            name: np.concatenate([part.of_messages[name] for part in parts])
            for name in parts[0].of_messages
            if all(name in part.of_messages for part in parts)
        },
        tuple(site for part in parts for site in part.sites),
    )


def relative_deviation(predicted_s: Floats, measured_s: Floats) -> Floats:
    """(predicted - measured) / measured, a fraction."""
    found: Floats = predicted_s / measured_s - 1
    return found
