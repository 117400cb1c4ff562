# SPDX-License-Identifier: BSD-3-Clause
"""What keeps the arrays of pending operations alive. No MPI."""

from __future__ import annotations

import sys

from stretto.rma.kept import Kept, hold, let_go


def test_a_wait_releases_what_had_started_when_it_began() -> None:
    kept = Kept()
    before, starting, during = (kept.begin(object()) for _ in range(3))
    kept.started(before)
    seen = kept.numbers()
    kept.started(starting)
    kept.started(during)
    kept.release(seen)
    assert seen == [before] and kept.numbers() == [starting, during]


def test_two_threads_may_wait_for_the_same_operations() -> None:
    kept = Kept()
    kept.started(kept.begin(object()))
    first, second = kept.numbers(), kept.numbers()
    kept.release(first)
    kept.release(second)
    assert kept.numbers() == []


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
