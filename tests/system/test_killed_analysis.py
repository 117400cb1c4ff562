# SPDX-License-Identifier: BSD-3-Clause
"""An analysis that is ended in the middle leaves no process, no half of an answer, and the trace as it was.

The analysing processes are stopped before anything is ended, so that they are in the middle.
"""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from runs import MPIS, Run, eventually, running

from bench.generated_trace import generate
from stretto.launch.mpi import MpiLibrary
from stretto.native.programs import native_program

RECORDS, RANKS = 2_000_000, 4
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("trace")
    generate(found, RECORDS, RANKS, 1)
    return found


@pytest.fixture(autouse=True)
def trace_is_untouched(directory: Path) -> Iterator[None]:
    """After each test, the directory has the files that it had."""
    before = files_of(directory)
    yield
    assert files_of(directory) == before


def files_of(directory: Path) -> dict[str, tuple[int, int]]:
    """The size and the time of the last change of each file."""
    return {one.name: (one.stat().st_size, one.stat().st_mtime_ns) for one in directory.iterdir()}


def reads_a_trace(process: int) -> bool:
    """Whether the process has opened a file of a trace."""
    try:
        return any(str(one.readlink()).endswith(".trace") for one in Path(f"/proc/{process}/fd").iterdir())
    except OSError:  # it or the file has gone
        return False


def stop_in_the_middle(run: Run, count: int) -> list[int]:
    """Stops so many analysing processes, and returns their numbers."""
    found: list[int] = []

    def have_begun() -> bool:
        found[:] = [one for one in run.ranks("stretto-analyse") if reads_a_trace(one)]
        return len(found) == count

    eventually(have_begun, lambda: f"not {count} processes that analyse: {run.processes()}")
    for one in found:
        os.kill(one, signal.SIGSTOP)
    return found


def go_on(processes: list[int]) -> None:
    """What has ended them is seen when they continue."""
    for one in processes:
        try:
            os.kill(one, signal.SIGCONT)
        except ProcessLookupError:
            continue


@pytest.mark.parametrize("signum", SIGNALS)
@pytest.mark.parametrize("command", ["potential", "report"])
def test_a_command_that_is_ended(
    command: str,
    signum: signal.Signals,
    directory: Path,
    tmp_path: Path,
) -> None:
    page = tmp_path / "page.html"
    words = [command, str(directory), *(["-o", str(page)] if command == "report" else [])]
    with running(f"from stretto.commands import main\nmain({words!r})\n", tmp_path) as run:
        analysing = stop_in_the_middle(run, 1)
        run.process.send_signal(signum)
        if signum == signal.SIGKILL:
            run.process.wait()
        go_on(analysing)
        out, err = run.process.communicate()
        is_killed = signum == signal.SIGKILL
        assert run.process.returncode == (-signum if is_killed else 128 + signum)
        assert (out, err) == ("", "" if is_killed else "stretto: interrupted\n")
        run.assert_nothing_left()
    assert not page.exists() and list(tmp_path.iterdir()) == [run.temporary]


@pytest.mark.parametrize("signum", SIGNALS)
@pytest.mark.parametrize("ended", ["mpiexec", "a rank"])
@pytest.mark.parametrize("mpi", MPIS[:1])
def test_processes_that_divide_the_analysis(
    mpi: MpiLibrary,
    ended: str,
    signum: signal.Signals,
    directory: Path,
    tmp_path: Path,
) -> None:
    program = native_program("stretto-analyse", mpi.family, mpi.mpiexec)
    command = [str(mpi.mpiexec), "-n", "2", str(program), str(directory)]
    with running(f"import os\nos.execv({command[0]!r}, {command!r})\n", tmp_path) as run:
        analysing = stop_in_the_middle(run, 2)
        os.kill(run.process.pid if ended == "mpiexec" else analysing[0], signum)
        go_on(analysing)
        out, _ = run.process.communicate()
        assert run.process.returncode != 0 and '"schema"' not in out
        run.assert_nothing_left()
