# SPDX-License-Identifier: BSD-3-Clause
"""Calls of the runtime on one node, compared with MPI's and with memory copies (runtime_calls.cpp)."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator

import numpy as np
import polars as pl

from bench.harness.builds import build, launcher, shown
from bench.harness.checks import Check, Checks, Result
from bench.harness.runner import Context
from stretto.data.samples import Samples, read_samples
from stretto.model.statistics import DEFAULT_SEED, Estimate, bootstrap_medians, interval

ROUNDS = 200
_NANO = 1e9


def run(context: Context) -> Iterator[Result]:
    """One run of all cases, whose variants are interleaved within each round."""
    program = build(context.build, "runtime_calls") / "runtime_calls"
    start = launcher(context.build, 2)
    file = context.output / "samples.jsonl"
    file.unlink(missing_ok=True)
    subprocess.run([*start, str(program), str(file), str(ROUNDS)], check=True)
    yield Checks(f"One node, {shown(start)}", _checks(read_samples(file)))


def _checks(samples: Samples) -> list[Check]:
    rows = samples.rows
    quarter = 0.25 if samples.header.mpi.family == "mpich" else 1.0
    mpi = samples.header.mpi.library.split(",")[0][:24]
    return [
        Check("8 B put + fence, time", f"mpi-rma, {mpi}", _ratio(rows, "put-fence", 8, "mpi-rma"), quarter),
        Check(
            "1 MiB put + fence, bandwidth",
            "memcpy",
            _ratio(rows, "put-fence", 1 << 20, "memcpy", inverse=True),
            0.95,
            True,
        ),
        *(
            Check(
                "1024 x 8 B strided put + fence, times faster",
                f"MPI vector, {window} window",
                _ratio(rows, "strided-put-fence", 8192, f"mpi-vector-{window}", inverse=True),
                bound,
                True,
            )
            for window, bound in (("created", 5.0), ("allocated", 1.0))
        ),
        Check("8 B get + wait over the raw path, ns", "memcpy", _excess(rows, "", "memcpy"), 100),
        Check(
            "8 B get + wait over the raw path, ns", "MPI_Get + flush", _excess(rows, "-rma", "mpi-rma"), 100
        ),
    ]


def _each_s(rows: pl.DataFrame, probe: str, size: int, peer: str) -> tuple[np.ndarray, np.ndarray, int]:
    """Seconds per call of stretto and of the peer: medians and their replicates, from paired rounds."""
    here = rows.filter((pl.col("probe") == probe) & (pl.col("size_bytes") == size)).sort("round")
    each = [
        (one["time_s"] / one["messages"]).to_numpy()
        for one in (here.filter(pl.col("quantity") == name) for name in ("stretto", peer))
    ]
    result = bootstrap_medians(np.array(each), DEFAULT_SEED)
    return result.value, result.replicates, len(each[0])


def _ratio(rows: pl.DataFrame, probe: str, size: int, peer: str, inverse: bool = False) -> Estimate:
    value, replicates, n = _each_s(rows, probe, size, peer)
    above, below = (1, 0) if inverse else (0, 1)
    return interval(float(value[above] / value[below]), replicates[above] / replicates[below], n)


def _excess(rows: pl.DataFrame, path: str, peer: str) -> Estimate:
    value, replicates, n = _each_s(rows, f"nonblocking-get-wait{path}", 8, peer)
    return interval(_NANO * float(value[0] - value[1]), _NANO * (replicates[0] - replicates[1]), n)
