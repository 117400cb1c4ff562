# SPDX-License-Identifier: BSD-3-Clause
"""From a checked request to a finished run on its substrate."""

from __future__ import annotations

import json
from pathlib import Path

from stretto.commands.artefacts import SAMPLES
from stretto.commands.request import Request
from stretto.launch.emulated import run_emulated
from stretto.launch.job import Job, OnTick, Outcome
from stretto.launch.local import run_local
from stretto.launch.mpi import find_mpi
from stretto.launch.native import native_program
from stretto.launch.selftest import SelfTest
from stretto.launch.simulated import run_simulated

_PREAMBLE = ".substrate.jsonl"


def launch(request: Request, directory: Path, on_tick: OnTick) -> Outcome:
    """Runs the native probes; they write `samples.jsonl` into `directory`.

    Raises:
        UserError: there is no such MPI, no program built for it, no right to make namespaces, ...
        RunError: the substrate failed its self-test.
    """
    output = ("--output", str((directory / SAMPLES).absolute()))
    if request.platform is not None:
        program = native_program("stretto-probe", "simgrid")
        job = Job(program, (*request.arguments, *output), request.ranks, timeout_s=request.timeout_s)
        return run_simulated(job, request.platform, on_tick)
    mpi = find_mpi(request.mpi)
    program = native_program("stretto-probe", mpi.family)
    if request.network is None:
        return run_local(mpi, Job(program, (*request.arguments, *output), request.ranks, timeout_s=request.timeout_s), on_tick)

    # What the substrate was found to be belongs into the samples; it is known only just before the ranks start.
    preamble = (directory / _PREAMBLE).absolute()
    preamble.touch()
    try:
        arguments = (*request.arguments, *output, "--preamble", str(preamble))
        job = Job(program, arguments, request.ranks, timeout_s=request.timeout_s)
        return run_emulated(mpi, job, request.network, on_tick, lambda found: preamble.write_text(_rows(found)))
    finally:
        preamble.unlink(missing_ok=True)


def _rows(found: SelfTest) -> str:
    """The `bound` rows of docs/formats.md."""
    rows = (
        {
            "row": "bound",
            "direction": bound.direction,
            "size_bytes": bound.size_bytes,
            "transfer_s": bound.transfer_s,
            "value": bound.eta.value,
            "ci95_low": bound.eta.ci95_low,
            "ci95_high": bound.eta.ci95_high,
            "n": bound.eta.n,
        }
        for bound in found.bounds
    )
    return "".join(f"{json.dumps(row)}\n" for row in rows)
