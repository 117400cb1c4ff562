# SPDX-License-Identifier: BSD-3-Clause
"""Signals, cancelled threads and memory of a program are as without the recorder, also where it protects pages."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from memory_runs import BIN, needs_runtime
from processes import completed, needs_built
from traced_runs import COMPILERS, LAUNCHERS, ROOT, environment, launch, parameters, recorder_of, stretto

SOURCE = ROOT / "tests" / "system" / "programs" / "own_signals.cpp"
CASES = re.findall(r'^    \{"(\w+)", \1\},$', SOURCE.read_text(encoding="utf-8"), flags=re.MULTILINE)
ENDING = ("raised", "reset_handler", "fault_in_its_handler", "mask_in_the_handler")
GOING_ON = tuple(one for one in CASES if one not in ENDING)
BUILT = [name for name in LAUNCHERS if recorder_of(name).is_file()]
pytestmark = [pytest.mark.slow, needs_built(BUILT, "THE RECORDER")]


@pytest.fixture(scope="module", params=parameters(BUILT))
def preset(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def program(preset: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = COMPILERS[preset].with_name(COMPILERS[preset].name.replace("mpicc", "mpicxx"))
    target = tmp_path_factory.mktemp("program") / "own_signals"
    command = [compiler, "-std=c++17", "-O1", "-pthread", "-w", SOURCE, "-o", target]
    subprocess.run(command, check=True, capture_output=True)
    return target


def traced(
    preset: str, program: Path, directory: Path, memory: str, *cases: str
) -> subprocess.CompletedProcess[str]:
    command = launch(preset, str(program), *cases, ranks=2)
    return stretto(
        preset, "trace", "--memory", memory, "-o", str(directory), "--", *command, STRETTO_TRACE_SHARE="1"
    )  # every message is watched


@pytest.mark.parametrize("memory", ["off", "page"])
def test_what_a_program_does_with_its_signals_holds(
    preset: str, program: Path, tmp_path: Path, memory: str
) -> None:
    # Open MPI's calls are themselves points at which a thread is cancelled.
    cases = [one for one in GOING_ON if one != "cancelled_thread" or not preset.startswith("openmpi")]
    done = traced(preset, program, tmp_path / "t", memory, *cases)
    assert (done.returncode, done.stdout.splitlines()) == (0, [f"{one} right" for one in cases]), done.stderr


@needs_runtime
def test_what_an_instrumented_program_does_in_its_handlers_holds(tmp_path: Path) -> None:
    """A handler may interrupt the allocator and the recorder: what it loads and stores is not recorded."""
    program = tmp_path / "own_signals"
    command = [BIN / "stretto-cxx", "-std=c++17", "-O1", "-pthread", "-w", SOURCE, "-o", program]
    subprocess.run(
        command, check=True, capture_output=True, env=environment("mpich", STRETTO_CXX=str(BIN / "mpicxx"))
    )
    done = traced("mpich", program, tmp_path / "t", "byte", *GOING_ON)
    assert (done.returncode, done.stdout.splitlines()) == (0, [f"{one} right" for one in GOING_ON]), (
        done.stderr
    )


@pytest.mark.parametrize("case", ENDING)
def test_a_program_ends_by_its_own_signal(preset: str, program: Path, tmp_path: Path, case: str) -> None:
    plain = completed(launch(preset, str(program), case, ranks=2), timeout=60, env=environment(preset))
    assert plain.returncode == (5 if case == "mask_in_the_handler" else plain.returncode) != 0
    done = traced(preset, program, tmp_path / "t", "page", case)
    assert done.returncode == plain.returncode, done.stderr
