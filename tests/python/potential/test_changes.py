# SPDX-License-Identifier: BSD-3-Clause
"""The best changes: what moving work hides, or what a call site's messages cost; in descending order, three at most."""

from dataclasses import replace

import pytest

from stretto.potential.blocked import BlockedTime, TimeUse
from stretto.potential.changes import MAX_CHANGES, Change, best_changes
from stretto.potential.data_work import DataWork
from stretto.potential.movable import MovableRegion, MovableWork
from stretto.potential.ordering import STEERS, STREAM, Ordering
from stretto.potential.regions import WorkSite
from stretto.potential.sites import SitePotential

ANYWHERE = Ordering()


def use_of(**blocked: float) -> TimeUse:
    by_place = {("app", 1): BlockedTime(**blocked)}
    return TimeUse(2, 10.0, BlockedTime(**blocked), by_place, {("app", 1): "MPI_Send"}, None)


def blocking(address: int = 1, cost_s: float = 4.0, blocked_s: float = 6.0) -> SitePotential:
    return SitePotential("app", address, "MPI_Send", "send", count=1, cost_s=cost_s, blocked_s=blocked_s)


def changes_of(
    sites: list[SitePotential], movable: list[MovableWork], use: TimeUse, ordering: Ordering = ANYWHERE
) -> list[Change]:
    return best_changes(sites, NAMES, movable, ordering, use.run_s, use)


NAMES = {("app", number): f"site {number}" for number in range(1, 9)}


def test_a_late_partner_is_not_won_by_starting_earlier() -> None:
    (change,) = changes_of([blocking()], [], use_of(transfer_s=1.0, late_s=4.0, progress_s=0.5))
    assert change.gain_s == 1.5 and change.where == "site 1" and "MPI_Isend" in change.change


def test_a_change_gains_no_more_than_its_messages_cost() -> None:
    (change,) = changes_of([blocking(cost_s=0.25)], [], use_of(transfer_s=5.0))
    assert change.gain_s == 0.25


def test_moved_work_names_the_lines_and_stands_for_its_receives() -> None:
    region = MovableRegion("sweep halo.c:41-58", "loop distribution", 3.0, 3.5)
    wait = MovableWork("arrival", "MPI_Waitall", "step halo.c:60", 1, 4, 5.0, 4.0, 3.0, 3.0, 3.5, (region,))
    receives = SitePotential(
        "app", 2, "MPI_Irecv", "receive", count=1, cost_s=4.0, nonblocking=1, blocked_s=5.0
    )
    (change,) = changes_of([receives], [wait], use_of())
    assert change.gain_s == 3.0
    assert change.change == "split the loop and move the independent part of sweep halo.c:41-58 before it"


@pytest.mark.parametrize(
    ("message_bytes", "call", "with_thread"),
    [(64 << 10, "MPI_Waitall", False), ((64 << 10) + 1, "MPI_Waitall", True), (8, "MPI_Allreduce", True)],
)
def test_work_hides_long_messages_and_collectives_with_a_progress_thread(
    message_bytes: float, call: str, with_thread: bool
) -> None:
    """Between two hosts, moved work behind messages of 128 KiB made a program slower without one."""
    region = MovableRegion("inner halo.c:41-58", "re-arrangement", 3.0, 3.0)
    wait = MovableWork(
        "arrival", call, "site 5", 9, 9, 5.0, 4.0, 3.0, 3.0, 3.0, (region,), message_bytes=message_bytes
    )
    sites = []
    if call == "MPI_Allreduce":
        sites.append(SitePotential("app", 5, call, "collective", count=9, cost_s=4.0, blocked_s=5.0))
    (change,) = changes_of(sites, [wait], use_of())
    assert change.with_thread is with_thread
    assert ("progress thread" in change.change, "calls only" in change.assumed) == (with_thread, with_thread)


@pytest.mark.parametrize(("eager_bytes", "with_thread"), [(1 << 20, False), (8 << 10, True)])
def test_the_network_says_which_messages_move_without_calls(eager_bytes: int, with_thread: bool) -> None:
    site = replace(blocking(), size_bytes=100 << 10)
    use = use_of(transfer_s=5.0)
    (change,) = best_changes([site], NAMES, [], ANYWHERE, use.run_s, use, eager_bytes)
    assert change.with_thread is with_thread


def test_work_that_moves_behind_a_send_stands_for_that_send_alone() -> None:
    region = MovableRegion("sum halo.c:70", "re-arrangement", 2.0, 2.0)
    send = MovableWork("send", "MPI_Send", "site 1", 1, 1, 6.0, 4.0, 2.0, 2.0, 2.0, (region,))
    receives = SitePotential(
        "app", 2, "MPI_Irecv", "receive", count=1, cost_s=4.0, nonblocking=1, blocked_s=1.0
    )
    other, moved, receive = changes_of([blocking(), blocking(3), receives], [send], use_of(transfer_s=9.0))
    assert (moved.where, moved.gain_s, moved.change) == ("site 1", 2.0, "start it before sum halo.c:70")
    assert {other.where, receive.where} == {"site 2", "site 3"}


