# SPDX-License-Identifier: BSD-3-Clause
"""The network between two ranks of an application's place, as plain Isend, Irecv and Waitall see it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from stretto.data.results import ResultRow
from stretto.data.samples import read_samples
from stretto.data.sizes import SEGMENT_BYTES
from stretto.errors import RunError
from stretto.launch.application import Place
from stretto.launch.kept_network import KeptNetwork
from stretto.launch.pairs import checked_run
from stretto.launch.probing import probe_arguments
from stretto.model.derive import derive_results
from stretto.model.disturbed import TOO_BUSY
from stretto.native.library_rules import probe_slices
from stretto.native.programs import native_program

_SMALLEST_BYTES, _LARGEST_BYTES = 1 << 10, 16 << 20
_MAX_BYTES = 32 << 20
_SUSTAINED_BYTES = 1 << 20
"""A network may pass shorter messages at once, and only later ones at its bandwidth."""
_BUDGET_S = 10
_BUFFERED_S = 0.3
"""On the wire, of the message that shows how much one call hands over: a thirtieth of it at most."""
_TOGETHER = 4
"""Messages of the application's largest size that may be outstanding at once."""
_ALL = 0.9
"""An overlap from which on the whole message has moved."""
_MAX_OVERHEAD = 0.9
"""Of the time of a short message."""
_ANY_BYTES = 1 << 40
"""The eager limit of an MPI that never asks first: no message is longer."""
_LIMIT_STEP = 1.2
"""The factor to which the eager limit is measured: MPIs have limits between the first sizes."""
_WIRES = 10
"""A message that takes so many times as long as the shortest is mostly on the wire."""
_MOVES = 0.5
"""Of the messages that overlap at least so much, MPI is said to need no call to move them."""


@dataclass(frozen=True)
class ProbedNetwork:
    """The times of messages.

    Attributes:
        latency_s: Of all sizes.
        times: The time of one message alone, by ascending size in bytes.
        eager_bytes: Messages up to this size move while their ranks compute.
        buffer_bytes: Of longer messages, what one call hands over to the network; 0: it is not known.
        asks_first: Longer messages move only once their receiver has answered a request.
    """

    latency_s: float
    times: tuple[tuple[int, float], ...]
    eager_bytes: int
    buffer_bytes: int = 0
    asks_first: bool = True

    def bytes_in(self, time_s: float) -> int:
        """The size of a message that takes so long, at the largest one's bandwidth; 1 to 32 MiB."""
        size, largest_s = self.times[-1]
        return max(_SUSTAINED_BYTES, min(round(size * time_s / largest_s), _MAX_BYTES))

    def text(self, overhead_s: float = 0.0) -> str:
        """The network as the native replay reads it. `overhead_s`: the part of a message's time that its
        sender's processor takes.

        A shaped network lets a message through that is shorter than its burst, and delays the next one. So
        a message keeps the adapter busy, by its gap g, for the time at the largest one's bandwidth.
        """
        wires = [(size, time_s - self.latency_s) for size, time_s in self.times]
        gaps = [wire_s / (size - 1) for size, wire_s in wires]
        sustained_s = wires[-1][1] / wires[-1][0]
        overhead_s = min(overhead_s, _MAX_OVERHEAD * self.latency_s)
        first = f"L={self.latency_s - overhead_s!r},o_s={overhead_s!r},G={gaps[0]!r}"
        first += f",S={self.eager_bytes if self.asks_first else _ANY_BYTES}"
        first += f",B={self.buffer_bytes}" if self.buffer_bytes else ""
        parts = [
            f"at={size},G={gap_s!r},g={max(size * sustained_s - wire_s, 0.0)!r}"
            for (size, wire_s), gap_s in zip(wires, gaps, strict=True)
        ]
        return ";".join([first, *parts])


