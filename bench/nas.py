# SPDX-License-Identifier: BSD-3-Clause
"""NAS FT, MG and CG: every variant beside one that does not overlap (all-to-all; blocking Isend and Irecv).

`node`: on this machine. `emulated`: two hosts (root): the gain over the reference, and which fraction it is
of what overlap could give, (gain - 1) / (bound - 1), where bound is (T_w + T_c) / max(T_w, T_c), T_w the
reference's computing and T_c the rest of its time. `simulated`: on a platform over ranks, one run each, for a
simulation repeats itself. `verify`: every variant once on 1 to 4 ranks of this machine. Variants run in turn,
and turns are resampled as wholes. Exit status 3 where a solution is wrong or, between emulated hosts, less is
gained than was asked.

Usage: `nas.py [node] [emulated] [simulated] [verify]...`; all but simulated without a name.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from checks import Check, show, status_of

from stretto.launch.cluster import EmulatedNetwork, emulated_cluster
from stretto.launch.job import Job, Outcome
from stretto.launch.kernels import document_of, kernel_arguments
from stretto.launch.local import outcome, run_local
from stretto.launch.mpi import MpiLibrary, find_mpi
from stretto.launch.platforms import find_platform
from stretto.launch.selftest import self_test
from stretto.launch.simulated import run_simulated
from stretto.model.statistics import DEFAULT_SEED, Estimate, bootstrap_medians, interval
from stretto.native.programs import native_program

NAMES = ("node", "emulated", "simulated", "verify")
_NEIGHBOURS = (
    ("two-sided", "stretto"),
    *(
        (variant, over)
        for over in ("stretto", "mpi-rma", "mpi-two-sided")
        for variant in ("blocking", "nonblocking")
    ),
)
VARIANTS: Mapping[str, Sequence[tuple[str, str]]] = {
    "ft": (
        ("alltoall", "stretto"),
        *(
            (schedule, over)
            for over in ("stretto", "mpi-rma", "mpi-two-sided")
            for schedule in ("packed-slabs", "slabs", "pencils")
        ),
    ),
    "mg": _NEIGHBOURS,
    "cg": _NEIGHBOURS,
}
"""Variant and transport; the first is the reference."""
ASKED_FRACTION = {"ft": 0.7, "mg": 0.5, "cg": 0.5}

Run = Callable[[tuple[str, ...]], Outcome]
Documents = Mapping[tuple[str, str], Sequence[dict[str, Any]]]


@dataclass(frozen=True)
class Shares:
    """Of one variant, over its turns: time in seconds, and beside the reference."""

    time_s: Estimate
    gain: Estimate
    fraction: Estimate


def measure(
    kernel: str,
    class_name: str,
    turns: int,
    run: Run,
    variants: Sequence[tuple[str, str]] | None = None,
) -> Documents:
    """What each variant (all, unless told which) printed, by turn."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {which: [] for which in variants or VARIANTS[kernel]}
    for _ in range(turns):
        for (variant, transport), documents in found.items():
            options = (kernel, f"--class={class_name}", f"--variant={variant}", f"--transport={transport}")
            documents.append(document_of(run(options)))
    return found


def shares(reference: Sequence[dict[str, Any]], documents: Sequence[dict[str, Any]]) -> Shares:
    """Medians over turns, and their bootstrap; turns are resampled as wholes."""
    rows = [[one["time_s"] for one in reference], [one["timers"]["work"] for one in reference]]
    medians = bootstrap_medians(np.array([*rows, [one["time_s"] for one in documents]]), DEFAULT_SEED)

    def derived(medians_s: Any) -> tuple[Any, Any]:
        total, work, time = medians_s
        gain = total / time
        return gain, (gain - 1) / (total / np.maximum(work, total - work) - 1)

    gain, fraction = derived(medians.value)
    gains, fractions = derived(medians.replicates)
    n = len(documents)
    return Shares(
        interval(float(medians.value[2]), medians.replicates[2], n),
        interval(float(gain), gains, n),
        interval(float(fraction), fractions, n),
    )


