# SPDX-License-Identifier: BSD-3-Clause
"""Products beside PETSc's and transforms beside FFTW-MPI's on one node, one program with each (openmpi4)."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
from checks import Check

from stretto.data.samples import read_samples
from stretto.model.statistics import DEFAULT_SEED, Estimate, bootstrap_medians, interval

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "openmpi4"
START = ("mpiexec.openmpi", "--allow-run-as-root", "--oversubscribe", "-n", "2")
SCALES = ("1", "20")
ORDER = 256
_ASKED = {"natural": 0.6, "transposed": 0.75}


def missing() -> str:
    """Why these cannot run here; empty: they can."""
    needed = (Path("/usr/lib/petsc/include/petscmat.h"), Path("/usr/include/fftw3-mpi.h"))
    gone = [str(file) for file in needed if not file.is_file()]
    return f"no {', '.join(gone)}; run scripts/system-packages peers" if gone else ""


def build() -> None:
    """Builds both programs for the MPI that the system has its libraries for."""
    subprocess.run([ROOT / "scripts" / "native", "openmpi4", "configure"], check=True)
    command = ["cmake", "--build", str(BUILD), "--target", "spmv_petsc", "fft_fftw_mpi"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def run(output: Path, rounds: int) -> Iterator[tuple[str, list[Check]]]:
    """Titles and checks, as they come."""
    rows = _rows("spmv_petsc", output, str(rounds), *SCALES)
    for scale in SCALES:
        here = rows.filter(pl.col("scale") == int(scale))
        yield (
            f"Products, av41092-like times {scale}",
            [
                Check(f"{ours}, time", peer, _ratio(here, ours, peer), 1.0)
                for ours in ("signalled", "vector")
                for peer in ("petsc-basic", "petsc-window")
            ],
        )
    rows = _rows("fft_fftw_mpi", output, str(rounds), str(ORDER))
    for order, asked in _ASKED.items():
        here = rows.filter(pl.col("probe") == f"fft-{order}")
        yield (
            f"Transforms of {ORDER}^3, {order} order",
            [Check("stretto, time", "fftw-mpi", _ratio(here, "stretto", "fftw-mpi"), asked)],
        )


def _rows(program: str, output: Path, *arguments: str) -> pl.DataFrame:
    file = output / f"{program}.jsonl"
    subprocess.run([*START, str(BUILD / "bin" / program), str(file), *arguments], check=True)
    rows = read_samples(file).rows
    print(f"\n# {program}: medians in ms")
    for (case, quantity), some in rows.group_by("case", "quantity", maintain_order=True):
        each = (some["time_s"] / some["messages"]).to_numpy()
        print(f"#   {some['probe'][0]} {case} {quantity!s:14s} {1e3 * float(np.median(each)):10.3f}")
    return rows


def _ratio(rows: pl.DataFrame, ours: str, peer: str) -> Estimate:
    """Ours over the peer's: medians of paired rounds."""
    each = [
        (one["time_s"] / one["messages"]).to_numpy()
        for one in (rows.filter(pl.col("quantity") == name).sort("round") for name in (ours, peer))
    ]
    found = bootstrap_medians(np.array(each), DEFAULT_SEED)
    return interval(
        float(found.value[0] / found.value[1]), found.replicates[0] / found.replicates[1], len(each[0])
    )
