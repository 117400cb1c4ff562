# SPDX-License-Identifier: BSD-3-Clause
"""`stretto predict spmv`: the SPMV probe's schedules on a profile's machine (probes' paper, section 8)."""

from __future__ import annotations

from stretto.commands.predict_against import show_schedules_against
from stretto.commands.predictions import show_predictions
from stretto.model.prediction import SPMV_SEGMENTS
from stretto.model.problem import SpmvProblem
from stretto.model.profile_source import ranks_of, source_of, spmv_options
from stretto.options.predict import PredictSpmvRequest


def predict_spmv(request: PredictSpmvRequest) -> None:
    """Time, segments and gain of the SPMV probe's schedules, by graph and by closed form.

    With --against a measured run of the probe next to bars M and E of the probes' paper. M has its parameters
    from the profile. E has o, g and G from the run itself: those of its runs without computation. Deviations
    are fractions of the actual time.
    """
    if request.against is not None:
        show_schedules_against("spmv", request.against, request)
        return
    source = source_of(request.machine)
    problem = SpmvProblem(request.matrix_rows, request.nonzeros, ranks_of(source, request.ranks))
    options = spmv_options(problem, request.schedules, request.prefetch)
    show_predictions(SPMV_SEGMENTS, source, problem, options, request)
