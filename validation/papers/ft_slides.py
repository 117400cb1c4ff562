# SPDX-License-Identifier: BSD-3-Clause
"""C. Bell and others, slides: Optimizing Bandwidth Limited Problems Using One-Sided Communication and
Overlap.

The charts have no numbers in the text of the slides; claims are those of their sentences.
"""

from __future__ import annotations

from validation.papers import slides_transforms as slides
from validation.papers.figures import Paper, PaperFigure, at_least, at_most, between, near

_GRAPH = "graphs of the schedules on the platforms' figures, class D"
_PAGES_21 = tuple(
    PaperFigure(
        f"page-21-{name}",
        f"NAS FT on {name}: schedules over the Fortran/MPI one",
        (
            at_least("slabs", "slabs over NAS's", 1.20),
            at_least("pencils", "pencils over NAS's", 1.20),
        ),
        _GRAPH,
        slides.comparison(name),
    )
    for name in slides.MACHINES
)
_PAGES_22 = tuple(
    PaperFigure(
        f"page-22-{name}",
        f"time in communication on {name}, one-sided and two-sided",
        (at_most("most", "one-sided over two-sided, largest of the schedules: less", 1.0),),
        _GRAPH,
        slides.communication(name),
    )
    for name in slides.MACHINES
)

PAPER = Paper(
    "ft-slides",
    "Optimizing Bandwidth Limited Problems Using One-Sided Communication and Overlap",
    "C. Bell, D. Bonachea, R. Nishtala, K. Yelick",
    (
        PaperFigure(
            "page-7",
            "latency of 8 bytes, one-sided against two-sided",
            (at_most("most", "one-sided over two-sided, largest of four machines: less", 1.0),),
            "LogGP figures of the platforms; a put has no receive overhead",
            slides.latency,
        ),
        PaperFigure(
            "page-9",
            "bandwidth over size, one-sided against two-sided",
            (
                near("8k", "two-sided over one-sided at 8 KiB", 0.5, 0.10, calibrates=True),
                at_least("8k-peak", "one-sided at 8 KiB, share of the peak: close", 0.80),
                between("64k", "one-sided over two-sided at 64 KiB: slightly faster", 1.02, 1.25),
                at_most("512k", "the same at 512 KiB: same peak", 1.05),
                at_least("mid", "the same at 2 to 64 KiB, least: consistently better", 1.0),
            ),
            "LogGP figures of jacquard; two-sided with copies of small messages, handshake of large ones",
            slides.bandwidth,
        ),
        PaperFigure(
            "page-16",
            "transpose as a share of the peak both ways, class D",
            (near("share", "share of the bidirectional peak", 0.67, 0.10),),
            "graph of packed slabs on jacquard",
            slides.utilisation,
            differs="the platforms' fabrics have no contention; the slides name it, and the number of "
            "partners, as possible causes, without a figure",
        ),
        PaperFigure(
            "page-19",
            "messages of 512^3 points on 64 processors",
            (
                near("packed-slabs-messages", "packed slabs", 64, 0.0),
                near("packed-slabs-bytes", "packed slabs, KiB each", 512, 0.0),
                near("slabs-messages", "slabs", 512, 0.0),
                near("slabs-bytes", "slabs, KiB each", 64, 0.0),
                near("pencils-messages", "pencils", 4096, 0.0),
                near("pencils-bytes", "pencils, KiB each", 8, 0.0),
            ),
            "the kernel's schedules",
            slides.message_counts,
        ),
        *_PAGES_21,
        PaperFigure(
            "page-21-packed",
            "packed slabs, one-sided, over the Fortran/MPI one",
            (at_least("least", "packed slabs over NAS's, least of four machines", 1.20),),
            _GRAPH,
            slides.exchanges,
            differs="an all-to-all of large blocks gets the whole bandwidth of a fabric without contention, "
            "so that only NAS's second local transpose is saved; what MPI's lost on those machines is not "
            "published",
        ),
        PaperFigure(
            "page-21-best",
            "best speed-up over the Fortran/MPI one",
            (near("best", "best of all machines", 1.9, 0.10),),
            _GRAPH,
            slides.best,
        ),
        *_PAGES_22,
        PaperFigure(
            "page-23",
            "the best one-sided and two-sided schedules on every machine",
            (
                at_least("one-over-two", "best one-sided over best two-sided, least", 1.0),
                at_least("two-over-nas", "best two-sided over NAS's, least: gains, too", 1.0),
            ),
            _GRAPH,
            slides.summary,
        ),
    ),
)
