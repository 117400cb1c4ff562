# SPDX-License-Identifier: BSD-3-Clause
"""`stretto compare A B --predicted`: predicted times against a measured one."""

from __future__ import annotations

from pathlib import Path

from stretto.data.predicted_times import NamedTime, read_measured, read_predictions
from stretto.data.sizes import said_change
from stretto.errors import CheckError, UserError
from stretto.launch.trace_source import is_trace_file, trace_directory
from stretto.model.predicted import check_predictions
from stretto.native.replay import run_replay
from stretto.options.files import CompareRequest
from stretto.report.screen import show, show_json
from stretto.report.views.predicted import predicted_document, predicted_view


def compare_predicted(request: CompareRequest) -> None:
    """Shows how far the predictions of A are from the time that B measured.

    Raises:
        UserError: A has no predicted time, or B no measured one.
        CheckError: with `--fail-on different`, no prediction is within the threshold.
    """
    measured = _measured(request.b)
    if measured.time_s <= 0:
        raise UserError(f"{request.b}: the measured time is zero; name a run that took time")
    check = check_predictions(read_predictions(request.a), measured)
    if request.as_json:
        show_json(predicted_document(check, request.threshold))
    else:
        show(predicted_view(check, request.threshold))
    if request.fail_on is not None and abs(check.nearest.deviation) > request.threshold:
        raise CheckError(
            f"the nearest prediction of {request.a} is {said_change(check.nearest.deviation, 1)} away from "
            f"{request.b}"
        )


def _measured(path: Path) -> NamedTime:
    """The time of a trace, from its first to its last record, or that in a document."""
    if path.is_dir() or is_trace_file(path):
        trace = run_replay([str(trace_directory(path)), "--loggp=L=0,G=0"])["trace"]
        return NamedTime("traced", float(trace["span_s"]))
    return read_measured(path)
