# SPDX-License-Identifier: BSD-3-Clause
"""The sizes that the progress library's wrappers give to the requests that they count."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wrappers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The text of each C wrapper, for a header that declares the calls of the test."""
    directory = tmp_path_factory.mktemp("wrappers")
    header, output = directory / "mpi.h", directory / "wrappers.cpp"
    names = ("Isend", "Irecv", "Ibcast", "Ireduce", "Iallgather", "Iallreduce", "Igather", "Ibarrier")
    header.write_text("".join(f"int MPI_{name}(int);\n" for name in names), encoding="utf-8")
    script, described = ROOT / "src/progress/generate_wrappers.py", str(ROOT / "src/interpose")
    environment = {**os.environ, "PYTHONPATH": described}
    subprocess.run([sys.executable, script, header, output], env=environment, check=True)
    texts = output.read_text(encoding="utf-8").split('extern "C" STRETTO_WRAPPED int MPI_')[1:]
    return {text.split("(")[0]: text for text in texts}


@pytest.mark.parametrize(
    ("call", "kind", "size"),
    [
        ("Isend", "message", "bytes_of(a1, a2)"),
        ("Irecv", "message", "bytes_of(a1, a2)"),
        ("Iallreduce", "steps", "bytes_of(a2, a3)"),
        ("Iallgather", "steps", "bytes_of_all(a4, a5, a6)"),
        ("Ibcast", "steps", "bytes_with_root(a1, a2, a4)"),
        ("Ireduce", "steps", "bytes_with_root(a2, a3, a6)"),
    ],
)
def test_a_request_has_a_kind_and_the_size_of_what_it_receives(
    wrappers: dict[str, str], call: str, kind: str, size: str
) -> None:
    """Between two groups, a collective with a root may have arguments that MPI ignores."""
    assert f"Starting guard(Activity::Kind::{kind}, [&] {{ return {size}; }}" in wrappers[call]


@pytest.mark.parametrize("call", ["Igather", "Ibarrier"])
def test_a_request_of_unknown_size_needs_progress(wrappers: dict[str, str], call: str) -> None:
    assert "Starting guard(Activity::Kind::steps, any_size, no_note)" in wrappers[call]
