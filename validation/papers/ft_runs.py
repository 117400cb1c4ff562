# SPDX-License-Identifier: BSD-3-Clause
"""Compares NAS FT on the machines of the one-sided slides, simulated and modelled, with the slides' figures.

Absolute times do not compare, because cores compute at their peak here and overlap is ideal
(docs/platforms.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bench.harness.checks import Checks, Result, Table, yes_or_no
from stretto.launch.platforms import Platform, find_platform
from stretto.model.overlap import largest_gain
from validation.papers.kernel_machine import KernelMachine
from validation.papers.kernel_plans import KernelVariant
from validation.papers.simulation import simulate

SIZES = (("W", 16), ("A", 16), ("B", 64), ("B", 128), ("B", 256))
"""Classes and ranks: those for which all schedules can be simulated, and those of the slides."""
MACHINES = ("jacquard", "lemieux", "thunder", "fsn")
BEST_GAIN = 1.9  # slides, p. 21: the best gain over the original NAS FT
TRANSPOSE_SHARE = 0.67  # slides, p. 16: share of the bidirectional peak, class D, 256 processors, jacquard
REFERENCE = ("alltoall", "mpi-two-sided")
VARIANTS = (
    REFERENCE,
    *((name, over) for over in ("mpi-two-sided", "stretto") for name in ("packed-slabs", "slabs", "pencils")),
)
_ITERATIONS = 1
_COMPLEX_BYTES = 16


@dataclass(frozen=True)
class Cell:
    """A variant on a machine: the model's seconds and, if simulated, the document of the run."""

    variant: str
    transport: str
    model_s: float
    document: dict[str, Any] | None

    @property
    def simulated_s(self) -> float:
        """The seconds of a simulated cell."""
        assert self.document is not None
        return float(self.document["time_s"])


@dataclass(frozen=True)
class Setting:
    """A class on a number of ranks of a machine, one per node while there are free nodes."""

    platform: Platform
    class_name: str
    ranks: int

    @property
    def label(self) -> tuple[str, str, str]:
        return self.platform.name, self.class_name, str(self.ranks)

    def plan(self, variant: str, transport: str) -> KernelVariant:
        """A variant of the class, with the number of simulated iterations."""
        return KernelVariant("ft", self.class_name, self.ranks, variant, transport, _ITERATIONS)

    @property
    def work_s(self) -> float:
        """A rank's transforms at its core's peak."""
        transforms = self.plan("packed-slabs", "mpi-two-sided").phases[-1]
        return transforms.flops * transforms.times * self.machine.seconds_per_flop

    @property
    def machine(self) -> KernelMachine:
        return KernelMachine(self.platform, self.ranks)

    def modelled_s(self, variant: str, transport: str) -> float:
        """The time that the graph of its schedule predicts."""
        return self.machine.modelled_s(self.plan(variant, transport))

    def transpose_share(self, packed_s: float) -> float:
        """The share of the bidirectional peak that packed slabs reach without computation."""
        points = self.plan(*REFERENCE).points
        sent = _COMPLEX_BYTES * points / self.ranks * (self.ranks - 1) / self.ranks * (_ITERATIONS + 1)
        return 2 * sent / (packed_s - self.work_s) / self.machine.both_ways_bytes_per_s


def measured(setting: Setting, max_messages: int) -> Iterator[Cell]:
    """All variants; those with at most this many messages per transpose are simulated."""
    for variant, transport in VARIANTS:
        messages = setting.plan(variant, transport).phases[-1].messages * setting.ranks
        document = None
        if messages <= max_messages:
            options = (
                f"--class={setting.class_name}",
                f"--set=iterations={_ITERATIONS}",
                "--set=effort=estimate",
            )
            document = simulate(setting.platform, setting.ranks, "ft", variant, transport, *options)
        yield Cell(variant, transport, setting.modelled_s(variant, transport), document)


def ft_results(
    machines: Sequence[str], sizes: Sequence[tuple[str, int]], max_messages: int
) -> Iterator[Result]:
    """Yields one row per variant, class and number of ranks, then the summary."""
    rows, summary, verified = [], [], True
    for name in machines:
        platform = find_platform(name)
        max_ranks = int(platform.figure("nodes", 0) * platform.figure("cores_per_node", 1))
        for class_name, ranks in sizes:
            if ranks > max_ranks:
                continue
            setting = Setting(platform, class_name, ranks)
            cells = list(measured(setting, max_messages))
            verified = verified and all(cell.document is None or cell.document["verified"] for cell in cells)
            rows += [_row(setting, cell, cells[0]) for cell in cells]
            summary.append(_summary(setting, cells))
    columns = ("machine", "class", "ranks", "variant", "over", "simulated (ms)", "model (ms)", "off", "gain")
    yield Table("ft, one iteration; cores at their peak, ideal overlap", columns, rows)
    variants = [f"{variant} {over}" for variant, over in VARIANTS[1:]]
    heads = ("machine", "class", "ranks", *variants, "best", "possible", "transpose")
    title = (
        f"Gains over the blocking all-to-all (slides: about {BEST_GAIN} in the best case); "
        f"transpose as share of the peak both ways (slides: {TRANSPOSE_SHARE}); * by the model"
    )
    yield Table(title, heads, summary)
    yield Checks("ft", [yes_or_no("ft: solutions verified", "simulated machines", verified)])


def _row(setting: Setting, cell: Cell, reference: Cell) -> tuple[str, ...]:
    simulated, off = "-", "-"
    if cell.document is not None:
        simulated, off = f"{1e3 * cell.simulated_s:.3f}", f"{cell.model_s / cell.simulated_s - 1:+.1%}"
    times = (simulated, f"{1e3 * cell.model_s:.3f}", off)
    return *setting.label, cell.variant, cell.transport, *times, _gain(reference, cell)


def _gain(reference: Cell, cell: Cell) -> str:
    """The gain from simulated times, or from modelled ones with a mark."""
    if cell.document is not None and reference.document is not None:
        return f"{reference.simulated_s / cell.simulated_s:.2f}"
    return f"{reference.model_s / cell.model_s:.2f}*"


def _summary(setting: Setting, cells: Sequence[Cell]) -> tuple[str, ...]:
    reference = cells[0]
    gains = [_gain(reference, cell) for cell in cells[1:]]
    best = max(gains, key=lambda text: float(text.rstrip("*")))
    total_s = reference.model_s if reference.document is None else reference.simulated_s
    possible = float(largest_gain(setting.work_s, total_s - setting.work_s))
    share = setting.transpose_share(total_s)
    mark = "*" if reference.document is None else ""
    return *setting.label, *gains, best, f"{possible:.2f}{mark}", f"{share:.2f}{mark}"
