# SPDX-License-Identifier: BSD-3-Clause
"""`stretto gain` on programs that nobody changes, between emulated hosts: predicted against measured."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

from bench.harness.builds import ROOT, build, mpiexec_of
from bench.harness.checks import Check, Checks, Result, Table
from bench.harness.runner import Context
from stretto.launch.kernels import kernel_arguments
from stretto.launch.mpi import find_mpi
from stretto.model.statistics import Estimate
from validation.commands import document

RATE = "500mbit"
RUNS = 9


def run(context: Context) -> Iterator[Result]:
    """Runs every program that there is for this MPI."""
    programs = programs_of(context)
    mpi = mpiexec_of(context.build)
    cells, checks = [], []
    for name, command in programs.items():
        words = (
            "--mpi",
            mpi,
            "--runs",
            str(context.repetitions(RUNS)),
            "-n",
            "2",
            "--on",
            "emulated",
            "--rate",
            RATE,
        )
        found = document("gain", *words, "--", *command)
        saved, predicted = found["saved"], found["predicted"]
        measured = Estimate(saved, found["ci95_low"], found["ci95_high"], len(found["runs"]["plain_s"]))
        span = f"{100 * measured.ci95_low:.1f} to {100 * measured.ci95_high:.1f}"
        shown = "-" if predicted is None else f"{100 * predicted:.1f}"
        answer = found["verdict"] if found["reason"] is None else f"{found['verdict']}: {found['reason']}"
        cells.append((name, f"{found['plain_s']:.2f}", shown, f"{100 * saved:.1f}", span, answer))
        if predicted is None:
            checks.append(Check(f"{name}, predicted", "measured", None, 1.1))
            continue
        ratio = time_ratio(predicted, measured)
        checks += [
            Check(f"{name}, time with the library, predicted", "measured", ratio, 1.1),
            Check(f"{name}, time with the library, predicted", "measured", ratio, 0.9, at_least=True),
        ]
    columns = ("program", "plain (s)", "predicted (%)", "saved (%)", "95 %", "answer")
    family = find_mpi(mpi)
    yield Table(f"stretto gain, {family.family} {family.version}, two hosts, {RATE}", columns, cells)
    yield Checks("Predictions of stretto gain", checks)


def time_ratio(predicted: float, measured: Estimate) -> Estimate:
    """The predicted time with the library over the measured one."""
    left = 1 - predicted
    return Estimate(
        left / (1 - measured.value),
        left / (1 - measured.ci95_low),
        left / (1 - measured.ci95_high),
        measured.n,
    )


def programs_of(context: Context) -> Mapping[str, tuple[str, ...]]:
    """Command lines by name: halo exchanges, NAS kernels over plain two-sided MPI, Fortran, and mpi4py."""
    programs = build(context.build, "stretto_programs", "wavefront", "adaptive")
    proxies = context.build / "proxies"
    found: dict[str, tuple[str, ...]] = {
        "wavefront, overlapped": (
            str(proxies / "wavefront"),
            *("--columns", "2", "--stages", "100", "--lines", "512", "--cells", "48", "--angles", "256"),
            *("--overlap", "--pieces", "1"),
        ),
        "adaptive, overlapped": (
            str(proxies / "adaptive"),
            *("--steps", "400", "--finest", "9", "--coarsest", "6", "--overlap"),
        ),
    }
    for kernel, variant in (("ft", "slabs"), ("mg", "nonblocking"), ("cg", "nonblocking")):
        words = (kernel, "--class", "A", "--variant", variant, "--transport", "mpi-two-sided")
        found[f"NAS {kernel.upper()}, {variant}"] = (str(programs / "stretto-run"), *kernel_arguments(words))
    if (proxies / "barotropic").is_file():
        halo = ("--rows", "2000", "--columns", "200", "--steps", "200", "--overlap")
        found["barotropic, Fortran"] = (str(proxies / "barotropic"), *halo)
    if find_mpi(mpiexec_of(context.build)).family == "mpich" and find_spec("mpi4py"):
        script = Path(ROOT) / "validation" / "programs" / "transposed.py"
        found["transposed, mpi4py"] = (sys.executable, str(script), "40", "8", "60")
    return found
