# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps of latency and bandwidth, and figures from known curves."""

import pytest

from stretto.data.sweep import parse_bandwidths, parse_node
from stretto.errors import UserError
from stretto.potential.whatif import (
    NetworkPoint,
    WhatIfRow,
    bandwidth_needed,
    latency_tolerated,
)

BYTES, COMPUTE_S = 1e6, 1e-3


def rows(latencies_s: tuple[float, ...], bandwidths: tuple[float, ...]) -> list[WhatIfRow]:
    """A code that computes 1 ms, then sends a megabyte."""
    reference = COMPUTE_S + BYTES / 5e9
    return [
        WhatIfRow(latency_s, bandwidth, "traced", "offload", time_s, time_s / reference)
        for latency_s in latencies_s
        for bandwidth in bandwidths
        for time_s in [COMPUTE_S + latency_s + BYTES / bandwidth]
    ]


def test_ranges_hold_their_ends_and_the_steps_between() -> None:
    assert parse_bandwidths("1MB/s:5GB/s") == pytest.approx(
        [1e6, 2e6, 5e6, 1e7, 2e7, 5e7, 1e8, 2e8, 5e8, 1e9, 2e9, 5e9]
    )
    assert parse_bandwidths("3MB/s:6MB/s") == pytest.approx([3e6, 5e6, 6e6])
    assert parse_bandwidths("1GB/s,10MB/s") == (1e7, 1e9)


@pytest.mark.parametrize("text", ["5GB/s:1MB/s", "0GB/s:1GB/s", "0GB/s", "fast", "1us"])
def test_an_invalid_range_is_refused(text: str) -> None:
    with pytest.raises(UserError):
        parse_bandwidths(text)


@pytest.mark.parametrize("needed", [1e6, 3e7, 1.7e8, 4e9])
def test_needed_bandwidth_is_exact_on_a_code_that_is_linear_in_it(needed: float) -> None:
    result = bandwidth_needed(
        rows((2e-6,), parse_bandwidths("1MB/s:5GB/s")), COMPUTE_S + 2e-6 + BYTES / needed
    )
    assert result == pytest.approx(needed, rel=1e-6)


def test_no_bandwidth_may_be_enough() -> None:
    assert bandwidth_needed(rows((2e-6,), (1e6, 5e9)), COMPUTE_S) is None


def test_tolerated_latency_is_exact_on_a_code_that_is_linear_in_it() -> None:
    slow = rows((0.0, 1e-4, 4e-4), (5e9,))
    assert latency_tolerated(slow, 0.1) == pytest.approx(0.1 * (COMPUTE_S + BYTES / 5e9))
    assert latency_tolerated(slow, 10) == 4e-4
    assert latency_tolerated(rows((1e-3, 2e-3), (5e9,)), 0.1) is None


def test_a_point_has_the_format_of_the_replay() -> None:
    spec = NetworkPoint(2e-6, 5e9, 1e-6, 3e-6).spec(65536)
    assert spec == "L=2e-06,o_s=1e-06,o_r=3e-06,g=0.0,G=2e-10,S=65536"


def uneven(times: dict[float, float]) -> list[WhatIfRow]:
    """Times by bandwidth; one that is larger at more bandwidth, as contention may have it."""
    return [
        WhatIfRow(1e-6, bandwidth, "traced", "offload", time_s, time_s) for bandwidth, time_s in times.items()
    ]


def test_needed_bandwidth_is_one_beyond_which_all_are_enough() -> None:
    """At 2 it is fast enough, at 4 it is not: what is needed lies between 4 and 8."""
    result = bandwidth_needed(uneven({1: 10, 2: 4, 4: 6, 8: 3}), 5)
    assert result == pytest.approx(1 / (1 / 4 + (1 / 3) * (1 / 8 - 1 / 4)))
    assert bandwidth_needed(uneven({1: 4, 2: 6, 4: 7}), 5) is None
    assert bandwidth_needed(uneven({4: 3, 1: 5}), 5) == 1
    assert bandwidth_needed([], 5) is None


def test_a_time_that_equals_the_target_but_for_rounding_is_enough() -> None:
    assert bandwidth_needed(uneven({1: 5 * (1 + 5e-10), 2: 3}), 5) == 1
    assert bandwidth_needed(uneven({1: 5 * (1 + 5e-9), 2: 3}), 5) == pytest.approx(1, rel=1e-6)
    assert bandwidth_needed(uneven({1: 5 * (1 + 5e-9), 2: 3}), 5) != 1


def test_tolerated_latency_ends_before_the_first_that_costs_too_much() -> None:
    """At 4 it is fast again: nobody may rely on that."""
    rows = [WhatIfRow(at, 1e9, "traced", "offload", t, t) for at, t in ((1, 1.0), (2, 1.3), (4, 1.05))]
    assert latency_tolerated(rows, 0.1) == pytest.approx(1 + 0.1 / 0.3)
    assert latency_tolerated(list(reversed(rows)), 0.1) == pytest.approx(1 + 0.1 / 0.3)
    assert latency_tolerated([], 0.1) is None


def test_exactly_the_tolerated_slowdown_is_tolerated() -> None:
    rows = [WhatIfRow(at, 1e9, "traced", "offload", t, t) for at, t in ((1, 1.5), (2, 1.5))]
    assert latency_tolerated(rows, 0.5) == 2


def test_nodes_follow_the_other_parameters() -> None:
    point = NetworkPoint(2e-6, 5e9, node_ranks=4, node_latency_s=5e-7)
    assert point.spec(None) == "L=2e-06,o_s=0.0,o_r=0.0,g=0.0,G=2e-10,node=4,L_node=5e-07"
    assert NetworkPoint(2e-6, 5e9, node_latency_s=5e-7).node_spec == ""


@pytest.mark.parametrize(("text", "result"), [("4:0.5us", (4, 5e-7)), ("1:0us", (1, 0.0))])
def test_a_node_has_ranks_and_a_latency(text: str, result: tuple[int, float]) -> None:
    assert parse_node(text) == pytest.approx(result)


@pytest.mark.parametrize(
    "text", ["4", "0:1us", ":1us", "-1:1us", "x:1us", "\u0664:1us", "16777217:1us", "4:"]
)
def test_an_invalid_node_is_refused(text: str) -> None:
    with pytest.raises(UserError):
        parse_node(text)


def test_the_largest_node_is_as_large_as_a_trace() -> None:
    assert parse_node("16777216:1us") == pytest.approx((1 << 24, 1e-6))