def table(title: str, found: Documents) -> bool:
    """Prints a line a variant; whether all solutions are right."""
    reference = next(iter(found.values()))
    work = float(np.median([one["timers"]["work"] for one in reference]))
    total = float(np.median([one["time_s"] for one in reference]))
    print(f"\n# {title}; reference: T_w {work:.3f} s, T_c {total - work:.3f} s")
    print(
        f"# {'variant':14s} {'moved by':14s} {'time(s)':>9s} {'95 %':>15s} {'gain':>6s} {'95 %':>11s}", end=""
    )
    print(f" {'fraction':>8s} {'95 %':>13s} {'messages':>9s}")
    for (variant, _), documents in found.items():
        one = shares(reference, documents)
        wrong = "" if all(document["verified"] for document in documents) else "  WRONG"
        words = f"{variant:16s} {documents[0]['moved_by']:14s}"
        print(
            f"{words} {one.time_s.value:9.4f} {_span(one.time_s, 3):>15s} "
            f"{one.gain.value:6.2f} {_span(one.gain, 2):>11s} {one.fraction.value:8.2f} "
            f"{_span(one.fraction, 2):>13s} {documents[0]['messages']:9d}{wrong}",
            flush=True,
        )
    return all(document["verified"] for documents in found.values() for document in documents)


def _span(estimate: Estimate, digits: int) -> str:
    return f"{estimate.ci95_low:.{digits}f}..{estimate.ci95_high:.{digits}f}"


def on_node(options: argparse.Namespace) -> bool:
    """All variants on this machine."""
    mpi = find_mpi(options.mpi)
    program = native_program("stretto-run", mpi.family, mpi.mpiexec)
    good = True
    for kernel in options.kernels:
        found = measure(
            kernel,
            options.class_name,
            options.turns,
            lambda arguments: run_local(mpi, Job(program, kernel_arguments(arguments), options.ranks)),
        )
        where = f"{options.ranks} ranks on one node, {mpi.family} {mpi.version}"
        good = table(f"{kernel} class {options.class_name}, {where}", found) and good
    return good


def on_emulated(options: argparse.Namespace) -> bool:
    """All variants between two hosts, in one cluster that has proved itself."""
    mpi = find_mpi(options.mpi)
    program = native_program("stretto-run", mpi.family, mpi.mpiexec)
    good, checks = True, []
    with emulated_cluster(EmulatedNetwork(2, options.rate)) as cluster:
        self_test(cluster, native_program("stretto-netload", "none"))
        for kernel in options.kernels:
            found = measure(
                kernel,
                options.class_name,
                options.turns,
                lambda arguments: outcome(cluster.run(mpi, Job(program, kernel_arguments(arguments), 2))),
            )
            where = f"two hosts at {options.rate}, {mpi.family} {mpi.version}"
            good = table(f"{kernel} class {options.class_name}, {where}", found) and good
            reference = next(iter(found.values()))
            overlapped = [which for which in VARIANTS[kernel][1:] if which[1] == "stretto"]
            ours = {which: found[which] for which in overlapped}
            best = min(ours, key=lambda which: float(np.median([one["time_s"] for one in ours[which]])))
            checks.append(
                Check(
                    f"{kernel}: gain_fraction, {best[0]}",
                    reference[0]["variant"],
                    shares(reference, ours[best]).fraction,
                    ASKED_FRACTION[kernel],
                    True,
                )
            )
    return show(f"Gained at {options.rate}", checks) and good


