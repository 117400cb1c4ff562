# SPDX-License-Identifier: BSD-3-Clause
"""`stretto whatif`: how long a traced application would take on other networks."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from stretto.commands.replay import network_of, run_native, sends_of
from stretto.commands.trace_source import trace_directory
from stretto.data.profile_file import read_profile
from stretto.data.sizes import format_bandwidth, format_duration, parse_duration, parse_size
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
    WhatIfRow,
    bandwidth_needed,
    latency_tolerated,
    parse_bandwidths,
    parse_latencies,
    parse_node,
)
from stretto.report.columns import wrapped

_TOLERATED = 0.1  # of the reference time: what is called tolerated in the text


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
    rows = _rows(sweep, levels, reference_s)
    if as_json:
        document = {
            "reference_s": reference_s,
            "bounds": bounds,
            "trace": trace,
            "rows": [asdict(row) for row in rows],
        }
        print(json.dumps(document, indent=1))
    else:
        _show(sweep, rows, levels, reference_s, bounds, trace)


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


def _show(
    sweep: _Sweep,
    rows: Sequence[WhatIfRow],
    levels: Sequence[str],
    reference_s: float,
    bounds: dict[str, float],
    trace: dict[str, Any],
) -> None:
    for text in _heads(sweep, reference_s, bounds, trace):
        for line in wrapped(text, 2, "# "):
            print(f"#{line.text[1:]}")
    for model, level in itertools.product(sweep.models, levels):
        of_model = [row for row in rows if row.progress_model == model]
        _show_table(sweep, [row for row in of_model if row.level == level])
        if level != TRACED and TRACED in levels:
            _show_needed(sweep, [row for row in of_model if row.level == TRACED], of_model, level)


def _heads(
    sweep: _Sweep, reference_s: float, bounds: dict[str, float], trace: dict[str, Any]
) -> Iterator[str]:
    """The trace and the effective settings."""
    base = sweep.base
    span, compute = format_duration(trace["span_s"]), format_duration(trace["compute_s"])
    yield (
        f"{sweep.directory}: {trace['messages']} messages, {trace['collectives']} calls of collectives; "
        f"recorded {span}, of it computation {compute}"
    )
    yield (
        f"production is known of {trace['produced']} messages, consumption of {trace['consumed']}; "
        f"reference (zero latency, 5GB/s) {format_duration(reference_s)}; "
        + "; ".join(f"{name} {format_duration(time_s)}" for name, time_s in bounds.items())
    )
    eager = "all sizes" if sweep.eager_bytes is None else f"up to {sweep.eager_bytes} B"
    yield (
        f"overheads {format_duration(base.overhead_send_s)} + {format_duration(base.overhead_receive_s)}, "
        f"gap {format_duration(base.gap_s)}, eager {eager}"
        + (
            f"; {base.node_ranks} ranks a node, {format_duration(base.node_latency_s)} between them"
            if base.node_ranks
            else ""
        )
    )
    if trace["as_computation"]:
        named = ", ".join(f"{count} {name}" for name, count in trace["as_computation"].items())
        yield f"not modelled, their recorded time is taken as computation: {named}"


def _show_table(sweep: _Sweep, rows: Sequence[WhatIfRow]) -> None:
    print(f"\nnormalised time, level {rows[0].level}, progress {rows[0].progress_model}")
    print(f"{'':>12s}" + "".join(f"{format_duration(one):>10s}" for one in sweep.latencies_s))
    for bandwidth in reversed(sweep.bandwidths):
        cells = (row.normalised_time for row in rows if row.bandwidth_bytes_per_s == bandwidth)
        print(f"{format_bandwidth(bandwidth):>12s}" + "".join(f"{cell:10.3f}" for cell in cells))
    best = max(sweep.bandwidths)
    tolerated = latency_tolerated([row for row in rows if row.bandwidth_bytes_per_s == best], _TOLERATED)
    what = "less than all of these" if tolerated is None else format_duration(tolerated)
    print(f"latency that costs at most 10 % at {format_bandwidth(best)}: {what}")


def _show_needed(sweep: _Sweep, traced: Sequence[WhatIfRow], rows: Sequence[WhatIfRow], level: str) -> None:
    """The slides' last figure: with which bandwidth the overlapped code equals the code as it is."""
    best = max(sweep.bandwidths)
    cells = []
    for latency_s in sweep.latencies_s:
        target_s = next(
            row.time_s for row in traced if (row.latency_s, row.bandwidth_bytes_per_s) == (latency_s, best)
        )
        needed = bandwidth_needed(
            [row for row in rows if row.level == level and row.latency_s == latency_s], target_s
        )
        cells.append("none" if needed is None else format_bandwidth(needed))
    for line in wrapped(f"bandwidth that equals {TRACED} at {format_bandwidth(best)}: {', '.join(cells)}", 2):
        print(line.text)
