# SPDX-License-Identifier: BSD-3-Clause
"""Programs under `stretto trace` and `stretto preload` end with them."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

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
