# SPDX-License-Identifier: BSD-3-Clause
"""How predicted times are shown against a measured one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from stretto.data.sizes import said_change, shown_duration
from stretto.model.predicted import PredictionCheck
from stretto.report.screen import Column, Part, prose, table


def predicted_document(check: PredictionCheck, threshold: float) -> dict[str, Any]:
    """The document of `stretto compare --predicted`."""
    return {
        "threshold": threshold,
        "measured": {"name": check.measured.name, "time_s": check.measured.time_s},
        "nearest": check.nearest.predicted.name,
        "rows": [
            {"name": one.predicted.name, "predicted_s": one.predicted.time_s, "deviation": one.deviation}
            for one in check.deviations
        ],
    }


def predicted_view(check: PredictionCheck, threshold: float) -> Iterator[Part]:
    """The nearest prediction in a sentence, then all of them."""
    near = check.nearest
    within = "within" if abs(near.deviation) <= threshold else "beyond"
    yield prose(
        f"Measured {shown_duration(check.measured.time_s)} ({check.measured.name}); the nearest prediction, "
        f"{near.predicted.name}, is {said_change(near.deviation, 1)} away, {within} the threshold of "
        f"{threshold:.3g}.",
        indent=0,
        style="bold",
    )
    if len(check.deviations) > 1:
        yield ""
        columns = (Column("prediction", words=True), Column("predicted"), Column("deviation"))
        yield table(
            columns,
            (
                [one.predicted.name, shown_duration(one.predicted.time_s), said_change(one.deviation, 1)]
                for one in check.deviations
            ),
        )
