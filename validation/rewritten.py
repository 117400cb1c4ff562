# SPDX-License-Identifier: BSD-3-Clause
"""Compares what `stretto whatif` predicts for textbook codes with the same codes split by hand, six pairs.

The prediction is the best level of the trace of the code as textbooks have it, recorded with `--memory byte`
and the durations of a clean run. `rewritten` replays both codes on three networks. `rewritten-pair` runs both
between two emulated hosts (needs root, and a quiet machine).
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.harness.builds import ROOT, build, cached, launcher
from bench.harness.checks import Checks, Result, Table, both_sides, exactly, ratio_of_medians
from bench.harness.pair import EmulatedPair, emulated_pair
from bench.harness.runner import Context
from stretto.data.sweep import LEVELS, TRACED
from stretto.errors import RunError
from stretto.launch.job import Job
from validation.commands import STRETTO, document, stretto
from validation.whatif import measured_network

NATIVE = ("stretto_trace_preload", "stretto_memory_runtime", "stretto-replay")
RANKS = 2
BANDWIDTHS = {"10MB/s": 10e6, "100MB/s": 100e6, "1GB/s": 1e9}
LATENCY_S = 1e-6
RATE = "400mbit"
REPETITIONS, ROUNDS = 5, 11
RECORDINGS = 3  # of each code, interleaved


@dataclass(frozen=True)
class Pair:
    """A proxy, its options, and how a part of its work is moved or its messages are split by hand.

    `between_hosts`: other options for emulated hosts, on which messages of less than a TCP segment (64 KiB)
    leave at once, whatever the rate. Those of the 2-D halo would need 100 times the memory.
    """

    program: str
    source: str
    options: tuple[str, ...]
    split: tuple[str, ...] = ("--overlap",)
    between_hosts: tuple[str, ...] = ()


PAIRS = {
    "halo, 1-D": Pair(
        "halo_1d",
        "halo_1d.c",
        ("--rows", "256", "--columns", "4096", "--steps", "40"),
        between_hosts=("--rows", "64", "--columns", "16384", "--steps", "40"),
    ),
    "halo, 2-D": Pair("halo_2d", "halo_2d.c", ("--cells", "1024", "--steps", "40")),
    "halo, 3-D": Pair("halo_3d", "halo_3d.c", ("--cells", "96", "--steps", "30")),
    "wavefront": Pair(
        "wavefront",
        "wavefront.cpp",
        ("--columns", "2", "--stages", "100", "--lines", "256", "--cells", "48", "--angles", "64"),
        ("--overlap", "--pieces", "8"),
    ),
    "sparse product": Pair(
        "sparse",
        "sparse.c",
        ("--rows", "512", "--columns", "512", "--steps", "40"),
        between_hosts=("--rows", "16", "--columns", "16384", "--steps", "40"),
    ),
    "transposition": Pair("transposition", "transposition.c", ("--order", "1024", "--steps", "10")),
}


@dataclass(frozen=True)
class Traces:
    """The traces of both codes of a pair."""

    textbook: Path
    split: Path


def run(context: Context) -> Iterator[Result]:
    """Replays both codes of each pair on three networks."""
    build(context.build, *NATIVE, *(pair.program for pair in PAIRS.values()))
    rows, checks = [], []
    with TemporaryDirectory() as made:
        for name, pair in PAIRS.items():
            traces = recorded(context, pair, Path(made) / pair.program)
            speed = computation_s(traces.split) / computation_s(traces.textbook)
            for shown, bandwidth in BANDWIDTHS.items():
                levels = replayed(traces.textbook, bandwidth)
                by_hand = replayed(traces.split, bandwidth, speed)[TRACED]
                best = min(levels, key=lambda level: levels[level])
                rows.append(
                    (name, shown, f"{levels[TRACED]:.3f}", f"{levels[best]:.3f}", best, f"{by_hand:.3f}",
                     f"{speed:.3f}")
                )  # fmt: skip
                ratio = exactly(levels[best] / by_hand)
                checks += both_sides(f"{name}, {shown}, best level", "split by hand", ratio, 0.05)
    columns = (
        *("pair", "bandwidth", "textbook", "best level", "which", "split by hand"),
        "its computation / textbook",
    )
    yield Table(f"Replayed times over the computation's own, {RANKS} ranks, latency 1us", columns, rows)
    yield Checks("What whatif predicts, over what splitting by hand gives", checks)


def replayed(trace: Path, bandwidth: float, speed: float = 1) -> dict[str, float]:
    """Times by level over the time without communication.

    Args:
        trace: The directory of the trace.
        bandwidth: Of the network, in bytes/s.
        speed: By how much faster all computation is than the trace says. The machine computes faster in one
            run than in another; both codes of a pair are compared with the same time of computation. A
            network that is slower by as much gives the same times over that of the computation.
    """
    network = ("--latency", f"{LATENCY_S * speed * 1e9:.6f}ns", "--bandwidth", f"{bandwidth / speed:.3f}B/s")
    result = document("whatif", str(trace), *network)
    bounds, rows = result["bounds"], result["rows"]
    if not isinstance(bounds, dict) or not isinstance(rows, list):
        raise RunError("whatif --json has neither bounds nor rows")
    return {row["level"]: row["time_s"] / bounds["no-communication"] for row in rows}


def recorded(context: Context, pair: Pair, directory: Path) -> Traces:
    """Records both codes; the textbook's with followed data and the durations of a clean run."""
    directory.mkdir()
    program = context.build / "proxies" / pair.program
    instrumented = directory / "instrumented"
    compile_with_memory(context, ROOT / "proxies" / pair.source, instrumented)
    launch = launcher(context.build, RANKS)
    runs: dict[str, list[Path]] = {"clean": [], "split": []}
    for turn in range(context.repetitions(RECORDINGS)):
        for name, more in (("clean", ()), ("split", pair.split)):
            runs[name].append(directory / f"{name}-{turn}")
            stretto("trace", "-o", str(runs[name][-1]), "--", *launch, str(program), *pair.options, *more)
    clean, split = (min(found, key=computation_s) for found in runs.values())
    textbook = directory / "textbook"
    memory = ("--memory", "byte", "--clean", str(clean))
    stretto("trace", *memory, "-o", str(textbook), "--", *launch, str(instrumented), *pair.options)
    return Traces(textbook, split)


