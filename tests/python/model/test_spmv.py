# SPDX-License-Identifier: BSD-3-Clause
"""The SPMV equations by hand, on both sides of eq. 13."""

import numpy as np
import pytest

from stretto.model.network import LogGp
from stretto.model.spmv import Blocks, times

US = 1e-6


def test_computation_above_communication_pays_the_overheads_only() -> None:
    # eq. 10: (1 + 20) * 3 + 20 = 83; eq. 11-12: (1 + 4 + 10) + (3 + 4 + 10) * 2 + 20 = 69
    found = times(Blocks(4, 1000, np.array([20 * US])), LogGp.of(L=2 * US, o=US, g_queue=3 * US, G=10e-9))
    assert found.total_s[0] / US == pytest.approx(83)
    assert found.exposed_s[0] / US == pytest.approx(3)


def test_communication_above_computation_gets_one_block_after_the_other() -> None:
    # eq. 10: (1 + 2) * 3 + 2 = 11; eq. 11-12: (1 + 4 + 10) + (3 + 4 + 10) * 2 + 2 = 51
    found = times(Blocks(4, 1000, np.array([2 * US])), LogGp.of(L=2 * US, o=US, g_queue=3 * US, G=10e-9))
    assert found.total_s[0] / US == pytest.approx(51)
    assert found.exposed_s[0] / US == pytest.approx(43)


def test_overhead_above_the_queues_gap_counts_instead_of_it() -> None:
    # (5 + 4 + 10) + (5 + 4 + 10) * 2 + 2
    found = times(Blocks(4, 1000, np.array([2 * US])), LogGp.of(L=2 * US, o=5 * US, g_queue=3 * US, G=10e-9))
    assert found.total_s[0] / US == pytest.approx(59)
