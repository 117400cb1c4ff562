# SPDX-License-Identifier: BSD-3-Clause
"""The network that a trace shows: of traces that were made on a known one."""

from pathlib import Path

import pytest
from trace_bytes import NUMBER, rank_files, record

from stretto.potential.shown_network import cost_of, shown_network
from stretto.potential.sites import Cost

MESSAGES = 8


def shown(
    tmp_path: Path, sizes: tuple[int, ...], *, waits: bool = True, computes: bool = False
) -> Cost | None:
    """Of messages that take 2 us and 1 ns a byte, which the receiver waits for, or does not.

    `computes`: they are sent by an isend, after which the sender computes 50 us, and the receiver waits for that.
    """
    sender, receiver, at = [], [], 1000
    for number in range(MESSAGES * len(sizes)):
        size = sizes[number % len(sizes)]
        arrives = at + 2000 + size + (50_000 if computes else 0)
        begin = at - 500 if waits else arrives + 5000
        kind = "MPI_Isend" if computes else "MPI_Send"
        sender.append(record(NUMBER[kind], at, 100, size=size, peer=1, tag=7, request=number + 1))
        if computes:
            sender.append(record(NUMBER["MPI_Wait"], at + 50_000, 2500 + size, count=1))
            sender.append(record(2, at + 50_000, 2500 + size, request=number + 1))
        receiver.append(
            record(NUMBER["MPI_Recv"], begin, max(arrives - begin, 200), size=size, peer=0, tag=7)
        )
        at = max(arrives, begin) + 10_000
    return shown_network(rank_files(tmp_path, sender, receiver))


def test_receives_that_wait_show_the_time_of_their_messages(tmp_path: Path) -> None:
    cost = shown(tmp_path, (100, 3000, 50_000))
    assert cost is not None
    for size in (100, 3000, 50_000, 90_000):
        assert cost.of(size) == pytest.approx(2e-6 + size * 1e-9)


def test_receives_of_messages_that_are_there_show_nothing(tmp_path: Path) -> None:
    assert shown(tmp_path, (100, 3000), waits=False) is None


def test_a_sender_that_computes_is_no_slow_network(tmp_path: Path) -> None:
    assert shown(tmp_path, (3000,), computes=True) is None


def test_a_smaller_message_takes_no_longer() -> None:
    cost = cost_of([(10, 9e-6), (1000, 3e-6)])
    assert cost is not None and cost.of(10) == cost.of(1000) == 3e-6
    assert cost_of([]) is None


def test_of_a_class_the_quick_ones_count_and_a_few_show_nothing(tmp_path: Path) -> None:
    sender, receiver = [], []
    for number, time_ns in enumerate((2000, 3000, 3000, 3000, 900_000)):
        at = 1_000_000 * (number + 1)
        sender.append(record(NUMBER["MPI_Send"], at, 100, size=1000, peer=1, tag=7))
        receiver.append(record(NUMBER["MPI_Recv"], at - 500, 500 + time_ns, size=1000, peer=0, tag=7))
    cost = shown_network(rank_files(tmp_path, sender, receiver))
    assert cost is not None and cost.of(1000) == pytest.approx(3e-6)
    assert shown_network(rank_files(tmp_path, sender[1:], receiver[1:])) is None
