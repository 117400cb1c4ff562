# SPDX-License-Identifier: BSD-3-Clause
"""The three levels of overlap are sums over call sites with known data; the cost is that of one side."""

import pytest

from stretto.data.sizes import said_duration
from stretto.potential.advice import advice
from stretto.potential.data_work import DataWork
from stretto.potential.levels import LevelWork, levels_of
from stretto.potential.sites import Cost, Side, SitePotential


def site(
    side: Side, independent_s: float, dependent_s: float, window_s: float, cost_s: float
) -> SitePotential:
    data = DataWork(messages=2, independent_s=independent_s, dependent_s=dependent_s)
    in_order = DataWork(messages=2, independent_s=independent_s / 2, dependent_s=dependent_s)
    return SitePotential(
        *("app", 1, "MPI_Call", side),
        data=in_order, reordered=data, data_cost_s=cost_s, data_window_s=window_s,
    )  # fmt: skip


SEND, RECEIVE = site("send", 3, 5, 2, 4), site("receive", 7, 11, 13, 10)


def test_each_level_adds_to_the_one_before() -> None:
    unknown = SitePotential("app", 2, "MPI_Call", "send", data_cost_s=1000, data_window_s=1000)
    assert levels_of([SEND, unknown, RECEIVE]) == [
        LevelWork("independent", 25, 2.5, 2),
        LevelWork("consumer", 36, 3.6, 2),
        LevelWork("producer-consumer", 41, 4.1, 2),
    ]


def test_the_cost_is_that_of_the_side_of_which_more_is_known() -> None:
    assert [level.times_cost for level in levels_of([SEND])] == [5 / 4, 5 / 4, 10 / 4]
    assert [level.times_cost for level in levels_of([RECEIVE])] == [2.0, 3.1, 3.1]
    assert [level.times_cost for level in levels_of([site("send", 1, 1, 0, 0)])] == [None] * 3


def test_parts_are_waited_for_where_the_data_is_used_at_once() -> None:
    interior = DataWork(messages=2, independent_s=8e-6, dependent_s=4e-6, orders={"in order": 2})
    at_once = DataWork(messages=2, dependent_s=4e-6, orders={"in order": 2})
    found = SitePotential(
        *("app", 1, "MPI_Irecv", "receive"), count=2, nonblocking=2, at_once=2, cost_s=6e-6,
        data=at_once, reordered=interior,
    )  # fmt: skip
    assert advice(found).text == (
        "false overlap: waited for at once; wait for each part when it is needed, in order, over 2 us"
    )


def test_without_data_there_are_no_levels() -> None:
    assert levels_of([]) == []
    assert levels_of([SitePotential("app", 2, "MPI_Call", "send")]) == []


def test_a_message_costs_latency_overhead_and_a_gap_a_byte_but_one() -> None:
    cost = Cost(2.0, 0.5, 0.25)
    assert [cost.of(size) for size in (0, 1, 2, 11)] == [2.25, 2.25, 2.75, 7.25]


@pytest.mark.parametrize(
    ("nonblocking", "at_once", "covered_s", "verdict"),
    [
        (0, 0, 10, "blocking"),
        (4, 4, 10, "false overlap"),
        (4, 3, 9, "covered"),
        (4, 3, 8.9, "too short"),
        (1, 3, 10, "covered"),
    ],
)
def test_the_verdict_on_a_place(nonblocking: int, at_once: int, covered_s: float, verdict: str) -> None:
    one = SitePotential("app", 1, "MPI_Isend", "send", count=4, cost_s=10, covered_s=covered_s)
    one.nonblocking, one.at_once = nonblocking, at_once
    assert one.verdict == verdict


def test_without_a_network_nothing_is_covered() -> None:
    one = SitePotential("app", 1, "MPI_Isend", "send", count=4, window_s=1.0, nonblocking=4)
    assert one.verdict == "not known"
    said = f"{said_duration(one.window_s / one.count)} of work between start and wait; whether that covers"
    assert advice(one).text.startswith(said) and "a network says" in advice(one).text
    one.data = DataWork(messages=2, independent_s=8e-6, orders={"in order": 2})
    assert advice(one).text == "its data is ready 4 us before: start it 4 us earlier"


def advised(side: Side, independent_us: float, dependent_us: float, nonblocking: int = 0) -> str:
    data = DataWork(messages=2, independent_s=2e-6 * independent_us, dependent_s=2e-6 * dependent_us)
    data.orders["in order"] = 2
    one = SitePotential("app", 1, "MPI_Call", side, count=2, cost_s=20e-6, nonblocking=nonblocking, data=data)
    return advice(one).text


@pytest.mark.parametrize(
    ("side", "nonblocking", "sentence"),
    [
        ("send", 0, "its data is ready 4 us before: start it with MPI_Isend 4 us earlier"),
        ("send", 2, "its data is ready 4 us before: start it 4 us earlier"),
        (
            "receive",
            0,
            "its data is first used 4 us after: receive it with MPI_Irecv, and wait for that 4 us later",
        ),
        ("receive", 2, "its data is first used 4 us after: wait for it 4 us later"),
    ],
)
def test_advice_where_work_is_independent(side: Side, nonblocking: int, sentence: str) -> None:
    assert advised(side, 4, 9, nonblocking) == sentence


@pytest.mark.parametrize(
    ("side", "sentence"),
    [
        ("send", "send each part when it is produced, in order, over 7 us"),
        (
            "receive",
            "wait for each part when it is needed, in order, over 7 us",
        ),
    ],
)
def test_advice_where_only_parts_are_apart(side: Side, sentence: str) -> None:
    assert advised(side, 0.19, 7) == sentence


def test_advice_where_data_is_touched_at_the_call() -> None:
    text = "its data is touched at the call: only other work, moved here, could hide it"
    assert advised("send", 0.19, 0.19) == text
    assert advised("send", 0.99, 0) == text  # what a trace does not resolve
    assert advised("send", 1.01, 0).startswith("its data is ready")
    assert advised("send", 50, 0) == "its data is ready 50 us before: start it with MPI_Isend 10 us earlier"
