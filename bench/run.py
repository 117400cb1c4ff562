# SPDX-License-Identifier: BSD-3-Clause
"""Head to head with peers; what the ratios are and what is asked of them: docs/bench.md.

`latency`: the latency probe against the ping-pong as everybody writes it. What a harness adds to what it
measures shows here: the ratio should be 1. Both run several times in turn over the same MPI on this machine,
and a ratio is taken within a turn, so that what drifts drifts for both. `calls`: calls of the runtime on one
node. `peers`: products beside PETSc's, transforms beside FFTW-MPI's, under Debian's Open MPI. `emulated`: the
runtime, and products over it, between two emulated hosts (root). `replay`, `recorder`, `nas`: the programs of
these names in this folder, with their own settings.

Usage: `run.py [NAME...] [--rate 500mbit] [--rounds N] [--turns N]`, all without a name, in this order; the
builds of MPI's preset, samples in build/bench/. Exit status 3 where a ratio is missed; all are run.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import emulated_runtime
import numpy as np
import peers
import polars as pl
import runtime_calls
from builds import default_build, launcher, mpiexec_of
from checks import show, status_of

from stretto.data.samples import read_samples
from stretto.launch.mpi import find_mpi
from stretto.launch.probing import probe_arguments

ROOT = Path(__file__).resolve().parents[1]
SIZES = tuple(8 * 8**power for power in range(7))  # 8 B to 2 MiB
ROUNDS = 30
OUTPUT = ROOT / "build" / "bench"
PEERS = ("plain_ping_pong", "runtime_calls", "busy_target")
BY_THEMSELVES = ("replay", "recorder", "nas")
NAMES = ("latency", "calls", "peers", "emulated", *BY_THEMSELVES)
PEER_ROUNDS = 15
MISSED = 3


def build() -> Path:
    """Builds the peer; the build directory."""
    directory = default_build()
    command = ["cmake", "--build", str(directory), "--target", *PEERS, "stretto_programs"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return directory


def latencies_s(samples: Path) -> dict[int, float]:
    """Median one-way latency by size in bytes."""
    rows = read_samples(samples).rows.filter((pl.col("probe") == "latency") & (pl.col("quantity") == "T_c"))
    one_way = rows.with_columns(latency_s=pl.col("time_s") / pl.col("messages") / 2)
    medians = one_way.group_by("size_bytes").agg(pl.col("latency_s").median())
    return dict(zip(medians["size_bytes"].to_list(), medians["latency_s"].to_list(), strict=True))


def latency(directory: Path, turns: int) -> None:
    """Prints one row a size."""
    start = launcher(directory, 2)
    plain: list[dict[int, float]] = []
    probe: list[dict[int, float]] = []
    for turn in range(turns):
        file = OUTPUT / f"plain-{turn}.jsonl"
        program = str(directory / "bin" / "plain_ping_pong")
        subprocess.run([*start, program, str(file), str(ROUNDS), *map(str, SIZES)], check=True)
        plain.append(latencies_s(file))
        file = OUTPUT / f"stretto-{turn}.jsonl"
        options = ["latency", "--transport", "mpi-two-sided", "--sizes", f"{SIZES[0]}:{SIZES[-1]}"]
        request = probe_arguments([*options, "--rounds", str(ROUNDS)], file)
        subprocess.run([*start, str(directory / "bin" / "stretto-probe"), *request], check=True)
        probe.append(latencies_s(file))
    print(f"# latency, {' '.join(start)}, {turns} turns of {ROUNDS} rounds")
    print(f"# samples in {OUTPUT.relative_to(ROOT)}/")
    print("# Size      plain(us)   stretto(us)   ratio   lowest  highest")
    for size in sorted(set(plain[0]) & set(probe[0])):
        ratios = np.array([ours[size] / theirs[size] for ours, theirs in zip(probe, plain, strict=True)])
        theirs_us, ours_us = (
            1e6 * float(np.median([turn[size] for turn in side])) for side in (plain, probe)
        )
        print(
            f"{size:<8d} {theirs_us:12.3f} {ours_us:13.3f} "
            f"{np.median(ratios):7.3f} {ratios.min():8.3f} {ratios.max():8.3f}"
        )


def main() -> int:
    """Runs what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help=f"of {', '.join(NAMES)}")
    parser.add_argument("--rate", default="500mbit", help="of the emulated links")
    parser.add_argument(
        "--rounds", type=int, default=11, help="emulated; times four of what takes milliseconds"
    )
    parser.add_argument("--turns", type=int, default=5, help="of the ping-pongs")
    options = parser.parse_args()
    if unknown := set(options.names) - set(NAMES):
        parser.error(f"unknown {', '.join(sorted(unknown))}; choose from {', '.join(NAMES)}")
    names = options.names or NAMES
    directory = build()
    shutil.rmtree(OUTPUT, ignore_errors=True)
    OUTPUT.mkdir(parents=True)
    print(f"# load {' '.join(f'{one:.1f}' for one in os.getloadavg())} on {os.cpu_count()} cores")
    good = True
    if "latency" in names:
        latency(directory, options.turns)
    if "calls" in names:
        start = launcher(directory, 2)
        checks = runtime_calls.run(start, directory / "bin" / "runtime_calls", OUTPUT)
        good = show(f"One node, {' '.join(start)}", checks) and good
    if "peers" in names:
        if reason := peers.missing():
            print(f"\n# peers: not measured: {reason}")
        else:
            peers.build()
            for title, checks in peers.run(OUTPUT, PEER_ROUNDS):
                good = show(f"{title}, one node, {' '.join(peers.START)}", checks) and good
    if "emulated" in names:
        mpi = find_mpi(mpiexec_of(directory))
        bench = emulated_runtime.Bench(mpi, directory / "bin", OUTPUT, options.rounds)
        for title, checks in emulated_runtime.run(bench, options.rate):
            good = show(f"{title}: {mpi.family} {mpi.version}", checks) and good
    sys.stdout.flush()
    for name in (name for name in BY_THEMSELVES if name in names):
        done = subprocess.run([sys.executable, Path(__file__).with_name(f"{name}.py")], check=False)
        if done.returncode not in (0, MISSED):
            return done.returncode
        good = good and done.returncode == 0
    return 0 if good else MISSED


if __name__ == "__main__":
    sys.exit(status_of(main))
