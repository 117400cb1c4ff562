# SPDX-License-Identifier: BSD-3-Clause
"""Where the time in calls goes: every part is known by construction."""

from pathlib import Path

import pytest
from time_in_calls import time_use
from trace_bytes import NUMBER, rank_files, record

from stretto.data.trace import TraceFile
from stretto.potential.blocked import BlockedTime, TimeUse
from stretto.potential.core_shortage import shortage_of
from stretto.potential.sites import Cost

COST = Cost(latency_s=1e-6, gap_s_per_byte=1e-9)  # 1001 bytes: 2 us
END_NS = 20_000


def use_of(tmp_path: Path, sender: list[bytes], receiver: list[bytes], cores: int | None = None) -> TimeUse:
    return time_use(traces(tmp_path, sender, receiver, cores), COST)


def traces(
    tmp_path: Path, sender: list[bytes], receiver: list[bytes], cores: int | None = None
) -> list[TraceFile]:
    ended = record(NUMBER["MPI_Finalize"], END_NS)
    return rank_files(tmp_path, [*sender, ended], [*receiver, ended], cores=cores)


def send(begin_ns: int, duration_ns: int) -> bytes:
    return record(NUMBER["MPI_Send"], begin_ns, duration_ns, size=1001, peer=1, tag=7)


def recv(begin_ns: int, duration_ns: int) -> bytes:
    return record(NUMBER["MPI_Recv"], begin_ns, duration_ns, size=1001, peer=0, tag=7)


def parts(blocked: BlockedTime) -> tuple[float, float, float, float]:
    found = (blocked.late_s, blocked.transfer_s, blocked.progress_s, blocked.cores_s)
    return tuple(round(1e9 * one) for one in found)  # type: ignore[return-value]


def test_a_receive_waits_for_a_late_sender_then_for_the_transfer_then_for_progress(tmp_path: Path) -> None:
    use = use_of(tmp_path, [send(3000, 0)], [recv(1000, 5000)])
    assert parts(use.all) == (2000, 2000, 1000, 0)
    assert use.run_s == pytest.approx(17e-6 + 19e-6)  # of each rank from its first call on


def test_a_message_that_is_there_costs_no_transfer(tmp_path: Path) -> None:
    assert parts(use_of(tmp_path, [send(0, 0)], [recv(9000, 300)]).all) == (0, 0, 300, 0)


def test_a_send_waits_for_a_late_receiver(tmp_path: Path) -> None:
    use = use_of(tmp_path, [send(1000, 6000)], [recv(4000, 3000)])
    # The sender's: 3 us late, 2 us of transfer, 1 us more; of the receiver the message was sent before.
    assert parts(use.all) == (3000, 2000, 1000 + 3000, 0)


def test_a_wait_counts_the_last_of_its_messages(tmp_path: Path) -> None:
    isends = [
        record(NUMBER["MPI_Isend"], at, 0, size=1001, peer=1, tag=7, request=number)
        for number, at in enumerate((1000, 5000), 1)
    ]
    waits = [
        record(NUMBER["MPI_Irecv"], 0, 0, size=1001, peer=0, tag=7, request=1),
        record(NUMBER["MPI_Irecv"], 0, 0, size=1001, peer=0, tag=7, request=2),
        record(NUMBER["MPI_Wait"], 2000, 6000, count=2),
        record(2, 2000, 6000, request=1),
        record(2, 2000, 6000, request=2),
    ]
    assert parts(use_of(tmp_path, isends, waits).all) == (3000, 2000, 1000, 0)


def isend(begin_ns: int) -> bytes:
    return record(NUMBER["MPI_Isend"], begin_ns, 0, size=1001, peer=1, tag=7, request=1)


def test_a_wait_that_ends_with_the_partners_next_call_lacked_a_poll(tmp_path: Path) -> None:
    """The isend leaves at 1 us, and could be there at 3 us; its sender computes until 7 us."""
    waits = record(NUMBER["MPI_Wait"], 7000, 0, count=1)
    blocked = use_of(tmp_path, [isend(1000), waits], [recv(500, 6600)]).all
    assert (round(1e9 * blocked.progress_s), round(1e9 * blocked.poll_s)) == (4100, 4000)
    # It came before: the sender's call had no part in it. A blocking send is over when it returns.
    assert use_of(tmp_path, [isend(1000), waits], [recv(500, 6000)]).all.poll_s == 0
    assert use_of(tmp_path, [send(1000, 10), waits], [recv(500, 6600)]).all.poll_s == 0


