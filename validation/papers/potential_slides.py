# SPDX-License-Identifier: BSD-3-Clause
"""J. C. Sancho and others, slides on the overlap potential of scientific applications.

The applications are not to be had; traces with the slides' patterns stand for them, and `proxies/` has small
programs of the same kind.
"""

from __future__ import annotations

from validation.papers import overlap_potential as slides
from validation.papers.figures import Claim, Paper, PaperFigure, at_least, at_most, near, yes

_REPLAY = "replay of a trace with the slide's pattern"
_NO_APPLICATION = (
    "neither the application with its input nor its trace is to be had; `stretto potential` gives the same "
    "table for a proxy (docs/proxies.md)"
)


def _times() -> tuple[Claim, ...]:
    plain = {1: 1.20, 2: 1.39, 4: 1.79}
    overlapped = {1: 1.10, 2: 1.20, 4: 1.39}
    return (
        *(near(f"plain-{us}", f"not overlapping, {us} us", value, 0.02) for us, value in plain.items()),
        *(near(f"overlapped-{us}", f"overlapping, {us} us", value, 0.10) for us, value in overlapped.items()),
    )


PAPER = Paper(
    "potential",
    "Overlap potential of scientific applications (slides)",
    "J. C. Sancho, K. J. Barker, D. J. Kerbyson, K. Davis",
    (
        PaperFigure(
            "hycom-table",
            "independent work of HYCOM by variable, µs",
            (
                near("ubavg", "ubavg", 229.3, 0.10),
                near("pbavg", "pbavg", 833.0, 0.10),
                near("vbavg", "vbavg", 331.5, 0.10),
            ),
            impossible=_NO_APPLICATION,
        ),
        PaperFigure(
            "pop-potential",
            "potential of POP: 2.78 times the communication",
            (near("ratio", "potential over cost on InfiniBand", 2.78, 0.10),),
            impossible=_NO_APPLICATION,
        ),
        PaperFigure(
            "sage-potential",
            "potential of SAGE: 6.25 times the communication",
            (near("ratio", "potential over cost on InfiniBand", 6.25, 0.10),),
            impossible=_NO_APPLICATION,
        ),
        PaperFigure(
            "hycom-bandwidth",
            "HYCOM over bandwidth, with and without overlap",
            (
                at_most("infiniband", "overlapping on InfiniBand over not overlapping at 5 GB/s", 1.0),
                at_least("sensitive", "not overlapping, 50 MB/s over 5 GB/s: sensitive to bandwidth", 1.10),
            ),
            _REPLAY,
            slides.hycom_bandwidth,
        ),
        PaperFigure(
            "sweep3d-latency",
            "Sweep3D over latency, with and without overlap",
            _times(),
            _REPLAY,
            slides.sweep_latency,
        ),
        PaperFigure(
            "bandwidth-needed",
            "bandwidth that overlapping needs for the time of 5 GB/s",
            (
                at_most("most", "most over HYCOM, POP, SAGE and 1 to 8 us, MB/s: below 400", 400.0),
                yes("order", "the larger the potential, the less bandwidth"),
            ),
            _REPLAY,
            slides.bandwidth_needed,
        ),
    ),
)
