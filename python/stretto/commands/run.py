# SPDX-License-Identifier: BSD-3-Clause
"""`stretto run`: a kernel of `src/kernel/` on a substrate: solved, timed, verified."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from stretto.errors import CheckError
from stretto.launch.kernels import KernelRun, run_kernel
from stretto.launch.matrix_input import matrix_input
from stretto.launch.substrate import Substrate
from stretto.options.choices import CHOSEN
from stretto.options.run import RunRequest
from stretto.report.screen import show, show_json
from stretto.report.views.run import run_view

if TYPE_CHECKING:
    from stretto.launch.auto_variant import Chosen, RunOnce


def run(request: RunRequest) -> None:
    """Run a kernel, and check its solution. Exits with 3 when that is wrong.

    `stretto list` shows the kernels, their variants and their own options (--set).
    """
    substrate = Substrate.of(request)
    choose = _choosing(request)
    with matrix_input(request.kernel, request.matrix) as given:
        settings = {name: _absolute(name, value) for name, value in request.settings} | dict(given.settings)
        bare = KernelRun(request.kernel, request.class_name, settings=settings)
        wanted = bare.but(request.variant, request.transport)
        chosen = None
        if choose is not None:
            chosen = choose(lambda *how, **more: run_kernel(substrate, bare.but(*how, **more)))
            wanted = bare.but(chosen.variant, chosen.transport or request.transport, chosen.settings)
        document = run_kernel(substrate, wanted)
        if chosen is not None:
            document["choice"] = chosen.shown
        given.check(document)
    substrate.warn()
    if request.as_json:
        show_json(document)
    else:
        show(run_view(document))
    if not document["verified"]:
        raise CheckError(f"the solution of {request.kernel} is wrong")


def _choosing(request: RunRequest) -> Callable[[RunOnce], Chosen] | None:
    """What chooses by a profile; None: nothing is left open."""
    grid = dict(request.settings).get("grid")
    if request.profile is None and request.variant not in CHOSEN and grid not in CHOSEN:
        return None
    # Models take longer to import than all else that a run needs.
    from stretto.launch.auto_jacobi import JacobiChoice
    from stretto.launch.auto_variant import VariantChoice

    found: JacobiChoice | VariantChoice | None
    if request.kernel == "jacobi":
        found = JacobiChoice.of(request.variant, request.profile, dict(request.settings), request.ranks)
    else:
        found = VariantChoice.of(
            request.kernel,
            request.class_name,
            request.variant,
            request.transport,
            request.profile,
            request.ranks,
        )
    return None if found is None else found.decide


def _absolute(name: str, value: str) -> str:
    """A setting that names a file gets its whole path: ranks may start in another directory."""
    return str(Path(value).absolute()) if name == "save" else value
