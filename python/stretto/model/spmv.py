# SPDX-License-Identifier: BSD-3-Clause
"""Closed forms of the SPMV probe's gather with the least prefetch: equations 10 to 13 of the probes' paper.

Other prefetch depths, bulk and scatter are evaluated as graphs (`stretto.model.graph`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stretto.model.network import LogGp
from stretto.model.statistics import Floats

REAL_BYTES = 8  # gamma of eq. 11: a double-precision word


@dataclass(frozen=True)
class Blocks:
    """A rank's row of P blocks of the matrix.

    Attributes:
        ranks: P.
        size_bytes: Of the piece of the source vector that one rank owns (gamma N/P of eq. 11).
        work_s: Computation of one block (T_comp^(N/P)), shape (draws,).
    """

    ranks: int
    size_bytes: int
    work_s: Floats


@dataclass(frozen=True)
class SpmvTimes:
    """Bars of the model, seconds, shape (draws,): `work_s` and `exposed_s` add up to `total_s`."""

    total_s: Floats
    work_s: Floats
    exposed_s: Floats


def computation_bound_s(work: Blocks, loggp: LogGp) -> Floats:
    """Eq. 10: (o + T)(P - 1) + T, where each get is done before its block's turn."""
    return (loggp.overhead_send_s + work.work_s) * (work.ranks - 1) + work.work_s


def communication_bound_s(work: Blocks, loggp: LogGp) -> Floats:
    """Eq. 11-12 (one formula): (o + 2L + s G) + (max(o, g) + 2L + s G)(P - 2) + T, with s = gamma N/P.

    One get at a time; Algorithm 7 keeps up to two in flight, which hides the latencies.
    """
    each_s = 2 * loggp.latency_s + work.size_bytes * loggp.gap_s_per_byte
    start_s = np.maximum(loggp.overhead_send_s, loggp.gap_queue_s)
    return (loggp.overhead_send_s + each_s) + (start_s + each_s) * (work.ranks - 2) + work.work_s


def times(work: Blocks, loggp: LogGp) -> SpmvTimes:
    """Eq. 13: the larger of the two; what is not computation is exposed communication. P >= 2."""
    total_s = np.maximum(computation_bound_s(work, loggp), communication_bound_s(work, loggp))
    computing_s = work.work_s * work.ranks
    return SpmvTimes(total_s, computing_s, total_s - computing_s)
