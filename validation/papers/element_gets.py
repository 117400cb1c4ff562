# SPDX-License-Identifier: BSD-3-Clause
"""One get per element of the source vector, by the replay engine: too many for a simulation.

A rank starts all its gets and then waits for them. The elements of a rank are spread evenly over the other
ranks. A server on the second processor of the owner's node answers, as that of the paper's library does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from stretto.launch.platforms import Platform
from stretto.native.replay import run_replay

_ELEMENT_BYTES, _REQUEST_BYTES = 8, 8


def gets_s(platform: Platform, elements: Sequence[int]) -> float:
    """The time in which every rank has got its number of elements."""
    figure = platform.figure
    overheads = f"o_s={figure('overhead_send_s', 0)!r},o_r={figure('overhead_receive_s', 0)!r}"
    network = f"L={figure('wire_latency_s', 0)!r},{overheads},G={1 / figure('bandwidth_bytes_per_s', 1)!r}"
    with TemporaryDirectory() as directory:
        file = Path(directory) / "gets.goal"
        file.write_text("\n".join(_goal(elements)), encoding="utf-8")
        return float(run_replay([str(file), f"--loggp={network}"])["makespan_s"])


def _goal(elements: Sequence[int]) -> Iterator[str]:
    ranks = len(elements)
    yield f"num_ranks {ranks}"
    for rank, count in enumerate(elements):
        yield f"\nrank {rank} {{"
        owners = [(rank + 1 + number % (ranks - 1)) % ranks for number in range(count)]
        for number, owner in enumerate(owners):
            yield f"a{number}: send {_REQUEST_BYTES}b to {owner} tag 1"
            if number > 0:
                yield f"a{number} requires a{number - 1}"
        for number, owner in enumerate(owners):
            yield f"b{number}: recv {_ELEMENT_BYTES}b from {owner} tag 2"
            yield f"b{number} requires a{count - 1}"
        for taker, asked in _asked(elements, rank):
            for number in range(asked):
                yield f"c{taker}x{number}: recv {_REQUEST_BYTES}b from {taker} tag 1 cpu 1"
                yield f"d{taker}x{number}: send {_ELEMENT_BYTES}b to {taker} tag 2 cpu 1"
                yield f"d{taker}x{number} requires c{taker}x{number}"
        yield "}"


def _asked(elements: Sequence[int], owner: int) -> Iterator[tuple[int, int]]:
    """How many elements of the owner every other rank asks for."""
    ranks = len(elements)
    for taker, count in enumerate(elements):
        if taker != owner:
            place = (owner - taker - 1) % ranks
            yield taker, count // (ranks - 1) + (place < count % (ranks - 1))