def test_calls_that_do_not_wait_take_their_time_themselves(tmp_path: Path) -> None:
    slow = record(NUMBER["MPI_Isend"], 1000, 700, size=1001, peer=1, tag=7, request=1)
    blocked = use_of(tmp_path, [slow], [recv(9000, 0)]).all
    assert round(1e9 * blocked.calls_s) == round(1e9 * blocked.progress_s) == 700


def test_a_receive_of_a_message_that_was_there_takes_its_time_itself(tmp_path: Path) -> None:
    """Nothing that is posted or moved could hide it, unless the sender has not returned: it may wait for it."""
    returned = use_of(tmp_path, [send(0, 500)], [recv(9000, 300)]).all
    assert (round(1e9 * returned.calls_s), returned.hideable_s) == (300 + 500, pytest.approx(0))
    blocked = use_of(tmp_path, [send(0, 9200)], [recv(9000, 300)]).all
    assert round(1e9 * blocked.calls_s) == 0


def test_sends_that_return_before_their_receives_do_not_wait_for_receivers(tmp_path: Path) -> None:
    """The second meets its receive, and the receiver's next call, by chance."""
    sends = [send(0, 300), send(2000, 2500), send(6000, 700)]
    use = use_of(tmp_path, sends, [recv(1000, 10), recv(3000, 10), recv(9000, 10)])
    sent = use.all
    assert (round(1e9 * sent.late_s), round(1e9 * sent.poll_s)) == (0, 0)
    # Each takes the shortest's 300 ns itself; of the rest, up to 2 us a message may be its transfer.
    assert round(1e9 * sent.transfer_s) == 3000 - 900 + 2 * 10  # and two receives
    assert round(1e9 * sent.calls_s) == 900 + 10  # the last receive's message was there, by its cost


def test_most_sends_decide_whether_they_wait_for_receivers(tmp_path: Path) -> None:
    sends = [send(0, 300), send(2000, 2500), send(6000, 3500)]
    use = use_of(tmp_path, sends, [recv(1000, 10), recv(3000, 10), recv(9000, 10)])
    assert round(1e9 * use.all.late_s) == 1000 + 3000


def test_a_run_is_from_the_end_of_init_to_the_begin_of_finalize(tmp_path: Path) -> None:
    """What is before and behind them is no part of it, as for `stretto gain` and the replay."""
    begun = record(NUMBER["MPI_Init"], 1000, 3000)
    ended = record(NUMBER["MPI_Finalize"], 9000, 90_000)
    use = use_of(tmp_path, [begun, send(5000, 0), ended], [begun, recv(5000, 0), ended])
    assert use.run_s == pytest.approx(2 * (END_NS - 4000) * 1e-9)  # each ends with another, as all here do


def test_a_barrier_waits_for_the_last_rank(tmp_path: Path) -> None:
    def barrier(begin_ns: int, duration_ns: int) -> bytes:
        return record(NUMBER["MPI_Barrier"], begin_ns, duration_ns, peer=-2)

    use = use_of(tmp_path, [barrier(1000, 9000)], [barrier(8000, 2000)])
    assert parts(use.all) == (7000, 1000 + 1000, 1000 + 1000, 0)


def test_with_more_ranks_than_cores_what_remains_is_waiting_for_a_core(tmp_path: Path) -> None:
    use = use_of(tmp_path, [send(3000, 0)], [recv(1000, 5000)], cores=1)
    assert parts(use.all) == (2000, 2000, 0, 1000)
    assert "2 ranks shared 1 core of node" in str(use.shortage)


@pytest.mark.parametrize("cores", [None, 2, 64])
def test_enough_or_unknown_cores_are_not_crowded(cores: int | None, tmp_path: Path) -> None:
    assert not str(shortage_of(traces(tmp_path, [], [], cores)))


def test_times_are_those_of_the_call_site(tmp_path: Path) -> None:
    use = use_of(tmp_path, [send(0, 10)], [recv(0, 5000)])
    (place,) = use.by_place
    assert place == ("/bin/app", 0x1234) and parts(use.by_place[place]) == parts(use.all)
