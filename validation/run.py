# SPDX-License-Identifier: BSD-3-Clause
"""Models against reality, and the papers' figures against simulated machines.

Exit status 3 where a model is further off than it may be, a finding of a paper does not hold, or a solution
is wrong. Entries that need root measure on emulated hosts; they need a quiet machine, too.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench.harness.builds import ROOT
from bench.harness.runner import Entry, main
from validation import advise, chosen, jacobi, long_trace, papers, runtime_functions, schedules, whatif
from validation.papers_armci import SPMV_RANKS
from validation.papers_ft import SIZES

ENTRIES = (
    Entry("whatif", "replay of the wavefront's trace against its run on an emulated pair (root)", whatif.run),
    Entry(
        "advise",
        "what stretto advise says of FT against all schedules, measured (root)",
        advise.run,
    ),
    Entry(
        "chosen",
        "the variant that a profile chooses against what does not overlap (root)",
        chosen.run,
    ),
    Entry("schedules", "findings of the architectural probes, section 6, simulated", schedules.run),
    Entry(
        "runtime-functions",
        "runtime functions and choices against collectives left out, simulated",
        runtime_functions.run,
    ),
    Entry("jacobi", "predicted Jacobi iterations against simulated ones", jacobi.run),
    Entry(
        "papers-ft",
        "FT on the machines of the one-sided slides, simulated and modelled",
        papers.run_ft,
    ),
    Entry("papers-mg", "MG over ranks (figure 10 of the latency-tolerance paper)", papers.run_mg),
    Entry("papers-cg", "CG over ranks (figure 11 of the latency-tolerance paper)", papers.run_cg),
    Entry(
        "papers-spmv",
        "aggregation in SpMV, rank by rank (figure 9 of the latency-tolerance paper)",
        papers.run_spmv,
    ),
    Entry("long-trace", "time and memory of each command that reads a long trace", long_trace.run),
)


def words(text: str) -> list[str]:
    """Of a comma-separated list."""
    return text.split(",")


def numbers(text: str) -> list[int]:
    """Of a comma-separated list."""
    return [int(one) for one in words(text)]


def sizes(text: str) -> list[tuple[str, int]]:
    """Classes and ranks, such as B:64,B:128."""
    return [(one.partition(":")[0], int(one.partition(":")[2])) for one in words(text)]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options of single entries, by the entry's name."""
    add = parser.add_argument
    add("--profile", type=Path, help="advise, chosen: instead of one that is measured")
    add("--budget", type=float, default=40, help="advise, chosen: seconds of a probe (default 40)")
    add("--points", type=int, default=10, help="advise")
    add("--seed", type=int, default=1, help="advise")
    add("--place", default=advise.PLACE, help=f"advise: options of stretto probe (default: {advise.PLACE})")
    add("--rates", default="500mbit", help="chosen: of the emulated links")
    add("--kernels", type=words, default=list(chosen.PLAIN), help="chosen")
    add("--class", dest="class_name", default="A", help="chosen, papers-mg, papers-cg (default A)")
    add("--machines", type=words, help="schedules, papers-ft, papers-mg, papers-cg")
    add("--platforms", type=words, default=["clic", "t3e"], help="runtime-functions")
    add(
        "--jacobi",
        nargs="*",
        default=[],
        metavar="RANKS,SIZE,LAYOUT,GRID",
        help="jacobi: such as 96,1000,row,8x12",
    )
    add("--sizes", type=sizes, default=SIZES, help="papers-ft: CLASS:RANKS,...")
    add("--most-messages", type=int, default=4000, help="papers-ft: simulates transposes of at most so many")
    add("--ranks", type=numbers, default=[8, 16, 32, 64, 128], help="papers-mg, papers-cg")
    add("--simulated-ranks", type=int, help="papers-mg, papers-cg: the model alone beyond (default 128, 8)")
    add("--products", type=int, default=2, help="papers-spmv: how many are simulated")
    add("--spmv-ranks", type=int, default=SPMV_RANKS, help="papers-spmv (default 32)")
    add("--records", type=int, default=10_000_000, help="long-trace")
    add("--watched", action="store_true", help="long-trace: with the times of all parts")
    add("--only", metavar="COMMAND,..", help="long-trace: commands whose names begin so")
    add("--directory", type=Path, help="long-trace: where the trace is made")


if __name__ == "__main__":
    sys.exit(main("make validation", __doc__, ENTRIES, ROOT / "build" / "validation", add_options))
