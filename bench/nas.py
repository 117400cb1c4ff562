# SPDX-License-Identifier: BSD-3-Clause
"""Compares variants of NAS FT, MG and CG with those without overlap (all-to-all; blocking exchanges).

On emulated hosts, the check is the fraction of the largest gain, where T_w is the reference's computation
and T_c the rest of its time. Variants are interleaved, and whole repetitions are resampled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.harness.builds import build, mpiexec_of
from bench.harness.checks import Check, Checks, Result, Table, exactly, yes_or_no
from bench.harness.kernels import kernel_arguments
from bench.harness.pair import emulated_pair
from bench.harness.runner import Context
from stretto.launch.job import Job, Outcome
from stretto.launch.kernels import document_of
from stretto.launch.local import run_local
from stretto.launch.mpi import find_mpi
from stretto.model.overlap import gain_fraction, largest_gain
from stretto.model.statistics import DEFAULT_SEED, Estimate, bootstrap_medians, interval
from stretto.native.programs import native_program

REPETITIONS = 5
_EXCHANGES = (
    ("two-sided", "mpi-two-sided"),
    *(
        (variant, over)
        for over in ("stretto", "mpi-rma", "mpi-two-sided")
        for variant in ("blocking", "nonblocking")
    ),
)
VARIANTS: Mapping[str, Sequence[tuple[str, str]]] = {
    "ft": (
        ("alltoall", "mpi-two-sided"),
        *(
            (schedule, over)
            for over in ("stretto", "mpi-rma", "mpi-two-sided")
            for schedule in ("packed-slabs", "slabs", "pencils")
        ),
    ),
    "mg": _EXCHANGES,
    "cg": _EXCHANGES,
}
"""Variant and transport; the first is the reference."""
_TARGET_FRACTION = {"ft": 0.7, "mg": 0.5, "cg": 0.5}

Run = Callable[[Sequence[str]], Outcome]
"""Runs stretto-run with these words of `stretto run`."""
Documents = Mapping[tuple[str, str], Sequence[dict[str, Any]]]


@dataclass(frozen=True)
class Shares:
    """One variant over its repetitions: time in seconds, and gain over the reference."""

    time_s: Estimate
    gain: Estimate
    fraction: Estimate


def run(context: Context) -> Iterator[Result]:
    """Runs both parts."""
    for part in (on_node, on_emulated):
        yield from part(context)


def on_node(context: Context) -> Iterator[Result]:
    """Runs all variants on this machine."""
    options = context.options
    mpi, start = _local(context)
    for kernel in options.kernels:
        result = measure(kernel, options.class_name, context.repetitions(REPETITIONS), start(options.ranks))
        where = f"{options.ranks} ranks on one node, {mpi}"
        yield from table(f"{kernel} class {options.class_name}, {where}", result)


def on_emulated(context: Context) -> Iterator[Result]:
    """Runs all variants between two hosts of one cluster, after one self-test."""
    options = context.options
    with emulated_pair(context, options.rate, options.rounds) as pair:
        checks = []
        for kernel in options.kernels:
            result = measure(kernel, options.class_name, context.repetitions(REPETITIONS), pair.kernel)
            where = f"two hosts at {options.rate}, {pair.mpi.family} {pair.mpi.version}"
            yield from table(f"{kernel} class {options.class_name}, {where}", result)
            reference = next(iter(result.values()))
            ours = {which: result[which] for which in VARIANTS[kernel][1:] if which[1] == "stretto"}
            best = min(ours, key=lambda which: _median_s(ours[which]))
            fraction = shares(reference, ours[best]).fraction
            what = f"{kernel}: fraction of the possible gain, {best[0]}"
            checks.append(Check(what, reference[0]["variant"], fraction, _TARGET_FRACTION[kernel], True))
            if kernel == "ft":
                copied = max(one["copied_by_runtime_bytes"] for one in result[("slabs", "stretto")])
                checks.append(Check("ft slabs: bytes that the runtime copied", "none", exactly(copied), 0))
        yield Checks(f"Gained at {options.rate}", checks)


def measure(
    kernel: str,
    class_name: str,
    turns: int,
    run: Run,
    variants: Sequence[tuple[str, str]] | None = None,
) -> Documents:
    """The documents that each variant (by default all) printed, by repetition."""
    result: dict[tuple[str, str], list[dict[str, Any]]] = {
        which: [] for which in variants or VARIANTS[kernel]
    }
    for _ in range(turns):
        for (variant, transport), documents in result.items():
            documents.append(document_of(run(_words(kernel, class_name, variant, transport))))
    return result


def shares(reference: Sequence[dict[str, Any]], documents: Sequence[dict[str, Any]]) -> Shares:
    """Medians over repetitions and their bootstrap, which resamples whole repetitions."""
    rows = [[one["time_s"] for one in reference], [one["timers"]["work"] for one in reference]]
    medians = bootstrap_medians(np.array([*rows, [one["time_s"] for one in documents]]), DEFAULT_SEED)

    def derived(medians_s: Any) -> tuple[Any, Any]:
        total, work, time = medians_s
        gain = total / time
        return gain, gain_fraction(gain, largest_gain(work, total - work))

    gain, fraction = derived(medians.value)
    gains, fractions = derived(medians.replicates)
    n = len(documents)
    return Shares(
        interval(float(medians.value[2]), medians.replicates[2], n),
        interval(float(gain), gains, n),
        interval(float(fraction), fractions, n),
    )


def table(title: str, measured: Documents) -> Iterator[Result]:
    """A table with one row per variant, and whether all solutions are right."""
    reference = next(iter(measured.values()))
    computation = float(np.median([one["timers"]["work"] for one in reference]))
    rows = []
    for (variant, _), documents in measured.items():
        one = shares(reference, documents)
        rows.append(
            (
                variant,
                documents[0]["moved_by"],
                f"{one.time_s.value:.4f}",
                _span(one.time_s, 3),
                f"{one.gain.value:.2f}",
                _span(one.gain, 2),
                f"{one.fraction.value:.2f}",
                _span(one.fraction, 2),
                str(documents[0]["messages"]),
            )
        )
    columns = ("variant", "moved by", "time (s)", "95 %", "gain", "95 %", "fraction", "95 %", "messages")
    exposed = _median_s(reference) - computation
    yield Table(f"{title}; reference: T_w {computation:.3f} s, T_c {exposed:.3f} s", columns, rows)
    verified = all(document["verified"] for documents in measured.values() for document in documents)
    yield Checks(title, [yes_or_no(f"{reference[0]['kernel']}: solutions verified", "serial", verified)])


def _local(context: Context) -> tuple[str, Callable[[int], Run]]:
    """Name and release of the MPI, and a function that runs a kernel on this machine."""
    build(context.build, "stretto_programs")
    mpi = find_mpi(mpiexec_of(context.build))
    program = native_program("stretto-run", mpi.family, mpi.mpiexec)

    def start(ranks: int) -> Run:
        return lambda words: run_local(mpi, Job(program, kernel_arguments(words), ranks))

    return f"{mpi.family} {mpi.version}", start


def _words(kernel: str, class_name: str, variant: str, transport: str) -> tuple[str, ...]:
    return kernel, f"--class={class_name}", f"--variant={variant}", f"--transport={transport}"


def _median_s(documents: Sequence[dict[str, Any]]) -> float:
    return float(np.median([one["time_s"] for one in documents]))


def _span(estimate: Estimate, digits: int) -> str:
    return f"{estimate.ci95_low:.{digits}f}..{estimate.ci95_high:.{digits}f}"
