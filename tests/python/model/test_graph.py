# SPDX-License-Identifier: BSD-3-Clause
"""The graph evaluator: by hand where a person can, against the closed forms where they hold (P >= 16)."""

import numpy as np
import pytest

from stretto.errors import UserError
from stretto.model import ft, spmv
from stretto.model.graph import Times, evaluate
from stretto.model.network import LogGp, Network
from stretto.model.schedule import Schedule, ft_schedule, spmv_schedule

US = 1e-6


def run(schedule: Schedule, work_us: float, **parameters: float) -> Times:
    """All times in microseconds; G in microseconds a byte."""
    loggp = LogGp.of(**{k: v if k in ("overlap", "steal") else v * US for k, v in parameters.items()})
    return evaluate(schedule, Network.uniform(loggp), np.array([work_us * US]))


def us(values: object) -> float:
    return float(np.asarray(values)[0]) / US


def test_messages_and_sizes_are_those_of_the_paper() -> None:
    for name, chunks, messages, size in (
        ("exchange", None, 31, 256 * 1024),
        ("slabs", None, 31, 256 * 1024),
        ("pencils", None, 992, 8192),
        ("chunks", 64, 62, 128 * 1024),
        ("chunks", 2048, 1984, 4096),
    ):
        schedule = ft_schedule(name, 32, 1024, 8192, chunks)
        assert (schedule.messages, schedule.largest_bytes) == (messages, size)


def test_exchange_and_slabs_on_two_ranks_by_hand() -> None:
    network = {"o": 1.0, "L": 2.0, "G": 10 / 1599}
    exchange = run(ft_schedule("exchange", 2, 2, 1600), 40, **network)
    # compute 40, start 1, wire 10, there and acknowledged 2 * 2; barrier 1 + 2
    assert us(exchange.total_s) == pytest.approx(40 + 1 + 10 + 4 + 3)
    slabs = run(ft_schedule("slabs", 2, 2, 1600), 40, **network)
    assert us(slabs.total_s) == pytest.approx(20 + 1 + 20 + 0 + 3)  # 10 + 4 hide under the second half
    assert us(slabs.segment_s("init")) == pytest.approx(1)
    assert us(slabs.segment_s("sync")) == 0


def test_without_overlap_a_transfer_waits_for_the_end_of_work() -> None:
    network = {"o": 1.0, "L": 2.0, "G": 10 / 1599}
    slabs = ft_schedule("slabs", 2, 2, 1600)
    assert us(run(slabs, 40, **network, overlap=0.0).total_s) == pytest.approx(20 + 1 + 20 + 10 + 4 + 3)
    assert us(run(slabs, 40, **network, overlap=0.5).total_s) == pytest.approx(20 + 1 + 20 + 5 + 4 + 3)


def test_buffers_hold_so_much_of_all_messages_together() -> None:
    # three slabs of 12 us each by themselves at most 16 us before the wait: the last 20 us come after the work
    network = {"o": 1.0, "G": 12 / 1599}
    slabs = ft_schedule("slabs", 4, 4, 1600)
    loggp = LogGp.of(o=1 * US, G=12 / 1599 * US, unattended_bytes=16 / 12 * 1599)
    held = evaluate(slabs, Network.uniform(loggp), np.array([400 * US]))
    assert us(held.total_s) == pytest.approx(400 + 3 + 20 + 2)
    assert us(run(slabs, 400, **network).total_s) == pytest.approx(400 + 3 + 2)


def test_stolen_cycles_lengthen_work_while_a_message_moves() -> None:
    # 10 on the wire and 4 until the acknowledgement, at half speed: 7 of the 20 are done by then
    slabs = ft_schedule("slabs", 2, 2, 1600)
    found = run(slabs, 40, o=1.0, L=2.0, G=10 / 1599, steal=0.5)
    assert us(found.total_s) == pytest.approx(20 + 1 + 14 + 13 + 3)
    assert us(run(slabs, 40, o=1.0, L=2.0, G=10 / 1599, steal=1.0).total_s) == pytest.approx(
        20 + 1 + 14 + 20 + 3
    )


def test_gathers_keep_two_gets_in_flight() -> None:
    # all on the wire back to back: 1 + 3 (request) + 3 * 10 + 3, the last block's work 1; barrier 2 * (1 + 3)
    schedule = spmv_schedule("gather", 4, 1001, 1)
    found = run(schedule, 4, o=1.0, L=3.0, G=0.01)
    assert us(found.total_s) == pytest.approx(1 + 3 + 30 + 3 + 1 + 8)
    deeper = run(spmv_schedule("gather", 4, 1001, 3), 4, o=1.0, L=3.0, G=0.01)
    assert us(deeper.segment_s("prefetch_init")) == pytest.approx(2)
    assert us(deeper.segment_s("pipeline_init")) == pytest.approx(1)


