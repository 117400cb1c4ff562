# SPDX-License-Identifier: BSD-3-Clause
"""A figure with its interval, and its reader."""

from dataclasses import dataclass

from stretto.data.fields import Members


@dataclass(frozen=True)
class Figure:
    """A value with its 95 % interval; `value` is None where it is unresolved.

    `bound` is `upper` or `lower` where the value is a bound. `reason` explains a bound or a missing value.
    """

    value: float | None
    ci95_low: float | None = None
    ci95_high: float | None = None
    n: int = 0
    bound: str | None = None
    reason: str | None = None


def figure_member(entry: Members, name: str, low: float, high: float) -> Figure:
    """The figure of a member, an object or a number. UserError where it is absent or out of bounds.

    `low` and `high` bound the value; -`high` and `high` bound the ends of its interval.
    """
    place = entry.place.member(name)
    result = entry.members.get(name)
    if result is None:
        raise place.error("is missing; write a number, or null as the value of an object")
    if not isinstance(result, dict):
        return Figure(entry.number(name, low, high))
    figure = Members(result, place)
    ends = [
        figure.number(end, low if end == "value" else -high, high) if figure.has(end) else None
        for end in ("value", "ci95_low", "ci95_high")
    ]
    value, ci95_low, ci95_high = ends
    if ci95_low is not None and ci95_high is not None and ci95_low > ci95_high:
        raise place.error("has an interval whose low end is above its high end; correct it")
    return Figure(
        value,
        ci95_low,
        ci95_high,
        figure.integer("n", 0, default=0),
        figure.text("bound", allowed=("upper", "lower")) if figure.has("bound") else None,
        figure.text("reason") if figure.has("reason") else None,
    )
