# SPDX-License-Identifier: BSD-3-Clause
"""The line for a job script is one that stretto accepts: of the program's own MPI, quoted, with its variables."""

import shlex
from pathlib import Path

import pytest

from stretto.errors import UserError
from stretto.launch.application import Application
from stretto.launch.job_line import job_line, own_launcher
from stretto.launch.layout import Layout
from stretto.launch.mpi import MpiLibrary
from stretto.launch.mpi_command import mpi_command
from stretto.options.command_line import parsed
from stretto.options.run import RunRequest
from stretto.options.traces import PreloadRequest

_VERSIONS = {"mpich": "HYDRA build details:\n    Version: 5.0.2", "openmpi": "mpiexec (OpenRTE) 4.1.4"}


def tool(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
    path.chmod(0o700)
    return path


class Machine:
    """MPICH's mpiexec on PATH, Open MPI's elsewhere, and a program of Open MPI."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        mpich = tool(root / "bin" / "mpiexec", f"echo '{_VERSIONS['mpich']}'")
        open_mpi = tool(root / "opt" / "bin" / "mpiexec.openmpi", f"echo '{_VERSIONS['openmpi']}'")
        self.mpich = MpiLibrary("mpich", "5.0.2", mpich)
        self.open_mpi = MpiLibrary("openmpi", "4.1.4", open_mpi)
        for program, library in (("lmp", "libmpi.so.40"), ("app", "libmpi.so.12")):
            (root / "bin" / program).write_bytes(b"\x7fELF" + library.encode())
            (root / "bin" / program).chmod(0o700)
        tool(root / "bin" / "ldd", 'echo "$(tail -c +5 $1) => /usr/lib/$(tail -c +5 $1) (0x1)"')
        monkeypatch.setenv("PATH", f"{root / 'bin'}:{root / 'opt' / 'bin'}:/bin:/usr/bin")


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


def accepted(line: str) -> MpiLibrary:
    """What `stretto preload` reads of the line; it raises where the line is refused."""
    words = [word for word in shlex.split(line) if "=" not in word or word.startswith("-")]
    assert words[:2] == ["stretto", "preload"]
    request = parsed(PreloadRequest, words[2:])
    return mpi_command(request.command, request.mpi, request.program).mpi


def test_the_ranks_are_started_by_the_programs_own_mpi(machine: Machine) -> None:
    """Debian's LAMMPS is of Open MPI, and the first mpiexec on PATH was MPICH's."""
    line = job_line(Application(("lmp", "-in", "in file"), ranks=2), machine.open_mpi, ["progress"], {})
    assert line == "stretto preload progress -- mpiexec.openmpi -n 2 lmp -in 'in file'"
    assert accepted(line).family == "openmpi"
    with pytest.raises(UserError, match="is of mpich, and the program is linked with openmpi"):
        accepted("stretto preload progress -- mpiexec -n 2 lmp")
    assert own_launcher(machine.mpich) == "mpiexec"
    assert own_launcher(MpiLibrary("openmpi", "5.0.11", Path("/far/bin/mpiexec"))) == "/far/bin/mpiexec"


def test_a_command_with_its_own_launcher_stays_as_it_is(machine: Machine) -> None:
    words = ("numactl", "-N0", "mpiexec", "-genv", "A", "true", "-n", "2", "app", "$HOME", "a;b")
    tool(machine.mpich.mpiexec.parent / "numactl", "")
    line = job_line(
        Application(words), machine.mpich, ["progress", "collectives"], {"STRETTO_PROFILE": "/p q"}
    )
    assert line.startswith("STRETTO_PROFILE='/p q' stretto preload progress,collectives -- numactl")
    assert shlex.split(line)[-len(words) :] == list(words)
    assert accepted(line).family == "mpich"


def test_open_mpi_passes_the_variables_on(machine: Machine) -> None:
    words = ("mpiexec.openmpi", "-n", "1", "lmp", ":", "-n", "1", "lmp")
    variables = {"UCX_TLS": "tcp", "OMPI_MCA_pml": "ucx"}
    line = job_line(Application(words), machine.open_mpi, [], variables, exported=True)
    assert line == "mpiexec.openmpi -x UCX_TLS -n 1 lmp : -x UCX_TLS -n 1 lmp"


def test_what_the_user_has_named_is_named_again(machine: Machine) -> None:
    words = ("mpiexec", "--new", "true", "-n", "2", "./wrap", "app")
    named = Application(words, mpi="mpich", program="app")
    line = job_line(named, machine.mpich, ["progress"], {})
    assert line.startswith("stretto preload progress --mpi mpich --program app -- mpiexec --new")
    assert accepted(line).family == "mpich"


def test_ranks_on_named_nodes_are_started_there_again(machine: Machine) -> None:
    layout = Layout(Path("my hosts"), 2, None)
    line = job_line(Application(("app", "-n", "9"), 4, layout=layout), machine.mpich, ["progress"], {})
    assert line == (
        "stretto run -n 4 --hostfile 'my hosts' --ranks-per-node 2 --preload progress -- app -n 9"
    )
    request = parsed(RunRequest, shlex.split(line)[2:])
    assert request.ranks == 4 and request.command == ("app", "-n", "9")
