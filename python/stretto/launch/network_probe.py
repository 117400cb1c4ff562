# SPDX-License-Identifier: BSD-3-Clause
"""The network between two ranks of an application's place, as plain Isend, Irecv and Waitall see it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from stretto.data.results import ResultRow
from stretto.data.samples import read_samples
from stretto.errors import RunError
from stretto.launch.application import Place
from stretto.launch.pairs import checked_run
from stretto.launch.probing import probe_arguments
from stretto.model.derive import derive_results
from stretto.native.programs import native_program

_SMALLEST_BYTES, _LARGEST_BYTES = 1 << 10, 16 << 20
_SUSTAINED_BYTES = 1 << 20
"""A network may pass shorter messages at once, and only later ones at its bandwidth."""
_BUDGET_S = 20
_MOVES = 0.5
"""Of the messages that overlap at least so much, MPI is said to need no call to move them."""


@dataclass(frozen=True)
class ProbedNetwork:
    """The times of messages.

    Attributes:
        latency_s: Of all sizes.
        times: The time of one message alone, by ascending size in bytes.
        eager_bytes: Messages up to this size move while their ranks compute.
    """

    latency_s: float
    times: tuple[tuple[int, float], ...]
    eager_bytes: int

    def text(self) -> str:
        """The network as the native replay reads it."""
        gaps = [(size, (time_s - self.latency_s) / (size - 1)) for size, time_s in self.times]
        first = f"L={self.latency_s!r},G={gaps[0][1]!r},S={self.eager_bytes}"
        return ";".join([first, *(f"at={size},G={gap_s!r}" for size, gap_s in gaps)])


def probe_network(place: Place, largest_bytes: int, variables: Mapping[str, str]) -> ProbedNetwork:
    """Measures it, with messages up to the size of the application's largest, and to `_SUSTAINED_BYTES`, and
    with these variables set on every rank.

    Raises:
        UserError: the probe is not built for the application's MPI, or cannot be started in its place.
        RunError: the probe failed, or a figure came out unresolved.
    """
    program = native_program("stretto-probe", place.mpi.family, place.mpi.mpiexec)
    largest = min(max(largest_bytes, _SUSTAINED_BYTES), _LARGEST_BYTES)
    on = "local" if place.application.network is None else "emulated"
    with TemporaryDirectory(prefix="stretto-gain-") as directory:
        samples = Path(directory) / "samples.jsonl"
        words = [*_OVERLAP, "--sizes", f"{_SMALLEST_BYTES}:{largest}", "--on", on]
        checked_run(place, place.launch_pair(program, probe_arguments(words, samples), variables))
        return network_of_rows(derive_results(read_samples(samples)).rows)


_OVERLAP = (
    *("overlap", "--transport", "mpi-two-sided", "--operation", "send", "--progress", "none"),
    *("--side", "both", "--ratio", "1", "--budget", str(_BUDGET_S)),
)


def network_of_rows(rows: Sequence[ResultRow]) -> ProbedNetwork:
    """The network, from the results of the probe `overlap`.

    Raises:
        RunError: it has no times of two sizes.
    """
    times = tuple((size, value) for size, value in _one_way(rows, "time") if value)
    if len(times) < 2:
        raise RunError("the network's latency or bandwidth came out unresolved")
    gap_s = min((later_s - time_s) / (larger - size) for (size, time_s), (larger, later_s) in pairwise(times))
    smallest, time_s = times[0]
    latency_s = min(max(time_s - smallest * max(gap_s, 0.0), 0.0), *(0.9 * one for _, one in times))
    return ProbedNetwork(latency_s, times, _eager_bytes(_one_way(rows, "eta")))


def _one_way(rows: Sequence[ResultRow], metric: str) -> Iterator[tuple[int, float | None]]:
    """Value by message size, smallest first; of times that of the communication alone."""
    found = [
        (int(row.axes["size_bytes"]), row.value)
        for row in rows
        if row.metric == metric
        and row.axes.get("direction", "one-way") == "one-way"
        and row.axes.get("quantity", "T_c") == "T_c"
        and row.axes["probe"] == "overlap"
    ]
    yield from sorted(found, key=lambda one: one[0])


def _eager_bytes(etas: Iterator[tuple[int, float | None]]) -> int:
    """The size up to which messages overlap. Of shorter ones most time is the processor's: they may not."""
    eager, moved = _SMALLEST_BYTES, False
    for size, eta in etas:
        if eta is not None and eta >= _MOVES:
            eager, moved = size, True
        elif moved:
            break
    return eager
