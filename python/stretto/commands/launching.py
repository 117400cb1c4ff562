# SPDX-License-Identifier: BSD-3-Clause
"""From a checked request to a finished run on its substrate."""

from __future__ import annotations

from pathlib import Path

from stretto.commands.directory import SAMPLES
from stretto.commands.request import Request
from stretto.launch.emulated import run_emulated
from stretto.launch.job import Job, OnTick, Outcome
from stretto.launch.local import run_local
from stretto.launch.mpi import find_mpi
from stretto.launch.selftest import SelfTest
from stretto.launch.simulated import run_simulated
from stretto.native.programs import native_program

_PREAMBLE = ".substrate.jsonl"


def launch(request: Request, directory: Path, on_tick: OnTick) -> Outcome:
    """Runs the native probes; they write `samples.jsonl` into `directory`.

    Raises:
        UserError: there is no such MPI, no program built for it, no right to make namespaces, ...
        RunError: the substrate failed its self-test.
    """
    arguments = (*request.arguments, "--output", str((directory / SAMPLES).absolute()))

    def job(program: Path, *more: str) -> Job:
        return Job(program, (*arguments, *more), request.ranks, timeout_s=request.timeout_s)

    if request.platform is not None:
        program = native_program("stretto-probe", "simgrid")
        return run_simulated(job(program), request.platform, on_tick, request.ranks_per_node)
    mpi = find_mpi(request.mpi)
    program = native_program("stretto-probe", mpi.family, mpi.mpiexec)
    if request.network is None:
        return run_local(mpi, job(program), on_tick)

    # What the substrate was found to be belongs into the samples; it is known just before the ranks start.
    preamble = (directory / _PREAMBLE).absolute()
    preamble.touch()
    try:

        def keep(found: SelfTest) -> None:
            preamble.write_text(found.sample_lines(), encoding="utf-8")

        return run_emulated(mpi, job(program, "--preamble", str(preamble)), request.network, on_tick, keep)
    finally:
        preamble.unlink(missing_ok=True)
