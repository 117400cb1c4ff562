# SPDX-License-Identifier: BSD-3-Clause
"""Architectural probes, claims of figures 20 to 30: the models and their verification."""

from __future__ import annotations

from validation.papers import probes_models as models
from validation.papers import probes_verification as verification
from validation.papers.figures import PaperFigure, at_least, at_most, near, yes

_SIMULATED = "simulated ranks (A) against the models (M, E), 256 rows of 512 instead of 8192"
_LARGE = "simulated ranks (A) against the models (M, E)"
_CASE = "graph against closed form, arbitrary units as in the paper's chart"

MODELS = (
    PaperFigure(
        "figure-20",
        "transform model, case 1: computation longest",
        (
            near("total", "graph over eq. 3", 1.0, 0.01),
            near("init", "initiation over eq. 1", 1.0, 0.03),
            at_most("blocked", "initiation waits for the queue, of g", 0.001),
        ),
        _CASE,
        models.ft_case("computation"),
    ),
    PaperFigure(
        "figure-21",
        "transform model, case 2: transfer longest",
        (
            near("total", "graph over eq. 4", 1.0, 0.01),
            near("init", "initiation over eq. 1", 1.0, 0.03),
            at_least("waiting", "waiting at the end, of a transfer", 0.5),
        ),
        _CASE,
        models.ft_case("transfer"),
    ),
    PaperFigure(
        "figure-22",
        "transform model, case 3: initiation longer than computation",
        (
            near("total", "graph over eq. 4", 1.0, 0.01),
            near("init", "initiation over eq. 6", 1.0, 0.03),
            at_least("blocked", "initiation waits for the queue, of g", 0.5),
        ),
        _CASE,
        models.ft_case("initiation"),
    ),
    *(
        PaperFigure(
            f"section-7.5-{name}",
            f"{name}: o and g as pencils give them",
            (
                near("o", "o, initiation with most computation, over the platform's", 1.0, 0.10),
                near("g", "g, initiation without computation, over the platform's", 1.0, 0.10),
                yes("larger", "g is larger than o"),
            ),
            "simulated ranks, 256 rows of 512",
            verification.extraction(name),
        )
        for name in ("jacquard", "bassi")
    ),
    PaperFigure(
        "figure-23",
        "jacquard: models against many small messages",
        (
            at_most("E", "bar E, mean absolute deviation: fairly accurate", 0.10),
            at_most("drop", "initiation with most computation over without", 0.5),
        ),
        _SIMULATED,
        verification.many_small("jacquard"),
    ),
    PaperFigure(
        "figure-24",
        "bassi: models against many small messages",
        (
            at_most("E", "bar E, mean absolute deviation", 0.10),
            at_most("init", "initiation of bar E, deviation of the total", 0.10),
            at_most("wait", "waiting of bar M less that of A, of the total: too little", -0.02),
        ),
        _SIMULATED,
        verification.many_small("bassi"),
    ),
    PaperFigure(
        "figure-25",
        "jacquard: models against few large messages",
        (
            at_most("bound", "bar E, deviation while communication is longest", 0.10),
            at_most("init", "initiation, share of A: negligible", 0.05),
        ),
        _LARGE,
        verification.few_large("jacquard"),
    ),
    PaperFigure(
        "figure-26",
        "bassi: models against few large messages",
        (
            at_most("bound", "bar E, deviation while communication is longest", 0.10),
            at_most("init", "initiation, share of A: negligible", 0.05),
            at_most("wait", "waiting of bar M less that of A, of the total: too little", -0.02),
        ),
        _LARGE,
        verification.few_large("bassi"),
    ),
    PaperFigure(
        "figure-27",
        "product model, case 1: computation longest",
        (
            near("total", "graph over eq. 10", 1.0, 0.01),
            at_most("waiting", "waiting, of the total", 0.01),
        ),
        _CASE,
        models.spmv_case("computation"),
    ),
    PaperFigure(
        "figure-28",
        "product model, case 2: communication longest",
        (
            near("total", "graph over eq. 12", 1.0, 0.01),
            at_least("waiting", "waiting, of the total", 0.5),
        ),
        _CASE,
        models.spmv_case("communication"),
    ),
    PaperFigure(
        "figure-29",
        "jacquard: models against products",
        (
            at_least("M", "bar M too optimistic without much computation: A over M", 1.10),
            at_most("E", "bar E, deviation with least computation", 0.10),
            at_most("hidden", "exposed communication of bar E with most computation, of A", 0.10),
        ),
        _LARGE,
        verification.products("jacquard"),
    ),
    PaperFigure(
        "figure-30",
        "bassi: models against products",
        (
            at_most("E", "bar E, deviation with least computation", 0.10),
            at_most("M", "bar M, too: A over M", 1.10),
            at_least("exposed", "exposed communication of A with most computation, of A", 0.02),
        ),
        _LARGE,
        verification.products("bassi"),
        differs="simulated adapters move data without the processor, so that nothing stays exposed, and two "
        "ranks that stream get a whole adapter, which eight share in the run. In the paper's figures "
        "24 and 26 bar M of the same machine waits too little, as it does here",
    ),
)
