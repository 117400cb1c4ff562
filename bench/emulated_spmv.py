# SPDX-License-Identifier: BSD-3-Clause
"""Products between two emulated hosts: elements by one aggregated request against one get each (figure 8 of
Nieplocha et al.), and what each rank spent on communication (figure 9).
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from checks import Check

from stretto.launch.cluster import Cluster
from stretto.launch.job import Job
from stretto.launch.kernels import kernel_arguments
from stretto.launch.mpi import MpiLibrary
from stretto.model.statistics import DEFAULT_SEED, bootstrap_medians, interval
from stretto.native.programs import native_program

_VARIANTS = ("individual", "aggregate", "vector", "signalled")
_PRODUCTS = "3"


def run(cluster: Cluster, mpi: MpiLibrary, rounds: int) -> list[Check]:
    """Variants in turn within each round, each in a run of its own."""
    found: dict[str, list[dict[str, Any]]] = {variant: [] for variant in _VARIANTS}
    for _ in range(rounds):
        for variant in _VARIANTS:
            found[variant].append(_once(cluster, mpi, variant))
    print("\n# av41092-like, ms a product; communication of each rank; messages")
    for variant, documents in found.items():
        each = np.median([one["communication_per_rank_s"] for one in documents], axis=0)
        product = float(np.median([one["product_s"] for one in documents]))
        ranks = " ".join(f"{1e3 * one:.2f}" for one in each)
        print(f"#   {variant:11s} {1e3 * product:9.2f}   {ranks}   {documents[0]['messages']}")
    alone = [one["product_s"] for one in found["individual"]]
    checks = []
    for variant, asked in (("aggregate", 10.0), ("vector", 10.0), ("signalled", 10.0)):
        pairs = np.array([alone, [one["product_s"] for one in found[variant]]])
        medians = bootstrap_medians(pairs, DEFAULT_SEED)
        ratio = interval(
            float(medians.value[0] / medians.value[1]), medians.replicates[0] / medians.replicates[1], rounds
        )
        checks.append(Check(f"product, {variant}, times faster", "element-wise gets", ratio, asked, True))
    return checks


def _once(cluster: Cluster, mpi: MpiLibrary, variant: str) -> dict[str, Any]:
    program = native_program("stretto-run", mpi.family, mpi.mpiexec)
    words = ("spmv", f"--variant={variant}", f"--set=products={_PRODUCTS}")
    ended = cluster.run(mpi, Job(program, kernel_arguments(words), 2))
    if ended.status != 0:
        raise SystemExit(f"stretto-run ended with {ended.status}:\n{ended.stderr[-2000:]}")
    document: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return document
