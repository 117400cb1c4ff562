# SPDX-License-Identifier: BSD-3-Clause
"""`stretto predict ft`: the FT probe's schedules on a profile's machine (architectural probes, section 7)."""

from __future__ import annotations

from stretto.commands.predict_against import show_schedules_against
from stretto.commands.predictions import show_predictions
from stretto.model.prediction import FT_SEGMENTS
from stretto.model.problem import FtProblem
from stretto.model.profile_source import ft_options, ranks_of, source_of
from stretto.options.predict import PredictFtRequest


def predict_ft(request: PredictFtRequest) -> None:
    """Time, segments and gain of the FT probe's schedules, by graph and by closed form.

    With --against a measured run of the probe next to bars M and E of the probes' paper. M has its parameters
    from the profile. E has o, g and G from the run itself: those of its runs without computation. Deviations
    are fractions of the actual time.
    """
    if request.against is not None:
        show_schedules_against("ft", request.against, request)
        return
    source = source_of(request.machine)
    ranks = ranks_of(source, request.ranks)
    problem = FtProblem(request.rows, request.row_length, ranks, request.scale)
    show_predictions(FT_SEGMENTS, source, problem, ft_options(problem, request.schedules), request)