def probe_network(
    place: Place,
    largest_bytes: int,
    variables: Mapping[str, str],
    kept: KeptNetwork,
    before: Callable[[], object] = lambda: None,
) -> ProbedNetwork:
    """Measures it, with messages up to the size of the application's largest, and to `_SUSTAINED_BYTES`, and
    with these variables set on every rank. What was kept of the place is not measured again. `before` is
    called before each probe that runs.

    Raises:
        UserError: the probe is not built for the application's MPI, or cannot be started in its place.
        RunError: the probe failed, or a figure came out unresolved.
    """

    def overlap(*words: str) -> Sequence[ResultRow]:
        rows = kept.rows(words)
        if rows is None:
            before()
            rows = tuple(_overlap(place, variables, *words))
            kept.keep(words, rows, is_worth_keeping(rows))
        return rows

    largest = _step(largest_bytes, _SUSTAINED_BYTES, _LARGEST_BYTES)
    words = ("--progress", "none", "--ratio", "1", "--sizes", f"{_SMALLEST_BYTES}:{largest}")
    try:
        network = network_of_rows(overlap(*words))
    except RunError:
        kept.drop(words)
        raise
    try:
        if largest_bytes > network.eager_bytes:
            network = replace(network, eager_bytes=eager_limit(overlap(*words), overlap))
        return with_buffer(network, largest_bytes, overlap)
    except RunError:  # without it the prediction is less exact
        return network


def is_worth_keeping(rows: Sequence[ResultRow]) -> bool:
    """Whether a busy machine has spoiled no message that is long enough to show the network's rate. What a
    slow network leaves unresolved it leaves so at the next time, too.
    """
    long = [row for row in rows if int(row.axes.get("size_bytes", 0)) >= SEGMENT_BYTES]
    return bool(long) and not any((row.reason or "").startswith(TOO_BUSY) for row in long)


def _step(size: int, least: int, most: int) -> int:
    """The next size of a few, so that programs of about the same sizes share what is kept."""
    step = least
    while step < min(size, most):
        step *= 4
    return min(step, most)


def with_buffer(
    network: ProbedNetwork, largest_bytes: int, overlap: Callable[..., Sequence[ResultRow]]
) -> ProbedNetwork:
    """The network with what is buffered, where the application's messages may be longer, alone or together.

    `overlap` gives the results of the probe `overlap` with its words. Raises what it raises.
    """
    size = network.bytes_in(_BUFFERED_S)
    if largest_bytes > network.eager_bytes:
        rows = overlap("--progress", "poll", "--ratio", "2", "--sizes", f"{size}:{size}")
        return replace(network, buffer_bytes=buffer_of_rows(rows, network.eager_bytes))
    size = min(size, _step(_TOGETHER * largest_bytes, _SMALLEST_BYTES, _MAX_BYTES))
    if size <= network.eager_bytes:
        return network
    rows = overlap("--progress", "none", "--ratio", "1", "--sizes", f"{size}:{size}")
    buffer_bytes = unasked_of_rows(rows)
    return replace(network, buffer_bytes=buffer_bytes, asks_first=False) if buffer_bytes else network


def _overlap(place: Place, variables: Mapping[str, str], *words: str) -> Sequence[ResultRow]:
    """Results of the probe `overlap` of plain messages, while both ranks compute."""
    program = native_program("stretto-probe", place.mpi.family, place.mpi.mpiexec)
    on = "local" if place.application.network is None else "emulated"
    with place.temporary() as directory:
        samples = directory / "samples.jsonl"
        given = probe_arguments([*_OVERLAP, *words, "--on", on], samples)
        checked_run(place, place.launch_pair(program, given, variables))
        return derive_results(read_samples(samples)).rows


_OVERLAP = (
    *("overlap", "--transport", "mpi-two-sided", "--operation", "send", "--side", "both"),
    *("--direction", "one-way", "--budget", str(_BUDGET_S)),
)


