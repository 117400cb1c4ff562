# SPDX-License-Identifier: BSD-3-Clause
"""Checks the profile's choice for FT, MG and CG on two emulated hosts against variants without overlap.

It needs root. At each rate, a profile is measured first, unless `--profile` gives one. Then the choice and
the others run, interleaved. The choice may take at most 3 % longer than the fastest of the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from bench.harness.checks import Check, Checks, Result, ratio_of_medians
from bench.harness.pair import EmulatedPair, emulated_pair
from bench.harness.runner import Context
from bench.nas import measure, table
from stretto.launch.auto_variant import VariantChoice
from stretto.launch.kernels import document_of
from stretto.model.kernels.variants import TRANSPORTS
from stretto.options.choices import AUTO
from validation.advise import PROFILED_LENGTHS
from validation.commands import measured_profile

PLAIN: Mapping[str, Sequence[tuple[str, str]]] = {
    "ft": (("alltoall", "stretto"), ("packed-slabs", "stretto"), ("packed-slabs", "mpi-two-sided")),
    "mg": (("two-sided", "stretto"), ("blocking", "stretto")),
    "cg": (("two-sided", "stretto"), ("blocking", "stretto")),
}
"""Variants without overlap, the reference first, excluding MPI windows, which were never fastest."""
MAX_SLOWER = 1.03
REPETITIONS = 4
ROUNDS = 11
_PROBED = ("--transport", ",".join(TRANSPORTS), "--progress", "none,thread")


def run(context: Context) -> Iterator[Result]:
    """Yields the results of each rate."""
    options = context.options
    for rate in options.rates.split(","):
        with TemporaryDirectory() as directory:
            place = ("--on", "emulated", "--rate", rate, *_PROBED)
            profile = options.profile or measured_profile(
                Path(directory), place, options.budget, PROFILED_LENGTHS
            )
            checks = []
            with emulated_pair(context, rate, ROUNDS) as pair:
                for kernel in options.kernels:
                    taken = _chosen(pair, kernel, options.class_name, profile)
                    others = [which for which in PLAIN[kernel] if which != taken]
                    turns = context.repetitions(REPETITIONS)
                    result = measure(kernel, options.class_name, turns, pair.kernel, [*others, taken])
                    title = (
                        f"{kernel} class {options.class_name}, two hosts at {rate}; chosen: {' '.join(taken)}"
                    )
                    yield from table(title, result)
                    times = {
                        which: [one["time_s"] for one in documents] for which, documents in result.items()
                    }
                    best = min(others, key=lambda which: float(np.median(times[which])))
                    slower = ratio_of_medians(times[taken], times[best])
                    what = f"{kernel}: {' '.join(taken)}, time"
                    checks.append(Check(what, " ".join(best), slower, MAX_SLOWER))
            yield Checks(f"Chosen by the profile at {rate}", checks)


def _chosen(pair: EmulatedPair, kernel: str, class_name: str, profile: Path) -> tuple[str, str]:
    """Variant and transport."""

    def look(variant: str, settings: Mapping[str, str] | None = None, class_name: str = "") -> dict[str, Any]:
        """Runs the measurement that precedes a choice."""
        own = [f"--set={name}={value}" for name, value in (settings or {}).items()]
        own += [f"--class={class_name}"] if class_name else []
        return document_of(pair.kernel((kernel, f"--variant={variant}", *own)))

    request = VariantChoice.of(kernel, class_name, AUTO, "", profile, 2)
    assert request is not None
    chosen = request.choose(look).chosen
    return chosen.variant, chosen.transport
