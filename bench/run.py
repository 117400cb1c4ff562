# SPDX-License-Identifier: BSD-3-Clause
"""Compares stretto with MPI's own calls, raw TCP, PETSc, FFTW-MPI, mpi4py-fft and LogGOPSim's figures.

Every ratio is taken within one run, whose variants are interleaved on the same ranks. Samples stay in
build/bench/. Exit status 3 where a figure is below its target.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench import (
    analysis,
    calls,
    emulated,
    emulated_spmv,
    nas,
    nbc,
    osu,
    peers,
    progress,
    put_signal,
    python_calls,
    recorder,
    replay,
    scale,
    threads,
    watching,
)
from bench.harness.builds import ROOT
from bench.harness.options import add_kernel_options, comma_list
from bench.harness.runner import Entry, main

ENTRIES = (
    Entry(
        "osu",
        "latency and bandwidth with --buffers same against loops as OSU describes them",
        osu.run,
    ),
    Entry(
        "nbc",
        "overlap of nonblocking collectives against IMB-NBC's and OSU's loops, and IMB-NBC where it is",
        nbc.run,
    ),
    Entry("calls", "calls of the runtime on one node against MPI RMA and memcpy", calls.run),
    Entry("scale", "memory of an idle runtime and time of a poll, to 64 ranks", scale.run),
    Entry("python", "calls of the Python interface on one node against those of C++", python_calls.run),
    Entry("peers", "sparse products against PETSc, transforms against FFTW-MPI and mpi4py-fft", peers.run),
    Entry("put-signal", "puts with a signal against plain puts, emulated (root)", put_signal.run),
    Entry(
        "threads",
        "message rate of eight threads over one, and plain MPI's, on four emulated hosts (root)",
        threads.run,
    ),
    Entry(
        "emulated",
        "the runtime between two emulated hosts against plain MPI and raw TCP (root)",
        emulated.run,
    ),
    Entry(
        "spmv-emulated",
        "the part of emulated on sparse products: aggregated against one get per element (root)",
        emulated_spmv.run_alone,
        named=True,
    ),
    Entry(
        "progress",
        "the preloaded progress library under plain nonblocking calls (root)",
        progress.run,
    ),
    Entry("replay", "operations per second of the replay against LogGOPSim's published figures", replay.run),
    Entry(
        "analysis",
        "commands that read generated traces, by records and ranks, against reading their bytes and OTF2",
        analysis.run,
    ),
    Entry("recorder", "processor time of a halo code with the recorder against without", recorder.run),
    Entry("nas", "FT, MG and CG, every variant against one without overlap: node, emulated", nas.run),
    Entry("nas-node", "the part of nas on this machine", nas.on_node, named=True),
    Entry(
        "nas-emulated",
        "the part of nas between two emulated hosts (root)",
        nas.on_emulated,
        named=True,
    ),
    Entry(
        "watching",
        "two loops whose messages' data is watched, against the loops alone",
        watching.run,
        named=True,
    ),
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options of single entries, by the entry's name."""
    parser.add_argument("--imb", default="IMB-NBC", help="nbc: the Intel MPI Benchmarks' program")
    parser.add_argument("--rate", default="500mbit", help="emulated, nas: rate of the emulated links")
    parser.add_argument(
        "--rounds", type=int, default=11, help="emulated; four times as many for millisecond cases"
    )
    parser.add_argument(
        "--records", type=comma_list(int), default=analysis.RECORDS, help="analysis: of the traces"
    )
    parser.add_argument("--traced-ranks", type=comma_list(int), default=analysis.RANKS, help="analysis")
    parser.add_argument("--traces", type=Path, help="analysis: a directory where generated traces stay")
    parser.add_argument("--only-make", action="store_true", help="analysis: make those traces, and end")
    add_kernel_options(parser, nas.VARIANTS, "nas", "nas")
    parser.add_argument("-n", "--ranks", type=int, default=2, help="nas, on this machine")


if __name__ == "__main__":
    sys.exit(main("make bench", __doc__, ENTRIES, ROOT / "build" / "bench", add_options))
