# SPDX-License-Identifier: BSD-3-Clause
"""Programs that stretto asks for a document end with it."""

import subprocess
import sys
import time
from pathlib import Path

from stretto.native.child import run_bound

CODE = """
import sys
from stretto.native.child import run_bound
run_bound(["sh", "-c", f"echo $$ > {sys.argv[1]}.new; mv {sys.argv[1]}.new {sys.argv[1]}; exec sleep 60"])
"""


def test_a_program_has_its_input_and_its_output_is_kept() -> None:
    done = run_bound(["sh", "-c", "cat; echo $WHO >&2; exit 3"], "text", {"WHO": "program"})
    assert (done.returncode, done.stdout, done.stderr) == (3, "text", "program\n")


def test_a_program_ends_with_the_one_that_asked_it(tmp_path: Path) -> None:
    file = tmp_path / "id"
    with subprocess.Popen([sys.executable, "-c", CODE, str(file)]) as asking:
        last = time.monotonic() + 20
        while not file.exists() and time.monotonic() < last:
            time.sleep(0.02)
        asking.kill()
    program = Path("/proc") / file.read_text().strip() / "stat"
    while _is_running(program) and time.monotonic() < last:
        time.sleep(0.02)
    assert not _is_running(program)


def _is_running(stat: Path) -> bool:
    try:
        return stat.read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        return False
