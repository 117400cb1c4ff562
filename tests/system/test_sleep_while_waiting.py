# SPDX-License-Identifier: BSD-3-Clause
"""More ranks than cores on emulated hosts: those that wait sleep, and no call has another result."""

import os
import subprocess
from pathlib import Path

import pytest
from processes import completed
from runs import MPIS, needs_namespaces
from test_application import stretto

from stretto.errors import UserError
from stretto.launch.mpi import MpiLibrary
from stretto.native.programs import native_library

PROGRAM = Path(__file__).resolve().parent / "programs" / "polling.c"
LIBRARY = "libstretto_sleep.so"
TIMES = 200


@pytest.fixture(scope="module")
def library() -> str:
    try:
        return str(native_library(LIBRARY, "none"))
    except UserError as error:
        pytest.skip(f"{LIBRARY} IS NOT BUILT: {error}")


@pytest.fixture(scope="module")
def polling(tmp_path_factory: pytest.TempPathFactory) -> str:
    target = tmp_path_factory.mktemp("polling") / "polling"
    subprocess.run(["cc", "-O1", "-pthread", PROGRAM, "-o", target], check=True)
    return str(target)


def sleeps(polling: str, how: str, **variables: str) -> int:
    """How often the program gave up its core of its own accord."""
    done = completed([polling, how, str(TIMES)], env={**os.environ, **variables}, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return int(done.stdout)


@pytest.mark.parametrize(
    ("how", "asleep"), [("poll", True), ("epoll", True), ("ready", False), ("yield", False)]
)
def test_a_yield_sleeps_after_a_poll_that_found_nothing(
    library: str, polling: str, how: str, asleep: bool
) -> None:
    counted = sleeps(polling, how, LD_PRELOAD=library)
    assert counted >= TIMES if asleep else counted < TIMES / 2
    assert sleeps(polling, how) < TIMES / 2, "without the library none sleeps"


@pytest.mark.slow
@needs_namespaces
@pytest.mark.parametrize("mpi", MPIS)
def test_ranks_have_it_where_they_are_more_than_the_cores(library: str, mpi: MpiLibrary) -> None:
    cores = len(os.sched_getaffinity(0))
    show = 'echo "preloaded: $LD_PRELOAD"'
    for ranks in (2, 4):
        words = ("run", "-n", str(ranks), "--on", "emulated", "--mpi", mpi.mpiexec)
        done = stretto(*words, "--", "/bin/sh", "-c", show)
        assert done.returncode == 0, done.stderr
        assert done.stdout.count("preloaded: ") == ranks
        assert done.stdout.count(LIBRARY) == (ranks if ranks > cores else 0)
