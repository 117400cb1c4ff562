# SPDX-License-Identifier: BSD-3-Clause
"""`stretto advise`: recommends choices for the machine of a profile, with their confidence."""

from __future__ import annotations

from collections.abc import Callable

from stretto.errors import UserError
from stretto.model.advice import Advice
from stretto.model.advice_request import AdviceRequest
from stretto.model.advise_collectives import collective_choices
from stretto.model.advise_ft import advise_about_ft, crossovers_of_ft
from stretto.model.advise_spmv import advise_about_spmv
from stretto.model.profile_source import ranks_of, source_of
from stretto.native.model import query_protocols
from stretto.options.declare import again
from stretto.options.predict import AdviseRequest, PredictCollectiveRequest, PredictFtRequest
from stretto.report.screen import show, show_json
from stretto.report.views.advice import advice_document, advice_view
from stretto.report.views.protocols import protocols_view

# A subject gives no advice where the profile lacks parameters for it.
SUBJECTS: tuple[Callable[[AdviceRequest], list[Advice]], ...] = (advise_about_ft, advise_about_spmv)


def advise(request: AdviseRequest) -> None:
    """What to choose: schedule, pieces, prefetch, transport, progress; or undecided, and between what."""
    source = source_of(request.profile)
    choices = collective_choices(source.profile, request.ranks)
    ranks = request.ranks
    if choices and ranks is None and source.profile.machine.ranks is None:
        ranks = choices[0].members
    subject = AdviceRequest(
        source,
        ranks_of(source, ranks),
        request.rows,
        request.row_length,
        request.scale,
        request.matrix_rows,
        request.nonzeros,
        request.flops_rate,
    )
    result = [advice for advise_about in SUBJECTS for advice in advise_about(subject)]
    protocols = None
    if request.explain:
        runtime = source.profile.runtime
        protocols = query_protocols(None if runtime is None else runtime.segment_bytes)
    if not result and not choices and protocols is None:
        raise UserError(
            f"{request.profile}: has nothing to advise on; `stretto probe loggp overlap` measures the costs"
        )
    crossovers = crossovers_of_ft(subject, result)
    if request.as_json:
        show_json(advice_document(source, subject.ranks, result, crossovers, choices, protocols))
    else:
        show(advice_view(result, crossovers, choices))
        show(protocols_view(protocols))
        print(f"next: {_next(request, choices[0].operation if not result and choices else '')}")


def _next(request: AdviseRequest, operation: str) -> str:
    """The prediction behind the advice: of an operation where there is none about schedules."""
    if operation:
        return again(request, PredictCollectiveRequest, ("grid",), ("--collective", operation))
    return again(request, PredictFtRequest)
