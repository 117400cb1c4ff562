# SPDX-License-Identifier: BSD-3-Clause
"""`stretto gain` on programs that nobody changes, between emulated hosts: predicted against measured."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from bench.harness.builds import ROOT, build, mpiexec_of
from bench.harness.checks import Check, Checks, Result, Table, both_sides, yes_or_no
from bench.harness.kernels import kernel_arguments
from bench.harness.runner import Context
from stretto.errors import RunError
from stretto.launch.cores import usable_cores
from stretto.launch.job import Job
from stretto.launch.local import run_local
from stretto.launch.mpi import find_mpi
from stretto.launch.preload import preload_variables
from stretto.model.statistics import Estimate
from validation.commands import document

RATE = "500mbit"
RUNS = 9
_ATTEMPTS = 3  # a busy moment of the machine fails the self-test of the emulated network
_PAIR = ("--on", "emulated", "--rate", RATE)


def run(context: Context) -> Iterator[Result]:
    """Runs every program that there is for this MPI, between two hosts: predicted against measured."""
    cells, checks = [], []
    for name, command in programs_of(context).items():
        found = _gain(context, ("-n", "2", *_PAIR), command)
        saved, measured = found["saved"], _measured(found)
        predicted = found["predicted"]
        shown = "-" if predicted is None else f"{100 * predicted:.1f}"
        cells.append(
            (name, f"{found['plain_s']:.2f}", shown, f"{100 * saved:.1f}", _span(measured), _answer(found))
        )
        if predicted is None:
            checks.append(Check(f"{name}, predicted", "measured", None, 1.1))
            continue
        ratio = time_ratio(predicted, measured)
        checks += both_sides(f"{name}, time with the library, predicted", "measured", ratio, 0.1)
    columns = ("program", "plain (s)", "predicted (%)", "saved (%)", "95 %", "answer")
    yield Table(f"stretto gain, {_mpi_name(context)}, two hosts, {RATE}", columns, cells)
    yield Checks("Predictions of stretto gain", checks)


def run_without_gain(context: Context) -> Iterator[Result]:
    """Programs that cannot gain: the library must not cost them time, and `gain` must say why."""
    cells, checks = [], []
    for name, (place, command) in _programs_without_gain(context).items():
        found = _gain(context, place, command)
        measured = _measured(found)
        cells.append(
            (name, f"{found['plain_s']:.2f}", f"{100 * measured.value:.1f}", _span(measured), _answer(found))
        )
        with_library = Estimate(1 - measured.value, 1 - measured.ci95_high, 1 - measured.ci95_low, measured.n)
        checks += [
            Check(f"{name}, time with the library", "plain", with_library, 1.02),
            yes_or_no(f"{name}, told that it gains nothing", "", found["verdict"] != "saves"),
        ]
    what = "halo with short steps, waits at once: the library switches itself off"
    checks.append(yes_or_no(what, "", _switches_itself_off(context)))
    columns = ("program", "plain (s)", "saved (%)", "95 %", "answer")
    yield Table(f"Where the library cannot help, {_mpi_name(context)}", columns, cells)
    yield Checks("Programs that cannot gain", checks)


def _switches_itself_off(context: Context) -> bool:
    """Whether the statistics of a program that runs for seconds say so."""
    mpi = find_mpi(mpiexec_of(context.build))
    file = context.output / "statistics.txt"
    variables = {"STRETTO_STATISTICS": str(file), "STRETTO_POLL_INTERVAL_S": "0.001"}  # a thread on any host
    env = {**preload_variables(["progress"], mpi), **variables}
    halo = ("--rows", "64", "--columns", "1000", "--steps", "200000")
    ended = run_local(mpi, Job(context.build / "proxies" / "halo_1d", halo, 2, env))
    if ended.status != "done":
        raise RunError(f"halo_1d {ended.status}:\n{ended.stderr_tail[-2000:]}")
    return "# switched off after" in file.read_text(encoding="utf-8")


def _gain(
    context: Context, place: Sequence[str], command: Sequence[str], attempts: int = _ATTEMPTS
) -> dict[str, Any]:
    """The document of `stretto gain` for a command in a place."""
    words = ("--mpi", mpiexec_of(context.build), "--runs", str(context.repetitions(RUNS)), *place)
    try:
        return document("gain", *words, "--", *command)
    except RunError as error:
        if attempts == 1 or "failed its self-test" not in str(error):
            raise
    return _gain(context, place, command, attempts - 1)


def _measured(found: Mapping[str, Any]) -> Estimate:
    return Estimate(found["saved"], found["ci95_low"], found["ci95_high"], len(found["runs"]["plain_s"]))


def _span(measured: Estimate) -> str:
    return f"{100 * measured.ci95_low:.1f} to {100 * measured.ci95_high:.1f}"


def _answer(found: Mapping[str, Any]) -> str:
    answer = found["verdict"] if found["reason"] is None else f"{found['verdict']}: {found['reason']}"
    return answer if found["no_prediction"] is None else f"{answer}; not predicted: {found['no_prediction']}"


def _mpi_name(context: Context) -> str:
    mpi = find_mpi(mpiexec_of(context.build))
    return f"{mpi.family} {mpi.version}"


def time_ratio(predicted: float, measured: Estimate) -> Estimate:
    """The predicted time with the library over the measured one."""
    left = 1 - predicted
    return Estimate(
        left / (1 - measured.value),
        left / (1 - measured.ci95_low),
        left / (1 - measured.ci95_high),
        measured.n,
    )


def _programs_without_gain(context: Context) -> Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Place and command line by name, one for each reason that docs/progress.md gives.

    They run for seconds: the library needs 2.5 of them to find out that it gains nothing.
    """
    programs = build(context.build, "stretto_programs", "wavefront", "halo_1d")
    proxies = context.build / "proxies"
    halo = (str(proxies / "halo_1d"), "--rows", "1000", "--columns", "2048", "--steps", "3000")
    large = (str(proxies / "halo_1d"), "--rows", "8", "--columns", "200000", "--steps", "200")
    jacobi = ("jacobi", "--class", "A")
    pair, node = ("-n", "2", *_PAIR), ("-n", "2")
    cores = len(usable_cores())
    return {
        "blocking collectives only": (pair, (str(programs / "stretto-run"), *kernel_arguments(jacobi))),
        "halo, waits at once": (pair, large),
        "halo, messages that MPI moves by itself": (pair, (*halo, "--overlap")),
        "wavefront, ranks of one node": (node, _wavefront(proxies / "wavefront", stages=1000)),
        "wavefront, one rank more than cores": (
            ("-n", str(cores + 1)),
            _wavefront(proxies / "wavefront", cores + 1, stages=500),
        ),
    }


