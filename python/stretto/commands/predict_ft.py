# SPDX-License-Identifier: BSD-3-Clause
"""`stretto predict ft`: the FT probe's schedules on a profile's machine (architectural probes, section 7)."""

from __future__ import annotations

from stretto.commands.predictions import show_predictions
from stretto.model.prediction import FT_SEGMENTS
from stretto.model.problem import FtProblem
from stretto.model.profile_source import ft_options, ranks_of, source_of
from stretto.options.predict import PredictFtRequest


def predict_ft(request: PredictFtRequest) -> None:
    """Time, segments and gain of the FT probe's schedules, by graph and by closed form."""
    source = source_of(request.profile)
    ranks = ranks_of(source, request.ranks)
    problem = FtProblem(request.rows, request.row_length, ranks, request.scale)
    show_predictions(FT_SEGMENTS, source, problem, ft_options(problem, request.schedules), request)
