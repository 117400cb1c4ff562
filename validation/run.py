# SPDX-License-Identifier: BSD-3-Clause
"""Compares models with measurements, and the papers' figures with simulated machines.

The exit status is 3 where a model deviates too much, a paper's finding does not hold, or a solution is wrong.
Entries that need root measure on emulated hosts, and also need a quiet machine.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from bench.harness.builds import ROOT
from bench.harness.options import add_kernel_options, comma_list
from bench.harness.runner import Entry, main
from validation import (
    advise,
    answers,
    applications,
    chosen,
    collectives,
    coverage,
    gain,
    jacobi,
    loggp,
    long_runs,
    many_ranks,
    mpich_suite,
    networks,
    reality,
    rewritten,
    runtime_functions,
    slides,
    suites,
    whatif,
)
from validation.advice import run as advice
from validation.disturbance import DISTURBANCES
from validation.papers import kernel_runs, schedules
from validation.papers.armci_runs import SPMV_RANKS
from validation.papers.ft_runs import SIZES

ENTRIES = (
    Entry(
        "answers",
        "the answer of stretto probe, on a quiet machine, under a burner and under bursts",
        answers.run,
    ),
    Entry("whatif", "replay of the wavefront's trace against its run on an emulated pair (root)", whatif.run),
    Entry(
        "rewritten",
        "the best level of six textbook codes against the same codes split by hand, replayed",
        rewritten.run,
    ),
    Entry(
        "rewritten-pair",
        "the same, measured on an emulated pair (root)",
        rewritten.run_pair,
        named=True,
    ),
    Entry(
        "slides",
        "the slides' work by variable, found in a program whose work takes those times",
        slides.run,
    ),
    Entry(
        "reality",
        "replays of NAS kernels and proxies against their recorded times, here and between hosts (root)",
        reality.run,
    ),
    Entry(
        "applications",
        "what recording costs Debian's LAMMPS, Quantum ESPRESSO and HPCC",
        applications.run,
        named=True,
    ),
    Entry(
        "advice",
        "what stretto potential advises for programs of known best change, about half of them traps",
        advice.run,
    ),
    Entry(
        "advice-gain",
        "what that advice promises against what the changes gain, on an emulated pair (root)",
        advice.run_gain,
        named=True,
    ),
    Entry(
        "advise",
        "what stretto advise says of FT against all schedules, measured (root)",
        advise.run,
    ),
    Entry(
        "chosen",
        "the variant that auto chooses against what does not overlap (root)",
        chosen.run,
    ),
    Entry(
        "collectives",
        "collectives as a profile chooses them against all forms, four hosts of two ranks, simulated",
        collectives.run,
    ),
    Entry(
        "collectives-emulated",
        "the same on emulated hosts; fewer cores than ranks need Open MPI and slow links (root)",
        collectives.run_emulated,
    ),
    Entry(
        "coverage",
        "how often the 95 % intervals of commands cover the truth, simulated at all numbers of samples",
        coverage.run,
    ),
    Entry("loggp", "LogGP parameters and eager limit of every platform, stated and recovered", loggp.run),
    Entry(
        "gain", "what stretto gain predicts against what it measures, on an emulated pair (root)", gain.run
    ),
    Entry(
        "networks",
        "programs at 100 Mbit/s and 1 Gbit/s, predicted from traces at 500 Mbit/s, and measured (root)",
        networks.run,
        named=True,
    ),
    Entry(
        "suites",
        "mpi4py's test suite and our MPI tests under the progress library, against the same without",
        suites.run,
        named=True,
    ),
    Entry(
        "mpich-suite",
        "MPICH's own test suite recorded, with progress and with collectives, against the same plain",
        mpich_suite.run,
        named=True,
    ),
    Entry(
        "no-gain",
        "programs that the progress library cannot help, and what stretto gain says of them (root)",
        gain.run_without_gain,
    ),
    Entry("schedules", "findings of the architectural probes, section 6, simulated", schedules.run),
    Entry(
        "runtime-functions",
        "runtime functions and choices against collectives left out, simulated",
        runtime_functions.run,
    ),
    Entry("many-ranks", "choices of collectives among 1,024 simulated ranks", many_ranks.run),
    Entry("jacobi", "predicted Jacobi iterations against simulated ones", jacobi.run),
    Entry(
        "papers-ft",
        "FT on the machines of the one-sided slides, simulated and modelled",
        kernel_runs.run_ft,
    ),
    Entry("papers-mg", "MG over ranks (figure 10 of the latency-tolerance paper)", kernel_runs.run_mg),
    Entry("papers-cg", "CG over ranks (figure 11 of the latency-tolerance paper)", kernel_runs.run_cg),
    Entry(
        "papers-spmv",
        "aggregation in SpMV, rank by rank (figure 9 of the latency-tolerance paper)",
        kernel_runs.run_spmv,
    ),
    Entry(
        "long-trace",
        "programs that run for minutes, recorded and analysed",
        long_runs.run,
        named=True,
    ),
)


def class_and_ranks(text: str) -> tuple[str, int]:
    """A class and a number of ranks, such as B:64."""
    name, _, ranks = text.partition(":")
    return name, int(ranks)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options of single entries, by the entry's name."""
    add = parser.add_argument
    add(
        "--conditions",
        type=comma_list(str),
        default=list(DISTURBANCES),
        help=f"answers: of {', '.join(DISTURBANCES)} (default: all)",
    )
    add(
        "--probe-options",
        type=shlex.split,
        default=[],
        help="answers: options of stretto probe, such as '--on local'",
    )
    add(
        "--keep",
        action="store_true",
        help="answers, networks, mpich-suite: take what an earlier run has left",
    )
    add("--profile", type=Path, help="advise: instead of a measured one")
    add(
        "--budget",
        type=float,
        default=40,
        help="seconds per probe of advise, collectives-emulated (default 40)",
    )
    add("--points", type=int, default=10, help="advise")
    add("--seed", type=int, default=1, help="advise")
    add("--place", default=advise.PLACE, help=f"advise: options of stretto probe (default: {advise.PLACE})")
    add("--rates", default="500mbit", help="chosen, collectives-emulated: rates of the emulated links")
    add_kernel_options(parser, chosen.PLAIN, "chosen", "chosen, papers-mg, papers-cg")
    add("--machines", type=comma_list(str), help="loggp, schedules, papers-ft, papers-mg, papers-cg")
    add("--platforms", type=comma_list(str), default=["clic", "t3e"], help="runtime-functions")
    add(
        "--jacobi",
        nargs="*",
        default=[],
        metavar="RANKS,SIZE,LAYOUT,GRID",
        help="jacobi: such as 96,1000,row,8x12",
    )
    add("--sizes", type=comma_list(class_and_ranks), default=SIZES, help="papers-ft: CLASS:RANKS,...")
    add(
        "--max-messages",
        type=int,
        default=4000,
        help="papers-ft: simulates transposes with at most this many",
    )
    add("--ranks", type=comma_list(int), default=[8, 16, 32, 64, 128], help="papers-mg, papers-cg")
    add("--simulated-ranks", type=int, help="papers-mg, papers-cg: largest simulated number (default 128, 8)")
    add("--products", type=int, default=2, help="papers-spmv: number of simulated products")
    add("--spmv-ranks", type=int, default=SPMV_RANKS, help="papers-spmv (default 32)")
    add("--suite-ranks", type=comma_list(int), default=[1, 2, 3, 4], help="suites (default 1,2,3,4)")
    add("--suite-parts", type=comma_list(str), help="mpich-suite: such as pt2pt,coll (default: most)")
    add("--suite-most", type=int, default=10, help="mpich-suite: most ranks of a run (default 10)")
    add(
        "--suite-minutes",
        type=float,
        default=240,
        help="mpich-suite: no run is started after them (default 240)",
    )
    add(
        "--suite-limit", type=float, default=180, help="mpich-suite: seconds for a run, at most its own limit"
    )
    add("--run-s", type=float, default=300, help="long-trace: seconds of a program (default 300)")
    add("--only", metavar="PREFIX,..", help="long-trace, networks: of programs")
    add("--directory", type=Path, help="long-trace: directory of the traces")


if __name__ == "__main__":
    sys.exit(main("make validation", __doc__, ENTRIES, ROOT / "build" / "validation", add_options))
