# SPDX-License-Identifier: BSD-3-Clause
"""`stretto probe`: measure, fit, show."""

from __future__ import annotations

from stretto.data.run_directory import SAMPLES
from stretto.launch.directory import default_directory, fresh_directory
from stretto.launch.probing import judge, run_probes
from stretto.launch.progress import case_progress
from stretto.launch.substrate import Substrate
from stretto.options.probe import ProbeRequest


def probe(request: ProbeRequest) -> None:
    """Measure how well communication and computation overlap here.

    Writes samples.jsonl, results.json, profile.json and report.html, and shows the tables. What a run that
    failed, ran out of time or was interrupted has measured until then is fitted and shown all the same.
    """
    substrate = Substrate.of(request, request.ranks_per_node)
    substrate.warn()
    directory = request.output if request.output is not None else default_directory(request.names)
    with fresh_directory(directory, request.force), case_progress(directory / SAMPLES) as on_tick:
        outcome = run_probes(request, substrate, directory, on_tick)
    if (directory / SAMPLES).exists():
        # Imported on use: fits and reports take half a second to import, and wrong input fails without them.
        from stretto.commands.artefacts import make_artefacts, show_artefacts

        show_artefacts(directory, make_artefacts(directory))
    judge(outcome, directory, request.timeout)
