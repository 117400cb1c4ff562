# SPDX-License-Identifier: BSD-3-Clause
"""`stretto run`: a kernel of `src/kernel/` on a substrate: solved, timed, verified."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stretto.commands.choices import CHOSEN, KERNELS, SUBSTRATES, check_choice
from stretto.commands.request import network_of, platform_of
from stretto.commands.run_matrix import matrix_input
from stretto.commands.substrate_options import (
    HostsOption,
    MpiOption,
    OnOption,
    PlatformOption,
    RanksOption,
    RateOption,
    TimeoutOption,
)
from stretto.errors import CheckError, RunError, UserError
from stretto.launch.emulated import run_emulated
from stretto.launch.job import Job, Outcome
from stretto.launch.local import run_local
from stretto.launch.mpi import find_mpi
from stretto.launch.simulated import run_simulated
from stretto.native.programs import native_program
from stretto.report.screen import show, show_json
from stretto.report.views.run import run_view

if TYPE_CHECKING:
    from stretto.commands.run_auto import AutoRequest
    from stretto.commands.run_jacobi import JacobiRequest

_PROGRAM = "stretto-run"


def run(
    kernel: Annotated[str, typer.Argument(metavar="KERNEL", help=f"{', '.join(KERNELS)}.")],
    class_name: Annotated[
        str | None, typer.Option("--class", metavar="C", help="S, W, A, B, C, D.  [default: S]")
    ] = None,
    variant: Annotated[
        str | None, typer.Option(metavar="V", help="One of the kernel's (`stretto list`), or auto.")
    ] = None,
    transport: Annotated[str | None, typer.Option(metavar="T", help="What it communicates over.")] = None,
    matrix: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help="spmv: Matrix Market, Harwell-Boeing, or av41092-like.  [default: that]"
        ),
    ] = None,
    profile: Annotated[
        Path | None,
        typer.Option("--profile", metavar="FILE", help="auto: the machine's profile to choose by."),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="An option of the kernel's own; again for more."),
    ] = None,
    ranks: RanksOption = 2,
    on: OnOption = "local",
    hosts: HostsOption = None,
    rate: RateOption = None,
    platform: PlatformOption = None,
    timeout: TimeoutOption = None,
    mpi: MpiOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Run a kernel, and check its solution. Exits with 3 when that is wrong.

    `stretto list` shows the kernels, their variants and their own options (--set).
    """
    check_choice("kernel", kernel, KERNELS)
    check_choice("--on", on, SUBSTRATES)
    network, machine = network_of(on, hosts, rate), platform_of(on, platform)
    if ranks < 1:
        raise UserError(f"-n {ranks}: give at least 1")
    if network is not None:
        network.check_ranks(ranks)
    if timeout is not None and timeout <= 0:
        raise UserError(f"--timeout {timeout:g}: give seconds above 0")
    choosing = _choosing(kernel, class_name, variant, transport, profile, settings or [], ranks)
    own = [f"--set={_absolute(setting)}" for setting in settings or []]
    with matrix_input(kernel, matrix) as given:

        def run_once(options: Sequence[str]) -> dict[str, Any]:
            job = partial(
                Job, arguments=(kernel, *own, *given.settings, *options), ranks=ranks, timeout_s=timeout
            )
            if machine is not None:
                return document_of(run_simulated(job(native_program(_PROGRAM, "simgrid")), machine), timeout)
            found = find_mpi(mpi)
            program = native_program(_PROGRAM, found.family, found.mpiexec)
            if network is None:
                return document_of(run_local(found, job(program)), timeout)
            return document_of(run_emulated(found, job(program), network), timeout)

        chosen = (
            None
            if choosing is None
            else choosing.decide(lambda options: run_once([*_named(class_name, None, None), *options]))
        )
        if chosen is not None:
            variant, transport = chosen.variant, chosen.transport or transport
            own += [f"--set={setting}" for setting in chosen.settings]
        document = run_once(_named(class_name, variant, transport))
        if chosen is not None:
            document["choice"] = chosen.shown
        given.check(document)
    if as_json:
        show_json(document)
    else:
        show(run_view(document))
    if not document["verified"]:
        raise CheckError(f"the solution of {kernel} is wrong")


def _choosing(
    kernel: str,
    class_name: str | None,
    variant: str | None,
    transport: str | None,
    profile: Path | None,
    settings: Sequence[str],
    ranks: int,
) -> AutoRequest | JacobiRequest | None:
    """What a profile is to choose; None: nothing."""
    if profile is None and variant not in CHOSEN and not any(f"grid={name}" in settings for name in CHOSEN):
        return None
    # Models take longer to import than all else that a run needs.
    from stretto.commands.run_auto import AutoRequest
    from stretto.commands.run_jacobi import JacobiRequest

    if kernel == "jacobi":
        return JacobiRequest.of(variant, profile, settings, ranks)
    return AutoRequest.of(kernel, class_name, variant, transport, profile, ranks)


def _named(class_name: str | None, variant: str | None, transport: str | None) -> list[str]:
    named = (("--class", class_name), ("--variant", variant), ("--transport", transport))
    return [f"{option}={value}" for option, value in named if value is not None]


def _absolute(setting: str) -> str:
    """A setting that names a file, with its whole path: ranks may start in another directory."""
    name, equals, value = setting.partition("=")
    if not equals or not name:
        raise UserError(f"--set {setting}: write NAME=VALUE")
    return f"{name}={Path(value).absolute()}" if name == "save" else setting


def document_of(outcome: Outcome, timeout_s: float | None = None) -> dict[str, Any]:
    """What the native program printed, or the error that its end means.

    Raises:
        UserError: it refused what it was asked for; RunError: it failed, or ran out of time.
    """
    if outcome.status == "timeout":
        raise RunError(f"the run was ended after --timeout {timeout_s or 0:g} s")
    if outcome.status == "interrupted":
        raise RunError("interrupted")
    said = [line.removeprefix(f"{_PROGRAM}: ") for line in outcome.stderr_tail.splitlines() if line.strip()]
    if outcome.exit_code == UserError.status:
        own = [line for line in outcome.stderr_tail.splitlines() if line.startswith(f"{_PROGRAM}: ")]
        raise UserError(own[0].removeprefix(f"{_PROGRAM}: ") if own else "the kernel refused its input")
    for line in reversed(outcome.stdout.splitlines()):
        if line.startswith('{"kernel"'):
            document: dict[str, Any] = json.loads(line)
            return document
    raise RunError("\n".join([f"the run failed with exit status {outcome.exit_code}", *said]))
