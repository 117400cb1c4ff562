# SPDX-License-Identifier: BSD-3-Clause
"""The simulator has the calibrated settings, and its log is separated from the program's output."""

import os
from pathlib import Path

import pytest

from stretto.errors import UserError
from stretto.launch.job import Job
from stretto.launch.platforms import find_platform
from stretto.launch.simulated import run_simulated, separate_output, simulation_settings

LOG = """\
[0.000000] [xbt_cfg/INFO] Configuration change: Set 'smpi/np' to '2'
my own line
[jacquard-1:1:(2) 0.000001] ./src/smpi/bindings/smpi_pmpi.cpp:138: [smpi_pmpi/WARNING] MPI_Abort was called
[0.000004] ./src/kernel/EngineImpl.cpp:718: [ker_engine/CRITICAL] Oops! Deadlock detected, some activities
[0.000004] ./src/xbt/exception.cpp:75: [xbt_exception/ERROR] Exiting now.
  ->  0# 0x00007FEC896DC12F in /usr/lib/x86_64-linux-gnu/libsimgrid.so.3.32
[3] is a line of the program's too
"""


def test_the_log_is_separated_from_the_programs_own_lines() -> None:
    output = separate_output(LOG)
    assert output.program == "my own line\n[3] is a line of the program's too\n"
    assert output.errors == (
        "Oops! Deadlock detected, some activities",
        "Exiting now.",
        "MPI_Abort was called",
    )
    assert output.at_start == ()


def test_errors_before_any_rank_runs_concern_the_platform() -> None:
    text = (
        "Uncaught exception simgrid::AssertionError by maestro/0: Refusing to create a second host named 'a'."
    )
    output = separate_output(f"[0.000000] ./src/xbt/exception.cpp:40: [xbt_exception/CRITICAL] {text}\n")
    assert output.at_start == ("Refusing to create a second host named 'a'.",)


def test_settings_are_stated_and_carry_the_platforms_overheads() -> None:
    settings = simulation_settings(find_platform("bassi"))
    assert settings["network/model"] == "CM02"
    assert settings["network/crosstraffic"] == "no"
    assert settings["smpi/simulate-computation"] == "no"
    assert settings["smpi/grow-injected-times"] == "no"
    assert settings["smpi/os"] == settings["smpi/ois"] == "0:2e-06:0"
    assert settings["smpi/or"] == "0:2e-06:0"
    assert settings["smpi/async-small-thresh"] == settings["smpi/send-is-detached-thresh"] == "65536"


def test_too_many_ranks_are_refused_before_anything_runs() -> None:
    with pytest.raises(UserError, match="-n 529: platform clic has 528 nodes of 1 cores"):
        run_simulated(Job(Path("/bin/true"), ranks=529), find_platform("clic"))


def test_without_simgrid_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match="get SimGrid: apt-get install libsimgrid-dev"):
        run_simulated(Job(Path("/bin/true")), find_platform("clic"))


def test_a_broken_simgrid_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    smpirun = tmp_path / "smpirun"
    smpirun.write_text("#!/bin/sh\nexec true\n")
    smpirun.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(UserError, match="names no smpimain"):
        run_simulated(Job(Path("/bin/true")), find_platform("clic"))
