# SPDX-License-Identifier: BSD-3-Clause
"""Signals, cancelled threads and memory of a program are as without the recorder, also where it protects pages."""

import re
import subprocess
from pathlib import Path

import pytest
from memory_runs import BIN, needs_runtime
from processes import completed, needs_built
from traced_runs import (
    LAUNCHERS,
    PROGRAMS,
    compiled,
    environment,
    launch,
    preset_fixture,
    recorder_of,
    traced,
)

SOURCE = PROGRAMS / "own_signals.cpp"
CASES = re.findall(r'^    \{"(\w+)", \1\},$', SOURCE.read_text(encoding="utf-8"), flags=re.MULTILINE)
ENDING = ("raised", "reset_handler", "fault_in_its_handler", "mask_in_the_handler")
GOING_ON = tuple(one for one in CASES if one not in ENDING)
BUILT = [name for name in LAUNCHERS if recorder_of(name).is_file()]
pytestmark = [pytest.mark.slow, needs_built(BUILT, "THE RECORDER")]
preset = preset_fixture(BUILT)


@pytest.fixture(scope="module")
def program(preset: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(preset, SOURCE, tmp_path_factory.mktemp("program"))


def watched(
    preset: str, program: Path, directory: Path, memory: str, *cases: str
) -> subprocess.CompletedProcess[str]:
    """A trace of which every message is watched."""
    level = ("--memory", memory)
    return traced(preset, directory, program, *cases, options=level, STRETTO_TRACE_SHARE="1")


@pytest.mark.parametrize("memory", ["off", "page"])
def test_what_a_program_does_with_its_signals_holds(
    preset: str, program: Path, tmp_path: Path, memory: str
) -> None:
    # Open MPI's calls are themselves points at which a thread is cancelled.
    cases = [one for one in GOING_ON if one != "cancelled_thread" or not preset.startswith("openmpi")]
    done = watched(preset, program, tmp_path / "t", memory, *cases)
    assert (done.returncode, done.stdout.splitlines()) == (0, [f"{one} right" for one in cases]), done.stderr


@needs_runtime
def test_what_an_instrumented_program_does_in_its_handlers_holds(tmp_path: Path) -> None:
    """A handler may interrupt the allocator and the recorder: what it loads and stores is not recorded."""
    program = compiled("mpich", SOURCE, tmp_path, wrapper=BIN / "stretto-cxx")
    done = watched("mpich", program, tmp_path / "t", "byte", *GOING_ON)
    assert (done.returncode, done.stdout.splitlines()) == (0, [f"{one} right" for one in GOING_ON]), (
        done.stderr
    )


@pytest.mark.parametrize("case", ENDING)
def test_a_program_ends_by_its_own_signal(preset: str, program: Path, tmp_path: Path, case: str) -> None:
    plain = completed(launch(preset, str(program), case, ranks=2), timeout=60, env=environment(preset))
    assert plain.returncode == (5 if case == "mask_in_the_handler" else plain.returncode) != 0
    done = watched(preset, program, tmp_path / "t", "page", case)
    assert done.returncode == plain.returncode, done.stderr
