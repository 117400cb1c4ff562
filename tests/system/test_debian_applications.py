# SPDX-License-Identifier: BSD-3-Clause
"""Applications as Debian ships them, recorded unmodified: the same results, and a first sentence about them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from test_memory import BIN

from stretto.errors import UserError
from stretto.native.programs import native_library

MPIEXEC = Path("/usr/bin/mpiexec.openmpi")
LAMMPS = """units lj
atom_style atomic
lattice fcc 0.8442
region box block 0 6 0 6 0 6
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 3.0 87287 loop geom
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0 2.5
neighbor 0.3 bin
neigh_modify every 20 delay 0 check no
fix 1 all nve
thermo 10
run 40
"""
PSEUDOPOTENTIAL = """&input
 title='Si', zed=14., rel=0, config='[Ne] 3s2 3p2 3d-2', iswitch=3, dft='PZ'
/
&inputp
 lloc=1, pseudotype=1, file_pseudopw='Si.UPF', tm=.true.
/
3
3S  1  0  2.00  0.00  2.10  2.10  0.0
3D  3  2 -2.00  0.15  2.10  2.10  0.0
3P  2  1  2.00  0.00  2.10  2.10  0.0
"""
SILICON = """&control
 calculation='scf', prefix='si', pseudo_dir='./', outdir='./out'
/
&system
 ibrav=2, celldm(1)=10.2, nat=2, ntyp=1, ecutwfc=12.0
/
&electrons
 conv_thr=1.0d-8
/
ATOMIC_SPECIES
 Si 28.086 Si.UPF
ATOMIC_POSITIONS alat
 Si 0.0 0.0 0.0
 Si 0.25 0.25 0.25
K_POINTS automatic
 2 2 2 1 1 1
"""
_HPCC = Path("/usr/share/doc/hpcc/examples/_hpccinf.txt")


@dataclass(frozen=True)
class Application:
    """A program of Debian's, its input, and what of its output is the same in each run."""

    package: str
    command: tuple[str, ...]
    prepare: Callable[[Path], None]
    result: Callable[[Path, str], object]


def _lammps(directory: Path) -> None:
    (directory / "in.lj").write_text(LAMMPS)


def _silicon(directory: Path) -> None:
    (directory / "si.in").write_text(SILICON)
    subprocess.run(
        ["ld1.x"], input=PSEUDOPOTENTIAL, text=True, cwd=directory, check=True, capture_output=True
    )


def _hpcc(directory: Path) -> None:
    lines = _HPCC.read_text().splitlines()
    for number, value in ((5, "200"), (7, "40"), (10, "1"), (11, "2")):
        lines[number] = f"{value} "
    (directory / "hpccinf.txt").write_text("\n".join(lines) + "\n")


def _hpcc_result(directory: Path, _: str) -> list[str]:
    output = directory / "hpccoutf.txt"
    lines = re.findall(
        r"^(?:Success|.*_residual|HPL_N|PTRANS_n)=\S+|PASSED$", output.read_text(), re.MULTILINE
    )
    output.unlink()  # a second run would add to it
    return lines


APPLICATIONS = {
    "lmp": Application(
        "lammps",
        ("lmp", "-in", "in.lj", "-log", "none"),
        _lammps,
        lambda _, output: re.findall(r"^\s+\d+ +[-\d.]+ +[-\d.]+ .*$", output, re.MULTILINE),
    ),
    "pw.x": Application(
        "quantum-espresso",
        ("pw.x", "-in", "si.in"),
        _silicon,
        lambda _, output: re.findall(r"^!.*total energy.*$", output, re.MULTILINE),
    ),
    "hpcc": Application(
        "hpcc",
        ("hpcc",),
        _hpcc,
        _hpcc_result,
    ),
}


def has_no_recorder() -> bool:
    try:
        native_library("libstretto_trace.so", "openmpi", MPIEXEC)
    except UserError:
        return True
    return False


pytestmark = [
    pytest.mark.every_mpi,
    pytest.mark.skipif(
        has_no_recorder(),
        reason="NO RECORDER FOR DEBIAN'S OPEN MPI: its applications are not tested; "
        "MPI=/usr/bin/mpicxx.openmpi make recorder",
    ),
]


def run(directory: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    root = dict.fromkeys(("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMP_NUM_THREADS"), "1")
    env = {name: value for name, value in os.environ.items() if name != "STRETTO_BUILD"} | root
    done = subprocess.run(
        list(map(str, command)),
        cwd=directory,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env=env,
    )
    assert done.returncode == 0, done.stderr
    return done


@pytest.mark.parametrize("name", APPLICATIONS)
def test_an_application_has_the_same_results_and_a_first_sentence(name: str, tmp_path: Path) -> None:
    application = APPLICATIONS[name]
    if shutil.which(name) is None:
        pytest.skip(f"NO {name}: it is not tested; apt-get install {application.package}")
    application.prepare(tmp_path)
    launch = (MPIEXEC, "--oversubscribe", "-n", "2", *application.command)
    plain = application.result(tmp_path, run(tmp_path, *launch).stdout)
    traced = run(tmp_path, BIN / "stretto", "trace", "-o", tmp_path / "trace", "--", *launch)
    assert plain and application.result(tmp_path, traced.stdout) == plain
    found = json.loads(run(tmp_path, BIN / "stretto", "potential", tmp_path / "trace", "--json").stdout)
    time, parts = found["time"], ("transfer_s", "late_s", "progress_s", "cores_s")
    assert 0 < time["communication_s"] < time["run_s"]
    assert sum(time[part] for part in parts) == pytest.approx(time["communication_s"])
    if name == "lmp":  # its library has dynamic symbols, and no debug information
        places = [wait["where"] for wait in found["waits"]]
        assert any("CommBrick::forward_comm <- LAMMPS_NS::Verlet::run" in place for place in places)
        assert not any(re.fullmatch(r"liblammps\.so\.0\+0x\w+", place) for place in places)
