# SPDX-License-Identifier: BSD-3-Clause
"""No process or file of a local run remains, in whatever way it ends.

The ranks are `sleep` commands, which every mpiexec starts, and which end only when they are ended.
"""

import os
import shutil
import signal
import uuid
from pathlib import Path

import pytest
from runs import MPIS, Run, eventually, mpi_code, running

from stretto.errors import RunError
from stretto.launch import linux
from stretto.launch.job import Job
from stretto.launch.local import run_local
from stretto.launch.mpi import MpiLibrary
from stretto.launch.session import Session

SLEEP = Path(shutil.which("sleep") or "/bin/sleep")
SHELL = Path("/bin/sh")
ISOLATIONS = ["none"] + (["processes"] if linux.may_make_namespaces() else [])


def sleeping_job(mpi: MpiLibrary, isolation: str, timeout: str = "None") -> str:
    refuse = "linux.may_make_namespaces = lambda: False\n" if isolation == "none" else ""
    return (
        f"{mpi_code(mpi)}"
        "from stretto.launch import linux\n"
        f"{refuse}"
        "from stretto.launch.local import run_local\n"
        "from stretto.launch.job import Job\n"
        f"outcome = run_local(mpi, Job(Path({str(SLEEP)!r}), ('86400',), 2, timeout_s={timeout}))\n"
        "print(outcome.status, outcome.exit_code)\n"
    )


def wait_for_ranks(run: Run, count: int = 2) -> list[int]:
    eventually(lambda: len(run.ranks("sleep")) == count, lambda: f"ranks did not start: {run.processes()}")
    return run.ranks("sleep")


@pytest.mark.parametrize("isolation", ISOLATIONS)
@pytest.mark.parametrize("mpi", MPIS)
class TestNothingIsLeft:
    def test_when_stretto_is_killed(self, mpi: MpiLibrary, isolation: str, tmp_path: Path) -> None:
        with running(sleeping_job(mpi, isolation), tmp_path) as run:
            wait_for_ranks(run)
            run.process.kill()
            run.process.wait()
            run.assert_nothing_left()

    @pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
    def test_when_stretto_is_interrupted(
        self, mpi: MpiLibrary, isolation: str, signum: signal.Signals, tmp_path: Path
    ) -> None:
        with running(sleeping_job(mpi, isolation), tmp_path) as run:
            wait_for_ranks(run)
            run.process.send_signal(signum)
            out, err = run.process.communicate()
            assert (out.split(), err) == (["interrupted", str(128 + signum)], "")
            run.assert_nothing_left()

    def test_when_a_rank_is_killed(self, mpi: MpiLibrary, isolation: str, tmp_path: Path) -> None:
        with running(sleeping_job(mpi, isolation), tmp_path) as run:
            os.kill(wait_for_ranks(run)[0], signal.SIGKILL)
            out, _ = run.process.communicate()
            assert out.startswith("failed ")
            run.assert_nothing_left()

    def test_when_time_runs_out(self, mpi: MpiLibrary, isolation: str, tmp_path: Path) -> None:
        with running(sleeping_job(mpi, isolation, timeout="1.0"), tmp_path) as run:
            out, _ = run.process.communicate()
            assert out.startswith("timeout ")
            run.assert_nothing_left()


@pytest.mark.parametrize("mpi", MPIS)
def test_a_job_that_ends_says_how(mpi: MpiLibrary) -> None:
    job = Job(
        SHELL, ("-c", 'echo "hello $WHO"; echo trouble >&2; exit $STATUS'), 2, {"WHO": "ranks", "STATUS": "0"}
    )
    ticks = []
    done = run_local(mpi, job, lambda: ticks.append(None))
    assert (done.status, done.exit_code) == ("done", 0)
    assert done.stdout.count("hello ranks") == 2
    assert done.stderr_tail.count("trouble") == 2
    assert ticks
    failed = run_local(mpi, Job(SHELL, job.arguments, 2, {"WHO": "ranks", "STATUS": "7"}))
    assert failed.status == "failed"
    assert failed.exit_code != 0


