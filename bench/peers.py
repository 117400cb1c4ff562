# SPDX-License-Identifier: BSD-3-Clause
"""Products beside PETSc's and transforms beside FFTW-MPI's on one node, one program with each.

Beside mpi4py-fft's transforms, too: a program of its own, in a Python environment of its own, that runs
before and after ours. What tests run of this MPI is not optimised: the programs have a build of their own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
from checks import Check

from stretto.data.samples import read_samples
from stretto.model.statistics import DEFAULT_SEED, Estimate, Floats, bootstrap_medians, interval

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "peers"
PYTHON = ROOT / "build" / "peers-python" / "bin" / "python"
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
    subprocess.run([ROOT / "scripts" / "native", "peers", "configure"], check=True)
    command = ["cmake", "--build", str(BUILD), "--target", "spmv_petsc", "fft_fftw_mpi"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    if not PYTHON.is_file():
        subprocess.run([sys.executable, "-m", "venv", PYTHON.parents[1]], check=True)
    packages = ("numpy", "mpi4py", "mpi4py-fft")
    subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", *packages], check=True)


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
    python_s = _mpi4py_s(rounds)
    rows = _rows("fft_fftw_mpi", output, str(rounds), str(ORDER))
    python_s = [*python_s, *_mpi4py_s(rounds)][::2]
    for order, asked in _ASKED.items():
        here = rows.filter(pl.col("probe") == f"fft-{order}")
        yield (
            f"Transforms of {ORDER}^3, {order} order",
            [Check("stretto, time", "fftw-mpi", _ratio(here, "stretto", "fftw-mpi"), asked)],
        )
    transposed = rows.filter(pl.col("probe") == "fft-transposed")
    found = _quotient(_each_s(transposed, "stretto"), np.array(python_s))
    yield (
        f"Transforms of {ORDER}^3, transposed order; mpi4py-fft {1e3 * float(np.median(python_s)):.0f} ms",
        [Check("stretto, time", "mpi4py-fft", found, 1.0)],
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
    return _quotient(_each_s(rows, ours), _each_s(rows, peer))


def _each_s(rows: pl.DataFrame, name: str) -> Floats:
    """Seconds of one product or transform, by round."""
    one = rows.filter(pl.col("quantity") == name).sort("round")
    each_s: Floats = (one["time_s"] / one["messages"]).to_numpy()
    return each_s


def _quotient(above_s: Floats, below_s: Floats) -> Estimate:
    found = bootstrap_medians(np.array([above_s, below_s]), DEFAULT_SEED)
    ratios = found.replicates[0] / found.replicates[1]
    return interval(float(found.value[0] / found.value[1]), ratios, len(above_s))


def _mpi4py_s(rounds: int) -> list[float]:
    """Seconds of a transform, by round."""
    program = [str(PYTHON), str(ROOT / "bench" / "fft_mpi4py.py"), str(ORDER), str(rounds)]
    done = subprocess.run([*START, *program], check=True, capture_output=True, text=True)
    times: list[float] = json.loads(done.stdout)
    return times
