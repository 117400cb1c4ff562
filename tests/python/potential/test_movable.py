# SPDX-License-Identifier: BSD-3-Clause
"""Work after arrivals, by region: what could be done before, and what that would hide."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from trace_bytes import NUMBER, block, record, trace_file, world

from stretto.binaries.loops import Lines
from stretto.data.program import Place
from stretto.data.trace_accesses import FIRST_ACCESSES, LAST_STORES
from stretto.data.trace_records import CONSUMED
from stretto.potential.messages import potential_of
from stretto.potential.movable import MovableWork, movable_work
from stretto.potential.ordering import (
    AFTER_USE,
    MAKES,
    NO_LINES,
    RECEIVES,
    STEERS,
    STREAM,
    TOO_LONG,
    Ordering,
)
from stretto.potential.sites import Cost

COST = Cost(latency_s=4e-6, gap_s_per_byte=1e-9)  # 1001 bytes: 5 us
REGION = 7
ANYWHERE = Ordering()
WAIT = ("/bin/app", 0x1234)


def place(number: int, address: int) -> bytes:
    return record(1, 0, peer=number, tag=0, request=2, extra=address)


def movable(tmp_path: Path, *records: bytes, ordering: Ordering = ANYWHERE) -> list[MovableWork]:
    """Of two messages that arrive in one call at site 1, which is waited for at once."""
    calls = (
        world(0, 2), place(2, 0x2000), place(3, 0x3000), place(4, 0x4000), place(5, 0x5000), place(6, 0x6000), place(7, 0x5500),
        record(NUMBER["MPI_Irecv"], 0, 0, size=1001, peer=1, request=1),
        record(NUMBER["MPI_Irecv"], 0, 0, size=1001, peer=1, request=2),
        record(NUMBER["MPI_Wait"], 0, 500, count=2),
        record(2, 0, 500, request=1), record(2, 0, 500, request=2),
        record(NUMBER["MPI_Finalize"], 20_000, 0),
    )  # fmt: skip
    found = potential_of([trace_file(tmp_path, block(b"".join((*calls, *records))))], COST)
    names = {("/bin/app", 0x1234): "wait halo.c:9", ("/bin/app", 0x2000): "sweep halo.c:41"}
    lines = {
        SWEEP: Lines("sweep", "halo.c", 41, 58, 0x1F00, frozenset({0x3F00})),
        HELPER: Lines("mix", "halo.c", 3, 3, 0x3F00),
        ("/bin/app", 0x5000): Lines("sweep", "halo.c", 70, 70, 0x1F00),
        ("/bin/app", 0x5500): Lines("main", "halo.c", 45, 45, 0x1F00),
        ("/bin/app", 0x6000): Lines("other", "halo.c", 80, 90, 0x5F00, frozenset({0x3F00})),
        ("/bin/app", 0x3000): Lines("sweep", "halo.c", 50, 60),
    }
    names |= {("/bin/app", 0x3000): "sweep halo.c:50", ("/bin/app", 0x6000): "other halo.c:80"}
    return movable_work(found.arrivals, "arrival", lines, names, ordering)


def work(request: int, independent_ns: int, dependent_ns: int) -> bytes:
    return record(REGION, 0, dependent_ns, size=independent_ns, request=request, peer=-2)


def test_regions_whose_lines_overlap_are_one(tmp_path: Path) -> None:
    (wait,) = movable(tmp_path, work(2, 3000, 0), work(3, 1000, 500))
    (region,) = wait.regions
    assert (region.where, region.kind) == ("sweep halo.c:41-60", "loop distribution")
    assert region.independent_s == pytest.approx(4e-6) and region.work_s == pytest.approx(4.5e-6)


HELPER = ("/bin/app", 0x4000)
SWEEP = ("/bin/app", 0x2000)


def accessed(where: Place, kind: int) -> bytes:
    """Of the messages at site 1; a place without an address is not known."""
    numbers = {SWEEP: 2, HELPER: 4, ("/bin/app", 0x5000): 5, ("/bin/app", 0x5500): 7}
    return record(REGION, 0, request=numbers.get(where, 99), count=kind, extra=1, peer=-2)


@pytest.mark.parametrize(
    ("first_use", "offered"),
    [
        (SWEEP, True),
        (("/bin/app", 0x5500), True),
        (("/bin/app", 0x5000), False),
        (HELPER, True),
        (("", 0), False),
    ],
)
def test_a_part_of_a_loop_moves_where_nothing_else_uses_before_what_came(
    first_use: tuple[str, int], offered: bool, tmp_path: Path
) -> None:
    """Another loop's use may be of what this one overwrites; a function that the loop calls is part of it."""
    (wait,) = movable(tmp_path, work(2, 6000, 500), accessed(first_use, FIRST_ACCESSES))
    assert [one.offered for one in wait.regions] == [offered]
    assert wait.refused == ("" if offered else AFTER_USE)


