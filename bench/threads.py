# SPDX-License-Identifier: BSD-3-Clause
"""Message rate of eight threads of one rank to eight ranks on other emulated hosts, over that of one thread.

Plain MPI with a communicator for each thread is the bound: threads scale no better than the MPI below. Rounds
differ much where twelve ranks share few cores, so the two gains are compared within each round.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import polars as pl

from bench.harness.builds import build, mpiexec_of
from bench.harness.checks import Check, Checks, Result, Table, ratio_of_medians
from bench.harness.runner import Context
from stretto.data.samples import read_samples
from stretto.errors import RunError
from stretto.launch.cluster import EmulatedNetwork, emulated_cluster
from stretto.launch.job import Job
from stretto.launch.mpi import find_mpi

_HOSTS, _RANKS = 4, 12  # three on each host, so that nine are not on rank 0's
_MESSAGES = 16384
_ROUNDS = 31
_TARGET = 3.0


def run(context: Context) -> Iterator[Result]:
    """One run; each round has all variants."""
    programs = build(context.build, "stretto_programs", "thread_rates")
    mpi = find_mpi(mpiexec_of(context.build))
    file = context.output / f"thread-rates-{mpi.family}.jsonl"
    file.unlink(missing_ok=True)
    arguments = (str(file), str(context.repetitions(_ROUNDS)), str(_MESSAGES))
    with emulated_cluster(EmulatedNetwork(_HOSTS, context.options.rate)) as cluster:
        ended = cluster.run(mpi, Job(programs / "thread_rates", arguments, _RANKS))
    if ended.status != 0:
        raise RunError(f"thread_rates ended with {ended.status}:\n{ended.stderr[-2000:]}")
    rows = read_samples(file).rows.sort("round")
    times = {
        name: rows.filter(pl.col("quantity") == name)["time_s"].to_numpy()
        for name in ("stretto-1", "stretto-8", "mpi-1", "mpi-8")
    }
    rates = [(name, f"{_MESSAGES / 1e3 / np.median(one):.0f}") for name, one in times.items()]
    yield Table("8-byte messages to eight ranks", ("threads", "thousands per second"), rates)
    gains, bounds = (times[f"{what}-1"] / times[f"{what}-8"] for what in ("stretto", "mpi"))
    gain, bound = (ratio_of_medians(times[f"{what}-1"], times[f"{what}-8"]) for what in ("stretto", "mpi"))
    of_bound = ratio_of_medians(np.minimum(gains, _TARGET) / np.minimum(bounds, _TARGET), np.ones(len(gains)))
    yield Checks(
        f"Eight threads over one, {_HOSTS} hosts: {mpi.family} {mpi.version}",
        [
            Check("plain MPI, a communicator for each thread", "one thread", bound, None),
            Check("the runtime, a context for each thread", "one thread", gain, None),
            Check("the same, round by round", f"plain MPI's, or {_TARGET:g}", of_bound, 1.0, at_least=True),
        ],
    )
