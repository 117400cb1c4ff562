# SPDX-License-Identifier: BSD-3-Clause
"""The environment variables, each with its meaning and the component that reads it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Variable:
    """An environment variable."""

    name: str
    component: str
    meaning: str


VARIABLES = (
    Variable("STRETTO_PROFILE", "runtime", "the profile to choose by, also of collectives and `run`"),
    Variable("STRETTO_CLUSTER", "runtime", "NAME or NAME/PARTITION, whose profile is taken; else Slurm's"),
    Variable("STRETTO_GRIDS", "collectives", "flat, P1xP2 or OPERATION=P1xP2,..., instead of a choice"),
    Variable("STRETTO_ALGORITHM", "collectives", "library or reference"),
    Variable("STRETTO_STATISTICS", "collectives, progress", "1 or a file: a table when the program ends"),
    Variable(
        "STRETTO_STATISTICS_BEGUN_BY",
        "collectives, progress",
        "set by them: the process that has begun the file",
    ),
    Variable(
        "STRETTO_SIMULATED_REDUCE_FLOPS_PER_BYTE",
        "collectives",
        "set by a simulated machine: flops per byte of a reduction",
    ),
    Variable("STRETTO_TRACE_DIR", "recorder", "where the trace goes"),
    Variable("STRETTO_TRACE_MEMORY", "recorder", "off, page or byte, as `stretto trace --memory`"),
    Variable("STRETTO_TRACE_LIMIT", "recorder", "bytes of all ranks' files, as `stretto trace --limit`"),
    Variable(
        "STRETTO_TRACE_IN_FLIGHT",
        "recorder",
        "1: with --memory byte, accesses to the data of messages in flight are recorded, too",
    ),
    Variable("STRETTO_TRACE_SHARE", "recorder", "fraction of the time that watching by page may take; 0.04"),
    Variable("STRETTO_TRACE_FOLLOW", "recorder", "0: data is not followed through copies"),
    Variable("STRETTO_CC", "compilers", "the compiler of stretto-cc, instead of mpicc"),
    Variable("STRETTO_CXX", "compilers", "the compiler of stretto-cxx, instead of mpicxx"),
    Variable("STRETTO_FC", "compilers", "the compiler of stretto-fc, instead of mpifort"),
    Variable("STRETTO_PROGRESS", "ARMCI", "none, poll or thread"),
    Variable("STRETTO_POLL_INTERVAL_S", "ARMCI, progress", "seconds between two polls of a progress thread"),
    Variable("STRETTO_CONTIGUOUS", "ARMCI", "rma or message, for contiguous transfers to other nodes"),
    Variable("STRETTO_SEGMENT_BYTES", "ARMCI", "data in a message of the message path"),
    Variable("STRETTO_OUTSTANDING", "ARMCI", "messages in flight at once, of the message path"),
    Variable("STRETTO_CONTEXTS", "ARMCI", "contexts of the message path, one for each thread that calls"),
    Variable("STRETTO_HEAP_BYTES", "ARMCI", "of each process, for ARMCI_Memget"),
    Variable("STRETTO_REPORT_AFTER_S", "ARMCI", "a longer wait is reported; 0: none is"),
    Variable("STRETTO_TIMEOUT_S", "ARMCI", "a longer wait ends the program; 0: none does"),
    Variable("STRETTO_PATH", "tests of ARMCI", "direct, rma or message"),
    Variable("STRETTO_NODE_RANKS", "tests of ARMCI", "pretend that nodes have so many ranks"),
    Variable("STRETTO_BUILD", "commands", "the build directory to take native programs and libraries from"),
)