def computation_s(trace: Path) -> float:
    """The time of a trace without communication: the least of several is that of an undisturbed run."""
    bounds = document("whatif", str(trace), "--bandwidth", "1GB/s", "--level", TRACED)["bounds"]
    if not isinstance(bounds, dict):
        raise RunError("whatif --json has no bounds")
    return float(bounds["no-communication"])


def compile_with_memory(context: Context, source: Path, target: Path) -> None:
    """Compiles a proxy for `--memory byte`, with the MPI of the build."""
    mpicxx = Path(cached(context.build, "MPI_CXX_COMPILER"))
    variables = {"STRETTO_CXX": str(mpicxx), "STRETTO_CC": str(mpicxx.with_name("mpicc"))}
    compiler = "stretto-cxx" if source.suffix == ".cpp" else "stretto-cc"
    options = ("-std=c++20",) if source.suffix == ".cpp" else ()
    command = [STRETTO.with_name(compiler), *options, "-O2", "-g", source, "-o", target]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **variables}
    )
    if done.returncode != 0:
        raise RunError(f"{compiler} {source.name}: {done.stderr.strip()}")


def run_pair(context: Context) -> Iterator[Result]:
    """Runs both codes between two hosts, and predicts the split one from the textbook's trace."""
    rows, checks = [], []
    targets = [pair.program for pair in PAIRS.values()]
    with TemporaryDirectory() as made, emulated_pair(context, RATE, ROUNDS, *targets) as emulated:
        network = measured_network(emulated, Path(made) / "profile.json")
        for name, pair in PAIRS.items():
            pair = replace(pair, options=pair.between_hosts or pair.options)
            traces = recorded(context, pair, Path(made) / pair.program)
            predicted = {
                level: document("replay", str(traces.textbook), *network, "--level", level)["makespan_s"]
                for level in LEVELS
            }
            best_s = min(predicted.values())
            times = [
                (run_s(context, emulated, pair, ()), run_s(context, emulated, pair, pair.split))
                for _ in range(context.repetitions(REPETITIONS))
            ]
            textbook_s, split_s = zip(*times)
            measured = ratio_of_medians(split_s, textbook_s)
            expected = best_s / predicted[TRACED]
            rows.append(
                (name, f"{predicted[TRACED]:.4f}", f"{sorted(textbook_s)[len(times) // 2]:.4f}",
                 f"{expected:.3f}", f"{measured.value:.3f}")
            )  # fmt: skip
            ratio = ratio_of_medians([one * expected for one in textbook_s], split_s)
            checks += both_sides(f"{name}, predicted gain", "measured", ratio, 0.1)
    columns = ("pair", "textbook predicted (s)", "measured (s)", "split / textbook predicted", "measured")
    yield Table(f"Two hosts at {RATE}", columns, rows)
    yield Checks("What splitting by hand gives, predicted over measured", checks)


def run_s(context: Context, emulated: EmulatedPair, pair: Pair, more: Sequence[str]) -> float:
    """Seconds of the code between the two hosts."""
    program = context.build / "proxies" / pair.program
    ended = emulated.cluster.run(emulated.mpi, Job(program, (*pair.options, *more), RANKS))
    if ended.status != 0:
        raise RunError(f"{program} ended with {ended.status}:\n{ended.stderr}")
    return float(ended.stdout.split()[2])
