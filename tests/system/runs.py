# SPDX-License-Identifier: BSD-3-Clause
"""Runs in separate processes, and checks of the processes and files that they leave."""

import os
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from stretto.launch import linux
from stretto.launch.mpi import MpiLibrary, installed_mpis

PACKAGE_ROOT = Path(__file__).resolve().parents[2] / "python"
TIMEOUT_S = 30.0  # generous limit for events that must happen


def _parameter(mpi: MpiLibrary) -> ParameterSet:
    """A test under this MPI: the embedded one, the other wheel, or another one of this machine."""
    if mpi.mpiexec.is_relative_to(sys.prefix):
        marks: tuple[pytest.MarkDecorator, ...] = ()
    elif mpi.mpiexec.is_relative_to(PACKAGE_ROOT.parent / ".mpi"):
        marks = (pytest.mark.every_mpi,)
    else:
        marks = (pytest.mark.every_mpi, pytest.mark.matrix)
    return pytest.param(mpi, id=f"{mpi.family}-{mpi.version}", marks=marks)


MPIS = [_parameter(mpi) for mpi in installed_mpis()] or [
    pytest.param(
        None,
        id="no-mpi",
        marks=pytest.mark.skip(reason="NO MPI FOUND: nothing here is tested; make test installs two"),
    )
]
needs_namespaces = pytest.mark.skipif(
    not linux.may_make_namespaces(),
    reason="NO RIGHT TO MAKE NAMESPACES: the emulated cluster is not tested; be root",
)


class Run:
    """A separate stretto that runs `code`; a mark in the environment identifies all its processes."""

    def __init__(self, code: str, tmp_path: Path) -> None:
        self.mark = f"STRETTO_TEST_RUN={uuid.uuid4().hex}"
        name, value = self.mark.split("=")
        environment = {**os.environ, name: value, "PYTHONPATH": str(PACKAGE_ROOT), "TMPDIR": str(tmp_path)}
        self.temporary = tmp_path
        self.process = subprocess.Popen(
            [sys.executable, "-c", code],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def processes(self) -> dict[int, str]:
        """The command lines of all marked processes in all namespaces, by id."""
        result = {}
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                if self.mark.encode() in Path(f"/proc/{entry}/environ").read_bytes().split(b"\0"):
                    line = Path(f"/proc/{entry}/cmdline").read_bytes().replace(b"\0", b" ").decode()
                    result[int(entry)] = line.strip()
            except OSError:
                continue
        return {pid: line for pid, line in result.items() if line}

    def ranks(self, program: str) -> list[int]:
        """The ids of the processes that run `program`."""
        return [pid for pid, line in self.processes().items() if line.split()[0].endswith(program)]

    def assert_nothing_left(self) -> None:
        eventually(lambda: not self.processes(), lambda: f"still there: {self.processes()}")
        assert list(self.temporary.iterdir()) == []


@contextmanager
def running(code: str, tmp_path: Path) -> Iterator[Run]:
    """A Run that also ends when its test fails."""
    temporary = tmp_path / "tmp"
    temporary.mkdir(exist_ok=True)
    run = Run(code, temporary)
    try:
        yield run
    finally:
        run.process.kill()
        run.process.communicate()
        for pid in run.processes():
            os.kill(pid, 9)


def eventually(holds: Callable[[], bool], otherwise: Callable[[], str]) -> None:
    """Waits until `holds`; fails with the message of `otherwise` after the timeout."""
    give_up = time.monotonic() + TIMEOUT_S
    while not holds():
        assert time.monotonic() < give_up, otherwise()
        time.sleep(0.02)


def process_ends(process: int) -> None:
    """Waits for the end of a process: a launcher may end before its ranks, and what adopts them may be late."""

    def has_ended() -> bool:
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        return state in "XZ"

    eventually(has_ended, lambda: f"process {process} is left")


def mpi_code(mpi: MpiLibrary) -> str:
    """Python code that constructs `mpi` in a separate stretto."""
    return f"from pathlib import Path, PosixPath\nfrom stretto.launch.mpi import MpiLibrary\nmpi = {mpi!r}\n"
