# SPDX-License-Identifier: BSD-3-Clause
"""Overlap potential of calls on traces with known windows."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from trace_bytes import NUMBER, block, record, trace_file, world

from stretto.potential.advice import advice
from stretto.potential.messages import potential_of
from stretto.potential.sites import Cost, SitePotential

COST = Cost(latency_s=4e-6, gap_s_per_byte=1e-9)  # 1001 bytes: 5 us
WAITED_NS = 500


def site_of(tmp_path: Path, *records: bytes) -> SitePotential:
    """The one place that communicates in a trace of one rank."""
    (site,) = potential_of([trace_file(tmp_path, block(world(0, 2) + b"".join(records)))], COST).sites
    return site


def overlapped(start_ns: int, work_ns: int, request: int, call: str = "MPI_Isend") -> bytes:
    wait_ns = start_ns + 100 + work_ns
    return b"".join(
        (
            record(NUMBER[call], start_ns, 100, size=1001, peer=1, request=request),
            record(NUMBER["MPI_Wait"], wait_ns, WAITED_NS, count=1, site=0),
            record(2, wait_ns, WAITED_NS, request=request, site=0),
        )
    )


def test_the_window_is_the_computation_between_start_and_wait(tmp_path: Path) -> None:
    site = site_of(tmp_path, overlapped(0, 3000, 1), overlapped(10_000, 20_000, 2))
    assert (site.count, site.size_bytes, site.side, site.module) == (2, 2002, "send", "/bin/app")
    assert site.window_s == pytest.approx(23e-6)
    assert site.cost_s == pytest.approx(10e-6)
    assert site.covered_s == pytest.approx(3e-6 + 5e-6)  # no message is covered by another's window
    assert site.blocked_s == pytest.approx(2 * 500e-9)
    assert site.verdict == "too short" and advice(site).text.startswith("start it 1 us earlier")


def test_time_in_other_calls_is_no_computation(tmp_path: Path) -> None:
    site = site_of(
        tmp_path,
        record(NUMBER["MPI_Irecv"], 0, 100, size=1001, peer=1, request=1),
        record(NUMBER["MPI_Init"], 1_100, 8_000, site=0),
        record(NUMBER["MPI_Wait"], 11_100, 0, count=1, site=0),
        record(2, 11_100, 0, request=1, site=0),
    )
    assert site.window_s == pytest.approx(3e-6)


def test_false_overlap_is_called_so(tmp_path: Path) -> None:
    site = site_of(tmp_path, overlapped(0, 50, 1, "MPI_Irecv"), overlapped(10_000, 0, 2, "MPI_Irecv"))
    assert site.verdict == "false overlap"
    assert advice(site).text == "false overlap: waited for at once; move 5 us of work before the wait"


def test_blocking_and_covered_are_different_verdicts(tmp_path: Path) -> None:
    site = site_of(tmp_path, record(NUMBER["MPI_Send"], 0, 700, size=1001, peer=1))
    assert (site.verdict, site.blocked_s) == ("blocking", pytest.approx(700e-9))
    assert site_of(tmp_path, overlapped(0, 6000, 1)).verdict == "covered"


def test_messages_to_proc_null_cost_nothing(tmp_path: Path) -> None:
    site = site_of(
        tmp_path,
        record(NUMBER["MPI_Send"], 0, 700, size=1001, peer=-2),
        record(NUMBER["MPI_Recv"], 1000, 700, size=8, peer=1),
    )
    assert (site.call, site.count) == ("MPI_Recv", 1)


def sites_of(tmp_path: Path, *records: bytes, calls: Sequence[tuple[str, str]]) -> dict[str, SitePotential]:
    """By the names of the calls, of a trace of rank 0 of 2 whose calls these are."""
    file = trace_file(tmp_path, block(world(0, 2) + b"".join(records)), calls=calls)
    return {site.call: site for site in potential_of([file], COST).sites}


def test_both_halves_of_a_pair_have_their_window(tmp_path: Path) -> None:
    calls = (("MPI_Init", "plain"), ("MPI_Isendrecv", "isendrecv"), ("MPI_Wait", "wait"))
    result = sites_of(
        tmp_path,
        record(17, 1_000, 100, size=1001, peer=1, request=1),
        record(3, 1_000, 100, size=501, peer=1, request=1),
        record(18, 4_100, 800, count=1),
        record(2, 4_100, 800, request=1),
        record(17, 10_000, 100, size=1001, peer=-2, request=2),  # to nobody, but from somebody
        record(3, 10_000, 100, size=501, peer=1, request=2),
        calls=calls,
    )
    sends, receives = result["MPI_Isendrecv"], result["MPI_Isendrecv (receives)"]
    assert (sends.side, sends.count, receives.side, receives.count) == ("send", 1, "receive", 2)
    assert sends.window_s == pytest.approx(3e-6) and receives.window_s == pytest.approx(3e-6)
    assert sends.blocked_s + receives.blocked_s == pytest.approx(800e-9)


def test_what_another_thread_waits_for_is_no_false_overlap(tmp_path: Path) -> None:
    """The one that starts has computed for 100 us, the one that waits for nothing yet."""
    start = record(NUMBER["MPI_Isend"], 100_000, 100, size=1001, peer=1, request=1)
    starts = world(0, 2) + record(NUMBER["MPI_Init"], 0) + start
    waits = record(NUMBER["MPI_Wait"], 103_100, 500, count=1, site=0)
    waits += record(2, 103_100, 500, request=1, site=0)
    (site,) = potential_of([trace_file(tmp_path, block(starts), block(waits, thread=1))], COST).sites
    assert site.window_s == pytest.approx(3e-6) and site.verdict == "too short"


def test_half_a_pair_with_proc_null_costs_nothing(tmp_path: Path) -> None:
    result = sites_of(
        tmp_path,
        record(17, 1_000, 100, size=1001, peer=-2),
        record(3, 1_000, 100, size=501, peer=1),
        calls=(("MPI_Init", "plain"), ("MPI_Sendrecv", "sendrecv")),
    )
    assert list(result) == ["MPI_Sendrecv (receives)"]
    assert result["MPI_Sendrecv (receives)"].blocked_s == pytest.approx(100e-9), "of the half that there is"


def test_one_sided_operations_are_waited_for_by_what_ends_them(tmp_path: Path) -> None:
    """A flush of one target ends what went there, a fence everything of its window."""
    names = ("MPI_Init", "MPI_Put", "MPI_Get", "MPI_Win_flush", "MPI_Win_fence", "MPI_Win_lock")
    kinds = ("plain", "one_sided", "one_sided", "synchronise_with", "synchronise", "synchronise_with")
    result = sites_of(
        tmp_path,
        record(21, 0, 0, context=5, peer=1),
        record(17, 0, 100, size=1001, context=5, peer=1),
        record(18, 1_100, 100, size=1001, context=5, peer=0),
        record(21, 1_200, 0, context=5, peer=1),  # a lock ends nothing
        record(19, 3_200, 400, context=5, peer=1),
        record(20, 4_600, 200, context=6, peer=-2),
        record(20, 9_800, 700, context=5, peer=-2),
        calls=tuple(zip(names, kinds)),
    )
    put, get = result["MPI_Put"], result["MPI_Get"]
    assert (put.side, put.count, put.blocked_s) == ("one-sided", 1, pytest.approx(400e-9))
    assert put.window_s == pytest.approx(3e-6) and put.verdict == "too short"
    assert get.window_s == pytest.approx(8e-6) and get.verdict == "covered"


def test_a_collective_costs_what_it_brings(tmp_path: Path) -> None:
    calls = (("MPI_Init", "plain"), ("MPI_Neighbor_allgather", "neighbor"), ("MPI_Iallgather", "icollective"))
    result = sites_of(
        tmp_path,
        record(17, 1_000, 700, size=101, extra=1001),
        record(18, 2_000, 100, size=101, extra=2001, request=1),
        calls=calls,
    )
    assert result["MPI_Neighbor_allgather"].cost_s == pytest.approx(5e-6)
    assert result["MPI_Neighbor_allgather"].verdict == "blocking"
    assert result["MPI_Iallgather"].cost_s == pytest.approx(6e-6)


def test_a_request_that_is_freed_has_no_wait(tmp_path: Path) -> None:
    calls = (
        ("MPI_Init", "plain"),
        ("MPI_Isend", "isend"),
        ("MPI_Wait", "wait"),
        ("MPI_Request_free", "request_free"),
    )
    result = sites_of(
        tmp_path,
        record(17, 1_000, 100, size=1001, peer=1, request=1),
        record(19, 2_000, 100, request=1),
        record(17, 3_000, 100, size=1001, peer=1, request=1),
        record(18, 5_100, 800, count=1),
        record(2, 5_100, 800, request=1),
        calls=calls,
    )
    assert result["MPI_Isend"].count == 2
    assert result["MPI_Isend"].window_s == pytest.approx(2e-6)  # of the second alone


def test_requests_without_a_message_have_no_part_in_a_wait(tmp_path: Path) -> None:
    """At the boundary of a domain half of the requests go to MPI_PROC_NULL; a cancelled one brings nothing."""
    calls = (("MPI_Init", "plain"), ("MPI_Irecv", "irecv"), ("MPI_Isend", "isend"), ("MPI_Waitall", "wait"))
    peers = ((17, 1, 0), (17, -2, 0), (18, -2, 0), (18, 1, 0), (17, 1, 2))
    records = [record(16, 900, 0)]
    for number, (call, peer, _) in enumerate(peers, 1):
        records.append(record(call, 1_000, 0, size=1001, peer=peer, request=number))
    records.append(record(19, 4_000, 800, count=len(peers)))
    for number, (_, _, ends) in enumerate(peers, 1):
        records.append(record(2, 4_000, 800, request=number, count=ends))
    result = sites_of(tmp_path, *records, record(16, 9_000, 0), calls=calls)
    assert result["MPI_Irecv"].blocked_s == pytest.approx(400e-9)
    assert result["MPI_Isend"].blocked_s == pytest.approx(400e-9)


def test_what_a_rank_sends_to_itself_costs_nothing(tmp_path: Path) -> None:
    """As in a periodic domain that is divided in other directions: nothing of it comes over the network."""
    calls = (("MPI_Init", "plain"), ("MPI_Irecv", "irecv"), ("MPI_Isend", "isend"), ("MPI_Waitall", "wait"))
    records = [record(16, 900, 0)]
    for number, (call, peer) in enumerate(((17, 0), (18, 0), (17, 1), (18, 1)), 1):
        records.append(record(call, 1_000, 0, size=1001, peer=peer, request=number))
    records.append(record(19, 1_000, 800, count=4))
    for number in range(1, 5):
        records.append(record(2, 1_000, 800, request=number))
    # A shorter message than the buffer, from itself.
    records += [record(17, 2_000, 0, size=1001, peer=0, request=5), record(19, 2_000, 0, count=1)]
    records.append(record(2, 2_000, 0, size=501, peer=0, request=5, count=1))
    file = trace_file(tmp_path, block(world(0, 2) + b"".join((*records, record(16, 9_000, 0)))), calls=calls)
    potential = potential_of([file], COST)
    result = {site.call: site for site in potential.sites}
    assert result["MPI_Isend"].cost_s == pytest.approx(COST.of(1001))
    assert result["MPI_Irecv"].cost_s == pytest.approx(COST.of(1001))
    assert (result["MPI_Isend"].size_bytes, result["MPI_Irecv"].size_bytes) == (2002, 2503)
    (arrival,) = potential.arrivals.values()
    assert arrival.cost_s == pytest.approx(COST.of(1001)), (
        "with its latency, though that from itself is first"
    )


def test_persistent_operations_are_those_that_were_started(tmp_path: Path) -> None:
    calls = (("MPI_Init", "plain"), ("MPI_Startall", "plain"), ("MPI_Waitall", "wait"))
    result = sites_of(
        tmp_path,
        record(17, 1_000, 100),
        record(4, 1_000, 100, size=1001, peer=1, request=1, count=0),
        record(4, 1_000, 100, size=501, peer=1, request=2, count=1),
        record(18, 4_100, 800, count=2),
        record(2, 4_100, 800, request=1),
        record(2, 4_100, 800, request=2),
        calls=calls,
    )
    sends, receives = result["MPI_Start"], result["MPI_Start (receives)"]
    assert len(result) == 2 and (sends.side, receives.side) == ("send", "receive")
    assert (sends.size_bytes, receives.size_bytes) == (1001, 501)
    for one in (sends, receives):
        assert one.count == 1 and one.window_s == pytest.approx(3e-6)


def test_the_order_of_a_start_of_both_sides_decides_nothing(tmp_path: Path) -> None:
    """A call that starts receives, too, is one behind which no work is offered: also where a send is first."""
    calls = (("MPI_Init", "plain"), ("MPI_Startall", "plain"), ("MPI_Waitall", "wait"))
    started = [record(4, 1_000, 100, size=8, peer=1, request=1 + side, count=side) for side in (0, 1)]
    waited = record(18, 4_100, 800, count=2)
    ended = [record(2, 4_100, 800, request=1 + side) for side in (0, 1)]
    for number, order in enumerate((started, started[::-1])):
        folder = tmp_path / str(number)
        folder.mkdir()
        result = sites_of(folder, record(17, 1_000, 100), *order, waited, *ended, calls=calls)
        assert {site.side for site in result.values()} == {"send", "receive"}


def test_a_thread_computes_while_another_is_in_a_call(tmp_path: Path) -> None:
    """Thread 1 is in a barrier for all of the window of thread 0, which takes nothing from it."""
    overlapping = block(world(0, 2) + overlapped(0, 3000, 1))
    barrier = block(record(NUMBER["MPI_Barrier"], 500, 2_000, site=0) * 2, thread=1)
    found = potential_of([trace_file(tmp_path, barrier, overlapping)], COST)
    result = {site.call: site for site in found.sites}
    assert result["MPI_Isend"].window_s == pytest.approx(3e-6)


def test_advice_for_what_blocks_names_its_nonblocking_variant(tmp_path: Path) -> None:
    calls = (("MPI_Init", "plain"), ("MPI_Bcast", "collective"), ("MPI_Recv", "recv"))
    result = sites_of(
        tmp_path,
        record(17, 1_000, 700, size=1001, extra=0),
        record(18, 3_000, 700, size=1001, peer=1),
        calls=calls,
    )
    about = "about 5 us of work before it is needed"
    assert "blocks; MPI_Ibcast where its input is ready" in advice(result["MPI_Bcast"]).text
    assert advice(result["MPI_Recv"]).text == f"blocks; start it with MPI_Irecv {about}"
