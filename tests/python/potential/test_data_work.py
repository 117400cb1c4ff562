# SPDX-License-Identifier: BSD-3-Clause
"""Independent and dependent work on traces with known production and consumption."""

from pathlib import Path

import pytest
from trace_bytes import NUMBER, block, record, trace_file, world

from stretto.data.trace_records import CONSUMED, PRODUCED
from stretto.potential.advice import advice
from stretto.potential.levels import levels_of
from stretto.potential.messages import potential_of
from stretto.potential.sites import Cost, SitePotential

COST = Cost(latency_s=4e-6, gap_s_per_byte=1e-9)  # 1001 bytes: 5 us
PARTS = 8


def touches(call: int, ns: list[int], other_ends: list[int], request: int = 1) -> bytes:
    return b"".join(
        record(call, when, request=request, count=part, tag=PARTS, extra=other)
        for part, (when, other) in enumerate(zip(ns, other_ends))
    )


def sites_of(tmp_path: Path, *records: bytes) -> list[SitePotential]:
    first = record(NUMBER["MPI_Init"], 0, 1000, site=0)
    file = trace_file(tmp_path, block(world(0, 2) + first + b"".join(records)))
    return potential_of([file], COST).sites


def sent(call: str = "MPI_Send", request: int = 1) -> bytes:
    """Eight parts each stored to for 1 us, 10 us apart, from 11 us on; 20 us later they are sent."""
    ends = [12_000 + 10_000 * part for part in range(PARTS)]
    message = record(NUMBER[call], 102_000, 100, size=1001, peer=1, request=request)
    return message + touches(PRODUCED, ends, [end - 1000 for end in ends], request)


def received() -> bytes:
    """30 us after the message has come its last part is read, then the others, back to front, 5 us apart."""
    message = record(NUMBER["MPI_Recv"], 200_000, 50_000, size=1001, peer=1, request=2)
    loads = [280_000 + 5_000 * (PARTS - 1 - part) for part in range(PARTS)]
    return message + touches(CONSUMED, loads, loads, request=2)


def test_the_producer_side_is_split_as_in_the_slides(tmp_path: Path) -> None:
    (site,) = sites_of(tmp_path, sent())
    data = site.data
    assert (data.messages, data.order) == (1, "in order")
    assert data.independent_s == pytest.approx(20e-6)
    assert data.dependent_s == pytest.approx(70e-6)
    assert data.period_s == pytest.approx(10e-6)
    assert data.between_parts_s == pytest.approx(7 * 9e-6)  # what is stored takes 1 us of every 10
    assert data.rearrangement_s == pytest.approx(10e-6)  # from MPI_Init to the first store
    assert advice(site).text == "its data is ready 20 us before: start it with MPI_Isend 5 us earlier"


def test_the_consumer_side_counts_from_the_end_of_the_call(tmp_path: Path) -> None:
    (site,) = sites_of(tmp_path, received())
    assert site.data.independent_s == pytest.approx(30e-6)
    assert site.data.dependent_s == pytest.approx(35e-6)
    assert site.data.order == "in reverse order"
    assert advice(site).text.startswith(
        "its data is first used 30 us after: receive it with MPI_Irecv, and wait for that 5 us later"
    )


def test_time_in_calls_is_no_work(tmp_path: Path) -> None:
    between = record(NUMBER["MPI_Barrier"], 85_000, 12_000, site=0)
    (send, _) = sites_of(tmp_path, between, sent())
    assert (send.call, send.data.independent_s) == ("MPI_Send", pytest.approx(8e-6))


def test_levels_are_sums_of_both_sides_over_the_cost(tmp_path: Path) -> None:
    independent, consumer, producer = levels_of(sites_of(tmp_path, sent(), received()))
    assert (independent.level, consumer.level, producer.level) == (
        "independent",
        "consumer",
        "producer-consumer",
    )
    assert independent.work_s == pytest.approx(50e-6) and independent.times_cost == pytest.approx(10)
    assert consumer.work_s == pytest.approx(85e-6)
    assert producer.work_s == pytest.approx(155e-6)


def test_nonblocking_operations_are_matched_by_their_request(tmp_path: Path) -> None:
    waited = record(NUMBER["MPI_Wait"], 103_000, 100, count=1, site=0) + record(
        2, 103_000, 100, request=1, site=0
    )
    (site,) = sites_of(tmp_path, sent("MPI_Isend"), waited)
    assert site.data_window_s == pytest.approx(0.9e-6)
    assert site.data.messages == 1
    posted = record(NUMBER["MPI_Irecv"], 104_000, 100, size=1001, peer=1, request=2)
    done = record(NUMBER["MPI_Wait"], 114_100, 900, count=1, site=0) + record(
        2, 114_100, 900, request=2, site=0
    )
    loads = touches(CONSUMED, [120_000] * PARTS, [120_000] * PARTS, request=2)
    (site,) = sites_of(tmp_path, posted, done, loads)
    assert site.data.independent_s == pytest.approx(5e-6)
    assert (site.data.order, site.data_window_s) == ("at once", pytest.approx(10e-6))


def test_false_overlap_keeps_its_name(tmp_path: Path) -> None:
    at_once = record(NUMBER["MPI_Wait"], 102_100, 100, count=1, site=0)
    (site,) = sites_of(tmp_path, sent("MPI_Isend"), at_once, record(2, 102_100, 100, request=1, site=0))
    assert (
        advice(site).text
        == "false overlap: waited for at once; its data is ready 20 us before: start it 5 us earlier"
    )


def test_data_that_is_never_read_is_not_counted_as_work(tmp_path: Path) -> None:
    message = record(NUMBER["MPI_Recv"], 200_000, 50_000, size=1001, peer=1, request=2)
    (site,) = sites_of(tmp_path, message, touches(CONSUMED, [0] * PARTS, [0] * PARTS, request=2))
    assert (site.data.messages, site.data.untouched_parts, site.data.period_s) == (0, 0, 0)
    assert levels_of([site]) == []


def test_what_was_stored_before_the_last_message_is_not_produced_for_this_one(tmp_path: Path) -> None:
    """A buffer whose middle stays as it was: its parts were not produced over the time between the messages."""
    ends = [112_000] + [30_000] * (PARTS - 2) + [113_000]
    again = record(NUMBER["MPI_Send"], 120_000, 100, size=1001, peer=1, request=2)
    again += touches(PRODUCED, ends, ends, request=2)
    (site,) = sites_of(tmp_path, sent(), again)
    assert site.data.dependent_s == pytest.approx(70e-6 + 1e-6)
    assert site.data.independent_s == pytest.approx(20e-6 + 7e-6)
    assert site.data.untouched_parts == PARTS - 2
    assert site.data.period_s == pytest.approx((70e-6 + 1e-6) / (PARTS - 1 + 1))


def test_what_went_to_another_rank_may_be_produced_before(tmp_path: Path) -> None:
    ends = [30_000 + part * 1000 for part in range(PARTS)]
    other = record(NUMBER["MPI_Send"], 120_000, 100, size=1001, peer=0, request=2)
    other += touches(PRODUCED, ends, ends, request=2)
    (site,) = sites_of(tmp_path, sent(), other)
    assert site.data.dependent_s == pytest.approx(70e-6 + 7e-6) and site.data.untouched_parts == 0
