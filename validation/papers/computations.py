# SPDX-License-Identifier: BSD-3-Clause
"""What computes each figure. A figure that is not here cannot be computed."""

from __future__ import annotations

from collections.abc import Mapping

from validation.papers import collective_tables as tables
from validation.papers import one_sided_kernels as kernels
from validation.papers import one_sided_tests as tests
from validation.papers import overlap_potential as potential
from validation.papers import probes_ft as ft
from validation.papers import probes_models as models
from validation.papers import probes_spmv as spmv
from validation.papers import probes_verification as verification
from validation.papers import slides_transforms as slides
from validation.papers.figures import Computation

_PROBES: Mapping[str, Computation] = {
    "figure-2": slides.max_aggressive,
    "figure-4": ft.pure_communication("jacquard"),
    "figure-5": ft.pure_communication("bassi"),
    "section-6.2-transform": ft.exchange_ratio,
    "section-6.2-initiation": ft.initiation_ratio,
    "figure-8": ft.constant_flops("jacquard"),
    "figure-9": ft.constant_flops("bassi"),
    "section-6.3-solution": ft.solution_ratio,
    "figure-12": ft.few_large("jacquard"),
    "figure-13": ft.few_large("bassi"),
    "figure-16": ft.many_small("jacquard"),
    "figure-17": ft.many_small("bassi"),
    "section-6.5-machines": ft.many_small_machines,
    "section-6.7": ft.overall,
    "section-9": ft.largest_gain,
    "figure-6-gather": spmv.pure_communication("jacquard"),
    "figure-7-gather": spmv.pure_communication("bassi"),
    "figure-6-scatter": spmv.pure_communication("jacquard"),
    "figure-7-scatter": spmv.pure_communication("bassi"),
    "section-6.2-product": spmv.communication_ratio,
    "section-6.3-product": spmv.computation_ratio,
    "figure-10-gather": spmv.over_prefetch("jacquard"),
    "figure-11-gather": spmv.over_prefetch("bassi"),
    "figure-10-scatter": spmv.over_prefetch("jacquard"),
    "figure-11-scatter": spmv.over_prefetch("bassi"),
    "figure-14": spmv.over_nonzeros("jacquard"),
    "figure-15-gather": spmv.over_nonzeros("bassi"),
    "figure-15-scatter": spmv.over_nonzeros("bassi"),
    "section-6.4-machines": spmv.crossing,
    "section-6.4-shares": spmv.shares,
    "figure-20": models.ft_case("computation"),
    "figure-21": models.ft_case("transfer"),
    "figure-22": models.ft_case("initiation"),
    "section-7.5-jacquard": verification.extraction("jacquard"),
    "section-7.5-bassi": verification.extraction("bassi"),
    "figure-23": verification.many_small("jacquard"),
    "figure-24": verification.many_small("bassi"),
    "figure-25": verification.few_large("jacquard"),
    "figure-26": verification.few_large("bassi"),
    "figure-27": models.spmv_case("computation"),
    "figure-28": models.spmv_case("communication"),
    "figure-29": verification.products("jacquard"),
    "figure-30": verification.products("bassi"),
}
_SLIDES: Mapping[str, Computation] = {
    "page-7": slides.latency,
    "page-9": slides.bandwidth,
    "page-16": slides.utilisation,
    "page-19": slides.message_counts,
    **{f"page-21-{name}": slides.comparison(name) for name in slides.MACHINES},
    "page-21-packed": slides.exchanges,
    "page-21-best": slides.best,
    **{f"page-22-{name}": slides.communication(name) for name in slides.MACHINES},
    "page-22-pencils": slides.two_sided_pencils,
    "page-23": slides.summary,
    "page-24": slides.smaller_messages,
}
_ARMCI: Mapping[str, Computation] = {
    "figure-6": tests.overlap,
    "figure-7": tests.aggregation,
    "figure-8b": kernels.products,
    "section-7-aggregation": kernels.products,
    "figure-9": kernels.product_ranks,
    "section-4.3-class-A": kernels.improvements("mg", "A"),
    "figure-10-left": kernels.improvements("mg", "B"),
    "figure-10-right": kernels.improvements("mg", "C"),
    "figure-11-left": kernels.improvements("cg", "B"),
    "figure-11-right": kernels.improvements("cg", "C"),
}
_TWO_PHASE: Mapping[str, Computation] = {
    "figure-1": tables.six_processors,
    "section-3-concurrent-clic": tables.concurrent("clic"),
    "section-3-concurrent-t3e": tables.concurrent("t3e"),
    "table-1": tables.sums,
    "table-2-broadcast-small": tables.coefficients("clic", 4, "broadcast"),
    "table-2-broadcast-large": tables.coefficients("clic", 8, "broadcast"),
    "table-2-reduce-small": tables.coefficients("clic", 4, "reduce"),
    "table-2-reduce-large": tables.coefficients("clic", 8, "reduce"),
    "table-3": tables.coefficients("clic", 2, "gather", "scatter"),
    "table-5": tables.coefficients("t3e", 2, "gather", "scatter"),
    "figure-2-top": tables.deviations("clic", "broadcast"),
    "figure-2-bottom": tables.over_processors("broadcast"),
    "figure-3-top": tables.deviations("clic", "gather"),
    "figure-3-bottom": tables.deviations("t3e", "gather"),
    "figure-4-top": tables.deviations("clic", "scatter"),
    "figure-4-bottom": tables.deviations("t3e", "scatter"),
    "section-3-reduce": tables.deviations("clic", "reduce"),
    "section-3-stages": tables.stages,
    "figure-5-top": tables.over_processors("allreduce"),
    "figure-5-bottom": tables.over_processors("allgather"),
    "figure-6-top": tables.jacobi("row"),
    "figure-6-bottom": tables.jacobi("column"),
    "section-1": tables.gather_gain,
    "section-6": tables.published_gain,
}
_POTENTIAL: Mapping[str, Computation] = {
    "hycom-bandwidth": potential.hycom_bandwidth,
    "sweep3d-latency": potential.sweep_latency,
    "bandwidth-needed": potential.bandwidth_needed,
    "bandwidth-needed-sweep3d": potential.sweep_bandwidth,
}
_ALL = {
    "probes": _PROBES,
    "ft-slides": _SLIDES,
    "armci": _ARMCI,
    "two-phase": _TWO_PHASE,
    "potential": _POTENTIAL,
}


def computation(paper: str, figure: str) -> Computation | None:
    """What computes a figure; None where nothing here can."""
    return _ALL[paper].get(figure)
