# SPDX-License-Identifier: BSD-3-Clause
"""The simulated substrate as a whole: a program compiled with SMPI measures what the platform states."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from stretto.errors import UserError
from stretto.launch.job import Job, Outcome
from stretto.launch.native import project_root
from stretto.launch.platforms import Platform, find_platform, list_platforms
from stretto.launch.simulated import run_simulated

PROGRAM = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char* buffer;

/* Half a round trip, in seconds. */
static double ping_pong(int rank, int bytes) {
  double started = 0;
  for (int i = 0; i < 11; i++) {
    if (i == 1) started = MPI_Wtime();
    if (rank == 0) MPI_Send(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(buffer, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(buffer, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  }
  return (MPI_Wtime() - started) / 20;
}

/* Both ranks send and receive `bytes` at once; seconds. */
static double exchange(int rank, int bytes) {
  MPI_Request two[2];
  MPI_Barrier(MPI_COMM_WORLD);
  double started = MPI_Wtime();
  MPI_Irecv(buffer, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &two[0]);
  MPI_Isend(buffer + bytes, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &two[1]);
  MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
  return MPI_Wtime() - started;
}

static double put_and_flush(int rank) {
  MPI_Win window;
  void* base;
  MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
  MPI_Win_lock_all(0, window);
  MPI_Barrier(MPI_COMM_WORLD);
  double started = MPI_Wtime();
  if (rank == 0) MPI_Put(buffer, 8, MPI_BYTE, 1, 0, 8, MPI_BYTE, window);
  if (rank == 0) MPI_Win_flush(1, window);
  double took = MPI_Wtime() - started;
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  return took;
}

/* The receiver works until an eager message must be there: what is left is its overhead. */
static double late_receive(int rank) {
  MPI_Request request;
  double took = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) usleep(100000);
  if (rank == 0) MPI_Isend(buffer, 8, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &request);
  if (rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
  double started = MPI_Wtime();
  if (rank == 1) MPI_Recv(buffer, 8, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  took = MPI_Wtime() - started;
  MPI_Bcast(&took, 1, MPI_DOUBLE, 1, MPI_COMM_WORLD);
  return took;
}

/* (T_c + T_w - T_t) / min(T_c, T_w) of one exchange against as much work. */
static double eta(int rank, int bytes) {
  double alone = exchange(rank, bytes);
  MPI_Request two[2];
  MPI_Barrier(MPI_COMM_WORLD);
  double started = MPI_Wtime();
  MPI_Irecv(buffer, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &two[0]);
  MPI_Isend(buffer + bytes, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, &two[1]);
  double working = MPI_Wtime();
  smpi_execute_flops(1e9 * alone);
  double work = MPI_Wtime() - working;
  MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
  double together = MPI_Wtime() - started;
  return (alone + work - together) / (alone < work ? alone : work);
}

int main(int argc, char** argv) {
  int rank, length;
  char name[MPI_MAX_PROCESSOR_NAME];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Get_processor_name(name, &length);
  buffer = malloc(2 << 24);
  const char* what = argv[1];
  if (!strcmp(what, "where")) printf("%d %s\\n", rank, name);
  if (!strcmp(what, "arguments") && rank == 0)
    for (int i = 2; i < argc; i++) printf("%s\\n", argv[i]);
  if (!strcmp(what, "deadlock")) MPI_Recv(buffer, 1, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!strcmp(what, "abort") && rank == 1) MPI_Abort(MPI_COMM_WORLD, 3);
  if (!strcmp(what, "crash") && rank == 1) abort();
  if (!strcmp(what, "status")) return 5;
  if (!strcmp(what, "spin"))
    while (1) MPI_Wtime();
  if (!strcmp(what, "measure")) {
    double figures[] = {ping_pong(rank, 8),       ping_pong(rank, 1 << 24), exchange(rank, 1 << 24),
                        put_and_flush(rank),      late_receive(rank),       eta(rank, 1 << 20)};
    if (rank == 0)
      for (int i = 0; i < 6; i++) printf("%.12g\\n", figures[i]);
  }
  MPI_Finalize();
  return 0;
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("a program") / "probe.c"
    source.write_text(PROGRAM)
    built = source.with_suffix("")
    subprocess.run(["smpicc", "-O1", str(source.name), "-o", built.name], check=True, cwd=source.parent)
    return built


def run(program: Path, what: str, *more: str, platform: str = "appro", ranks: int = 2, timeout_s: float = 60) -> Outcome:
    return run_simulated(Job(program, (what, *more), ranks, timeout_s=timeout_s), find_platform(platform))


def no_copies_of(program: Path) -> bool:
    return not any(f"{program}" in words for words in _command_lines())


def _command_lines() -> list[str]:
    lines = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            lines.append(process.read_text(errors="replace"))
        except OSError:
            continue  # it has ended meanwhile
    return lines


@pytest.mark.parametrize("name", [platform.name for platform in list_platforms()])
def test_a_route_has_the_latency_and_bandwidth_that_are_stated(program: Path, name: str) -> None:
    ended = run(program, "measure", platform=name)
    assert (ended.status, ended.stderr_tail) == ("done", "")
    small, large, both, put, late, eta = map(float, ended.stdout.split())
    platform = find_platform(name)
    size, header = 1 << 24, 24  # SMPI sends 16 bytes of envelope with the 8
    latency, bandwidth = platform.figure("latency_s", 0), platform.figure("bandwidth_bytes_per_s", 0)
    receive = platform.figure("overhead_receive_s", 0)
    assert small == pytest.approx(latency + header / bandwidth, rel=0.01)
    assert small == pytest.approx(latency, rel=0.05)
    assert size / (large - latency) == pytest.approx(bandwidth, rel=0.01)
    assert size / large == pytest.approx(bandwidth, rel=0.05)
    assert 2 * size / both == pytest.approx(platform.figure("bus_bandwidth_bytes_per_s", 2 * bandwidth), rel=0.01)
    assert put == pytest.approx(latency, rel=0.05)
    assert late == pytest.approx(receive, abs=3e-8)  # three readings of the clock
    assert eta == pytest.approx(1, abs=0.02)


@pytest.mark.parametrize("platform", [p for p in list_platforms() if p.figure("cores_per_node", 1) > 1], ids=lambda p: p.name)
def test_inside_a_node_the_loopback_counts(program: Path, platform: Platform) -> None:
    ended = run_simulated(Job(program, ("measure",), 2), platform, ranks_per_node=2)
    small, large = map(float, ended.stdout.split()[:2])
    overheads = platform.figure("overhead_send_s", 0) + platform.figure("overhead_receive_s", 0)
    bandwidth = platform.figure("node_bandwidth_bytes_per_s", 0)
    assert small == pytest.approx(overheads + platform.figure("node_latency_s", 0) + 24 / bandwidth, rel=0.02)
    assert (1 << 24) / large == pytest.approx(bandwidth, rel=0.01)


def test_ranks_are_where_they_were_placed(program: Path) -> None:
    ended = run_simulated(Job(program, ("where",), 4), find_platform("bassi"), ranks_per_node=2)
    assert sorted(ended.stdout.splitlines()) == ["0 bassi-0", "1 bassi-0", "2 bassi-1", "3 bassi-1"]


def test_arguments_arrive_as_they_are(program: Path) -> None:
    """smpirun would split the first and swallow the others."""
    given = ["two words", "--cfg=smpi/wtime:1", "--help", "$HOME"]
    assert run(program, "arguments", *given).stdout.splitlines() == given


@pytest.mark.parametrize(
    ("what", "says"), [("deadlock", "wait for each other for ever"), ("abort", "MPI_Abort"), ("crash", ""), ("status", "")]
)
def test_a_failure_is_a_failure(program: Path, what: str, says: str) -> None:
    """SimGrid ends with status 0 after a deadlock and after MPI_Abort."""
    ended = run(program, what)
    assert ended.status == "failed"
    assert ended.exit_code != 0
    assert says in ended.stderr_tail.splitlines()[0] if says else True
    assert "[0.0" not in ended.stderr_tail


def test_a_run_past_its_time_leaves_nothing(program: Path) -> None:
    ended = run(program, "spin", timeout_s=1)
    assert ended.status == "timeout"
    assert no_copies_of(program)


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_ending_stretto_ends_the_simulation(program: Path, signum: signal.Signals) -> None:
    script = f"""
        from pathlib import Path
        from stretto.launch.job import Job
        from stretto.launch.simulated import find_platform, run_simulated
        print(run_simulated(Job(Path({str(program)!r}), ("spin",)), find_platform("appro")).status, flush=True)
    """
    root = project_root()
    assert root is not None
    environment = {**os.environ, "PYTHONPATH": str(root / "python")}
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)], env=environment, stdout=subprocess.PIPE, text=True
    ) as parent:
        _until(lambda: any("smpimain" in line and str(program) in line for line in _command_lines()))
        parent.send_signal(signum)
        said, _ = parent.communicate(timeout=20)
    assert said == ("" if signum == signal.SIGKILL else "interrupted\n")
    _until(lambda: no_copies_of(program))


def _until(true: object, seconds: float = 20) -> None:
    assert callable(true)
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "it did not come to pass in time"
        time.sleep(0.05)


def test_a_program_for_another_mpi_is_refused() -> None:
    with pytest.raises(UserError, match="not built for the simulator"):
        run(Path("/bin/ls"), "x")


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ('<cluster id="c" prefix="n" suffix="" radical="0-3" speed="fast" bw="1GBps" lat="1us"/>', "mine.xml:"),
        ('<zone id="z" routing="Full"><host id="a" speed="1f"/><host id="b" speed="1f"/></zone>', "oute"),
        ('<zone id="z" routing="Full"><host id="a" speed="1f"/><host id="a" speed="1f"/></zone>', "mine.xml"),
    ],
)
def test_what_simgrid_refuses_is_the_users_error(program: Path, tmp_path: Path, body: str, says: str) -> None:
    path = tmp_path / "mine.xml"
    path.write_text(
        '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
        f'<platform version="4.1">{body}</platform>\n'
    )
    with pytest.raises(UserError, match=says) as caught:
        run_simulated(Job(program, ("measure",), 2), find_platform(str(path)))
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