@pytest.mark.parametrize(
    ("dependent_ns", "offered"), [(8000, True), (2400, True), (1500, False), (900, False)]
)
def test_a_part_of_a_loop_with_about_the_most_work_on_the_data_moves_behind_one_that_unpacks(
    dependent_ns: int, offered: bool, tmp_path: Path
) -> None:
    """Of less than half of another's, or of less than a trace resolves, nothing follows."""
    unpacks = work(6, 0, 4000 if dependent_ns > 1000 else 100)
    elsewhere = accessed(("/bin/app", 0x5000), FIRST_ACCESSES)
    (wait,) = movable(tmp_path, work(2, 6000, dependent_ns), unpacks, elsewhere)
    assert [one.offered for one in wait.regions] == [offered, False]


def test_a_function_that_two_loops_call_is_part_of_neither(tmp_path: Path) -> None:
    of_called = accessed(HELPER, FIRST_ACCESSES)
    (wait,) = movable(tmp_path, work(2, 6000, 500), work(6, 6000, 500), of_called)
    assert not any(one.offered for one in wait.regions)


def loaded(request: int, at_ns: int) -> list[bytes]:
    """The message of a request, both of whose parts are loaded at a time; the call ends at 500."""
    return [record(CONSUMED, at_ns, tag=2, request=request, extra=at_ns, count=part) for part in range(2)]


def test_work_behind_the_first_load_of_what_came_is_not_offered(tmp_path: Path) -> None:
    """A branch on it may decide whether the work runs, or the work may overwrite the buffer."""
    (wait,) = movable(tmp_path, *loaded(1, 600), *loaded(2, 9000), work(2, 6000, 0))
    assert wait.refused == AFTER_USE and [one.before_use for one in wait.regions] == [False]
    (wait,) = movable(tmp_path, *loaded(1, 8000), *loaded(2, 9000), work(2, 6000, 0))
    assert wait.refused == "" and [(one.before_use, one.offered) for one in wait.regions] == [(True, True)]


def test_a_part_of_a_loop_is_offered_though_its_other_part_comes_first(tmp_path: Path) -> None:
    (wait,) = movable(tmp_path, *loaded(1, 600), *loaded(2, 600), work(2, 6000, 500))
    assert wait.refused == "" and wait.regions[0].offered


def test_where_no_load_is_known_it_is_not_known_either(tmp_path: Path) -> None:
    (wait,) = movable(tmp_path, work(2, 6000, 0))
    assert wait.regions[0].before_use is None and wait.regions[0].offered


def test_work_of_one_place_is_added_up(tmp_path: Path) -> None:
    (wait,) = movable(tmp_path, work(2, 3000, 100), work(2, 1000, 500))
    assert wait.independent_s == pytest.approx(4e-6) and wait.work_s == pytest.approx(4.6e-6)


def test_work_hides_no_more_than_the_messages_cost_and_no_more_than_it_takes(tmp_path: Path) -> None:
    (wait,) = movable(tmp_path, work(2, 3000, 0))
    assert wait.uncovered_s == pytest.approx(6e-6)  # the latency of both passes at the same time
    assert wait.hidden_s == pytest.approx(3e-6)
    (wait,) = movable(tmp_path, work(2, 9000, 0))
    assert wait.hidden_s == pytest.approx(6e-6)
    assert wait.regions[0].kind == "re-arrangement"


def test_a_loop_that_touches_a_little_of_the_data_is_split(tmp_path: Path) -> None:
    """The edge of a large grid is little work, and the loop may not move as it is."""
    (wait,) = movable(tmp_path, work(2, 9000, 1))
    assert wait.regions[0].kind == "loop distribution"


def test_a_call_after_which_all_work_depends_on_the_data_is_left_out(tmp_path: Path) -> None:
    assert movable(tmp_path, work(2, 0, 9000)) == []
    assert movable(tmp_path) == []


def sends(
    tmp_path: Path,
    *records: bytes,
    lines: Mapping[Place, Lines] | None = None,
    ordering: Ordering = ANYWHERE,
) -> list[MovableWork]:
    """Of a blocking send, and of one with 2 us of work until its wait, both at site 1."""
    calls = (
        world(0, 2), place(2, 0x2000), place(4, 0x4000),
        record(NUMBER["MPI_Send"], 0, 700, size=1001, peer=1, request=1), record(5, 0, request=1, tag=1, extra=1),
        record(NUMBER["MPI_Isend"], 1000, 0, size=1001, peer=1, request=2), record(5, 0, request=2, tag=1, extra=1),
        record(NUMBER["MPI_Wait"], 3000, 500, count=1), record(2, 3000, 500, request=2),
        record(NUMBER["MPI_Finalize"], 20_000, 0),
    )  # fmt: skip
    found = potential_of([trace_file(tmp_path, block(b"".join((*calls, *records))))], COST)
    names = {("/bin/app", 0x1234): "send halo.c:9", ("/bin/app", 0x2000): "sweep halo.c:41"}
    assert movable_work(found.arrivals, "arrival", {}, names, ANYWHERE) == []
    return movable_work(found.sends, "send", lines or {}, names, ordering)


