# SPDX-License-Identifier: BSD-3-Clause
"""`stretto advise` for SPMV: schedule, prefetch depth, transport and progress."""

from __future__ import annotations

from stretto.model.advice import Advice
from stretto.model.advice_request import AdviceRequest
from stretto.model.advise_schedules import advise_schedule, spmv_options
from stretto.model.problem import SpmvProblem, work_s

_ROWS = 1 << 20


def advise_about_spmv(request: AdviceRequest) -> list[Advice]:
    """Advice on the requested matrix, by default of 2^20 rows.

    Without a ratio of nonzeros, computation balances communication.

    Raises:
        UserError: The profile lacks what the model needs.
    """
    rows = _ROWS if request.matrix_rows is None else request.matrix_rows
    problem = SpmvProblem(rows, request.nonzero_ratio or 0.0, request.ranks)
    balance = request.nonzero_ratio is None
    computing_s = None if balance else work_s(request.source, problem, request.flops_per_s)
    advice = advise_schedule("spmv", request.source, problem, spmv_options(problem), computing_s)
    return [] if advice is None else [advice]
