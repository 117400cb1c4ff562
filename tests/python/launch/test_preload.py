# SPDX-License-Identifier: BSD-3-Clause
"""Programs under `stretto trace` and `stretto preload`: their MPI, and their end."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from stretto.errors import RunError, UserError
from stretto.launch import mpi, mpi_command, preload
from stretto.launch.mpi import MpiLibrary
from stretto.launch.mpiexec import Launch
from stretto.launch.preload import preload_variables, run_preloaded

CODE = """
from stretto.launch.mpiexec import Launch
from stretto.launch.preload import run_preloaded
run_preloaded(Launch(("sh", "-c", "echo $$; exec sleep 60"), {}))
"""


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


def test_a_program_ends_with_the_one_that_runs_it_in_every_case() -> None:
    with subprocess.Popen([sys.executable, "-c", CODE], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        program = int(parent.stdout.readline())
        assert is_running(program)
        parent.kill()
    last = time.monotonic() + 20
    while is_running(program) and time.monotonic() < last:
        time.sleep(0.02)
    assert not is_running(program)


def test_a_program_that_ignores_the_request_to_end_is_ended_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(preload, "_GRACE_S", 0.2)
    stubborn = Launch(("sh", "-c", "trap '' TERM; exec sleep 60"), {})
    began = time.monotonic()
    with pytest.raises(RunError, match=r"--timeout 0\.3 s"):
        run_preloaded(stubborn, 0.3)
    assert time.monotonic() - began < 30


@pytest.mark.parametrize("name", [None, "openmpi"])
def test_of_several_open_mpis_the_programs_own_starts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str | None
) -> None:
    """A program of Open MPI 5 under the launcher of Open MPI 4 never ended."""
    other = MpiLibrary("openmpi", "4.1.4", tmp_path / "usr/bin/mpiexec")
    own = MpiLibrary("openmpi", "5.0.11", tmp_path / "opt/bin/mpiexec")
    for module in (mpi, mpi_command):
        monkeypatch.setattr(module, "installed_mpis", lambda: iter([other, own]))
    program = tmp_path / "app"
    program.write_bytes(b"\x7fELF")
    program.chmod(0o700)
    ldd = tmp_path / "ldd"
    ldd.write_text(f"#!/bin/sh\necho 'libmpi.so.40 => {tmp_path}/opt/lib/libmpi.so.40 (0x1)'\n")
    ldd.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert mpi_command.mpi_program([str(program)], name).mpi == own
    assert mpi_command.mpi_command([str(program)], name).mpi == own


def test_a_file_that_cannot_be_executed_is_not_missing(tmp_path: Path) -> None:
    (tmp_path / "app").write_text("data")
    for command, what in ((tmp_path / "app", "is not executable"), (tmp_path / "none", "no such command")):
        with pytest.raises(UserError, match=what):
            mpi_command.mpi_program([str(command)], None)
    with pytest.raises(UserError, match="'': no such command"):
        mpi_command.mpi_command([""], None)


@pytest.mark.parametrize("name", ["with blanks", "co:lon", "$ORIGIN"])
def test_a_library_that_the_loader_cannot_name_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The loader would preload nothing, and `gain` compare two equal programs."""
    build = tmp_path / name
    (build / "lib").mkdir(parents=True)
    (build / "lib/libstretto_progress.so").touch()
    monkeypatch.setattr("stretto.launch.preload.native_library", lambda file, *_: build / "lib" / file)
    with pytest.raises(UserError, match="whose path has a blank"):
        preload_variables(["progress"], MpiLibrary("mpich", "5.0.2", tmp_path / "mpiexec"))
    assert preload_variables([], MpiLibrary("mpich", "5.0.2", tmp_path / "mpiexec")) == {}
