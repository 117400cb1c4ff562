# SPDX-License-Identifier: BSD-3-Clause
"""Applications as Debian ships them, recorded unmodified: the same results, and a first sentence about them."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from processes import completed
from test_memory import BIN

from stretto.errors import UserError
from stretto.native.programs import native_library
from validation.applications import APPLICATIONS, MPIEXEC, root_environment


def has_no_recorder() -> bool:
    try:
        native_library("libstretto_trace.so", "openmpi", MPIEXEC)
    except UserError:
        return True
    return False


pytestmark = [
    pytest.mark.every_mpi,
    pytest.mark.matrix,
    pytest.mark.skipif(
        has_no_recorder(),
        reason="NO RECORDER FOR DEBIAN'S OPEN MPI: its applications are not tested; "
        "MPI=/usr/bin/mpicxx.openmpi make recorder",
    ),
]


def run(directory: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    done = completed(command, cwd=directory, timeout=600, env=root_environment())
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
