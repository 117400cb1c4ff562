# SPDX-License-Identifier: BSD-3-Clause
"""Compares replays of traces, with the measured network of where they were recorded, with the recorded times.

NAS kernels over two-sided MPI and the proxies run on two ranks: on this machine, and between two emulated
hosts. A rank needs a core, and the machine must be quiet. The network is measured again before each turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.harness.builds import mpiexec_of
from bench.harness.checks import Checks, Result, Table, both_sides, median_of
from bench.harness.kernels import kernel_arguments
from bench.harness.pair import EmulatedPair, emulated_pair
from bench.harness.runner import Context
from stretto.errors import RunError
from stretto.launch.job import Job
from stretto.launch.local import run_local
from stretto.launch.mpi import MpiLibrary, find_mpi
from stretto.native.programs import native_library
from validation.commands import document, stretto
from validation.whatif import measured_network

RATE = "500mbit"
RANKS, REPETITIONS, ROUNDS = 2, 5, 11
TOLERANCE = 0.1
KERNELS = {"NAS FT": ("ft", "alltoall"), "NAS MG": ("mg", "two-sided"), "NAS CG": ("cg", "two-sided")}
PROXIES = {
    "wavefront": ("--columns", "2", "--stages", "200", "--lines", "256", "--cells", "48", "--angles", "64"),
    "adaptive": ("--steps", "400", "--finest", "9", "--coarsest", "6"),
    # Rows of 128 KiB: an emulated link sends less than a segment at once, whatever its rate.
    "halo_1d": ("--rows", "64", "--columns", "16384", "--steps", "80"),
    "halo_2d": ("--cells", "1024", "--steps", "80"),
    "halo_3d": ("--cells", "96", "--steps", "60"),
    "sparse": ("--rows", "512", "--columns", "512", "--steps", "80"),
    "transposition": ("--order", "1024", "--steps", "20"),
}
CLASS = "W"
Recorder = Callable[[Path, tuple[str, ...], Path], None]
"""Runs a program with these arguments, and leaves its trace in the directory."""


def run(context: Context) -> Iterator[Result]:
    """Records and replays on this machine and on the pair."""
    targets = [*PROXIES, "stretto_trace_preload", "stretto-replay"]
    with TemporaryDirectory() as made, emulated_pair(context, RATE, ROUNDS, *targets) as pair:
        programs = programs_of(context, pair.programs)
        mpi = find_mpi(mpiexec_of(context.build))
        for place, network, record in (
            ("this machine", _local_network(mpi), _local_recorder(mpi)),
            (f"two hosts at {RATE}", lambda path: measured_network(pair, path), _pair_recorder(pair)),
        ):
            yield from compared(
                place, context.repetitions(REPETITIONS), programs, network, record, Path(made)
            )


def programs_of(context: Context, programs: Path) -> Mapping[str, tuple[Path, tuple[str, ...]]]:
    """Programs and their arguments, by name."""
    found = {
        f"{name}, class {CLASS}": (
            programs / "stretto-run",
            kernel_arguments(
                (kernel, "--class", CLASS, "--variant", variant, "--transport", "mpi-two-sided")
            ),
        )
        for name, (kernel, variant) in KERNELS.items()
    }
    return found | {name: (context.build / "proxies" / name, options) for name, options in PROXIES.items()}


def compared(
    place: str,
    turns: int,
    programs: Mapping[str, tuple[Path, tuple[str, ...]]],
    network: Callable[[Path], tuple[str, str]],
    record: Recorder,
    into: Path,
) -> Iterator[Result]:
    """A table of one place, and whether the predictions hold."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in programs}
    for turn in range(turns):
        measured = network(into / f"profile-{place}-{turn}.json")
        for number, (name, (program, arguments)) in enumerate(programs.items()):
            trace = into / f"{place}-{turn}-{number}".replace(" ", "-")
            trace.mkdir()
            record(program, arguments, trace)
            found = document("replay", str(trace), *measured)
            times[name].append((found["makespan_s"], found["trace"]["span_s"]))
    rows, checks = [], []
    for name, both in times.items():
        predicted, recorded = np.array(both).T
        ratio = median_of(predicted / recorded)
        rows.append((name, f"{np.median(predicted):.4f}", f"{np.median(recorded):.4f}", f"{ratio.value:.3f}"))
        checks += both_sides(f"{place}: {name}, replayed", "recorded", ratio, TOLERANCE)
    yield Table(
        f"{place}, medians of {turns} turns", ("program", "replayed (s)", "recorded (s)", "ratio"), rows
    )
    yield Checks(f"Replayed over recorded: {place}", checks)


def _variables(mpi: MpiLibrary, trace: Path) -> dict[str, str]:
    library = native_library("libstretto_trace.so", mpi.family, mpi.mpiexec)
    return {"LD_PRELOAD": str(library), "STRETTO_TRACE_DIR": str(trace)}


def _local_recorder(mpi: MpiLibrary) -> Recorder:
    def record(program: Path, arguments: tuple[str, ...], trace: Path) -> None:
        ended = run_local(mpi, Job(program, arguments, RANKS, _variables(mpi, trace)))
        if ended.status != "done":
            raise RunError(f"{program} {ended.status}:\n{ended.stderr_tail}")

    return record


def _pair_recorder(pair: EmulatedPair) -> Recorder:
    def record(program: Path, arguments: tuple[str, ...], trace: Path) -> None:
        ended = pair.cluster.run(pair.mpi, Job(program, arguments, RANKS, _variables(pair.mpi, trace)))
        if ended.status != 0:
            raise RunError(f"{program} ended with {ended.status}:\n{ended.stderr}")

    return record


def _local_network(mpi: MpiLibrary) -> Callable[[Path], tuple[str, str]]:
    def measure(profile: Path) -> tuple[str, str]:
        run = profile.with_suffix("")
        options = ("--on", "local", "-n", str(RANKS), "--mpi", str(mpi.mpiexec), "--progress", "none")
        transports = ("--transport", "mpi-two-sided", "--budget", "20", "-o", str(run))
        stretto("probe", "loggp", "latency", "bandwidth", *options, *transports)
        stretto("fit", str(run), "-o", str(profile))
        return "--profile", str(profile)

    return measure
