# SPDX-License-Identifier: BSD-3-Clause
"""`stretto probe`: measure, fit, show."""

from __future__ import annotations

from stretto.commands.measuring import measure, second_place
from stretto.data.files import write_atomically
from stretto.data.run_directory import REPORT, SAMPLES, emulated_run
from stretto.launch.directory import default_directory
from stretto.launch.probing import dry_run, judge
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
    if request.wants_all_nodes:
        from stretto.commands.probe_hosts import probe_hosts

        return probe_hosts(request, substrate, directory)
    outcome = measure(request, substrate, directory)
    notes = second_place(request, directory) if request.is_question and outcome.status == "done" else ()
    if (directory / SAMPLES).exists():
        # Imported on use: fits and reports take half a second to import, and wrong input fails without them.
        from stretto.commands.artefacts import make_artefacts, show_artefacts
        from stretto.commands.page_sources import page_of
        from stretto.commands.screens import show_run

        artefacts = make_artefacts(directory)
        if emulated_run(directory) is not None:
            write_atomically(directory / REPORT, page_of((directory,)))
        show_artefacts(directory, artefacts) if request.names else show_run(directory, notes=notes)
    judge(outcome, directory, request.timeout)
