# SPDX-License-Identifier: BSD-3-Clause
"""The papers' kernels on their simulated machines: FT of the slides' summary, and MG, CG and SpMV of the
latency-tolerance paper. It needs no quiet machine.
"""

from __future__ import annotations

from collections.abc import Iterator

from bench.harness.checks import Result
from bench.harness.runner import Context
from validation.papers.armci_runs import nas_results, spmv_results
from validation.papers.ft_runs import MACHINES, ft_results

SIMULATED_RANKS = {"mg": 128, "cg": 8}  # of class A; a run of cg with more ranks takes minutes


def run_ft(context: Context) -> Iterator[Result]:
    """FT on the machines of the slides."""
    options = context.options
    return ft_results(options.machines or MACHINES, options.sizes, options.max_messages)


def run_spmv(context: Context) -> Iterator[Result]:
    """SpMV by rank."""
    return spmv_results("fsn", context.options.spmv_ranks, context.options.products)


def run_mg(context: Context) -> Iterator[Result]:
    """MG over ranks."""
    return _nas("mg", context)


def run_cg(context: Context) -> Iterator[Result]:
    """CG over ranks."""
    return _nas("cg", context)


def _nas(kernel: str, context: Context) -> Iterator[Result]:
    options = context.options
    most = options.simulated_ranks or SIMULATED_RANKS[kernel]
    return nas_results(kernel, options.class_name, options.machines or MACHINES, options.ranks, most)
