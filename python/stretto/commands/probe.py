# SPDX-License-Identifier: BSD-3-Clause
"""`stretto probe`: measure, fit, show."""

from __future__ import annotations

from pathlib import Path

from stretto.data.run_directory import SAMPLES
from stretto.errors import RunError, UserError
from stretto.launch.directory import default_directory, fresh_directory
from stretto.launch.job import Outcome
from stretto.launch.probing import dry_run, judge, run_probes
from stretto.launch.progress import case_progress
from stretto.launch.question import EMULATED, emulated_request, missing_network
from stretto.launch.substrate import Substrate
from stretto.options.probe import ProbeRequest


def probe(request: ProbeRequest) -> None:
    """Can MPI communicate while a program computes, here? Or, with names: what these probes measure.

    Without a name it takes about a minute and answers on one screen. Writes samples, results.json,
    profile.json and report.html. What a run that failed, ran out of time or was interrupted has measured
    until then is fitted and shown all the same.
    """
    substrate = Substrate.of(request)
    if request.dry_run:
        return print(dry_run(request, substrate))
    substrate.warn()
    directory = request.output if request.output is not None else default_directory(request.names)
    outcome = _measure(request, substrate, directory)
    notes = _second_place(request, directory) if request.is_question and outcome.status == "done" else ()
    if (directory / SAMPLES).exists():
        # Imported on use: fits and reports take half a second to import, and wrong input fails without them.
        from stretto.commands.artefacts import make_artefacts, show_artefacts
        from stretto.commands.screens import show_run

        artefacts = make_artefacts(directory)
        show_artefacts(directory, artefacts) if request.names else show_run(directory, notes=notes)
    judge(outcome, directory, request.timeout)


def _measure(request: ProbeRequest, substrate: Substrate, directory: Path) -> Outcome:
    samples = directory / SAMPLES
    with fresh_directory(directory, request.force), case_progress(samples, *request.expected) as on_tick:
        return run_probes(request, substrate, directory, on_tick)


def _second_place(request: ProbeRequest, directory: Path) -> tuple[str, ...]:
    """Asks the same of an emulated pair, where that is possible; returns why not."""
    second = emulated_request(request)
    if second is None:
        return tuple(filter(None, [missing_network(request)]))
    place = directory / EMULATED
    try:
        outcome = _measure(second, Substrate.of(second), place)
        if (place / SAMPLES).exists():
            from stretto.commands.artefacts import make_artefacts

            make_artefacts(place)
        judge(outcome, place, request.timeout)
    except (RunError, UserError) as error:
        return (f"No emulated network: {str(error).splitlines()[0]}.",)
    return ()