def network_of_rows(rows: Sequence[ResultRow]) -> ProbedNetwork:
    """The network, from the results of the probe `overlap`.

    Raises:
        RunError: it has no times of two sizes.
    """
    times = tuple((size, value) for size, value in _one_way(rows, "time") if value)
    largest = max((size for size, _ in _one_way(rows, "eta")), default=0)
    if len(times) < 2 or times[-1][0] < min(largest, _SUSTAINED_BYTES):
        # Shorter messages may travel at once: their times would give a bandwidth that the network has not.
        why = next((row.reason for row in rows if row.axes.get("size_bytes") == largest and row.reason), "")
        raise RunError(f"the times of long messages on this network are unresolved{why and f' ({why})'}")
    gap_s = min((later_s - time_s) / (larger - size) for (size, time_s), (larger, later_s) in pairwise(times))
    smallest, time_s = times[0]
    latency_s = min(max(time_s - smallest * max(gap_s, 0.0), 0.0), *(0.9 * one for _, one in times))
    return ProbedNetwork(latency_s, times, _eager_bytes(_one_way(rows, "eta")))


def buffer_of_rows(rows: Sequence[ResultRow], eager_bytes: int) -> int:
    """What one call hands over: of a message that moves in calls between slices of computation, what moved
    during the computation, by the calls. If it moved whole, a call hands over at least so much. 0 where the
    overlap is unresolved or may be none, or where it is no more than an eager message.
    """
    size, eta = _certain_overlap(rows)
    calls = probe_slices() - 2  # request and answer take two
    found = round(size * eta / calls)
    return found if found > eager_bytes else 0


def unasked_of_rows(rows: Sequence[ResultRow]) -> int:
    """What moves of a message without any call; 0 where that is nothing, all, or not known."""
    size, eta = _certain_overlap(rows)
    return round(size * eta) if eta < _ALL else 0


def _certain_overlap(rows: Sequence[ResultRow]) -> tuple[int, float]:
    """Size and overlap of the first message that certainly overlaps; zeros where none does."""
    for row in rows:
        if row.metric == "eta" and row.value is not None and (row.ci95_low or 0.0) > 0:
            return int(row.axes["size_bytes"]), row.value
    return 0, 0.0


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


def eager_limit(rows: Sequence[ResultRow], overlap: Callable[..., Sequence[ResultRow]]) -> int:
    """The eager limit between two sizes of these rows, of which the shorter moves and the longer does not.

    `overlap` gives the results of the probe `overlap` with its words. Where no size is certain to move, the
    limit lies, if anywhere, above the longest message of which most time may be the processor's.
    """
    etas = [(size, eta) for size, eta in _one_way(rows, "eta") if eta is not None]
    eager = _eager_bytes(iter(etas))
    short, long = eager, next((size for size, _ in etas if size > eager), 0)
    if dict(etas).get(eager, 0.0) < _MOVES:
        times = {size: value for size, value in _one_way(rows, "time") if value}
        min_s = _WIRES * min(times.values(), default=0.0)
        long = next((size for size, eta in etas if size > eager and times.get(size, 0.0) >= min_s), 0)
        short = max((size for size, _ in etas if size < long), default=long)
    while long > _LIMIT_STEP * short:
        middle = round((short * long) ** 0.5)
        found = overlap("--progress", "none", "--ratio", "1", "--sizes", f"{middle}:{middle}")
        eta = next((value for _, value in _one_way(found, "eta")), None)
        if eta is None:
            break
        if eta >= _MOVES:
            eager = short = middle
        else:
            long = middle
    return eager


def _eager_bytes(etas: Iterator[tuple[int, float | None]]) -> int:
    """The size up to which messages overlap. Of shorter ones most time is the processor's: they may not."""
    eager, moved = _SMALLEST_BYTES, False
    for size, eta in etas:
        if eta is not None and eta >= _MOVES:
            eager, moved = size, True
        elif moved:
            break
    return eager
