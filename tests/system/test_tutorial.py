# SPDX-License-Identifier: BSD-3-Clause
"""The tutorial holds what it shows: its programs are compiled, and every command of it is run, in its order."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from processes import completed

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
BIN = Path(sys.executable).parent
BUILT = (ROOT / "build" / "mpich" / "bin" / "stretto-probe").is_file()
# Commands that take long or change the shell, and what the test runs instead.
INSTEAD = {
    "source .venv/bin/activate": "true",
    "stretto probe": "stretto probe latency overlap --sizes 64KiB:64KiB --rounds 3 --transport mpi-two-sided",
}
FORTRAN = shutil.which("mpifort.openmpi")


def files() -> dict[str, str]:
    """The programs that the page shows, by name."""
    names = re.findall(r"^```{literalinclude} tutorial/([\w.]+)$", PAGE, re.M)
    return {name: (ROOT / "docs" / "tutorial" / name).read_text(encoding="utf-8") for name in names}


def commands() -> Iterator[list[str]]:
    """The commands of each console block."""
    for block in re.findall(r"^```console\n(.*?)^```$", PAGE, re.M | re.S):
        yield [line.removeprefix("$ ") for line in block.splitlines()]


def run(command: str, directory: Path, environment: Mapping[str, str]) -> str:
    done = completed(
        ["bash", "-c", command], cwd=directory, env=environment, timeout=240, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def covered(table: str) -> list[float]:
    """The column `covered` of the four messages that `stretto potential` shows."""
    rows = re.findall(r"^ +(\d+) +(\d+) +[\d.]+ +[\d.]+ +([\d.]+) +[\d.]+$", table, re.M)
    return [float(share) for _, size, share in rows if int(size) > 1000]


@pytest.mark.slow
@pytest.mark.skipif(not BUILT, reason="NOT BUILT: the tutorial is not run; make setup")
def test_the_tutorial_in_c(tmp_path: Path) -> None:
    (tmp_path / "halo.c").write_text(files()["halo.c"], encoding="utf-8")
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    said = {}
    for block in commands():
        if not any("mpifort" in command for command in block):
            for command in block:
                said[command] = run(INSTEAD.get(command, command), tmp_path, environment)
    sums = {line for text in said.values() for line in text.splitlines() if line.startswith("halo: ")}
    assert len(sums) == 1, "every run prints the same sum"
    before, after = (
        said[f"stretto potential {run} --latency 2us --bandwidth 1GB/s"] for run in ("before", "after")
    )
    assert max(covered(before)) < 0.5
    assert min(covered(after)) > 0.5
    assert "halo.c:" in before
    assert (tmp_path / "halo.html").stat().st_size < 1_500_000


@pytest.mark.skipif(
    FORTRAN is None, reason="NO FORTRAN MPI: halo.f90 is not compiled; apt-get install libopenmpi-dev"
)
def test_the_program_in_fortran_has_the_result_of_that_in_c(tmp_path: Path) -> None:
    for name, text in files().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    start = "mpiexec.openmpi --allow-run-as-root --oversubscribe -n 2"
    sums = set()
    for wrapper, source in (
        ("mpifort.openmpi -Wall -Wextra -Werror", "halo.f90"),
        ("mpicc.openmpi", "halo.c"),
    ):
        run(f"{wrapper} -O2 -o halo {source}", tmp_path, os.environ)
        for how in ("", "overlap"):
            sums.add(float(run(f"{start} ./halo {how}", tmp_path, os.environ).split()[1]))
    assert len(sums) == 1


def test_every_command_of_the_page_is_run_or_replaced() -> None:
    known = [command for block in commands() for command in block]
    assert set(INSTEAD) <= set(known)
    assert {"halo.c", "halo.f90"} == set(files())