def _wavefront(program: Path, columns: int = 2, stages: int = 100) -> tuple[str, ...]:
    return (
        str(program),
        *f"--columns {columns} --stages {stages} --lines 512 --cells 48 --angles 256".split(),
        *("--overlap", "--pieces", "1"),
    )


def programs_of(context: Context) -> Mapping[str, tuple[str, ...]]:
    """Command lines by name: halo exchanges, NAS kernels over plain two-sided MPI, Fortran, and mpi4py."""
    programs = build(context.build, "stretto_programs", "wavefront", "adaptive", "halo_1d")
    proxies = context.build / "proxies"
    found: dict[str, tuple[str, ...]] = {
        "wavefront, overlapped": _wavefront(proxies / "wavefront"),
        # Messages of 4.8 MB, which MPI moves inside its calls only.
        "halo, 1-D, overlapped": (
            str(proxies / "halo_1d"),
            *("--rows", "80", "--columns", "600000", "--steps", "12", "--overlap"),
        ),
        "adaptive, overlapped": (
            str(proxies / "adaptive"),
            *("--steps", "20000", "--finest", "9", "--coarsest", "6", "--overlap"),
        ),
    }
    kernels = (("ft", "A", "slabs"), ("mg", "B", "nonblocking"), ("cg", "A", "nonblocking"))
    for kernel, size, variant in kernels:
        words = (kernel, "--class", size, "--variant", variant, "--transport", "mpi-two-sided")
        found[f"NAS {kernel.upper()}, class {size}, {variant}"] = (
            str(programs / "stretto-run"),
            *kernel_arguments(words),
        )
    if (proxies / "barotropic").is_file():
        halos = {"16 kB": ("2000", "200", "600"), "160 kB": ("20000", "100", "100")}
        for size, (rows, columns, steps) in halos.items():
            words = ("--rows", rows, "--columns", columns, "--steps", steps, "--overlap")
            found[f"barotropic, Fortran, messages of {size}"] = (str(proxies / "barotropic"), *words)
    if find_mpi(mpiexec_of(context.build)).family == "mpich" and find_spec("mpi4py"):
        script = Path(ROOT) / "validation" / "programs" / "transposed.py"
        found["transposed, mpi4py"] = (sys.executable, str(script), "40", "8", "60")
    return found
