# SPDX-License-Identifier: BSD-3-Clause
"""FT, MG and CG as a profile of two emulated hosts chooses them, beside what does not overlap (root).

At each rate a profile is measured first (or one is given), then the choice and the others run in turn. Asked:
at most 3 % longer than the fastest of the others. Exit status 3 where that is missed.

Usage: `chosen.py [--rates 500mbit,...] [--kernels ft,mg,cg] [--class A] [--turns 4] [--profile FILE]`.
"""

from __future__ import annotations

import argparse
import functools
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from advise import measured_profile
from checks import Check, show, status_of
from nas import Run, measure, table

from stretto.launch.auto_variant import VariantChoice
from stretto.launch.cluster import Cluster, EmulatedNetwork, emulated_cluster
from stretto.launch.job import Job, Outcome
from stretto.launch.kernels import document_of, kernel_arguments
from stretto.launch.local import outcome
from stretto.launch.mpi import MpiLibrary, find_mpi
from stretto.launch.selftest import self_test
from stretto.model.kernels.program import TRANSPORTS
from stretto.model.statistics import DEFAULT_SEED, bootstrap_medians, interval
from stretto.native.programs import native_program
from stretto.options.choices import AUTO

PLAIN: Mapping[str, Sequence[tuple[str, str]]] = {
    "ft": (("alltoall", "stretto"), ("packed-slabs", "stretto"), ("packed-slabs", "mpi-two-sided")),
    "mg": (("two-sided", "stretto"), ("blocking", "stretto")),
    "cg": (("two-sided", "stretto"), ("blocking", "stretto")),
}
"""What does not overlap, without MPI's window, which was never the fastest of them; the reference first."""
MOST_SLOWER = 1.03
_PROBED = ("--transport", ",".join(TRANSPORTS), "--progress", "none,thread")


def main() -> int:
    """Runs what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rates", default="500mbit")
    parser.add_argument("--kernels", default=",".join(PLAIN))
    parser.add_argument("--class", dest="class_name", default="A")
    parser.add_argument("--turns", type=int, default=4)
    parser.add_argument("--budget", type=float, default=20, help="of probing, seconds")
    parser.add_argument("--profile", type=Path, help="instead of one that is measured")
    options = parser.parse_args()
    mpi = find_mpi(os.environ.get("MPI", "mpich"))
    print(f"# load {' '.join(f'{one:.1f}' for one in os.getloadavg())} on {os.cpu_count()} cores")
    good = True
    for rate in options.rates.split(","):
        with TemporaryDirectory() as directory:
            place = ("--on", "emulated", "--rate", rate, *_PROBED)
            profile = options.profile or measured_profile(Path(directory), place, options.budget)
            with emulated_cluster(EmulatedNetwork(2, rate)) as cluster:
                self_test(cluster, native_program("stretto-netload", "none"))
                checks = list(_kernels(options, profile, cluster, mpi, rate))
        good = show(f"Chosen by the profile at {rate}", checks) and good
    return 0 if good else 3


def _kernels(
    options: argparse.Namespace, profile: Path, cluster: Cluster, mpi: MpiLibrary, rate: str
) -> Iterator[Check]:
    program = native_program("stretto-run", mpi.family, mpi.mpiexec)

    def run(arguments: tuple[str, ...]) -> Outcome:
        return outcome(cluster.run(mpi, Job(program, kernel_arguments(arguments), 2)))

    for kernel in options.kernels.split(","):
        request = VariantChoice.of(kernel, options.class_name, AUTO, "", profile, 2)
        assert request is not None
        choice = request.choose(functools.partial(_look, run, kernel))
        taken = (choice.chosen.variant, choice.chosen.transport)
        others = [which for which in PLAIN[kernel] if which != taken]
        found = measure(
            kernel,
            options.class_name,
            options.turns,
            run,
            [*others, taken],
        )
        table(f"{kernel} class {options.class_name}, two hosts at {rate}; chosen: {' '.join(taken)}", found)
        times = {which: [one["time_s"] for one in documents] for which, documents in found.items()}
        best = min(others, key=lambda which: float(np.median(times[which])))
        medians = bootstrap_medians(np.array([times[taken], times[best]]), DEFAULT_SEED)
        slower = interval(
            float(medians.value[0] / medians.value[1]),
            medians.replicates[0] / medians.replicates[1],
            options.turns,
        )
        yield Check(f"{kernel}: {' '.join(taken)}, time", " ".join(best), slower, MOST_SLOWER)


def _look(
    run: Run, kernel: str, variant: str, settings: Mapping[str, str] | None = None, class_name: str = ""
) -> dict[str, Any]:
    """What is run before a choice."""
    own = [f"--set={name}={value}" for name, value in (settings or {}).items()]
    own += [f"--class={class_name}"] if class_name else []
    return document_of(run((kernel, f"--variant={variant}", *own)))


if __name__ == "__main__":
    sys.exit(status_of(main))
