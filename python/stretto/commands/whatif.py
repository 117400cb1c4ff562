# SPDX-License-Identifier: BSD-3-Clause
"""`stretto whatif`: how long a traced application would take on other networks."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from stretto.commands.replay import network_of, run_native, sends_of
from stretto.commands.trace_source import trace_directory
from stretto.data.profile_file import read_profile
from stretto.data.sizes import parse_duration, parse_size
from stretto.errors import UserError
from stretto.options.choices import choose
from stretto.potential.whatif import (
    BOUNDS,
    LEVELS,
    REFERENCE_BANDWIDTH,
    SLIDES_BANDWIDTHS,
    SLIDES_LATENCIES_S,
    TRACED,
    NetworkPoint,
    WhatIf,
    WhatIfRow,
    parse_bandwidths,
    parse_latencies,
    parse_node,
)
from stretto.report.screen import show, show_json
from stretto.report.views.whatif import whatif_document, whatif_view


@dataclass(frozen=True)
class _Sweep:
    """What is asked: every latency with every bandwidth, under every progress model."""

    directory: Path
    latencies_s: tuple[float, ...]
    bandwidths: tuple[float, ...]
    models: tuple[str, ...]
    eager_bytes: int | None
    base: NetworkPoint
    measured: str | None  # the network of a profile as it is, with all its ranges: not swept


def whatif(
    directory: Annotated[
        Path, typer.Argument(metavar="DIR", help="What `stretto trace` wrote, or an OTF2 archive.")
    ],
    profile: Annotated[
        Path | None, typer.Option("--profile", help="Overheads, latency and bandwidth of this machine.")
    ] = None,
    latency: Annotated[
        str | None, typer.Option("--latency", metavar="1us,2us,..", help="Latencies; default 1, 2, 4, 8 us.")
    ] = None,
    bandwidth: Annotated[
        str | None,
        typer.Option("--bandwidth", metavar="1MB/s:5GB/s", help="A range or a list; default 1MB/s:5GB/s."),
    ] = None,
    overhead: Annotated[
        str | None,
        typer.Option("--overhead", metavar="0.5us", help="Processor time a message, each side; default 0."),
    ] = None,
    node: Annotated[
        str | None,
        typer.Option(
            "--node", metavar="RANKS:LATENCY", help="So many ranks share a node, with this latency: 4:0.5us."
        ),
    ] = None,
    progress_model: Annotated[
        str,
        typer.Option(
            "--progress-model",
            metavar="M,..",
            help="offload, eager-only, inside-calls, thread=PERIOD; all but offload need --eager.",
        ),
    ] = "offload",
    eager: Annotated[
        str | None, typer.Option("--eager", metavar="64KiB", help="Up to here messages need no handshake.")
    ] = None,
    level: Annotated[
        str | None,
        typer.Option(
            "--level",
            metavar="LEVEL,..",
            help="traced, independent, consumer, producer-consumer; default: all that the trace knows of.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """How long would this application take on a network of another latency and bandwidth?

    Computation is the trace's, communication the network's: processor overheads are zero unless asked for, as
    the slides have it. Normalised times are by the same trace at zero latency and 5 GB/s.
    """
    base = _base(profile, overhead)
    if node is not None:
        ranks, node_latency_s = parse_node(node)
        base = replace(base, node_ranks=ranks, node_latency_s=node_latency_s)
    sweep = _Sweep(
        trace_directory(directory),
        parse_latencies(latency) if latency else ((base.latency_s,) if profile else SLIDES_LATENCIES_S),
        parse_bandwidths(bandwidth or SLIDES_BANDWIDTHS)
        if bandwidth or not profile
        else (base.bandwidth_bytes_per_s,),
        tuple(part.strip() for part in progress_model.split(",")),
        parse_size(eager) if eager else None,
        base,
        None,
    )
    if profile and not (latency or bandwidth or overhead):
        first, *ranges = network_of(read_profile(profile), profile, sweep.eager_bytes).split(";")
        measured = ";".join((first + base.node_spec, *ranges))
        sweep = replace(sweep, measured=measured)
    _check(sweep)
    reference_s, bounds, trace = _reference(sweep)
    levels = _levels(level, trace, directory)
    found = WhatIf(
        name=str(sweep.directory),
        latencies_s=sweep.latencies_s,
        bandwidths=sweep.bandwidths,
        models=sweep.models,
        levels=tuple(levels),
        eager_bytes=sweep.eager_bytes,
        base=sweep.base,
        reference_s=reference_s,
        bounds=bounds,
        trace=trace,
        rows=tuple(_rows(sweep, levels, reference_s)),
    )
    if as_json:
        show_json(whatif_document(found))
    else:
        show(whatif_view(found))


def _base(profile: Path | None, overhead: str | None) -> NetworkPoint:
    """Overheads (and for a profile latency and bandwidth) that every point of the sweep starts from."""
    point = NetworkPoint(0.0, REFERENCE_BANDWIDTH)
    if profile is not None:
        fitted = sends_of(read_profile(profile), profile)
        point = NetworkPoint(
            fitted["latency_s"],
            1 / fitted["gap_s_per_byte"] if fitted["gap_s_per_byte"] else REFERENCE_BANDWIDTH,
            fitted["overhead_send_s"],
            fitted["overhead_receive_s"],
            fitted["gap_s"],
        )
    if overhead is not None:
        overhead_s = parse_duration(overhead)
        point = replace(point, overhead_send_s=overhead_s, overhead_receive_s=overhead_s)
    return point


def _check(sweep: _Sweep) -> None:
    if not sweep.directory.is_dir():
        raise UserError(f"{sweep.directory}: is no directory; name one that `stretto trace` wrote")
    waiting = [model for model in sweep.models if model != "offload"]
    if waiting and sweep.eager_bytes is None:
        raise UserError(
            f"--progress-model {waiting[0]}: say up to which size messages are eager, with --eager 64KiB"
        )


def _reference(sweep: _Sweep) -> tuple[float, dict[str, float], dict[str, Any]]:
    """The trace at zero latency and 5 GB/s, the ideals that no network beats, and what the trace is.

    Ideals: no communication (the longest chain of computation) and, on the reference network, no computation.
    """
    point = replace(
        sweep.base, latency_s=0.0, bandwidth_bytes_per_s=REFERENCE_BANDWIDTH, node_ranks=0, node_latency_s=0.0
    )
    directory, reference = str(sweep.directory), f"--loggp={point.spec(None)}"
    found = run_native([directory, reference, "--loggp=L=0,G=0"])
    reference_s, computation_s = (one["makespan_s"] for one in found["replays"])
    communication_s = run_native([directory, reference, "--compute-scale=0"])["makespan_s"]
    return reference_s, dict(zip(BOUNDS, (computation_s, communication_s))), found["trace"]


def _levels(asked: str | None, trace: dict[str, Any], directory: Path) -> list[str]:
    """The levels to show: what is asked for, else those of which the trace knows something."""
    knows = bool(trace["produced"] or trace["consumed"])
    if asked is None:
        return list(LEVELS) if knows else [TRACED]
    levels = choose("--level", asked, LEVELS)
    if not knows and levels != [TRACED]:
        raise UserError(
            f"--level {asked}: {directory} does not say when data is produced and consumed; build the "
            "program with stretto-cc, -cxx or -fc and record it with --memory byte"
        )
    return levels


def _rows(sweep: _Sweep, levels: Sequence[str], reference_s: float) -> list[WhatIfRow]:
    points = [
        replace(sweep.base, latency_s=latency_s, bandwidth_bytes_per_s=bandwidth)
        for latency_s in sweep.latencies_s
        for bandwidth in sweep.bandwidths
    ]
    specs = [sweep.measured] if sweep.measured else [point.spec(sweep.eager_bytes) for point in points]
    networks = [f"--loggp={spec}" for spec in specs]
    rows = []
    for level, model in itertools.product(levels, sweep.models):
        options = (f"--progress-model={model}", f"--level={level}")
        found = run_native([str(sweep.directory), *networks, *options])
        for point, one in zip(points, found.get("replays", [found])):
            time_s = one["makespan_s"]
            normalised = time_s / reference_s if reference_s else 1.0
            rows.append(
                WhatIfRow(point.latency_s, point.bandwidth_bytes_per_s, level, model, time_s, normalised)
            )
    return rows
