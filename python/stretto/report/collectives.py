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
from stretto.report.figure_table import Bytes, Cell, FigureTable, Head, Worded
from stretto.report.units import microseconds


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


def collective_tables(document: Document) -> Iterator[FigureTable]:
    """Per algorithm: deviations of the runtime functions, then gains of two phases and costs of choices."""
    for result in collectives(document):
        yield deviation_table(result)
        if result.costs:
            most = max(cost.choice.members for cost in result.costs)
            selected = [cost for cost in result.costs if cost.choice.members == most]
            yield cost_table(sorted(selected, key=lambda cost: cost.choice.operation))


def deviation_table(measured: Collectives) -> FigureTable:
    """The mean and the largest deviation of predictions, by operation."""
    return FigureTable(
        "",
        f"Runtime functions of {measured.algorithm} collectives: mean deviation (largest), %",
        [Head("Operation"), *(Head(name) for name, _, _ in SUMMARIES)],
        [_deviation_cells(measured, operation) for operation in operations(measured)],
        caption="Mean deviation of predictions from measurements (largest), %",
    )


def _deviation_cells(measured: Collectives, operation: str) -> list[Cell]:
    cells: list[Cell] = [operation]
    for _, quantity, flat in SUMMARIES:
        two = summary(measured, operation, quantity, flat)
        cells.append(f"{100 * two[0]:.1f} ({100 * two[1]:.1f})" if two else Worded("-", "–"))
    return cells


def cost_table(shown: Sequence[Cost]) -> FigureTable:
    """What two phases gain over flat calls, and what the model's choice costs."""
    return FigureTable(
        "",
        "Two phases against flat, measured; what the model chooses, and costs, %",
        _COSTS,
        [_cost_cells(cost) for cost in shown],
    )


_COSTS = (
    Head("Operation"),
    Head("p"),
    Head("Size"),
    Head("Flat", "µs"),
    Head("Best grid", short="Best"),
    Head("Gain, %", short="Gain"),
    Head("Model's choice", short="Chosen"),
    Head("Over best, %", short="Cost"),
    Head("Over flat, %", on_page=True),
)


def _cost_cells(cost: Cost) -> list[Cell]:
    return [
        cost.choice.operation,
        str(cost.choice.members),
        Bytes(cost.choice.size_bytes),
        microseconds(cost.flat_s),
        cost.best_grid,
        _signed(cost.best_gain),
        chosen_words(cost),
        _signed(cost.over_best),
        _signed(cost.over_flat),
    ]


def _signed(fraction: float) -> Worded:
    return Worded(f"{100 * fraction:.1f}", f"{100 * fraction:+.1f}".replace("-", "−"))


def chosen_words(cost: Cost) -> str:
    """The chosen form, or `undecided` where the predictions are too close."""
    return "undecided" if cost.choice.use == UNDECIDED else cost.chosen
