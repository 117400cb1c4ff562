# SPDX-License-Identifier: BSD-3-Clause
"""Compares measured collectives with their runtime functions, for both views of a report. Draws nothing."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stretto.data.profile import Profile
from stretto.model.collective.choice import UNDECIDED
from stretto.model.collective.deviations import Cost, Deviation, costs, deviations, measured_calls
from stretto.model.collective.functions import Functions
from stretto.model.collective.measured import FLAT, Call
from stretto.report.document import Document
from stretto.report.screen import Column, Part, heading, table
from stretto.report.units import compact_size, microseconds


@dataclass(frozen=True)
class Collectives:
    """One algorithm's calls: the deviations of predictions, and the costs of choices."""

    algorithm: str
    deviations: tuple[Deviation, ...]
    costs: tuple[Cost, ...]


def collectives(document: Document) -> list[Collectives]:
    """One item per measured algorithm; none where the probe did not run."""
    calls = measured_calls(document.results.rows)
    profile = document.profile or Profile(())
    return [
        _collectives(Functions.of(profile, algorithm), calls)
        for algorithm in dict.fromkeys(call.algorithm for call in calls)
    ]


def _collectives(functions: Functions, calls: Sequence[Call]) -> Collectives:
    ordered = sorted(calls, key=lambda c: (c.members, c.size_bytes))
    return Collectives(
        functions.algorithm, tuple(deviations(functions, ordered)), tuple(costs(functions, ordered))
    )


def largest_grids(measured: Collectives, operation: str) -> list[Deviation]:
    """The deviations of the operation's grids with the largest measured number of processes."""
    selected = [d for d in measured.deviations if d.operation == operation and d.grid != FLAT and d.n]
    most = max((d.members for d in selected), default=0)
    return [d for d in selected if d.members == most]


def operations(measured: Collectives) -> list[str]:
    return list(dict.fromkeys(d.operation for d in measured.deviations))


def summary(measured: Collectives, operation: str, quantity: str, flat: bool) -> tuple[float, float] | None:
    """The mean and largest deviation of a quantity; None where nothing is predicted."""
    selected = [
        d
        for d in measured.deviations
        if d.operation == operation and d.quantity == quantity and (d.grid == FLAT) == flat and d.n
    ]
    points = sum(d.n for d in selected)
    return (sum(d.mean * d.n for d in selected) / points, max(d.most for d in selected)) if points else None


# The columns of the summary: head, quantity, and whether it is for flat calls.
SUMMARIES = (
    ("flat", "total", True),
    ("leader", "leader", False),
    ("concurrent", "concurrent", False),
    ("two-phase", "total", False),
)


def collective_tables(document: Document) -> Iterator[Part]:
    """Per algorithm: deviations of the runtime functions, then gains of two phases and costs of choices."""
    for result in collectives(document):
        yield ""
        yield heading(f"Runtime functions of {result.algorithm} collectives: mean deviation (largest), %")
        columns = [Column("Operation"), *(Column(name) for name, _, _ in SUMMARIES)]
        yield table(columns, (_deviation_cells(result, operation) for operation in operations(result)))
        if result.costs:
            yield ""
            yield heading("Two phases against flat, measured; what the model chooses, and costs, %")
            yield table(_COSTS, (_cost_cells(cost) for cost in _of_the_most(result.costs)))


def _deviation_cells(measured: Collectives, operation: str) -> list[str]:
    cells = [operation]
    for _, quantity, flat in SUMMARIES:
        two = summary(measured, operation, quantity, flat)
        cells.append(f"{two[0]:.1%} ({two[1]:.1%})".replace("%", "") if two else "-")
    return cells


_COSTS = (
    Column("Operation"),
    Column("p"),
    Column("Size"),
    Column("Flat(us)"),
    Column("Best"),
    Column("Gain"),
    Column("Chosen"),
    Column("Cost"),
)


def _of_the_most(measured: Sequence[Cost]) -> list[Cost]:
    most = max(cost.choice.members for cost in measured)
    return sorted((c for c in measured if c.choice.members == most), key=lambda c: c.choice.operation)


def _cost_cells(cost: Cost) -> list[str]:
    return [
        cost.choice.operation,
        str(cost.choice.members),
        compact_size(cost.choice.size_bytes),
        microseconds(cost.flat_s),
        cost.best_grid,
        f"{100 * cost.best_gain:.1f}",
        chosen_words(cost),
        f"{100 * cost.over_best:.1f}",
    ]


def chosen_words(cost: Cost) -> str:
    """The chosen form, or `undecided` where the predictions are too close."""
    return "undecided" if cost.choice.use == UNDECIDED else cost.chosen
