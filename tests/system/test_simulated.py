# SPDX-License-Identifier: BSD-3-Clause
"""The simulated substrate as a whole: a program compiled with SMPI measures what the platform states."""

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
from stretto.launch.platforms import Platform, find_platform, list_platforms
from stretto.launch.simulated import run_simulated
from stretto.native.programs import project_root


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("a program")
    source = Path(__file__).with_name("simulated_probe.c")
    subprocess.run(["smpicc", "-O1", str(source), "-o", "probe"], check=True, cwd=folder)
    return folder / "probe"


def run(program: Path, *arguments: str, platform: str = "appro", timeout_s: float = 60) -> Outcome:
    return run_simulated(Job(program, arguments, 2, timeout_s=timeout_s), find_platform(platform))


def no_copies_of(program: Path) -> bool:
    return not any(f"{program}" in words for words in _command_lines())


def _command_lines() -> list[str]:
    lines = []
    for process in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            lines.append(process.read_text(errors="replace"))
        except OSError:
            continue  # it has just ended
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
    bus = platform.figure("bus_bandwidth_bytes_per_s", 2 * bandwidth)
    assert 2 * size / both == pytest.approx(bus, rel=0.01)
    assert put == pytest.approx(latency, rel=0.05)
    assert late == pytest.approx(receive, abs=3e-8)  # three readings of the clock
    assert eta == pytest.approx(1, abs=0.02)


MULTICORE = [platform for platform in list_platforms() if platform.figure("cores_per_node", 1) > 1]


@pytest.mark.parametrize("platform", MULTICORE, ids=lambda platform: platform.name)
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
    ("what", "says"),
    [
        ("deadlock", "wait for each other for ever"),
        ("abort", "MPI_Abort"),
        ("crash", ""),
        ("status", "did not return 0"),
    ],
)
def test_a_failure_is_a_failure(program: Path, what: str, says: str) -> None:
    """SimGrid ends with status 0 after a deadlock and after MPI_Abort."""
    ended = run(program, what)
    assert ended.status == "failed"
    assert ended.exit_code != 0
    assert says in ended.stderr_tail.partition("\n")[0]
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
        from stretto.launch.platforms import find_platform
        from stretto.launch.simulated import run_simulated
        job = Job(Path({str(program)!r}), ("spin",))
        print(run_simulated(job, find_platform("appro")).status, flush=True)
    """
    root = project_root()
    assert root is not None
    environment = {**os.environ, "PYTHONPATH": str(root / "python")}
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)], env=environment, stdout=subprocess.PIPE, text=True
    ) as parent:
        _until(lambda: any("smpimain" in line and str(program) in line for line in _command_lines()))
        parent.send_signal(signum)
        text, _ = parent.communicate(timeout=20)
    assert text == ("" if signum == signal.SIGKILL else "interrupted\n")
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


ZONE = '<zone id="z" routing="{}"><host id="a" speed="1f"/><host id="{}" speed="{}"/></zone>'


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (ZONE.format("Full", "b", "1Gq"), r"mine.xml:3: .*unit"),
        (ZONE.format("Full", "b", "1f"), "no route from"),
        (ZONE.format("Full", "a", "1f"), "second host named 'a'"),
        (ZONE.format("Odd", "b", "1f"), "Not a valid model"),
    ],
)
def test_what_simgrid_refuses_is_a_user_error(program: Path, tmp_path: Path, body: str, says: str) -> None:
    path = tmp_path / "mine.xml"
    path.write_text(
        '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'
        f'<platform version="4.1">{body}</platform>\n'
    )
    with pytest.raises(UserError, match=says) as caught:
        run_simulated(Job(program, ("measure",), 2), find_platform(str(path)))
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