def test_bulk_computes_after_all_communication() -> None:
    found = run(spmv_schedule("bulk", 4, 1001), 40, o=1.0, L=3.0, G=0.01)
    assert us(found.total_s) == pytest.approx(1 + 3 + 30 + 3 + 40 + 8)


def test_prefetch_0_and_1_are_the_same_run() -> None:
    for name in ("gather", "scatter"):
        steps = [spmv_schedule(name, 8, 4096, depth).steps for depth in (0, 1)]
        assert steps[0] == steps[1]


@pytest.mark.parametrize("ranks", [16, 32])
@pytest.mark.parametrize("work_us", [0.0, 2.0, 8.0, 40.0, 400.0])
@pytest.mark.parametrize("wire_us", [1.0, 30.0, 100.0])
@pytest.mark.parametrize("o_us", [1.0, 15.0])
def test_pencils_are_as_equations_6_to_8_say(ranks: int, work_us: float, wire_us: float, o_us: float) -> None:
    rows, size = 32 * ranks, 8192
    loggp = LogGp.of(o=o_us * US, g_queue=20 * US, G=wire_us * US / size)
    work_s = np.array([work_us * US])
    graph = evaluate(ft_schedule("pencils", ranks, rows, size), Network.uniform(loggp), work_s * rows)
    work = ft.Pieces(rows, ranks, size, work_s)
    closed = ft.times(work, loggp)
    assert us(graph.total_s) == pytest.approx(us(closed.total_s), rel=0.01)
    initiation_us = us(graph.segment_s("init", "work"))
    assert initiation_us == pytest.approx(us(ft.initiation_s(work, loggp)), rel=1e-9)
    # to the letter, eq. 6 lets each round find the queue free
    tolerance = 0.03 if 2 * work_us + o_us >= 0.55 * 20 else 1 / (ranks - 1)
    assert us(ft.initiation_eq6_s(work, loggp)) == pytest.approx(initiation_us, rel=tolerance)


@pytest.mark.parametrize("work_us", [0.0, 50.0, 2000.0])
def test_gather_is_as_equation_13_says_where_latency_does_not_count(work_us: float) -> None:
    loggp = LogGp.of(L=2 * US, o=0.5 * US, g_queue=1 * US, G=1000 * US / 65536)  # 2 L is 0.4 % of a block
    blocks = spmv.Blocks(32, 65536, np.array([work_us * US]))
    graph = evaluate(spmv_schedule("gather", 32, 65536), Network.uniform(loggp), blocks.work_s * 32)
    assert us(graph.total_s) == pytest.approx(us(spmv.times(blocks, loggp).total_s), rel=0.01)


def test_draws_are_evaluated_together_as_each_alone() -> None:
    work_s = np.array([1e-3, 5e-3, 0.0])
    values = [(1e-6, 0.3, 0.2), (4e-6, 1.0, 0.0), (2e-6, 0.0, 0.9)]
    columns = [np.array(column) for column in zip(*values)]
    o, overlap, steal = columns
    zero = np.zeros(3)
    together = LogGp(zero + 2e-6, o, zero, zero, zero + 3e-6, zero + 1e-9, overlap, steal, zero + 1e5)
    schedule = ft_schedule("chunks", 4, 16, 65536, 8)
    found = evaluate(schedule, Network.uniform(together), work_s)
    for index, (o_s, phi, sigma) in enumerate(values):
        alone = LogGp.of(L=2e-6, o=o_s, g_queue=3e-6, G=1e-9, overlap=phi, steal=sigma, unattended_bytes=1e5)
        one = evaluate(schedule, Network.uniform(alone), work_s[index : index + 1])
        assert found.total_s[index] == pytest.approx(one.total_s[0], rel=1e-12)


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (lambda: ft_schedule("pencils", 3, 16, 64), "multiple of 3"),
        (lambda: ft_schedule("chunks", 4, 16, 64, 6), "a multiple of the 4 ranks"),
        (lambda: ft_schedule("chunks", 4, 16, 64, 12), "divide the 64 elements"),
        (lambda: ft_schedule("waves", 4, 16, 64), "unknown 'waves'"),
        (lambda: ft_schedule("slabs", 1, 16, 64), "exchange nothing"),
        (lambda: spmv_schedule("gather", 4, 64, 4), "not within 0 to P - 1 = 3"),
        (lambda: spmv_schedule("fetch", 4, 64), "unknown 'fetch'"),
    ],
)
def test_what_does_not_divide_is_refused(make: object, what: str) -> None:
    assert callable(make)
    with pytest.raises(UserError, match=what):
        make()
