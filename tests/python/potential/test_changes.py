# SPDX-License-Identifier: BSD-3-Clause
"""The best changes: what moving work hides, or what a call site's messages cost; in descending order, three at most."""

from __future__ import annotations

from stretto.potential.blocked import BlockedTime, TimeUse
from stretto.potential.changes import MOST_CHANGES, best_changes
from stretto.potential.movable import MovableRegion, MovableWork
from stretto.potential.sites import SitePotential


def use_of(**blocked: float) -> TimeUse:
    by_place = {("app", 1): BlockedTime(**blocked)}
    return TimeUse(2, 10.0, BlockedTime(**blocked), by_place, {("app", 1): "MPI_Send"}, None)


def blocking(address: int = 1, cost_s: float = 4.0, blocked_s: float = 6.0) -> SitePotential:
    return SitePotential("app", address, "MPI_Send", "send", count=1, cost_s=cost_s, blocked_s=blocked_s)


NAMES = {("app", number): f"site {number}" for number in range(1, 9)}


def test_a_late_partner_is_not_won_by_starting_earlier() -> None:
    (change,) = best_changes([blocking()], NAMES, [], use_of(transfer_s=1.0, late_s=4.0, progress_s=0.5))
    assert change.gain_s == 1.5 and change.where == "site 1" and "isend" in change.change


def test_a_change_gains_no_more_than_its_messages_cost() -> None:
    (change,) = best_changes([blocking(cost_s=0.25)], NAMES, [], use_of(transfer_s=5.0))
    assert change.gain_s == 0.25


def test_moved_work_names_the_lines_and_stands_for_its_receives() -> None:
    region = MovableRegion("sweep halo.c:41-58", "loop distribution", 3.0, 3.5)
    wait = MovableWork("arrival", "MPI_Waitall", "step halo.c:60", 1, 4, 5.0, 4.0, 3.0, 3.0, 3.5, (region,))
    receives = SitePotential(
        "app", 2, "MPI_Irecv", "receive", count=1, cost_s=4.0, nonblocking=1, blocked_s=5.0
    )
    (change,) = best_changes([receives], NAMES, [wait], use_of())
    assert change.gain_s == 3.0
    assert change.change == "split the loop and move the independent part of sweep halo.c:41-58 before it"


def test_work_that_moves_behind_a_send_stands_for_that_send_alone() -> None:
    region = MovableRegion("sum halo.c:70", "re-arrangement", 2.0, 2.0)
    send = MovableWork("send", "MPI_Send", "site 1", 1, 1, 6.0, 4.0, 2.0, 2.0, 2.0, (region,))
    receives = SitePotential(
        "app", 2, "MPI_Irecv", "receive", count=1, cost_s=4.0, nonblocking=1, blocked_s=1.0
    )
    other, moved, receive = best_changes([blocking(), blocking(3), receives], NAMES, [send], use_of())
    assert (moved.where, moved.gain_s, moved.change) == ("site 1", 2.0, "move sum halo.c:70 behind it")
    assert {other.where, receive.where} == {"site 2", "site 3"}


def test_the_three_largest_are_shown_and_none_that_nobody_would_notice() -> None:
    sites = [blocking(number, cost_s=0.1 * number) for number in range(2, 8)] + [blocking(8, cost_s=1e-4)]
    changes = best_changes(sites, NAMES, [], use_of())
    assert [one.where for one in changes] == ["site 7", "site 6", "site 5"] and len(changes) == MOST_CHANGES
    assert best_changes([blocking(8, cost_s=1e-4)], NAMES, [], use_of()) == []