@pytest.mark.parametrize("mpi", MPIS)
def test_more_ranks_than_cores_are_run(mpi: MpiLibrary) -> None:
    ranks = 2 * (os.cpu_count() or 1) + 1
    done = run_local(mpi, Job(SHELL, ("-c", "echo rank"), ranks))
    assert (done.status, done.stdout.count("rank")) == ("done", ranks)


def _assert_killing_leaves_nothing(code: str, tmp_path: Path) -> None:
    """Kills stretto when the code has started its rank."""
    with running(code, tmp_path) as run:
        wait_for_ranks(run, 1)
        run.process.kill()
        run.process.wait()
        run.assert_nothing_left()


@pytest.mark.parametrize("isolation", ISOLATIONS)
def test_a_daemon_that_left_its_process_group_is_ended(isolation: str, tmp_path: Path) -> None:
    """Open MPI's daemons fork twice and start a session of their own: no process group reaches them."""
    code = (
        "from stretto.launch.session import Session\n"
        f"with Session({isolation!r}) as session:\n"
        f"    session.run(['/bin/sh', '-c', 'setsid {SLEEP} 86400 >/dev/null 2>&1 &'])\n"
        "    import time; time.sleep(600)\n"
    )
    _assert_killing_leaves_nothing(code, tmp_path)


@pytest.mark.parametrize("isolation", ISOLATIONS)
def test_a_temporary_directory_is_removed_when_stretto_is_killed(isolation: str, tmp_path: Path) -> None:
    """The traces of `stretto gain` may be large."""
    code = (
        "from stretto.launch.session import Session\n"
        f"with Session({isolation!r}) as session, session.temporary() as made:\n"
        "    (made / 'trace').write_text('large')\n"
        f"    session.run([{str(SLEEP)!r}, '86400'])\n"
    )
    _assert_killing_leaves_nothing(code, tmp_path)


@pytest.mark.parametrize("isolation", ISOLATIONS)
def test_shared_memory_of_killed_ranks_is_removed(isolation: str, tmp_path: Path) -> None:
    """MPI removes it at its end only; what a program made for itself stays."""
    names = [f"{kind}{uuid.uuid4().hex}" for kind in ("mpich_shm_", "vader_segment.", "own-")]
    rank = (
        "import mmap, os, signal, sys\n"
        f"files = [open('/dev/shm/' + name, 'w+b') for name in {names!r}]\n"
        "sizes = [file.truncate(4096) for file in files]\n"
        "maps = [mmap.mmap(file.fileno(), 4096) for file in files]\n"
        f"os.execv({str(SLEEP)!r}, ['sleep', '86400']) if os.fork() == 0 else signal.pause()\n"
    )
    code = (
        "import sys\n"
        "from stretto.launch.session import Session\n"
        f"with Session({isolation!r}) as session:\n"
        f"    session.run([sys.executable, '-c', {rank!r}])\n"
    )
    _assert_killing_leaves_nothing(code, tmp_path)
    left = [name for name in names if (Path("/dev/shm") / name).exists()]
    for name in left:
        (Path("/dev/shm") / name).unlink()
    assert left == ([] if isolation == "processes" else names[2:])


def test_an_error_of_the_callers_own_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), Session("none") as session:
        sleeper = session.start([str(SLEEP), "86400"])
        session.wait(sleeper, on_tick=lambda: print(1 / 0))
    assert not Path(f"/proc/{sleeper.pid}").exists()


def test_a_killed_guard_is_an_error_not_a_hang() -> None:
    with pytest.raises(RunError, match="guards the run"), Session("none") as session:
        sleeper = session.start([str(SLEEP), "86400"])
        os.kill(session.guard_pid, signal.SIGKILL)
        session.wait(sleeper)
    assert not session.directory.exists()
    eventually(lambda: not Path(f"/proc/{sleeper.pid}").exists(), lambda: "the rank outlived its guard")
