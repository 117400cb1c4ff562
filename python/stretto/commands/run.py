# SPDX-License-Identifier: BSD-3-Clause
"""`stretto run`: runs and verifies a kernel on a substrate, or runs any MPI program there."""

from __future__ import annotations

from pathlib import Path

from stretto.errors import CheckError
from stretto.launch.application import Application, run_application
from stretto.launch.auto_choice import choice_function, profile_note
from stretto.launch.kernels import KernelRun, run_kernel
from stretto.launch.matrix_input import matrix_input
from stretto.launch.substrate import Substrate
from stretto.options.run import RunRequest
from stretto.report.screen import show, show_json, tell
from stretto.report.views.run import run_view


def run(request: RunRequest) -> int:
    """Run a kernel and check its solution, or any MPI program.

    Exits with 3 when a kernel's solution is wrong, and with the status of a program.
    `stretto list` shows the kernels, their variants and their own options (--set).
    `stretto run -n 4 --on emulated -- ./app ARGS` starts a program between emulated hosts.
    """
    if request.kernel:
        _run_kernel(request)
        return 0
    return run_application(Application.of(request), request.libraries)


def _run_kernel(request: RunRequest) -> None:
    substrate = Substrate.of(request)
    choose = choice_function(request)
    with matrix_input(request.kernel, request.matrix) as given:
        settings = {name: _absolute(name, value) for name, value in request.settings} | dict(given.settings)
        bare = KernelRun(request.kernel, request.class_name, settings=settings)
        requested = bare.with_variant(request.variant, request.transport)
        chosen = None
        if choose is not None:
            chosen = choose(lambda *how, **more: run_kernel(substrate, bare.with_variant(*how, **more)))
            requested = bare.with_variant(chosen.variant, request.transport, chosen.settings)
        document = run_kernel(substrate, requested)
        if chosen is not None:
            document["choice"] = chosen.shown
        given.check(document)
    substrate.warn()
    tell(profile_note(request))
    if request.as_json:
        show_json(document)
    else:
        show(run_view(document))
    if not document["verified"]:
        raise CheckError(f"the solution of {request.kernel} is wrong")


def _absolute(name: str, value: str) -> str:
    """Makes the path in a setting absolute, because ranks may start in another directory."""
    return str(Path(value).absolute()) if name == "save" else value
