# SPDX-License-Identifier: BSD-3-Clause
"""The names that an option accepts, each with a description, and the parsers of such options."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from stretto.errors import UserError

AUTO = "auto"
CHOSEN = (AUTO, "model")
"""Values of an option for a variant or a grid with which a model chooses it."""

PROBES: Mapping[str, str] = {
    "latency": "ping-pong of sends; put or get with its completion; over size",
    "bandwidth": "streams in windows, one way and both ways, over size",
    "loggp": "L, o_s, o_r, g and G two ways: spaced trains, and pencils with streams",
    "overlap": "how much of a transfer hides under computation, over size and T_w/T_c",
    "aggregation": "1000 doubles that lie apart: one by one, aggregated, as one vector",
    "contention": "what other ranks' traffic does to this rank's computation, by its kind",
    "ft": "transforms of rows and their exchange: behind them, in slabs, in pencils, in any chunks",
    "spmv": "a sparse matrix times a vector; its blocks are fetched in bulk, gathered or scattered",
    "collective": "collective operations, flat and in two phases on grids, over ranks and size",
    "nbc": "how much of a nonblocking collective hides under computation (only by name)",
    "neighbourhood": "the same of an exchange with the neighbours in a grid (only by name)",
    "persistent": "persistent requests against MPI_Isend and MPI_Irecv (only by name)",
    "partitioned": "a message handed over part by part as it is computed (only by name)",
    "pairs": "bandwidth, message rate and latency of several pairs at once (only by name)",
    "hosts": "slow hosts and links: computation, and the link of every pair of ranks (only by name)",
}
USUAL_PROBES = tuple(PROBES)[:9]
"""Those of `--all`: all but the ones that run only by name."""

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
"""The experiments of the architectural probes, section 6, by name; the first is the default."""

TRANSPORTS: Mapping[str, str] = {
    "mpi-two-sided": "MPI_Isend and MPI_Irecv",
    "mpi-persistent": "MPI_Send_init and MPI_Recv_init once, then MPI_Start (probe persistent, or by name)",
    "mpi-partitioned": "MPI_Psend_init and MPI_Precv_init, MPI 4 (probe partitioned, or by name)",
    "mpi-rma": "MPI_Put and MPI_Get with MPI_Win_flush, on an allocated window",
    "mpi-request": "a get as a request and a reply, by MPI_Isend and MPI_Irecv (only by name)",
    "stretto": "put and get of stretto's one-sided runtime, by the path that it chooses",
}

PROGRESS: Mapping[str, str] = {
    "none": "no calls of MPI during the computation",
    "poll": "the rank calls MPI between slices of its computation",
    "thread": "a progress thread of the transport, at its poll interval (transport stretto only)",
}

PATHS: Mapping[str, str] = {
    "direct": "loads and stores into the memory of a rank on the same node",
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

KNOBS: Mapping[str, str] = {
    "progress": "stretto's progress thread and its interval",
    "own-progress": "the MPI's own asynchronous progress",
    "eager": "up to which size messages are sent without a handshake",
    "socket-buffers": "send and receive buffers of TCP connections",
    "transport": "what moves the messages: UCX or OFI, ob1 or UCX, several connections",
    "on-node": "how ranks of one node exchange large messages",
    "binding": "which cores a rank may use",
}
"""What `stretto tune` tries, in this order."""

PARTS = (
    "all",
    "transfer",
    "overlap",
    "loggp",
    "aggregation",
    "contention",
    "schedules",
    "further",
    "collectives",
    "settings",
)
"""The tables of a run, for `stretto show`."""

OPERATIONS = ("send", "put", "get")
SIDES = ("origin", "target", "both")
DIRECTIONS = ("one-way", "both-ways")
BUFFERS = ("distinct", "same")


def choose(option: str, text: str, known: Iterable[str]) -> list[str]:
    """The names in a comma-separated list, without duplicates and in the list's order.

    Raises:
        UserError: one of them is unknown.
    """
    names = list(dict.fromkeys(part.strip() for part in text.split(",")))
    return [check_choice(option, name, known) for name in names]


def check_choice(option: str, name: str, known: Iterable[str]) -> str:
    """Returns `name` if it is one of `known`; else raises UserError."""
    choices = list(known)
    if name not in choices:
        raise UserError(f"{option}: unknown '{name}'; choose from {', '.join(choices)}")
    return name
