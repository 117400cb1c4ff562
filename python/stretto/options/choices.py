# SPDX-License-Identifier: BSD-3-Clause
"""The names that a command line may choose from, each with what it is, and how a choice is read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from stretto.errors import UserError

AUTO = "auto"
CHOSEN = (AUTO, "model")
"""In place of a variant or a grid: a model chooses it."""

PROBES: Mapping[str, str] = {
    "latency": "ping-pong of sends; put or get with its completion; over size",
    "bandwidth": "floods in windows, one way and both ways, over size",
    "loggp": "L, o_s, o_r, g and G two ways: spaced trains, and pencils with floods",
    "overlap": "how much of a transfer hides under counted work, over size and T_w/T_c",
    "aggregation": "1000 doubles that lie apart: one by one, aggregated, as one vector",
    "contention": "what somebody else's traffic does to this rank's work, per kind of work",
    "ft": "transforms of rows and their exchange: behind them, in slabs, in pencils, in any chunks",
    "spmv": "a sparse matrix times a vector whose blocks are fetched in bulk, gathered or scattered",
    "collective": "collective operations, flat and in two phases on grids, over ranks and size",
}

FT_SWEEPS: Mapping[str, str] = {
    "balance": "computation and communication that take equally long: what overlap gains at best",
    "pure-communication": "no computation, from many small messages to few large ones",
    "constant-flops": "the same with equally many flops",
    "few-large": "32 rows of 65536, from no computation to all of it",
    "many-small": "8192 rows of 512, likewise",
    "scale": "1024 rows of 1024, from none to eight times as much computation",
    "contention": "what communication does to the computation",
}
SPMV_SWEEPS: Mapping[str, str] = {
    "nonzero": "one ratio of nonzeros, prefetch 1",
    "pure-communication": "no computation, over prefetch",
    "constant-flops": "a nonzero ratio of 4e-6, over prefetch",
    "prefetch": "the same",
    "few-large": "prefetch 1, over nonzero ratios",
    "nonzeros": "the same",
    "contention": "what communication does to the computation, over nonzero ratios",
}
"""The experiments of the architectural probes, section 6, by name; the first is what runs unasked."""

TRANSPORTS: Mapping[str, str] = {
    "mpi-two-sided": "MPI_Isend and MPI_Irecv",
    "mpi-rma": "MPI_Put and MPI_Get with MPI_Win_flush, on an allocated window",
    "mpi-request": "a get as a request and an answer, by MPI_Isend and MPI_Irecv (on demand)",
    "stretto": "put and get of stretto's one-sided runtime, by the path that it chooses",
}

PROGRESS: Mapping[str, str] = {
    "none": "nobody calls MPI during the work",
    "poll": "the rank calls MPI between slices of its work",
    "thread": "a helper thread of the transport, paced (transport stretto only)",
}

PATHS: Mapping[str, str] = {
    "direct": "loads and stores into a neighbour's memory",
    "rma": "MPI_Put and MPI_Get",
    "message": "a packed request that the target's runtime serves",
}

SUBSTRATES: Mapping[str, str] = {
    "local": "this machine, or the nodes of the allocation that this runs in",
    "emulated": "hosts as network namespaces with shaped links between them (needs root)",
    "simulated": "SimGrid's SMPI on a platform file",
}

KERNELS: Mapping[str, str] = {
    "cg": "NAS CG; variants nonblocking, blocking, two-sided, auto",
    "ft": "NAS FT; variants slabs, packed-slabs, pencils, chunks=X, alltoall, auto",
    "jacobi": "Jacobi iteration; row, column, auto; --set size, iterations, grid (or auto), algorithm",
    "mg": "NAS MG; variants nonblocking, blocking, two-sided, auto",
    "spmv": "sparse products; signalled, aggregate, vector, individual, blocks, tuned, auto; --matrix",
}

VARIABLES: Mapping[str, str] = {
    "STRETTO_PROFILE": "preloaded collectives, the runtime, run --variant auto: the profile to go by",
    "STRETTO_GRIDS": "preloaded collectives: flat, P1xP2 or OPERATION=P1xP2,..., instead of a choice",
    "STRETTO_ALGORITHM": "preloaded collectives: library or reference",
    "STRETTO_STATISTICS": "preloaded collectives or progress: 1 or a file, for a table when the program ends",
    "STRETTO_TRACE_DIR": "preloaded recorder: where the trace goes",
    "STRETTO_TRACE_MEMORY": "preloaded recorder: off, page or byte, as `stretto trace --memory`",
    "STRETTO_TRACE_SHARE": "preloaded recorder: of the time, what watching by page may take; 0.04",
    "STRETTO_CC": "the compiler of stretto-cc, instead of mpicc",
    "STRETTO_CXX": "the compiler of stretto-cxx, instead of mpicxx",
    "STRETTO_FC": "the compiler of stretto-fc, instead of mpifort",
    "STRETTO_PROGRESS": "ARMCI: none, poll or thread",
    "STRETTO_POLL_INTERVAL_S": "ARMCI, preloaded progress: seconds between two polls of the progress thread",
    "STRETTO_PACE_S": "ARMCI: the earlier name of STRETTO_POLL_INTERVAL_S",
    "STRETTO_CONTIGUOUS": "ARMCI: rma or message, for contiguous transfers to other nodes",
    "STRETTO_SEGMENT_BYTES": "ARMCI: of the message path",
    "STRETTO_OUTSTANDING": "ARMCI: messages under way at once, of the message path",
    "STRETTO_HEAP_BYTES": "ARMCI: of each process, for ARMCI_Memget",
    "STRETTO_REPORT_AFTER_S": "ARMCI: a wait that long is told of; 0: none",
    "STRETTO_TIMEOUT_S": "ARMCI: a wait that long is given up; 0: none",
    "STRETTO_PATH": "ARMCI, for tests: direct, rma or message",
    "STRETTO_NODE_RANKS": "ARMCI, for tests: pretend that nodes are so small",
    "STRETTO_BUILD": "the build directory to take native programs and libraries from",
}

OPERATIONS = ("send", "put", "get")
SIDES = ("origin", "target", "both")


def choose(option: str, text: str, known: Iterable[str]) -> list[str]:
    """The names in a comma-separated list, each once and in its order.

    Raises:
        UserError: one of them is not known.
    """
    names = list(dict.fromkeys(part.strip() for part in text.split(",")))
    return [check_choice(option, name, known) for name in names]


def check_choice(option: str, name: str, known: Iterable[str]) -> str:
    """`name`, when it is one of `known`; else UserError."""
    choices = list(known)
    if name not in choices:
        raise UserError(f"{option}: unknown '{name}'; choose from {', '.join(choices)}")
    return name
