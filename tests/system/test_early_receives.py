# SPDX-License-Identifier: BSD-3-Clause
"""Why no library makes blocking receives return early: what the program would read (docs/decisions/progress-thread.md)."""

from __future__ import annotations

import pytest
from processes import completed
from traced_runs import COMPILERS, LAUNCHERS, compiled, environment, launch, preset_fixture

NOT_HERE = 77
FOUND = [name for name in LAUNCHERS if COMPILERS[name].is_file()]
pytestmark = pytest.mark.skipif(not FOUND, reason="NO MPI FOUND: make setup installs one")
preset = preset_fixture(FOUND)


@pytest.fixture(scope="module")
def program(preset: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(compiled(preset, "lazy_receive.c", tmp_path_factory.mktemp(preset)))


def received(preset: str, program: str, mechanism: str, access: str) -> str:
    """What the program reads; `killed` where it does not live to say it."""
    done = completed(launch(preset, program, mechanism, access, ranks=2), env=environment(preset), timeout=60)
    if done.returncode == NOT_HERE or "Operation not permitted" in done.stderr:
        pytest.skip(f"THIS KERNEL DOES NOT GRANT {mechanism} OR io_uring: {done.stderr[:200]}")
    return done.stdout.splitlines()[0] if done.returncode == 0 else "killed"


@pytest.mark.parametrize("mechanism", ["pages", "faults", "user-faults"])
def test_a_load_waits_for_the_message(preset: str, program: str, mechanism: str) -> None:
    """Otherwise the other tests would show a mistake of the program, not of the idea."""
    assert received(preset, program, mechanism, "load") == "the message"


@pytest.mark.parametrize(
    ("mechanism", "access", "got"),
    [
        ("pages", "write", "EFAULT"),
        ("user-faults", "write", "EFAULT"),
        ("faults", "write", "the message"),
        ("pages", "load-without-signals", "killed"),
        ("faults", "load-without-signals", "the message"),
    ],
)
def test_only_a_privileged_fault_handler_sees_the_kernel_and_blocked_signals(
    preset: str, program: str, mechanism: str, access: str, got: str
) -> None:
    assert received(preset, program, mechanism, access) == got


@pytest.mark.parametrize("mechanism", ["pages", "faults"])
@pytest.mark.parametrize("access", ["registered-write", "other-mapping"])
def test_accesses_without_a_fault_read_what_was_there_before(
    preset: str, program: str, mechanism: str, access: str
) -> None:
    """The decisive ones: no mechanism sees them, and nothing reports that the data is wrong."""
    assert received(preset, program, mechanism, access) == "not the message"
