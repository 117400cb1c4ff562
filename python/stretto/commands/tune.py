# SPDX-License-Identifier: BSD-3-Clause
"""`stretto tune`: searches the settings of MPI with which a program takes the least time."""

from __future__ import annotations

from datetime import datetime, timezone

from stretto.commands.tune_objective import line_of, objective
from stretto.data.files import write_atomically
from stretto.data.shell import command_line
from stretto.launch.application import placed
from stretto.launch.directory import check_output
from stretto.launch.knobs import settings_for
from stretto.launch.progress import record_progress
from stretto.launch.tuning import Tuner
from stretto.options.declare import again
from stretto.options.gain import GainRequest
from stretto.options.tune import TuneRequest
from stretto.report.screen import show, show_json
from stretto.report.views.tune import TuneResult, environment_file, tune_document, tune_view


def tune(request: TuneRequest) -> None:
    """Which settings of MPI make this program fastest?

    Tries eager limits, socket buffers, transports, the MPI's own asynchronous progress, binding, and
    stretto's progress thread, in runs that are paired with the program as it is. Losers leave early. What is
    good is measured again, and only that is written to the environment file. Without COMMAND the probe
    `overlap` is tuned: the communication that computation does not hide.
    """
    check_output(request.output, request.force)
    with (
        objective(request) as (application, measure),
        placed(application) as place,
        record_progress("running") as done,
    ):
        settings = settings_for(place.mpi, request.knobs)
        found = Tuner(place, measure, request.budget, request.runs, lambda: done(1)).search(settings)
    chosen = found.chosen
    result = TuneResult(
        subject=command_line(request.command) or "the probe overlap",
        chosen=chosen.name.strip() if chosen else "",
        variables=chosen.variables if chosen else {},
        libraries=chosen.libraries if chosen else (),
        tested=found.tested.setting.name.strip() if found.tested else "",
        runs=found.tested.runs if found.tested else None,
        planned=request.runs,
        deciding_budget_s=found.deciding_budget_s,
        race=found.race,
        skipped=found.skipped,
        file=str(request.output) if chosen and chosen.variables else "",
        line=line_of(request, place, chosen.variables if chosen else {}, chosen.libraries if chosen else ()),
        machine=f"{place.mpi.family} {place.mpi.version}, --on {request.on}",
    )
    if result.file:
        write_atomically(request.output, environment_file(result, f"{datetime.now(timezone.utc):%Y-%m-%d}"))
    if request.as_json:
        show_json(tune_document(result))
    else:
        gaining = again(request, GainRequest, ("runs",)) if request.command else "stretto probe"
        show(tune_view(result, gaining))
