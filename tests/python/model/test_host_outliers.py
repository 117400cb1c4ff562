# SPDX-License-Identifier: BSD-3-Clause
"""Slow hosts among pooled runs, with some planted."""

from stretto.data.results import ResultRow, Results
from stretto.model.host_outliers import host_outliers, outlier_sentence

SIZES = (8, 64, 65536)


def run_of(hosts: str, slower: float = 1.0) -> tuple[list[str], Results]:
    """A run on two hosts; `slower` multiplies its times."""
    rows = []
    for size in SIZES:
        axes = {"probe": "latency", "size_bytes": size}
        rows.append(ResultRow("latency", "s", 2e-6 * slower, axes=axes))
        rows.append(ResultRow("bandwidth", "B/s", 1e9 / slower, axes={**axes, "probe": "bandwidth"}))
    return hosts.split(), Results(tuple(rows))


def test_runs_of_equal_speed_have_no_outlier() -> None:
    assert host_outliers([run_of("a b", 1.0), run_of("c d", 1.05), run_of("e f", 0.97)]) == []


def test_a_slow_host_is_found_by_its_partners_other_runs() -> None:
    runs = [run_of("a b"), run_of("c d"), run_of("a slow", 1.3), run_of("slow c", 1.4)]
    (one,) = host_outliers(runs)
    assert (one.host, one.runs) == ("slow", 2)
    assert outlier_sentence(one) == "slow is 30 % slower than the others (2 runs)"


def test_of_a_slow_pair_that_ran_with_nobody_else_both_are_named() -> None:
    found = host_outliers([run_of("a b"), run_of("c d"), run_of("e f", 2.0), run_of("g h")])
    assert {one.host for one in found} == {"e", "f"}


def test_what_only_two_runs_have_measured_is_not_compared() -> None:
    assert host_outliers([run_of("a b"), run_of("c d", 3.0)]) == []
    assert host_outliers([]) == []


def test_a_fast_host_is_no_outlier() -> None:
    assert host_outliers([run_of("a b"), run_of("c d"), run_of("e f", 0.3)]) == []
