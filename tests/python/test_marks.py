# SPDX-License-Identifier: BSD-3-Clause
"""The mark `matrix_but`: which tests of an MPI others represent."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TESTS = """import pytest

@pytest.fixture(params=["mpich", pytest.param("openmpi", marks=pytest.mark.every_mpi)])
def preset(request):
    return request.param

@pytest.mark.matrix_but("openmpi", ranks=[2], mode=["a"])
@pytest.mark.matrix_but("mpich", ranks=[1, 2])
@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("mode", ["a", "b"])
def test_some(preset, ranks, mode):
    pass

@pytest.mark.matrix_but("openmpi")
def test_one(preset):
    pass

def test_of_none():
    pass
"""


def collected(directory: Path, tests: str) -> subprocess.CompletedProcess[str]:
    (directory / "test_marked.py").write_text(tests, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.conftest",
        "-c",
        str(ROOT / "pyproject.toml"),
        "-q",
    ]
    command += [f"--rootdir={directory}", "--collect-only", "-m", "not matrix", str(directory)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd=ROOT)


def test_others_represent_the_tests_of_an_mpi(tmp_path: Path) -> None:
    done = collected(tmp_path, TESTS)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [line.partition("::")[2] for line in done.stdout.splitlines() if "::" in line] == [
        "test_some[mpich-a-1]",
        "test_some[mpich-a-2]",
        "test_some[mpich-b-1]",
        "test_some[mpich-b-2]",
        "test_some[openmpi-a-2]",
        "test_one[mpich]",
        "test_of_none",
    ]


def test_a_parameter_that_the_test_lacks_is_refused(tmp_path: Path) -> None:
    done = collected(tmp_path, TESTS.replace("ranks=[2]", "rank=[2]"))
    assert done.returncode not in (0, pytest.ExitCode.NO_TESTS_COLLECTED)
    assert "test_some[mpich-a-1]: matrix_but names rank, which is no parameter" in done.stdout + done.stderr
