# SPDX-License-Identifier: BSD-3-Clause
"""The papers' kernels on their machines, simulated: FT of the slides' summary, MG, CG and SpMV of the
latency-tolerance paper. Needs no quiet machine. What was found: docs/bench.md.

Usage: `papers.py [ft] [mg] [cg] [spmv]`, all without a name. Exit status 3 where a solution is wrong.
"""

from __future__ import annotations

import argparse
import sys

from papers_armci import SPMV_RANKS, show_nas, show_spmv
from papers_ft import MACHINES, SIZES, show_ft

SIMULATED_RANKS = {"mg": 128, "cg": 8}  # of class A: beyond, a run of cg takes minutes
NAMES = ("ft", "mg", "cg", "spmv")


def sizes(text: str) -> list[tuple[str, int]]:
    """Classes and ranks, such as B:64,B:128."""
    return [(one.partition(":")[0], int(one.partition(":")[2])) for one in text.split(",")]


def numbers(text: str) -> list[int]:
    """Of a comma-separated list."""
    return [int(one) for one in text.split(",")]


def main() -> int:
    """Runs what was asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help=f"of {', '.join(NAMES)}")
    parser.add_argument("--machines", type=lambda text: text.split(","), default=list(MACHINES))
    parser.add_argument("--sizes", type=sizes, default=SIZES, help="ft: CLASS:RANKS,... ")
    parser.add_argument("--class", dest="class_name", default="A", help="mg and cg (default A)")
    parser.add_argument("--ranks", type=numbers, default=[8, 16, 32, 64, 128], help="mg and cg: 8,16,...")
    parser.add_argument("--simulated-ranks", type=int, help="mg and cg: model alone beyond (default 128, 8)")
    parser.add_argument(
        "--most-messages",
        type=int,
        default=4000,
        help="ft: simulate where a transpose has at most so many, else the model alone (default 4000)",
    )
    parser.add_argument("--products", type=int, default=2, help="spmv: how many are simulated")
    parser.add_argument("--spmv-ranks", type=int, default=SPMV_RANKS, help="default: 32")
    options = parser.parse_args()
    if unknown := set(options.names) - set(NAMES):
        parser.error(f"unknown {', '.join(sorted(unknown))}; choose from {', '.join(NAMES)}")
    good = True
    for name in options.names or NAMES:
        if name == "ft":
            good = show_ft(options.machines, options.sizes, options.most_messages) and good
        elif name == "spmv":
            good = show_spmv("fsn", options.spmv_ranks, options.products) and good
        else:
            most = options.simulated_ranks or SIMULATED_RANKS[name]
            good = show_nas(name, options.class_name, options.machines, options.ranks, most) and good
    return 0 if good else 3


if __name__ == "__main__":
    sys.exit(main())
