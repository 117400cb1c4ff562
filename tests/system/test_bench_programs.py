# SPDX-License-Identifier: BSD-3-Clause
"""All programs that are measured, and those of peers, compile: `make bench` builds each only when it is asked for."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PEERS = (Path("/usr/lib/petsc/include/petscmat.h"), Path("/usr/include/fftw3-mpi.h"))
pytestmark = [pytest.mark.matrix, pytest.mark.slow]


def test_those_for_the_embedded_mpi() -> None:
    _build("mpich")


@pytest.mark.skipif(
    not all(file.is_file() for file in PEERS),
    reason="NO PETSC OR FFTW-MPI: programs against them are not built; run scripts/system-packages peers",
)
def test_those_against_peers() -> None:
    _build("peers")


def _build(preset: str) -> None:
    subprocess.run([ROOT / "scripts/native", preset, "configure"], check=True)
    done = subprocess.run(
        ["cmake", "--build", ROOT / "build" / preset, "--target", "bench_programs"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
