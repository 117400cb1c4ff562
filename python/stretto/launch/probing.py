# SPDX-License-Identifier: BSD-3-Clause
"""Runs the native probes for a request, and turns the end of the run into a result or an error."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stretto.data.run_directory import SAMPLES, samples_in
from stretto.errors import CheckError, RunError, RunInterrupted, UserError
from stretto.launch.directory import default_directory
from stretto.launch.job import OnTick, Outcome
from stretto.launch.launchers import shown_launch
from stretto.launch.platforms import Platform
from stretto.launch.selftest import SelfTest
from stretto.launch.substrate import Substrate
from stretto.options.command_line import parsed
from stretto.options.native import request_arguments
from stretto.options.probe import ProbeRequest

_PROGRAM = "stretto-probe"
_PREAMBLE = ".substrate.jsonl"
_QUEUED = {"ft", "spmv"}  # kernels whose models have an injection queue, which the simulator lacks


def run_probes(request: ProbeRequest, substrate: Substrate, directory: Path, on_tick: OnTick) -> Outcome:
    """Runs the native probes; they write `samples.jsonl` into `directory`.

    Raises:
        UserError: as for `Substrate.run`.
        RunError: the substrate failed its self-test.
    """
    members = request_members(request, substrate) | {"output": str((directory / SAMPLES).absolute())}
    if substrate.network is None:
        return substrate.run(_PROGRAM, request_arguments(members), on_tick)

    # The samples record the measured properties of the substrate, known just before the ranks start.
    preamble = (directory / _PREAMBLE).absolute()
    preamble.touch()
    try:

        def keep(result: SelfTest) -> None:
            preamble.write_text(result.sample_lines(), encoding="utf-8")

        arguments = request_arguments({**members, "preamble": str(preamble)})
        return substrate.run(_PROGRAM, arguments, on_tick, keep)
    finally:
        preamble.unlink(missing_ok=True)


def dry_run(request: ProbeRequest, substrate: Substrate) -> str:
    """The launch line of the native probes in a local run, which is not started.

    Raises:
        UserError: as for `Substrate.run`.
    """
    output = request.output if request.output is not None else default_directory(request.names)
    members = request_members(request, substrate) | {"output": str((output / SAMPLES).absolute())}
    return shown_launch(substrate.launch(_PROGRAM, request_arguments(members)))


def request_members(request: ProbeRequest, substrate: Substrate) -> dict[str, Any]:
    """The request for the native program, without the file to write."""
    members = {**request.native(), "command": request.words, "network": substrate.network_name}
    if substrate.platform is not None:
        members["warm_ups"] = 0  # the simulator is deterministic
        if set(request.probes) & _QUEUED:
            members |= simulated_members(substrate.platform)
    return members


def simulated_members(platform: Platform) -> dict[str, float]:
    """The members of a request for `ft` and `spmv` that depend on the simulated machine."""
    share = platform.figures.get("spmv_efficiency")
    efficiency = {} if share is None else {"spmv_efficiency": share.value}
    return {"gap_queue_s": platform.figure("gap_queue_s", 0.0), **efficiency}


def probe_arguments(words: Sequence[str], output: Path, **more: Any) -> tuple[str, ...]:
    """Arguments of the native program for a command line of `stretto probe`; `more`: additional members."""
    members = {**parsed(ProbeRequest, words).native(), "output": str(output), **more}
    return request_arguments(members)


def judge(outcome: Outcome, directory: Path, timeout_s: float | None, program: str = _PROGRAM) -> None:
    """Raises the error that the run's outcome means; returns where the run succeeded."""
    if outcome.status == "done":
        return
    kept = f"; what was measured until then is in {directory}" if samples_in(directory) else ""
    if outcome.status == "timeout":
        raise RunError(f"the run was ended after --timeout {timeout_s:g} s{kept}")
    if outcome.status == "interrupted":
        raise RunInterrupted(f"interrupted{kept}", outcome.exit_code - 128)
    if outcome.exit_code == CheckError.status:
        raise CheckError(f"data arrived wrong, see the `checked` rows of {samples_in(directory)}")
    if outcome.exit_code == UserError.status:
        raise UserError(_error_message(outcome.stderr_tail, program))
    raise RunError(
        f"the run failed with exit status {outcome.exit_code}{kept}\n{outcome.stderr_tail}".rstrip()
    )


def _error_message(stderr: str, program: str) -> str:
    """The native program's error message, without the lines of the launcher."""
    prefix = f"{program}: "
    lines = [line for line in stderr.splitlines() if prefix in line]
    return lines[-1].partition(prefix)[2] if lines else stderr.strip()
