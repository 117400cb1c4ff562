# SPDX-License-Identifier: BSD-3-Clause
"""What `stretto advise` says of SPMV: schedule, prefetch depth, transport and progress."""

from __future__ import annotations

from stretto.model.advice import Advice
from stretto.model.advice_request import AdviceRequest
from stretto.model.advise_schedules import advise_schedule, spmv_options
from stretto.model.problem import SpmvProblem, work_s

_ROWS = 1 << 20


def advise_about_spmv(request: AdviceRequest) -> list[Advice]:
    """Of the matrix that was asked for, or of one of a million rows; balance unless its nonzeros are said."""
    rows = _ROWS if request.matrix_rows is None else request.matrix_rows
    problem = SpmvProblem(rows, request.nonzero_ratio or 0.0, request.ranks)
    balance = request.nonzero_ratio is None
    computing_s = None if balance else work_s(request.source, problem, request.flops_per_s)
    advice = advise_schedule("spmv", request.source, problem, spmv_options(problem), computing_s)
    return [] if advice is None else [advice]
