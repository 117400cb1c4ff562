# SPDX-License-Identifier: BSD-3-Clause
"""The rules of the libraries, as commands ask them."""

import pytest

from stretto.native.library_rules import ProgressThread, progress_thread


@pytest.mark.parametrize(
    ("ranks", "cores", "only_host", "interval", "starts", "interval_s"),
    [
        (2, 4, True, "", True, 0.004),
        (2, 3, True, "", False, 0.004),
        (1, 1, True, "", True, 0.004),
        (2, 2, False, "", True, 0.001),
        (3, 2, False, "", False, 0.001),
        (2, 2, True, "0.002", True, 0.002),
        (2, 2, True, "5", True, 0.004),  # beyond its limits: the library says so, and takes its own
        (2, 2, False, "2ms", True, 0.001),
    ],
)
def test_a_thread_is_started_and_polls_by_the_rule_of_the_library(
    ranks: int, cores: int, only_host: bool, interval: str, starts: bool, interval_s: float
) -> None:
    assert progress_thread(ranks, cores, only_host, interval) == ProgressThread(starts, interval_s)