def test_the_three_largest_are_shown_and_none_that_nobody_would_notice() -> None:
    sites = [blocking(number, cost_s=0.1 * number) for number in range(2, 8)] + [blocking(8, cost_s=0.09)]
    changes = changes_of(sites, [], use_of(transfer_s=9.0))
    assert [one.where for one in changes] == ["site 7", "site 6", "site 5"] and len(changes) == MAX_CHANGES
    assert changes_of([blocking(8, cost_s=0.09)], [], use_of(transfer_s=9.0)) == []


def wait_with(refused: str, has_lines: bool = True) -> MovableWork:
    region = MovableRegion("sweep sweep.f:116-626", "re-arrangement", 3.0, 3.0, has_lines, offered=has_lines)
    return MovableWork("arrival", "MPI_Recv", "site 5", 9, 9, 5.0, 4.0, 3.0, 3.0, 3.0, (region,), refused)


def test_work_that_the_exchange_orders_is_not_moved_but_the_next_receive_is_posted() -> None:
    """Of a wavefront: the next block needs this one's, and its message may travel during the work."""
    wait = wait_with(STREAM)
    (change,) = changes_of([], [replace(wait, message_bytes=1 << 20)], use_of())
    assert change.kind == "double-buffer" and "sweep.f" not in change.change
    assert change.with_thread and change.assumed.startswith("the next message has a buffer of its own; ")
    # Measured between two hosts: a message that MPI moves alone gained nothing.
    assert changes_of([], [replace(wait, message_bytes=64 << 10)], use_of()) == []


def test_work_behind_a_result_that_may_steer_the_program_is_no_change() -> None:
    assert changes_of([], [wait_with(STEERS)], use_of()) == []


def test_lines_that_are_not_known_are_no_change() -> None:
    assert changes_of([], [wait_with("", has_lines=False)], use_of()) == []
    assert [one.kind for one in changes_of([], [wait_with("")], use_of())] == ["wait later"]


def test_data_that_is_ready_a_little_earlier_gains_no_more_than_that() -> None:
    """38,400 sends, each ready 46 ns before: not the time of their transfers."""
    site = blocking()
    site.count = 100
    site.data = DataWork(messages=50, independent_s=0.5)
    (change,) = changes_of([site], [], use_of(transfer_s=6.0))
    assert change.gain_s == 1.0 and (change.kind, change.sure) == ("start earlier", "seen")


def test_another_order_of_the_work_is_not_offered_without_its_lines() -> None:
    """Where the recorder follows the data, lines say what may move. Others may need the present order."""
    site = blocking()
    site.data = DataWork(messages=1, dependent_s=2.0)
    site.reordered = DataWork(messages=1, independent_s=2.0)
    (change,) = changes_of([site], [], use_of(transfer_s=6.0))
    assert change.kind == "pipeline in blocks"


def test_work_before_the_first_use_of_data_is_seen_and_other_work_is_likely() -> None:
    def change_of(**members: object) -> Change:
        region = replace(MovableRegion("inner halo.c:41-58", "re-arrangement", 3.0, 3.0), **members)  # type: ignore[arg-type]
        wait = MovableWork("arrival", "MPI_Waitall", "site 5", 9, 9, 5.0, 4.0, 3.0, 3.0, 3.0, (region,))
        (change,) = changes_of([], [wait], use_of())
        return change

    before, unknown = change_of(before_use=True), change_of()
    assert (before.kind, before.sure) == ("wait later", "seen") and "branch" not in before.assumed
    assert unknown.sure == "likely" and "branch" in unknown.assumed
    split = change_of(kind="loop distribution", before_use=False)
    assert (split.kind, split.sure) == ("split the loop", "likely") and "another stores" in split.assumed


def test_a_blocking_collective_is_replaced_where_work_may_move_before_its_end() -> None:
    site = SitePotential("app", 5, "MPI_Allreduce", "collective", count=9, cost_s=4.0, blocked_s=5.0)
    region = MovableRegion("other norms.c:13-15", "re-arrangement", 3.0, 3.0)
    work = MovableWork("arrival", "MPI_Allreduce", "site 5", 9, 9, 5.0, 4.0, 3.0, 3.0, 3.0, (region,))
    (change,) = changes_of([site], [work], use_of())
    assert change.kind == "nonblocking collective"
    assert change.change == (
        "MPI_Iallreduce, and move other norms.c:13-15 before its wait; let a progress thread move the message"
    )


def test_copies_into_what_is_sent_are_no_time_by_which_a_send_could_start_earlier() -> None:
    site = blocking()
    site.data = DataWork(messages=1, independent_s=2.0)
    packed = Ordering(before_sends_s={("app", 1): 0.0})
    assert changes_of([site], [], use_of(transfer_s=6.0), packed) == []
    free = Ordering(before_sends_s={("app", 1): 0.5})
    assert [one.gain_s for one in changes_of([site], [], use_of(transfer_s=6.0), free)] == [0.5]


