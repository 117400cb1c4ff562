# SPDX-License-Identifier: BSD-3-Clause
"""Paired runs: their order, what is noted of each, and what other programs take between them."""

import itertools
import os
import subprocess
import sys
from typing import cast

import pytest

from stretto.errors import RunError
from stretto.launch.application import Application, Place
from stretto.launch.mpiexec import Launch
from stretto.launch.others_load import OthersLoad
from stretto.launch.pairs import Watched, run_pairs
from stretto.launch.session import Ended

PLAIN, CHANGED = Launch(("plain",), {}), Launch(("changed",), {})


class CountedPlace:
    """The n-th run takes n seconds; `order` has the names of the runs."""

    def __init__(self, status: int = 0) -> None:
        self.application = Application(("./app",))
        self.order: list[str] = []
        self._status = status

    def run(self, launch: Launch) -> Ended:
        self.order.append(launch.argv[0])
        return Ended(self._status, False, "", f"run {len(self.order)}", float(len(self.order)))


@pytest.mark.parametrize("pairs", [1, 3, 6, 40])
def test_a_pair_is_two_runs_in_a_row_and_each_variant_is_as_often_the_first(pairs: int) -> None:
    place = CountedPlace()
    found = run_pairs(cast(Place, place), PLAIN, CHANGED, pairs)
    made = list(zip(place.order[::2], place.order[1::2], strict=True))
    assert all(set(pair) == {"plain", "changed"} for pair in made) and len(made) == pairs
    first = [pair[0] for pair in made]
    assert abs(first.count("plain") - first.count("changed")) <= pairs % 2
    assert all(abs(a - b) == 1.0 for a, b in zip(found.plain_s, found.changed_s, strict=True))
    if pairs >= 40:
        repeats = [len(list(group)) for _, group in itertools.groupby(first)]
        assert {1, 2} <= set(repeats), "no regular order, with which another program could be in step"


def test_a_machine_that_gets_slower_steadily_favours_neither() -> None:
    found = run_pairs(cast(Place, CountedPlace()), PLAIN, CHANGED, 6)
    assert found.verdict() in ("nothing", "undecided")
    assert abs(sum(found.plain_s) - sum(found.changed_s)) <= 2


def test_a_run_that_fails_ends_the_pairs() -> None:
    with pytest.raises(RunError, match="ended with 2"):
        run_pairs(cast(Place, CountedPlace(status=2)), PLAIN, CHANGED, 3)


def test_what_runs_write_is_kept_and_others_are_looked_at_after_each() -> None:
    counted: list[int] = []
    watched = Watched(lambda: counted.append(1))
    run_pairs(cast(Place, CountedPlace()), PLAIN, CHANGED, 3, watched)
    assert watched.written == [f"run {number}" for number in range(1, 7)] and len(counted) == 6
    load = watched.load(2)
    assert load is not None and load.seconds >= 0.6 and load.ranks == 2 and load.cores == os.cpu_count()


def test_a_program_that_computes_is_seen_by_the_looks() -> None:
    spinning = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        others = OthersLoad()
        for _ in range(5):
            others.look()
    finally:
        spinning.kill()
        spinning.wait()
    found = others.load(1)
    assert found is not None and found.others_cores > 0.2
