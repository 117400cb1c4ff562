# SPDX-License-Identifier: BSD-3-Clause
"""The FT equations by hand, in each of the paper's three regimes (its figures 20 to 22: N = P = 4)."""

import numpy as np
import pytest

from stretto.model.ft import Pieces, initiation_eq6_s, initiation_s, initiation_when_computing_s, times
from stretto.model.network import LogGp

US = 1e-6
SIZE = 1000


def pieces(work_us: float, rows: int = 4, ranks: int = 4) -> Pieces:
    return Pieces(rows, ranks, SIZE, np.array([work_us * US]))


def loggp(o_us: float, g_us: float, wire_us: float) -> LogGp:
    return LogGp.of(o=o_us * US, g_queue=g_us * US, G=wire_us * US / SIZE)


def us(values: object) -> float:
    return float(np.asarray(values)[0]) / US


def test_computation_above_all_hides_the_transfers() -> None:
    # (10 + 1) * 3 + 10 = 43 of which 40 compute; the wire is done after 10 + 3 + 3 * 5 = 28
    found = times(pieces(10), loggp(1, 3, 5))
    assert us(found.total_s) == pytest.approx(43)
    assert (us(found.work_s), us(found.init_s), us(found.wait_s)) == pytest.approx((40, 3, 0))
    assert us(initiation_when_computing_s(pieces(10), loggp(1, 3, 5))) == pytest.approx(43)


def test_transfers_above_computation_are_waited_for() -> None:
    # the first message leaves after 10 + 3, then 3 * 20 on the wire; compute and start were done at 43
    found = times(pieces(10), loggp(1, 3, 20))
    assert us(found.total_s) == pytest.approx(73)
    assert (us(found.work_s), us(found.init_s), us(found.wait_s)) == pytest.approx((40, 3, 30))


def test_initiation_above_computation_waits_for_the_queue() -> None:
    # T + o = 2 < g = 5: 1 + 1, then two more starts 5 apart, then the last row: 13; wire 1 + 5 + 3 * 10 = 36
    found = times(pieces(1), loggp(1, 5, 10))
    assert us(found.init_s) == pytest.approx(13 - 4)
    assert (us(found.total_s), us(found.wait_s)) == pytest.approx((36, 23))


def test_runs_bound_by_initiation_have_no_negative_wait() -> None:
    # eq. 8 with eq. 7 as printed would wait 0 + 5 + 3 * 2 - 15 < 0
    found = times(pieces(0), loggp(1, 7, 2))
    assert us(found.total_s) == pytest.approx(1 + 7 + 7)
    assert us(found.wait_s) == 0


def test_rounds_wait_for_the_queue_where_equation_6_does_not() -> None:
    # two rounds of one's three messages, nothing computed: 5 gaps of 7 and one overhead; eq. 6: 2 (1 + 7 + 7)
    work, network = pieces(0, rows=8), loggp(1, 7, 2)
    assert us(initiation_s(work, network)) == pytest.approx(5 * 7 + 1)
    assert us(initiation_eq6_s(work, network)) == pytest.approx(30)
    computing = pieces(4, rows=8)  # 2 T + o >= g: the same
    assert us(initiation_s(computing, network)) == pytest.approx(us(initiation_eq6_s(computing, network)))