def before_send(request: int, independent_ns: int, dependent_ns: int) -> bytes:
    return record(REGION, 0, dependent_ns, size=independent_ns, request=request, peer=-2, count=1)


def test_work_before_a_send_hides_what_nothing_covers(tmp_path: Path) -> None:
    (send,) = sends(tmp_path, before_send(2, 6000, 1000))
    assert (send.side, send.where, send.messages) == ("send", "send halo.c:9", 2)
    assert send.uncovered_s == pytest.approx(5e-6 + 3e-6)
    assert send.blocked_s == pytest.approx(1.2e-6)
    assert send.hidden_s == pytest.approx(6e-6) and send.work_s == pytest.approx(7e-6)
    assert [region.kind for region in send.regions] == ["loop distribution"]


def test_a_loop_that_makes_what_is_sent_is_split_before_a_part_of_it_moves_behind(tmp_path: Path) -> None:
    """The work after the last store stores none of it; the loop as a whole does."""
    lines = {SWEEP: Lines("sweep", "halo.c", 41, 58), HELPER: Lines("sweep", "halo.c", 50, 50)}
    other = {SWEEP: Lines("sweep", "halo.c", 41, 58), HELPER: Lines("edge", "halo.c", 50, 50)}
    stores = accessed(HELPER, LAST_STORES)
    for known, kind in ((lines, "loop distribution"), (other, "re-arrangement")):
        (send,) = sends(tmp_path, before_send(2, 6000, 0), stores, lines=known)
        assert [(one.kind, one.offered) for one in send.regions] == [(kind, True)]


def test_why_nothing_moves_behind_a_send_speaks_of_sends(tmp_path: Path) -> None:
    lines = {SWEEP: Lines("sweep", "halo.c", 41, 58)}
    (send,) = sends(tmp_path, before_send(2, 50, 6000), lines=lines)
    assert send.refused == MAKES


def test_work_after_arrivals_is_not_work_before_sends(tmp_path: Path) -> None:
    assert sends(tmp_path, work(2, 6000, 0)) == []
    assert movable(tmp_path, before_send(2, 6000, 0)) == []


def test_work_is_not_offered_where_the_exchange_orders_it(tmp_path: Path) -> None:
    (wait,) = movable(tmp_path, work(2, 3000, 0))
    assert wait.refused == ""
    (wait,) = movable(tmp_path, work(2, 3000, 0), ordering=Ordering(streams=frozenset([WAIT])))
    assert wait.refused == STREAM
    (wait,) = movable(tmp_path, work(2, 3000, 0), ordering=Ordering(steers=frozenset([WAIT])))
    assert wait.refused == STEERS


def test_no_work_is_passed_by_a_call_that_also_receives(tmp_path: Path) -> None:
    """MPI_Sendrecv, or MPI_Startall of both: the work may read what the message overwrites that comes."""
    lines = {SWEEP: Lines("sweep", "halo.c", 41, 58)}
    (send,) = sends(tmp_path, before_send(2, 6000, 0), lines=lines)
    assert send.refused == ""
    both = Ordering(receives=frozenset([("/bin/app", 0x1234)]))
    (send,) = sends(tmp_path, before_send(2, 6000, 0), lines=lines, ordering=both)
    assert send.refused == RECEIVES


def test_work_without_lines_is_not_offered(tmp_path: Path) -> None:
    (send,) = sends(tmp_path, before_send(2, 6000, 0))
    assert send.refused == NO_LINES and not send.regions[0].has_lines


def test_more_work_than_the_run_took_is_none(tmp_path: Path) -> None:
    """Early recorders wrote years of it."""
    (wait,) = movable(tmp_path, work(2, 3000, 0), work(3, 1 << 47, 0), ordering=Ordering(longest_s=1.0))
    assert wait.independent_s == pytest.approx(3e-6)
    (wait,) = movable(tmp_path, work(2, 3000, 0), work(3, 3000, 0), ordering=Ordering(longest_s=5e-6))
    assert wait.refused == TOO_LONG


def test_moving_work_gains_no_more_than_was_blocked(tmp_path: Path) -> None:
    (wait,) = movable(tmp_path, work(2, 9000, 0), ordering=Ordering(max_s=lambda _, __: 1e-6))
    assert wait.uncovered_s == wait.hidden_s == 1e-6
