# SPDX-License-Identifier: BSD-3-Clause
"""Measures the probes of a request, and for `stretto probe` without names the same on emulated hosts."""

from __future__ import annotations

from pathlib import Path

from stretto.data.run_directory import EMULATED, SAMPLES
from stretto.errors import RunError, UserError
from stretto.launch.directory import fresh_directory
from stretto.launch.job import Outcome
from stretto.launch.probing import judge, run_probes
from stretto.launch.progress import case_progress
from stretto.launch.question import emulated_request, missing_network
from stretto.launch.substrate import Substrate
from stretto.options.probe import ProbeRequest


def measure(request: ProbeRequest, substrate: Substrate, directory: Path) -> Outcome:
    """Runs the probes; their samples are in the directory, also where the run failed."""
    samples = directory / SAMPLES
    with fresh_directory(directory, request.force), case_progress(samples, *request.expected) as on_tick:
        return run_probes(request, substrate, directory, on_tick)


def second_place(request: ProbeRequest, directory: Path) -> tuple[str, ...]:
    """Measures the same on two emulated hosts, where that is possible; returns the reason where it is not."""
    second = emulated_request(request)
    if second is None:
        return tuple(filter(None, [missing_network(request)]))
    place = directory / EMULATED
    try:
        outcome = measure(second, Substrate.of(second), place)
        if (place / SAMPLES).exists():
            from stretto.commands.artefacts import make_artefacts

            make_artefacts(place)
        judge(outcome, place, request.timeout)
    except (RunError, UserError) as error:
        return (f"No emulated network: {str(error).splitlines()[0]}.",)
    return ()