def on_simulated(options: argparse.Namespace) -> bool:
    """Reference, blocking and nonblocking on a simulated machine, over ranks."""
    program = native_program("stretto-run", "simgrid")
    machine = find_platform(options.platform)
    good = True
    for kernel in options.kernels:
        chosen = [which for which in VARIANTS[kernel] if which[1] != "mpi-rma"]
        print(f"\n# {kernel} class {options.class_name} on {options.platform}, simulated: seconds, and gain")
        print("# ranks " + " ".join(f"{variant + ' ' + over:>28s}" for variant, over in chosen))
        for ranks in options.simulated_ranks:
            cells = []
            for variant, transport in chosen:
                arguments = (kernel, f"--class={options.class_name}", f"--variant={variant}")
                words = (*arguments, f"--transport={transport}")
                job = Job(program, kernel_arguments(words), ranks)
                cells.append(document_of(run_simulated(job, machine)))
            good = good and all(cell["verified"] for cell in cells)
            first = cells[0]["time_s"]
            line = (f"{cell['time_s']:20.5f} ({first / cell['time_s']:5.3f})" for cell in cells)
            print(f"{ranks:7d} " + " ".join(line), flush=True)
    return good


def on_verify(options: argparse.Namespace) -> bool:
    """Every variant on each number of ranks, as far as the kernel takes them; a line each."""
    mpi = find_mpi(options.mpi)
    program = native_program("stretto-run", mpi.family, mpi.mpiexec)
    print(f"\n# class {options.class_name}, {mpi.family} {mpi.version}: each variant once")
    good = True
    for kernel, ranks in itertools.product(options.kernels, options.verified_ranks):
        if kernel == "mg" and ranks == 3:
            continue  # which takes powers of two
        run = functools.partial(_on_ranks, mpi, program, ranks)
        found = measure(kernel, options.class_name, 1, run)
        wrong = [" ".join(which) for which, documents in found.items() if not documents[0]["verified"]]
        fastest = min(found, key=lambda which: found[which][0]["time_s"])
        said = f"WRONG: {', '.join(wrong)}" if wrong else f"{len(found)} variants verified"
        best = f"{' '.join(fastest)} {found[fastest][0]['time_s']:.3f} s"
        print(f"{kernel} {options.class_name} on {ranks}: {said}; fastest {best}", flush=True)
        good = good and not wrong
    return good


def _on_ranks(mpi: MpiLibrary, program: Path, ranks: int, arguments: tuple[str, ...]) -> Outcome:
    return run_local(mpi, Job(program, kernel_arguments(arguments), ranks))


def _numbers(text: str) -> list[int]:
    return [int(one) for one in text.split(",")]


def main() -> int:
    """Runs what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help=f"of {', '.join(NAMES)}")
    parser.add_argument("--kernels", type=lambda text: text.split(","), default=list(VARIANTS))
    parser.add_argument("--class", dest="class_name", default="A")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("-n", "--ranks", type=int, default=2, help="on this machine")
    parser.add_argument("--rate", default="500mbit", help="of the emulated links")
    parser.add_argument("--platform", default="jacquard", help="simulated")
    parser.add_argument("--simulated-ranks", type=_numbers, default=[16, 32])
    parser.add_argument("--verified-ranks", type=_numbers, default=[1, 2, 3, 4], help="of verify")
    parser.add_argument("--mpi", default=os.environ.get("MPI", "mpich"))
    options = parser.parse_args()
    if unknown := set(options.names) - set(NAMES):
        parser.error(f"unknown {', '.join(sorted(unknown))}; choose from {', '.join(NAMES)}")
    if unknown := set(options.kernels) - set(VARIANTS):
        parser.error(f"unknown kernel {', '.join(sorted(unknown))}; choose from {', '.join(VARIANTS)}")
    print(f"# load {' '.join(f'{one:.1f}' for one in os.getloadavg())} on {os.cpu_count()} cores")
    parts = {"node": on_node, "emulated": on_emulated, "simulated": on_simulated, "verify": on_verify}
    good = [parts[name](options) for name in options.names or ("node", "emulated", "verify")]
    return 0 if all(good) else 3


if __name__ == "__main__":
    sys.exit(status_of(main))
