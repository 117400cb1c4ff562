# SPDX-License-Identifier: BSD-3-Clause
"""The launchers that are installed read a command line as stretto does."""

import os
import shlex
import shutil
import subprocess

import pytest
from runs import MPIS

from stretto.launch.command_line import read_command
from stretto.launch.mpi import MpiLibrary
from stretto.launch.mpiexec import open_mpi_env
from stretto.launch.preload import command_launch

LINES = {
    "mpich": [
        "-genv A true -n 1 {app}",
        "-genv A=true -n=1 {app}",
        "-genv A true -n 1 -env B node {app} : -n 1 env C=true {app}",
        "-genvlist HOME -bind-to none -ppn 2 -n 1 nice -n 1 {app}",
    ],
    "openmpi": [
        "-x A=true --map-by node --bind-to none -n 1 {app}",
        "--mca btl self,tcp --bind-to none -n 1 -- {app}",
        "--bind-to none --oversubscribe -x A=true -n 1 {app} : -n 1 env C=true {app}",
    ],
}


@pytest.mark.parametrize("mpi", MPIS)
def test_the_launcher_itself_starts_the_same_program(mpi: MpiLibrary) -> None:
    """The program prints its arguments, and a variable that stretto gives to every rank."""
    shell = shutil.which("sh") or "sh"
    # MPICH's mpiexec dies now and then by SIGPIPE where a program ends before its proxy is set up.
    program = (shell, "-c", 'sleep 0.3; echo "$* $GIVEN"', "-n", "100", "true")
    for words in LINES[mpi.family]:
        line = read_command([str(mpi.mpiexec), *shlex.split(words.format(app=shlex.join(program)))], mpi)
        assert not line.unknown, words
        assert {line.words[one.program : one.end] for one in line.programs} == {program}, words
        launch = command_launch(line, mpi, {"GIVEN": "given"})
        env = {**os.environ, **{name: value for name, value in open_mpi_env().items() if value}}
        done = subprocess.run(launch.argv, capture_output=True, text=True, env=env, timeout=120, check=True)
        assert done.stdout.splitlines() == ["100 true given"] * len(line.programs), words
