# SPDX-License-Identifier: BSD-3-Clause
"""`stretto gain`: what stretto's preloaded libraries save a program that nobody changes."""

from __future__ import annotations

from stretto.commands.gain_collectives import collectives_variables
from stretto.commands.gain_prediction import including_settings, predicted
from stretto.commands.next_step import recording
from stretto.data.shell import command_line
from stretto.launch.application import Application, placed
from stretto.launch.cores import usable_cores
from stretto.launch.job_line import job_line
from stretto.launch.knobs import set_by_the_library
from stretto.launch.pairs import Watched, run_pairs
from stretto.launch.progress import record_progress
from stretto.options.gain import GainRequest
from stretto.potential.gain import Gain, Prediction, without_thread
from stretto.report.screen import show, show_json
from stretto.report.views.gain import gain_document, gain_view


def gain(request: GainRequest) -> None:
    """What would stretto's libraries save this program, without a change to it?

    Runs it with and without them, interleaved, after a run that is traced for the prediction. Answers
    "saves 18 % (16 to 20), predicted 19 %" and the line for the job script, or why there is nothing to gain.
    """
    application = Application.of(request)
    with placed(application) as place, record_progress("running", 2 * request.runs) as done:
        with_thread = request.libraries == ("progress",)
        settings = set_by_the_library(place.mpi.family) if with_thread else {}
        prediction = Prediction(missing="--no-prediction")
        if not request.measured_only:
            if request.profile is None and with_thread:
                place.line.checked()  # in its program's place the network is measured
            prediction = predicted(request, place, settings)
        variables = collectives_variables(request)
        changed = place.launch(request.libraries, variables)
        line = job_line(application, place.mpi, request.libraries, variables)
        watched = Watched(lambda: done(1))
        runs = run_pairs(place, place.launch(), changed, request.runs, watched)
        if with_thread:
            prediction = including_settings(without_thread(prediction, watched.written), place, settings)
    found = Gain(
        libraries=request.libraries,
        program=command_line(request.command),
        line=line,
        runs=runs,
        prediction=prediction,
        crowded=(application.ranks or 0) > len(usable_cores()),
        setting=" ".join(f"{name}={value}" for name, value in settings.items()),
        load=watched.load(application.ranks or prediction.ranks or 1),
    )
    if request.as_json:
        show_json(gain_document(found))
    else:
        show(gain_view(found, recording(request)))
