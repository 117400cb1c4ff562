# SPDX-License-Identifier: BSD-3-Clause
"""Architectural probes, claims of figures 6, 7, 10, 11, 14, 15, 18, 19: sparse products."""

from __future__ import annotations

from validation.papers import probes_spmv as spmv
from validation.papers.figures import PaperFigure, at_least, at_most, near, yes

_SAME = 1.02
_NO_MEMORY = (
    "memory of simulated machines is never contended, and the papers' machines are gone; "
    "`stretto probe spmv --sweep contention` shows it on a real cluster"
)
_STEADY = (
    "neither graphs nor simulated ranks show a variation, and random delays of ranks in a LogGP network make "
    "gather vary instead; what GASNet's Active Messages cost a busy processor is not published"
)
PRODUCTS = (
    *(
        PaperFigure(
            f"{name}-gather",
            f"{machine}: gather over prefetch without computation",
            (at_most(key, f"gather at {depth} over its best", 1.05),),
            spmv.HOW,
            spmv.pure_communication(machine),
        )
        for name, machine, key, depth in (
            ("figure-6", "jacquard", "gather-low", "a low prefetch"),
            ("figure-7", "bassi", "gather-1", "prefetch 1"),
        )
    ),
    *(
        PaperFigure(
            f"{name}-scatter",
            f"{machine}: scatter over prefetch without computation",
            (
                yes("gather-steadier", "scatter varies more than gather"),
                yes("scatter-deep", "scatter is best with many outstanding messages"),
            ),
            spmv.HOW,
            spmv.pure_communication(machine),
            differs=_STEADY,
        )
        for name, machine in (("figure-6", "jacquard"), ("figure-7", "bassi"))
    ),
    PaperFigure(
        "section-6.2-product",
        "gather without computation: jacquard in 65 % of bassi's time",
        (near("ratio", "jacquard over bassi", 0.65, 0.10),),
        spmv.HOW,
        spmv.communication_ratio,
    ),
    PaperFigure(
        "section-6.3-product",
        "computation of products: bassi in 80 % of jacquard's time",
        (near("ratio", "bassi over jacquard", 0.80, 0.02, calibrates=True),),
        spmv.HOW,
        spmv.computation_ratio,
    ),
    *(
        PaperFigure(
            f"{name}-gather",
            f"{machine}: gather over prefetch, nonzero ratio 4e-6",
            (
                at_most("gather-1", "gather at prefetch 1 over its best", 1.05),
                at_most("hidden", "time over that without computation: not dramatically more", 1.15),
            ),
            spmv.HOW,
            spmv.over_prefetch(machine),
        )
        for name, machine in (("figure-10", "jacquard"), ("figure-11", "bassi"))
    ),
    PaperFigure(
        "figure-10-scatter",
        "jacquard: scatter over prefetch, nonzero ratio 4e-6",
        (
            at_most("low-apart", "scatter over gather at low prefetch: the same", 1.10),
            at_most("scatter-deep-over-gather", "scatter over gather at high prefetch: beats it", 1.0),
        ),
        spmv.HOW,
        spmv.over_prefetch("jacquard"),
        differs="scatter is level with gather at every depth, and does not beat it: both fill the network "
        "from prefetch 1 on, and a request's latency is a thousandth of a block's time",
    ),
    PaperFigure(
        "figure-11-scatter",
        "bassi: scatter over prefetch, nonzero ratio 4e-6",
        (
            at_least("low-apart", "scatter over gather at low prefetch: gather wins", 1.05),
            at_most("deep-apart", "apart at high prefetch: tracks it", 0.10),
        ),
        spmv.HOW,
        spmv.over_prefetch("bassi"),
        differs="gather wins by the handler of one block only, as all others hide under the next transfer: "
        "an Active Message's own bandwidth without RDMA is not published",
    ),
    PaperFigure(
        "figure-14",
        "jacquard: bulk, gather, scatter over the ratio of nonzeros",
        (
            at_least("gather", "bulk over gather, largest: significantly", 1.10),
            at_least("scatter", "bulk over scatter, largest: significantly", 1.10),
            yes("steady", "time grows with computation"),
        ),
        spmv.HOW,
        spmv.over_nonzeros("jacquard"),
    ),
    PaperFigure(
        "figure-15-gather",
        "bassi: gather and bulk over the ratio of nonzeros",
        (
            at_least("gather", "bulk over gather, largest: outperforms", 1.05),
            yes("steady", "time grows with computation"),
        ),
        spmv.HOW,
        spmv.over_nonzeros("bassi"),
    ),
    PaperFigure(
        "figure-15-scatter",
        "bassi: scatter and bulk over the ratio of nonzeros",
        (at_most("scatter", "bulk over scatter, largest: no benefit", _SAME),),
        spmv.HOW,
        spmv.over_nonzeros("bassi"),
        differs="the handler and its copy hide under the next transfer: what made Active Messages of LAPI "
        "slow enough to lose all benefit is not published",
    ),
    PaperFigure(
        "section-6.4-machines",
        "products: machines level with little computation, bassi wins with most",
        (
            at_most("little", "jacquard over bassi, little computation: at par or better", 1.05),
            at_least("most", "jacquard over bassi, most computation", 1.0),
        ),
        spmv.HOW,
        spmv.crossing,
    ),
    PaperFigure(
        "figure-18",
        "jacquard: what communication costs the computation of products",
        (at_least("slower", "computation with communication over without", 1.10),),
        impossible=_NO_MEMORY,
    ),
    PaperFigure(
        "figure-19",
        "bassi: the same, 2 to 3 %",
        (at_most("slower", "computation with communication over without", 1.03),),
        impossible=_NO_MEMORY,
    ),
)
