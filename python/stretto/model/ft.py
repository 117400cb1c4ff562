# SPDX-License-Identifier: BSD-3-Clause
"""Closed forms of the FT probe's pencils, and so of any schedule that sends pieces as it computes them.

Equations 1 to 9 of the architectural probes' paper (section 7). Schedules that have no closed form are
evaluated as graphs (`stretto.model.graph`). The paper's g is the gap of the injection queue, g_queue here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stretto.model.network import LogGp
from stretto.model.statistics import Floats

COMPLEX_BYTES = 16  # gamma of eq. 2: a double-precision complex word


@dataclass(frozen=True)
class Pieces:
    """What a rank computes and sends piece by piece: pencils are N pieces of one row, slabs P of N/P rows.

    Attributes:
        pieces: N of the equations; each P-th is for oneself and is not sent.
        ranks: P, which divides `pieces`.
        size_bytes: Of one piece (gamma R of eq. 2).
        work_s: Computation of one piece (T_comp^R), shape (draws,).
    """

    pieces: int
    ranks: int
    size_bytes: int
    work_s: Floats

    @property
    def rounds(self) -> int:
        """N/P: how often each rank is sent to."""
        return self.pieces // self.ranks


@dataclass(frozen=True)
class FtTimes:
    """Bars of the model, seconds, shape (draws,): they add up to `total_s`."""

    total_s: Floats
    work_s: Floats
    init_s: Floats
    wait_s: Floats


def initiation_when_computing_s(work: Pieces, loggp: LogGp) -> Floats:
    """Eq. 1: [(T + o)(P - 1) + T] N/P, where computing a piece takes longer than queueing one."""
    return ((work.work_s + loggp.overhead_send_s) * (work.ranks - 1) + work.work_s) * work.rounds


def transfer_s(work: Pieces, loggp: LogGp) -> Floats:
    """Eq. 2: gamma (P - 1) R G N/P, the bytes of all pieces for others on the wire."""
    return work.size_bytes * (work.ranks - 1) * loggp.gap_s_per_byte * work.rounds


def initiation_eq6_s(work: Pieces, loggp: LogGp) -> Floats:
    """Eq. 6 to the letter: [2 T + o + max(g, T + o)(P - 2)] N/P, compute and start in turn in N/P rounds.

    Eq. 5 is its case T + o < g (the paper's text lacks one o there). It lets the first start of each round
    find the queue free, and so is too short by up to 1/(P - 1) where 2 T + o < g. P >= 2.
    """
    start_s = loggp.overhead_send_s
    between_s = np.maximum(loggp.gap_queue_s, work.work_s + start_s)
    initiation: Floats = (2 * work.work_s + start_s + between_s * (work.ranks - 2)) * work.rounds
    return initiation


def initiation_s(work: Pieces, loggp: LogGp) -> Floats:
    """Eq. 6 with rounds whose first start waits for the queue, too: exact; the same where 2 T + o >= g."""
    across_s = 2 * work.work_s + loggp.overhead_send_s  # one's own piece lies between two rounds
    missing_s: Floats = np.maximum(loggp.gap_queue_s - across_s, 0.0)
    return initiation_eq6_s(work, loggp) + missing_s * (work.rounds - 1)


def communication_s(work: Pieces, loggp: LogGp) -> Floats:
    """Eq. 4: T + max(o, g) + M_transfer, the total where the network is what takes longest."""
    first_s = np.maximum(loggp.overhead_send_s, loggp.gap_queue_s)
    return work.work_s + first_s + transfer_s(work, loggp)


def times(work: Pieces, loggp: LogGp) -> FtTimes:
    """Eq. 7 to 9: total, and what of it is work, starting and waiting.

    Eq. 7 leaves out runs that the injection queue bounds, where eq. 8 goes negative: the total is
    max(M_init, M_comm), so that no wait is negative. L is zero in these equations.
    """
    init_s = initiation_s(work, loggp)
    total_s = np.maximum(init_s, communication_s(work, loggp))
    computing_s = work.work_s * work.pieces
    return FtTimes(total_s, computing_s, init_s - computing_s, total_s - init_s)
