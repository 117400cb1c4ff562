# SPDX-License-Identifier: BSD-3-Clause
"""The shares of covered truths that docs/results/coverage.md shows."""

import math

from stretto.model.statistics import Estimate
from validation.coverage import covered_shares


def test_the_share_is_that_of_the_seeds_with_an_interval() -> None:
    def case(noise: str, number: int, seed: int) -> dict[str, tuple[float, Estimate | None]]:
        assert (noise, number) == ("normal", 3)
        high = Estimate(3.0, 2.5, 3.5, number)
        return {
            "every other": (3.0, high if seed % 2 else Estimate(1.0, 0.5, 2.0, number)),
            "one of two with an interval": (seed, high if seed in (2, 3) else None),
            "none": (0.0, None),
        }

    shares = covered_shares(case, "normal", 3, 8)
    assert shares["every other"] == shares["one of two with an interval"] == 50
    assert math.isnan(shares["none"])