def test_a_call_that_also_receives_does_not_start_before_work_that_may_read_what_comes() -> None:
    """MPI_Startall of both, as in the oracle's program with a reused send buffer."""
    site = blocking()
    site.data = DataWork(messages=1, independent_s=2.0)
    both = Ordering(before_sends_s={("app", 1): 0.5}, receives=frozenset([("app", 1)]))
    assert changes_of([site], [], use_of(transfer_s=6.0), both) == []


def test_where_the_work_after_arrivals_is_known_a_receive_is_not_waited_for_later_without_it() -> None:
    """On a busy machine, the time between a wait and the first load may be that of others."""
    receives = SitePotential(
        "app", 2, "MPI_Irecv", "receive", count=1, cost_s=4.0, nonblocking=1, blocked_s=5.0
    )
    receives.data = DataWork(messages=1, independent_s=2.0)
    assert [one.kind for one in changes_of([receives], [], use_of(transfer_s=9.0))] == ["wait later"]
    assert changes_of([receives], [wait_with(STEERS)], use_of(transfer_s=9.0)) == []


def test_a_send_starts_before_the_lines_that_are_known_and_a_loop_that_makes_its_data_is_split() -> None:
    """The first column of a loop over columns is sent: its data is ready early, inside of the loop."""
    site = blocking()
    site.data = DataWork(messages=1, independent_s=2.0)
    for kind, said in (("re-arrangement", "start earlier"), ("loop distribution", "split the loop")):
        region = MovableRegion("update cg.f90:47-48", kind, 2.0, 2.0)
        send = MovableWork("send", "MPI_Send", "site 1", 1, 1, 6.0, 0.0, 0.0, 2.0, 2.0, (region,))
        (change,) = changes_of([site], [send], use_of(transfer_s=6.0))
        assert (change.kind, change.gain_s) == (said, 2.0) and "update cg.f90:47-48" in change.change


def test_a_move_that_gains_nothing_stands_for_no_other_change() -> None:
    region = MovableRegion("pack halo.c:70", "re-arrangement", 1e-6, 1e-6)
    send = MovableWork("send", "MPI_Send", "site 1", 1, 1, 6.0, 4.0, 1e-6, 1e-6, 1e-6, (region,))
    site = blocking()
    site.data = DataWork(messages=1, dependent_s=2.0)
    (change,) = changes_of([site], [send], use_of(transfer_s=6.0))
    assert (change.kind, change.gain_s) == ("pipeline in blocks", 2.0)


def test_a_wait_for_a_partner_that_computes_is_what_a_progress_thread_ends() -> None:
    (change,) = changes_of([], [], use_of(progress_s=3.0, poll_s=2.0))
    assert (change.kind, change.gain_s, change.where) == ("progress thread", 2.0, "site 1")


def test_a_place_has_its_best_change_only() -> None:
    (change,) = changes_of([blocking()], [], use_of(transfer_s=1.0, progress_s=4.0, poll_s=2.0))
    assert change.kind == "start earlier"


def test_on_another_network_recorded_times_bound_nothing() -> None:
    (change,) = best_changes([blocking(cost_s=40.0)], NAMES, [], ANYWHERE, 100.0)
    assert change.gain_s == 40.0


def test_the_time_that_calls_need_themselves_is_no_gain() -> None:
    """38,400 receives of messages that were there: nothing that is posted or moved hides their time."""
    assert changes_of([blocking()], [], use_of(progress_s=4.0, calls_s=4.0)) == []
    (change,) = changes_of([blocking()], [], use_of(progress_s=4.0, calls_s=3.0))
    assert change.gain_s == 1.0


def test_no_change_gains_more_than_could_be_hidden_at_all() -> None:
    """A wait's time is shared among its messages, with its late partners."""
    receives = SitePotential(
        "app", 2, "MPI_Irecv", "receive", count=1, cost_s=4.0, nonblocking=1, blocked_s=4.0
    )
    (change,) = changes_of([receives], [], use_of(late_s=5.0, transfer_s=2.0))
    assert change.gain_s == 2.0


@pytest.mark.parametrize(("size_bytes", "kinds"), [(512 << 10, ["progress thread"]), (8 << 10, [])])
def test_work_covers_long_messages_of_another_network_only_if_they_move_during_it(
    size_bytes: int, kinds: list[str]
) -> None:
    waits = {
        ("app", 5): WorkSite("MPI_Waitall", 1, 1, 5.0, cost_s=4.0, uncovered_s=1.0, size_bytes=size_bytes)
    }
    changes = best_changes([], NAMES, [], ANYWHERE, 100.0, None, arrivals=waits)
    assert [one.kind for one in changes] == kinds
    for one in changes:
        assert (one.gain_s, one.sure, one.where) == (
            3.0,
            "possible",
            "site 5",
        ) and "in its calls" in one.assumed
