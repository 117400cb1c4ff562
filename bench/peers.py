# SPDX-License-Identifier: BSD-3-Clause
"""Compares sparse products with PETSc's, and transforms with FFTW-MPI's and mpi4py-fft's, on one node.

PETSc and FFTW-MPI run in one program with stretto. mpi4py-fft runs before and after in its own Python
environment. The build `peers` is optimised, in contrast to that of the tests for the same MPI.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl

from bench.harness.builds import ROOT
from bench.harness.checks import Check, Checks, Result, Table, ratio_of_medians
from bench.harness.runner import Context, NotHereError
from stretto.data.samples import read_samples
from stretto.model.statistics import Estimate, Floats

BUILD = ROOT / "build" / "peers"
PYTHON = ROOT / "build" / "peers-python" / "bin" / "python"
START = ("mpiexec.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", "2")
SCALES = ("1", "20")
ORDER = 256
ROUNDS = 15
_TARGET = {"natural": 0.6, "transposed": 0.75}


def run(context: Context) -> Iterator[Result]:
    """Products, then transforms.

    Raises:
        NotHereError: the peers are not installed.
    """
    needed = (Path("/usr/lib/petsc/include/petscmat.h"), Path("/usr/include/fftw3-mpi.h"))
    if gone := [str(file) for file in needed if not file.is_file()]:
        raise NotHereError(f"no {', '.join(gone)}; run scripts/system-packages peers")
    _build()
    yield from _products(context)
    yield from _transforms(context)


def _build() -> None:
    """Builds both programs for the MPI of the system's libraries."""
    subprocess.run([ROOT / "scripts" / "native", "peers", "configure"], check=True)
    command = ["cmake", "--build", str(BUILD), "--target", "spmv_petsc", "fft_fftw_mpi"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    if not PYTHON.is_file():
        subprocess.run([sys.executable, "-m", "venv", PYTHON.parents[1]], check=True)
    packages = ("numpy", "mpi4py", "mpi4py-fft")
    subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", *packages], check=True)


def _products(context: Context) -> Iterator[Result]:
    rows = _rows("spmv_petsc", context, *SCALES)
    yield _medians("spmv_petsc", rows)
    for scale in SCALES:
        here = rows.filter(pl.col("scale") == int(scale))
        yield Checks(
            f"Products, av41092-like times {scale}",
            [
                Check(f"{ours}, time", peer, _ratio(here, ours, peer), 1.0)
                for ours in ("signalled", "vector")
                for peer in ("petsc-basic", "petsc-window")
            ],
        )


def _transforms(context: Context) -> Iterator[Result]:
    rounds = context.repetitions(ROUNDS)
    python_s = _mpi4py_s(rounds)
    rows = _rows("fft_fftw_mpi", context, str(ORDER))
    python_s = [*python_s, *_mpi4py_s(rounds)][::2]
    yield _medians("fft_fftw_mpi", rows)
    for order, target in _TARGET.items():
        here = rows.filter(pl.col("probe") == f"fft-{order}")
        yield Checks(
            f"Transforms of {ORDER}^3, {order} order",
            [Check("stretto, time", "fftw-mpi", _ratio(here, "stretto", "fftw-mpi"), target)],
        )
    transposed = rows.filter(pl.col("probe") == "fft-transposed")
    ratio = ratio_of_medians(_each_s(transposed, "stretto"), python_s)
    yield Checks(
        f"Transforms of {ORDER}^3, transposed order; mpi4py-fft {1e3 * float(np.median(python_s)):.0f} ms",
        [Check("stretto, time", "mpi4py-fft", ratio, 1.0)],
    )


def _rows(program: str, context: Context, *arguments: str) -> pl.DataFrame:
    file = context.output / f"{program}.jsonl"
    file.unlink(missing_ok=True)
    rounds = str(context.repetitions(ROUNDS))
    subprocess.run([*START, str(BUILD / "bin" / program), str(file), rounds, *arguments], check=True)
    return read_samples(file).rows


def _medians(program: str, rows: pl.DataFrame) -> Table:
    cells = []
    for (case, quantity), some in rows.group_by("case", "quantity", maintain_order=True):
        each = (some["time_s"] / some["messages"]).to_numpy()
        cells.append((some["probe"][0], str(case), str(quantity), f"{1e3 * float(np.median(each)):.3f}"))
    return Table(f"{program}: medians", ("probe", "case", "variant", "ms"), cells)


def _ratio(rows: pl.DataFrame, ours: str, peer: str) -> Estimate:
    return ratio_of_medians(_each_s(rows, ours), _each_s(rows, peer))


def _each_s(rows: pl.DataFrame, name: str) -> Floats:
    """Seconds of one product or transform, by round."""
    one = rows.filter(pl.col("quantity") == name).sort("round")
    each_s: Floats = (one["time_s"] / one["messages"]).to_numpy()
    return each_s


def _mpi4py_s(rounds: int) -> list[float]:
    """Seconds of a transform, by round."""
    program = [str(PYTHON), str(ROOT / "bench" / "fft_mpi4py.py"), str(ORDER), str(rounds)]
    done = subprocess.run([*START, *program], check=True, capture_output=True, text=True)
    times: list[float] = json.loads(done.stdout)
    return times
