# SPDX-License-Identifier: BSD-3-Clause
"""What-if against a network that is there: the wavefront, predicted and really run on an emulated pair.

Both variants are recorded on this machine, where ranks share memory; the probe `loggp` measures the pair,
before each turn, so that prediction and run see the same machine; the replay says what both take there. Then
both run there. Asked: within 10 %. Needs root.

Usage: `validation.py [TURNS [BUILD]]`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from builds import default_build, mpiexec_of
from checks import Check, show, status_of
from emulated_runtime import Bench
from recorder import estimate

from stretto.data.results import ResultRow
from stretto.errors import UserError
from stretto.launch.cluster import Cluster, EmulatedNetwork, emulated_cluster
from stretto.launch.job import Job
from stretto.launch.local import run_local
from stretto.launch.mpi import find_mpi
from stretto.launch.selftest import self_test
from stretto.model.derive import derive_results
from stretto.model.fit import fit_profile
from stretto.model.replay_network import network_of
from stretto.native.programs import native_library, native_program
from stretto.native.replay import run_replay

RATE = "500mbit"
SIZE_BYTES = 128 << 10  # lines times angles of doubles
# Half a stage computes about as long as its message takes on the wire; only phiib crosses the pair.
WAVEFRONT = ("--columns", "2", "--stages", "200", "--lines", "256", "--cells", "48", "--angles", "64")
VARIANTS = {"without overlap": (), "overlapped": ("--overlap", "--pieces", "8")}


@dataclass(frozen=True)
class Validation:
    """One cluster, one program, and where traces go."""

    bench: Bench
    cluster: Cluster
    program: Path
    directory: Path

    def recorded(self, variant: str, turn: int) -> Path:
        """A trace of the variant on this machine alone."""
        trace = self.directory / f"{variant.replace(' ', '-')}-{turn}"
        trace.mkdir()
        library = native_library("libstretto_trace.so", self.bench.mpi.family, self.bench.mpi.mpiexec)
        env = {"LD_PRELOAD": str(library), "STRETTO_TRACE_DIR": str(trace)}
        ended = run_local(self.bench.mpi, Job(self.program, (*WAVEFRONT, *VARIANTS[variant]), 2, env))
        if ended.status != "done":
            raise SystemExit(f"{self.program} {ended.status}:\n{ended.stderr_tail}")
        return trace

    def really_s(self, variant: str) -> float:
        """What the variant takes between the two hosts."""
        job = Job(self.program, (*WAVEFRONT, *VARIANTS[variant]), 2)
        ended = self.cluster.run(self.bench.mpi, job)
        if ended.status != 0:
            raise SystemExit(f"{self.program} ended with {ended.status}:\n{ended.stderr}")
        return float(ended.stdout.split()[2])

    def network(self) -> str:
        """The pair as `stretto whatif --profile` takes it from `stretto probe loggp`: overheads and all."""
        options = ("--transport", "mpi-two-sided", "--progress", "none", "--sizes", f"8:{SIZE_BYTES}")
        self.bench.file("network").unlink(missing_ok=True)
        samples = self.bench.probe(self.cluster, "network", "loggp", "latency", "bandwidth", *options)
        try:
            return network_of(fit_profile([samples]), self.bench.file("network"))
        except UserError as error:
            print(f"# {error}: latency of 8 bytes and bandwidth instead, without overheads", flush=True)
        rows = derive_results(samples).rows
        latency_s = _figure(rows, "latency", 8)
        return f"L={latency_s!r},G={1 / _figure(rows, 'bandwidth', SIZE_BYTES)!r}"


def _figure(rows: Sequence[ResultRow], metric: str, size_bytes: int) -> float:
    """Of one direction at a time."""
    for row in rows:
        one_way = row.axes.get("direction", "one-way") == "one-way"
        if row.metric == metric and row.axes["size_bytes"] == size_bytes and one_way and row.value:
            return row.value
    raise SystemExit(f"{metric} at {size_bytes} B came out unresolved")


def predicted_s(trace: Path, network: str) -> float:
    """Replay of a trace; what is outside of the sweep itself (making the grid, last sums) is in it, too."""
    makespan: float = run_replay([str(trace), f"--loggp={network}"])["makespan_s"]
    return makespan


def validate(one: Validation, turns: int) -> list[Check]:
    """Recordings, predictions and runs in turn."""
    checks = []
    times: dict[str, list[tuple[float, float]]] = {variant: [] for variant in VARIANTS}
    for turn in range(turns):
        network = one.network()
        print(f"# the pair, as measured: {network}", flush=True)
        for variant in VARIANTS:
            trace = one.recorded(variant, turn)
            times[variant].append((predicted_s(trace, network), one.really_s(variant)))
    for variant, found in times.items():
        predicted, real = np.array(found).T
        print(
            f"# {variant}: predicted {np.median(predicted):.4f} s, really {np.median(real):.4f} s "
            f"({real.min():.4f} to {real.max():.4f})"
        )
        checks += _within(variant, predicted / real)
    return checks


def _within(variant: str, ratios: np.ndarray) -> Sequence[Check]:
    return (
        Check(f"{variant}, predicted", "really", estimate(ratios), 1.1),
        Check(f"{variant}, predicted", "really", estimate(ratios), 0.9, at_least=True),
    )


def main() -> int:
    """Prints the checks; 3 where one is missed."""
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    directory = Path(sys.argv[2]) if len(sys.argv) > 2 else default_build()
    os.environ["STRETTO_BUILD"] = str(directory)
    mpi = find_mpi(mpiexec_of(directory))
    print(
        f"# load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores at the beginning, {turns} turns, {RATE}"
    )
    with TemporaryDirectory() as made, emulated_cluster(EmulatedNetwork(2, RATE)) as cluster:
        output = Path(made)
        bench = Bench(mpi, directory / "bin", output, rounds=11)
        found = self_test(cluster, native_program("stretto-netload", "none"))
        (output / "substrate.jsonl").write_text(found.sample_lines(), encoding="utf-8")
        one = Validation(bench, cluster, directory / "proxies" / "wavefront", output)
        good = show("The wavefront on an emulated pair", validate(one, turns))
    return 0 if good else 3


if __name__ == "__main__":
    sys.exit(status_of(main))
