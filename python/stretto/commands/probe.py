# SPDX-License-Identifier: BSD-3-Clause
"""`stretto probe`: measure, fit, show."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stretto.commands.directory import SAMPLES, default_directory, fresh_directory
from stretto.commands.launching import launch
from stretto.commands.probe_collective import CollectiveOptions
from stretto.commands.progress import case_progress
from stretto.commands.request import Request
from stretto.commands.schedule_options import ScheduleOptions
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
from stretto.launch.job import Outcome


def probe(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Probes; all of them without.")
    ] = None,
    ranks: RanksOption = 2,
    on: OnOption = "local",
    hosts: HostsOption = None,
    rate: RateOption = None,
    platform: PlatformOption = None,
    sizes: Annotated[
        str | None, typer.Option(metavar="MIN:MAX", help="Message sizes, such as 8:1MiB.")
    ] = None,
    transport: Annotated[
        str | None, typer.Option(metavar="T,...", help="mpi-two-sided, mpi-rma, stretto.")
    ] = None,
    progress: Annotated[str | None, typer.Option(metavar="M,...", help="none, poll, thread.")] = None,
    path: Annotated[
        str | None,
        typer.Option(metavar="P,...", help="Forced on transport stretto: direct, rma, message."),
    ] = None,
    pace: Annotated[
        float | None, typer.Option(metavar="S", help="Seconds between two polls of stretto's helper thread.")
    ] = None,
    segment: Annotated[
        str | None, typer.Option(metavar="SIZE", help="Data in a message of transport stretto.")
    ] = None,
    operation: Annotated[str | None, typer.Option(metavar="O,...", help="send, put, get.")] = None,
    side: Annotated[
        str | None, typer.Option(metavar="S,...", help="Who works: origin, target, both.")
    ] = None,
    ratio: Annotated[
        str | None, typer.Option(metavar="R,...", help="T_w/T_c of overlap.  [default: 0.25,0.5,1,2,4]")
    ] = None,
    collectives: Annotated[
        str | None, typer.Option(metavar="C,...", help="collective: broadcast, gather, scatter, reduce, ...")
    ] = None,
    algorithm: Annotated[
        str | None, typer.Option(metavar="A,...", help="collective: library, reference.  [default: library]")
    ] = None,
    members: Annotated[
        str | None, typer.Option(metavar="P,...", help="collective: among how many of the ranks.")
    ] = None,
    grids: Annotated[str | None, typer.Option(metavar="G,...", help="collective: flat, all, P1xP2.")] = None,
    segments: Annotated[
        str | None, typer.Option(metavar="S,...", help="collective: segments between the phases.")
    ] = None,
    root: Annotated[int | None, typer.Option(help="collective: the root's rank.  [default: 0]")] = None,
    sweep: Annotated[
        str | None, typer.Option(metavar="NAME", help="ft, spmv: an experiment by name; see stretto list.")
    ] = None,
    rows: Annotated[
        str | None, typer.Option(metavar="N,...", help="ft: rows of a rank; spmv: order of the matrix.")
    ] = None,
    row_length: Annotated[
        str | None, typer.Option(metavar="R,...", help="ft: complex elements of a row.")
    ] = None,
    scale: Annotated[
        str | None,
        typer.Option(metavar="F,...", help="ft: flops over those of one transform a row, or balance."),
    ] = None,
    planes: Annotated[str | None, typer.Option(metavar="D", help="ft: slabs go out plane by plane.")] = None,
    schedules: Annotated[
        str | None,
        typer.Option(
            metavar="S,...", help="ft: exchange, slabs, pencils, chunks=X; spmv: bulk, gather, scatter."
        ),
    ] = None,
    prefetch: Annotated[
        str | None, typer.Option(metavar="E,...", help="spmv: blocks on their way ahead, 0 to P-1.")
    ] = None,
    nonzeros: Annotated[
        str | None, typer.Option(metavar="F,...", help="spmv: nonzeros over the order squared, such as 4e-6.")
    ] = None,
    ranks_per_node: Annotated[
        int | None, typer.Option(help="Simulated: ranks on a node.  [default: as few as there are nodes]")
    ] = None,
    max_noise: Annotated[
        float, typer.Option(help="Half width of an interval that is enough, as a fraction.")
    ] = 0.03,
    budget: Annotated[
        float | None,
        typer.Option(metavar="S", help="Seconds for all cases.  [default: 60; emulated: 240]"),
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(help="Exactly so many rounds a case.  [default when simulated: 3]")
    ] = None,
    timeout: TimeoutOption = None,
    seed: Annotated[int, typer.Option(help="Of the random order of cases and measurements.")] = 1,
    check: Annotated[bool, typer.Option("--check", help="Look at the data that arrives.")] = False,
    mpi: MpiOption = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Directory for what is found.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the output directory's files.")] = False,
) -> None:
    """Measure how well communication and computation overlap here.

    Writes samples.jsonl, results.json, profile.json and report.html, and shows the tables. What a run that
    failed, ran out of time or was interrupted has measured until then is fitted and shown all the same.
    """
    request = Request.checked(
        names=names,
        ranks=ranks,
        on=on,
        hosts=hosts,
        rate=rate,
        platform=platform,
        sizes=sizes,
        transport=transport,
        progress=progress,
        path=path,
        pace=pace,
        segment=segment,
        operation=operation,
        side=side,
        ratio=ratio,
        max_noise=max_noise,
        budget=budget,
        rounds=rounds,
        timeout=timeout,
        seed=seed,
        check=check,
        mpi=mpi,
        collectives=CollectiveOptions(collectives, algorithm, members, grids, segments, root),
        ranks_per_node=ranks_per_node,
        schedules=ScheduleOptions(sweep, rows, row_length, scale, planes, schedules, prefetch, nonzeros),
    )
    directory = output if output is not None else default_directory(request.names)
    with fresh_directory(directory, force), case_progress(directory / SAMPLES) as on_tick:
        outcome = launch(request, directory, on_tick)
    if (directory / SAMPLES).exists():
        # Fits and reports take half a second to import: wrong input is not kept waiting for that.
        from stretto.commands.artefacts import make_artefacts, show_artefacts

        show_artefacts(directory, make_artefacts(directory))
    _judge(outcome, directory, timeout)


def _complaint(stderr: str) -> str:
    """What the native program said of its input, without what the launcher of the ranks says around it."""
    prefix = "stretto-probe: "
    said = [line for line in stderr.splitlines() if prefix in line]
    return said[-1].partition(prefix)[2] if said else stderr.strip()


def _judge(outcome: Outcome, directory: Path, timeout_s: float | None) -> None:
    """Raises what the end of the run means; nothing when it is done."""
    if outcome.status == "done":
        return
    kept = f"; what was measured until then is in {directory}" if (directory / SAMPLES).exists() else ""
    if outcome.status == "timeout":
        raise RunError(f"the run was ended after --timeout {timeout_s:g} s{kept}")
    if outcome.status == "interrupted":
        raise RunError(f"interrupted{kept}")
    if outcome.exit_code == CheckError.status:
        raise CheckError(f"data arrived wrong, see the `checked` rows of {directory / SAMPLES}")
    if outcome.exit_code == UserError.status:
        raise UserError(_complaint(outcome.stderr_tail))
    raise RunError(
        f"the run failed with exit status {outcome.exit_code}{kept}\n{outcome.stderr_tail}".rstrip()
    )
