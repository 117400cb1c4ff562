# SPDX-License-Identifier: BSD-3-Clause
"""What recording costs applications as Debian ships them, with Debian's Open MPI.

Each is run with and without the recorder, interleaved. The time is that of a rank, from start to end, so
that the launcher's own counts with neither.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.harness.builds import ROOT
from bench.harness.checks import Check, Checks, Result, ratio_of_medians
from bench.harness.runner import Context
from stretto.errors import RunError
from validation.commands import STRETTO

MPIEXEC = Path("/usr/bin/mpiexec.openmpi")
_COMPILER = "/usr/bin/mpicxx.openmpi"
RECORDER = ROOT / "build" / "recorder-usr-bin-mpicxx.openmpi"
"""An optimised one; the build for tests is not."""
REPETITIONS = 7
_TARGET = 1.05
_TIMED = """#!/bin/sh
begin=$(date +%s%N)
"$@" || exit $?
end=$(date +%s%N)
echo $((end - begin)) >> "$STRETTO_RANK_TIMES"
"""
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


# Larger inputs of the same programs, so that a run takes some seconds.
_LARGER: Mapping[str, Mapping[str, Sequence[tuple[str, str]]]] = {
    "lmp": {"in.lj": (("box block 0 6 0 6 0 6", "box block 0 16 0 16 0 16"), ("run 40", "run 200"))},
    "pw.x": {"si.in": (("ecutwfc=12.0", "ecutwfc=40.0"), ("2 2 2 1 1 1", "4 4 4 1 1 1"))},
    "hpcc": {"hpccinf.txt": (("200 ", "1500 "),)},
}


def root_environment() -> dict[str, str]:
    """The environment of an Open MPI that root may run."""
    names = ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMP_NUM_THREADS")
    return {name: value for name, value in os.environ.items() if name != "STRETTO_BUILD"} | dict.fromkeys(
        names, "1"
    )


def make_recorder() -> None:
    """Builds the recorder for Debian's Open MPI."""
    subprocess.run(["make", "recorder"], cwd=ROOT, check=True, env={**os.environ, "MPI": _COMPILER})


def run(context: Context) -> Iterator[Result]:
    """Runs each application, with and without the recorder, interleaved.

    Raises:
        RunError: one is not installed, or failed.
    """
    make_recorder()
    checks = []
    for name, application in APPLICATIONS.items():
        if shutil.which(name) is None:
            raise RunError(f"no {name}: apt-get install {application.package}")
        with TemporaryDirectory() as made:
            directory = Path(made)
            application.prepare(directory)
            for file, changes in _LARGER[name].items():
                text = (directory / file).read_text()
                for before, after in changes:
                    text = text.replace(before, after)
                (directory / file).write_text(text)
            plain, recorded = [], []
            for turn in range(context.repetitions(REPETITIONS)):
                plain.append(_rank_s(application, directory, None))
                recorded.append(_rank_s(application, directory, directory / f"trace-{turn}"))
        ratio = ratio_of_medians(recorded, plain)
        checks.append(Check(f"{name}, time with the recorder", "without", ratio, _TARGET))
    yield Checks("Two ranks, Open MPI 4.1 of Debian, applications as Debian ships them", checks)


def _rank_s(application: Application, directory: Path, trace: Path | None) -> float:
    """Seconds of the longest rank of a run, recorded to `trace` if there is one."""
    timed, times = directory / "timed", directory / "times"
    timed.write_text(_TIMED)
    timed.chmod(0o755)
    times.unlink(missing_ok=True)
    launch = [MPIEXEC, "--oversubscribe", "-n", "2", timed, *application.command]
    recorder = [STRETTO, "trace", "-o", trace, "--"] if trace else []
    done = subprocess.run(
        list(map(str, [*recorder, *launch])), cwd=directory, capture_output=True, text=True, check=False,
        env=root_environment() | {"STRETTO_RANK_TIMES": str(times), "STRETTO_BUILD": str(RECORDER)},
    )  # fmt: skip
    if done.returncode != 0:
        raise RunError(f"{application.command[0]} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    application.result(directory, done.stdout)
    return max(int(line) for line in times.read_text().split()) * 1e-9
