# SPDX-License-Identifier: BSD-3-Clause
"""R. Nishtala, Architectural Probes for Measuring Communication Overlap Potential: figures 4 to 30.

"About" in the text is taken as 10 % of the number; "the same" as 2 %, the reading accuracy of a bar.
"""

from __future__ import annotations

from validation.papers import probes_ft as ft
from validation.papers.figures import (
    Paper,
    PaperFigure,
    at_least,
    at_most,
    near,
)
from validation.papers.probes_bars import MODELS
from validation.papers.probes_products import PRODUCTS
from validation.papers.slides_transforms import most_aggressive

_GRAPH = "graphs of the schedules on the platform's figures, at the paper's sizes"
_SAME = 1.02

_TRANSFORMS = (
    PaperFigure(
        "figure-2",
        "NAS FT on four machines: slabs and pencils over no overlap",
        (
            at_least("pencils-over-slabs", "pencils over slabs, least: the most aggressive is best", 0.98),
            at_least("nas-overlap", "slabs and pencils over Fortran/MPI, least", 1.20),
        ),
        "graphs of the kernel's schedules, class D",
        most_aggressive,
    ),
    PaperFigure(
        "figure-4",
        "jacquard: exchange, slabs, pencils without computation",
        (
            at_most("constant", "exchange over all shapes, longest over shortest", 1.05),
            at_most("slabs", "slabs over exchange", _SAME),
            near("pencils-most", "pencils over exchange, most messages", 1.10, 0.03, calibrates=True),
            at_most("pencils-fewest", "the same with fewest messages", _SAME),
            at_least("init-most", "share of initiation, pencils, most messages", 0.5),
            at_most("init-fewest", "the same with fewest messages", 0.1),
        ),
        _GRAPH,
        ft.pure_communication("jacquard"),
    ),
    PaperFigure(
        "figure-5",
        "bassi: the same",
        (
            at_most("constant", "exchange over all shapes, longest over shortest", 1.05),
            at_most("slabs", "slabs over exchange", _SAME),
            near("pencils-most", "pencils over exchange, most messages", 1.40, 0.03, calibrates=True),
            at_most("pencils-fewest", "the same with fewest messages", _SAME),
            at_least("init-most", "share of initiation, pencils, most messages", 0.5),
            at_most("init-fewest", "the same with fewest messages", 0.1),
        ),
        _GRAPH,
        ft.pure_communication("bassi"),
    ),
    PaperFigure(
        "section-6.2-transform",
        "jacquard against bassi without computation: 60 % of the time",
        (near("ratio", "jacquard over bassi", 0.60, 0.10, calibrates=True),),
        _GRAPH,
        ft.exchange_ratio,
    ),
    PaperFigure(
        "section-6.2-initiation",
        "initiation of pencils on bassi: up to 3.3 times",
        (near("ratio", "initiation on bassi over jacquard, at most", 3.3, 0.10, calibrates=True),),
        _GRAPH,
        ft.initiation_ratio,
    ),
    PaperFigure(
        "figure-8",
        "jacquard: the same with a constant number of flops",
        (
            at_most("slabs", "slabs over exchange, largest", 1 / _SAME),
            at_most("pencils", "pencils over exchange, largest", 1 / _SAME),
            at_most("apart", "slabs and pencils apart: roughly the same", 0.05),
            at_most("exposed", "waiting of slabs over that of exchange: almost hidden", 0.10),
        ),
        _GRAPH,
        ft.constant_flops("jacquard"),
    ),
    PaperFigure(
        "figure-9",
        "bassi: the same with a constant number of flops",
        (
            at_most("slabs", "slabs over exchange, largest", 1 / _SAME),
            at_most("pencils", "pencils over exchange, largest", 1 / _SAME),
            at_least("slabs-win", "share of the shapes where slabs are best: almost always", 0.75),
        ),
        _GRAPH,
        ft.constant_flops("bassi"),
    ),
    PaperFigure(
        "section-6.3-solution",
        "most messages and computation: jacquard 20 % quicker",
        (near("quicker", "1 - jacquard over bassi, best schedules", 0.20, 0.10, calibrates=True),),
        _GRAPH,
        ft.solution_ratio,
    ),
    PaperFigure(
        "figure-12",
        "jacquard: few large messages over computation",
        (
            at_most("none", "schedules without computation, longest over shortest", _SAME),
            at_most("same", "slabs and pencils apart", 0.02),
            at_most("flat", "slabs while computation is less, longest over shortest", 1.05),
            at_least("gain", "exchange over slabs with all computation", 1.10),
        ),
        _GRAPH,
        ft.few_large("jacquard"),
    ),
    PaperFigure(
        "figure-13",
        "bassi: few large messages over computation",
        (
            at_most("none", "schedules without computation, longest over shortest", _SAME),
            at_most("same", "slabs and pencils apart", 0.02),
            at_least("gain", "exchange over slabs with all computation: benefits", 1.05),
        ),
        _GRAPH,
        ft.few_large("bassi"),
    ),
    PaperFigure(
        "figure-16",
        "jacquard: many small messages over computation",
        (
            at_least("pencils-none", "pencils over exchange without computation: worst", 1.0),
            at_most("slabs-full", "slabs over exchange with all computation", 1 / _SAME),
            at_most("pencils-full", "pencils over exchange with all computation", 1 / _SAME),
            at_most("flat", "slabs, pencils roughly constant, longest over shortest", 1.10),
        ),
        _GRAPH,
        ft.many_small("jacquard"),
    ),
    PaperFigure(
        "figure-17",
        "bassi: many small messages over computation",
        (
            at_least("pencils-none", "pencils over exchange without computation: worst", 1.0),
            at_most("slabs-full", "slabs over exchange with all computation", 1 / _SAME),
            at_most("pencils-full", "pencils over exchange with all computation", 1 / _SAME),
            at_most("flat", "slabs, pencils roughly constant, longest over shortest", 1.10),
            at_least("apart", "pencils over slabs: a lot higher than on jacquard", 1.20),
            at_least("init", "most of the time is initiation", 0.5),
        ),
        _GRAPH,
        ft.many_small("bassi"),
    ),
    PaperFigure(
        "section-9",
        "overlap gains a factor of two at best",
        (
            at_most("most", "exchange over the best schedule, all shapes, shares and machines", 2.0),
            at_least("least", "exchange over the best schedule with computation: it helps", 1.0),
        ),
        _GRAPH,
        ft.largest_gain,
    ),
    PaperFigure(
        "section-6.5-machines",
        "many small messages: jacquard consistently quicker",
        (at_most("worst", "jacquard over bassi, slabs and pencils, largest", 1.0),),
        _GRAPH,
        ft.many_small_machines,
    ),
)

PAPER = Paper(
    "probes",
    "Architectural Probes for Measuring Communication Overlap Potential",
    "R. Nishtala",
    (*_TRANSFORMS, *PRODUCTS, *MODELS),
)
