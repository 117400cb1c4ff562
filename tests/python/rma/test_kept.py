# SPDX-License-Identifier: BSD-3-Clause
"""What keeps the arrays of pending operations alive. No MPI."""

import sys

from stretto.rma.kept import Kept, hold, let_go


def test_a_wait_releases_what_had_started_when_it_began() -> None:
    kept = Kept()
    before, starting, during = (kept.begin(object()) for _ in range(3))
    kept.started(before, 0)
    seen = kept.numbers()
    kept.started(starting, 0)
    kept.started(during, 0)
    kept.release(seen)
    assert seen == [before] and kept.numbers() == [starting, during]


def test_two_threads_may_wait_for_the_same_operations() -> None:
    kept = Kept()
    kept.started(kept.begin(object()), 0)
    first, second = kept.numbers(), kept.numbers()
    kept.release(first)
    kept.release(second)
    assert kept.numbers() == []


def test_a_wait_for_one_rank_releases_what_goes_there() -> None:
    kept = Kept()
    here, there = kept.begin(object()), kept.begin(object())
    kept.started(here, 0)
    kept.started(there, 1)
    kept.release(kept.numbers(1))
    assert kept.numbers() == [here]


def test_an_operation_that_was_refused_keeps_nothing() -> None:
    kept, used = Kept(), object()
    references = sys.getrefcount(used)
    kept.refused(kept.begin(used))
    assert sys.getrefcount(used) == references and kept.numbers() == []


def test_what_is_held_has_one_more_reference() -> None:
    used = object()
    references = sys.getrefcount(used)
    hold(used)
    assert sys.getrefcount(used) == references + 1
    let_go(used)
    assert sys.getrefcount(used) == references
