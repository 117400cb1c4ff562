# SPDX-License-Identifier: BSD-3-Clause
"""Probes and kernels on simulated machines. A simulation is deterministic: one round is enough, and figures
that need the same run share it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.harness.kernels import kernel_arguments
from stretto.data.results import ResultRow
from stretto.data.samples import Samples, read_samples
from stretto.errors import RunError
from stretto.launch.job import Job
from stretto.launch.kernels import document_of
from stretto.launch.platforms import Platform, find_platform
from stretto.launch.probing import probe_arguments, simulated_members
from stretto.launch.simulated import run_simulated
from stretto.model.derive import derive_results
from stretto.native.programs import native_program
from validation.papers.world import with_fabric


def simulate(
    platform: Platform, ranks: int, kernel: str, variant: str, transport: str, *options: str
) -> dict[str, Any]:
    """The document that a run of a kernel printed."""
    program = native_program("stretto-run", "simgrid")
    words = (kernel, f"--variant={variant}", f"--transport={transport}", *options)
    machine = with_fabric(platform, ranks, None)
    return document_of(run_simulated(Job(program, kernel_arguments(words), ranks), machine))


def probe_samples(
    machine: Platform, ranks: int, name: str, *words: str, ranks_per_node: int | None = None
) -> Samples:
    """The samples of one round of a probe."""
    line = [name, "--on", "simulated", "--platform", machine.name, "-n", str(ranks), "--rounds", "1", *words]
    more: dict[str, Any] = {"network": machine.name, "warm_ups": 0}
    if name in ("ft", "spmv"):
        more |= simulated_members(machine)
    with TemporaryDirectory() as directory:
        file = Path(directory) / "samples.jsonl"
        job = Job(native_program("stretto-probe", "simgrid"), probe_arguments(line, file, **more), ranks)
        shared = with_fabric(machine, ranks, ranks_per_node)
        ended = run_simulated(job, shared, ranks_per_node=ranks_per_node)
        if ended.status != "done":
            raise RunError(f"{' '.join(line)}: {ended.status}\n{ended.stderr_tail}")
        return read_samples(file)


@cache
def probe_results(
    platform: str, ranks: int, name: str, *words: str, ranks_per_node: int | None = None
) -> Sequence[ResultRow]:
    """The results of one round of a probe."""
    samples = probe_samples(find_platform(platform), ranks, name, *words, ranks_per_node=ranks_per_node)
    return derive_results(samples).rows


def row_value(rows: Sequence[ResultRow], metric: str, **axes: object) -> float:
    """The one value with these axes. RunError where there is another number of them."""
    result = [
        row.value
        for row in rows
        if row.metric == metric and all(row.axes.get(name) == value for name, value in axes.items())
    ]
    if len(result) != 1 or result[0] is None:
        raise RunError(f"{metric} with {axes}: {len(result)} rows")
    return result[0]
