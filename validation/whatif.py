# SPDX-License-Identifier: BSD-3-Clause
"""Compares what-if predictions with measurements: the wavefront on an emulated pair (needs root).

Both variants are recorded on this machine, where ranks share memory. The probe `loggp` measures the pair
before each repetition, so that prediction and run use the same machine. `stretto replay` predicts the times
of both on the pair, and then both run there. The prediction must be within 10 %.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.harness.checks import Checks, Result, Table, both_sides, median_of
from bench.harness.pair import EmulatedPair, emulated_pair
from bench.harness.runner import Context
from stretto.data.profile_file import write_profile
from stretto.data.results import ResultRow
from stretto.errors import RunError
from stretto.launch.job import Job
from stretto.launch.local import run_local
from stretto.model.derive import derive_results
from stretto.model.fit import fit_profile
from stretto.native.programs import native_library
from validation.commands import document

RATE = "500mbit"
SIZE_BYTES = 128 << 10  # lines times angles of doubles
# Half a stage computes about as long as its message is on the wire; only phiib crosses the pair.
WAVEFRONT = ("--columns", "2", "--stages", "200", "--lines", "256", "--cells", "48", "--angles", "64")
VARIANTS = {"without overlap": (), "overlapped": ("--overlap", "--pieces", "8")}


REPETITIONS = 5
ROUNDS = 11


def run(context: Context) -> Iterator[Result]:
    """Runs recordings, predictions and measurements, interleaved."""
    program = context.build / "proxies" / "wavefront"
    rows = []
    times: dict[str, list[tuple[float, float]]] = {variant: [] for variant in VARIANTS}
    with TemporaryDirectory() as made, emulated_pair(context, RATE, ROUNDS, "wavefront") as pair:
        for turn in range(context.repetitions(REPETITIONS)):
            network = measured_network(pair, Path(made) / f"profile-{turn}.json")
            for variant, result in times.items():
                trace = recorded(pair, program, variant, Path(made) / f"{variant.replace(' ', '-')}-{turn}")
                predicted_s = document("replay", str(trace), *network)["makespan_s"]
                result.append((predicted_s, run_s(pair, program, variant)))
    checks = []
    for variant, result in times.items():
        predicted, real = np.array(result).T
        span = f"{real.min():.4f} to {real.max():.4f}"
        rows.append((variant, f"{np.median(predicted):.4f}", f"{np.median(real):.4f}", span))
        ratio = median_of(predicted / real)
        checks += both_sides(f"{variant}, predicted", "measured", ratio, 0.1)
    columns = ("wavefront", "predicted (s)", "measured (s)", "from, to")
    yield Table(f"Two hosts at {RATE}, medians of {len(predicted)} turns", columns, rows)
    yield Checks("The wavefront on an emulated pair", checks)


def recorded(pair: EmulatedPair, program: Path, variant: str, trace: Path) -> Path:
    """Records a trace of the variant on this machine."""
    trace.mkdir()
    library = native_library("libstretto_trace.so", pair.mpi.family, pair.mpi.mpiexec)
    env = {"LD_PRELOAD": str(library), "STRETTO_TRACE_DIR": str(trace)}
    ended = run_local(pair.mpi, Job(program, (*WAVEFRONT, *VARIANTS[variant]), 2, env))
    if ended.status != "done":
        raise RunError(f"{program} {ended.status}:\n{ended.stderr_tail}")
    return trace


def run_s(pair: EmulatedPair, program: Path, variant: str) -> float:
    """Seconds of the variant between the two hosts."""
    ended = pair.cluster.run(pair.mpi, Job(program, (*WAVEFRONT, *VARIANTS[variant]), 2))
    if ended.status != 0:
        raise RunError(f"{program} ended with {ended.status}:\n{ended.stderr}")
    return float(ended.stdout.split()[2])


def measured_network(pair: EmulatedPair, profile: Path) -> tuple[str, str]:
    """The option of `stretto replay` for the measured pair, with overheads.

    Where LogGP is unresolved, it has the latency of 8 bytes and the bandwidth only.
    """
    options = ("--transport", "mpi-two-sided", "--progress", "none", "--sizes", f"8:{SIZE_BYTES}")
    samples = pair.probe("network", "loggp", "latency", "bandwidth", *options)
    fitted = fit_profile([samples])
    sends = [entry for entry in fitted.loggp if entry.operation == "send"]
    figures = [
        (one.latency_s, one.overhead_send_s, one.overhead_receive_s, one.gap_s_per_byte)
        for entry in sends
        for one in entry.ranges[:1]
    ]
    if figures and all(one is None or one.value is not None for row in figures for one in row):
        write_profile(fitted, profile)
        return "--profile", str(profile)
    rows = derive_results(samples).rows
    latency_s = _figure(rows, "latency", 8)
    return "--loggp", f"L={latency_s!r},G={1 / _figure(rows, 'bandwidth', SIZE_BYTES)!r}"


def _figure(rows: Sequence[ResultRow], metric: str, size_bytes: int) -> float:
    """The figure for one direction at a time."""
    for row in rows:
        one_way = row.axes.get("direction", "one-way") == "one-way"
        if row.metric == metric and row.axes["size_bytes"] == size_bytes and one_way and row.value:
            return row.value
    raise RunError(f"{metric} at {size_bytes} B came out unresolved")
