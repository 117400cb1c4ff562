# SPDX-License-Identifier: BSD-3-Clause
"""Collectives on simulated machines, flat and on grids, by the algorithms of LAM (`reference`).

Runtime functions are fitted to flat calls and grids of some p and sizes, and predict others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from stretto.data.profile import Profile
from stretto.data.samples import read_samples
from stretto.errors import RunError
from stretto.launch.job import Job
from stretto.launch.platforms import Platform, find_platform
from stretto.launch.probing import probe_arguments
from stretto.launch.simulated import run_simulated
from stretto.model.cases import cases_of
from stretto.model.collective.coupling import fit_couplings
from stretto.model.collective.fit import fit_functions
from stretto.model.collective.functions import Functions
from stretto.model.collective.measured import Call, calls_of
from stretto.model.statistics import DEFAULT_SEED
from stretto.native.programs import native_program

OPERATIONS = ("broadcast", "gather", "scatter", "reduce", "allreduce", "allgather")
ALGORITHM = "reference"
MANY, MAX_BYTES_OF_MANY = 32, 131072  # every rank of an allgather needs p b bytes


@dataclass(frozen=True)
class Plan:
    """What is simulated of a platform: p of flat calls and of grids, those left out of the fit, and sizes.

    Sizes are MIN:MAX; the probe's grow by factors of eight.
    """

    flat: tuple[int, ...]
    grids: tuple[int, ...]
    sizes: tuple[str, ...]
    left_out_flat: tuple[int, ...]
    left_out_grids: tuple[int, ...]
    left_out_sizes: tuple[str, ...]


_SIZES = ("80:524288", "320:65536", "1280:131072")
_LEFT_OUT_SIZES = ("200:400000", "50000:50000")
FULL = {
    "clic": Plan(
        (2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64, 96),
        (16, 32, 96),
        _SIZES,
        (7, 10, 14, 28, 56, 80),
        (20, 40, 72, 90),
        _LEFT_OUT_SIZES,
    ),
    "t3e": Plan(
        (2, 3, 4, 5, 6, 8, 12, 16, 24, 32, 48, 64),
        (16, 32, 48, 64),
        _SIZES,
        (7, 10, 14, 28, 44, 56),
        (20, 36, 40, 60),
        _LEFT_OUT_SIZES,
    ),
}


def simulated_calls(
    platform: str,
    members: int,
    grids: str,
    sizes: str,
    file: Path,
    operations: Sequence[str] = OPERATIONS,
    machine: Platform | None = None,
) -> list[Call]:
    """The calls of one simulated run of the probe on `members` ranks of `machine`, by default the platform.

    Complete samples in `file` are reused, whatever they are of: other operations or another machine need
    another file.
    """
    if not (file.exists() and read_samples(file).complete):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        words = ["collective", "--collective", ",".join(operations), "--algorithm", ALGORITHM]
        words += ["--members", str(members), "--grid", grids, "--sizes", sizes, "--rounds", "1"]
        words += ["--on", "simulated", "--platform", platform]
        arguments = probe_arguments(words, file, network=platform, warm_ups=0)
        job = Job(native_program("stretto-probe", "simgrid"), arguments, members)
        outcome = run_simulated(job, machine or find_platform(platform))
        if outcome.status != "done":
            raise RunError(f"{file.name}: {outcome.status}: {outcome.stderr_tail}")
    return calls_of(cases_of(read_samples(file).rows), DEFAULT_SEED)


def calls(
    platform: str,
    members: Iterable[int],
    grids: str,
    sizes: Sequence[str],
    directory: Path,
    operations: Sequence[str] = OPERATIONS,
    machine: Platform | None = None,
) -> list[Call]:
    """The calls of runs with each p and range of sizes, whose upper end is reduced for many ranks."""
    result: list[Call] = []
    for p in members:
        for span in sizes:
            cut = _span_below(span, MAX_BYTES_OF_MANY) if p > MANY else span
            file = directory / platform / f"{p}-{grids}-{cut.replace(':', '-')}.jsonl"
            result += simulated_calls(platform, p, grids, cut, file, operations, machine)
    return result


def _span_below(span: str, max_bytes: int) -> str:
    """MIN:MAX with MAX limited to this many bytes."""
    low, high = (min(int(one), max_bytes) for one in span.split(":"))
    return f"{low}:{high}"


def fitted_functions(platform: str, train: Sequence[Call]) -> Functions:
    """The runtime functions of the calls."""
    torus = find_platform(platform).torus
    fitted = fit_functions(train, torus)
    profile = Profile((), collectives=fitted, couplings=fit_couplings(train, fitted, torus), torus=torus)
    return Functions.of(profile, ALGORITHM)


@dataclass(frozen=True)
class Fitted:
    """The runtime functions of a platform, the calls that they were fitted to, and those left out."""

    functions: Functions
    train: Sequence[Call]
    test: Sequence[Call]


def fitted_to(platform: str, plan: Plan, directory: Path) -> Fitted:
    """Simulates and fits what the plan says; samples stay in `directory`."""
    train = calls(platform, plan.flat, "flat", plan.sizes, directory)
    train += calls(platform, plan.grids, "all", plan.sizes, directory)
    test = calls(platform, plan.left_out_grids, "all", plan.left_out_sizes, directory)
    flat = (*plan.left_out_grids, *plan.left_out_flat)
    test += calls(platform, flat, "flat", plan.left_out_sizes, directory)
    return Fitted(fitted_functions(platform, train), train, test)
