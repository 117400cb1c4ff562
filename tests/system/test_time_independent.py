# SPDX-License-Identifier: BSD-3-Clause
"""Time-independent traces in `replay` and `whatif`, and their end time against `smpirun -replay`."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import completed
from replays import needs_replay
from screens import document, refusal

RANKS = 4
LATENCY_S, BYTES_PER_S = 2e-6, 1e9
NETWORK = "L=2us,G=1ns"
EAGER = ("--cfg=smpi/async-small-thresh:100000000", "--cfg=smpi/send-is-detached-thresh:100000000")
# The algorithms that the replay expands collectives to.
ALGORITHMS = (
    "allreduce:rdb",
    "bcast:binomial_tree",
    "barrier:ompi_bruck",
    "reduce:binomial",
    "allgather:bruck",
)
needs_simgrid = pytest.mark.skipif(
    shutil.which("smpirun") is None or shutil.which("smpicc") is None,
    reason="NO SIMGRID: TIME-INDEPENDENT TRACES ARE NOT COMPARED WITH ITS REPLAY; apt-get install libsimgrid-dev simgrid",
)
pytestmark = needs_replay


def platform(directory: Path) -> list[str]:
    """Hosts of 1 Gflop/s, each pair with a link of its own in each direction."""
    pairs = [(a, b) for a in range(RANKS) for b in range(RANKS) if a != b]
    hosts = "".join(f'<host id="h{rank}" speed="1Gf"/>' for rank in range(RANKS))
    links = "".join(f'<link id="l{a}-{b}" bandwidth="1GBps" latency="2us"/>' for a, b in pairs)
    routes = "".join(
        f'<route src="h{a}" dst="h{b}" symmetrical="NO"><link_ctn id="l{a}-{b}"/></route>' for a, b in pairs
    )
    (directory / "platform.xml").write_text(
        '<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">'
        f'<platform version="4.1"><zone id="z" routing="Full">{hosts}{links}{routes}</zone></platform>',
        encoding="utf-8",
    )
    (directory / "hosts").write_text("".join(f"h{rank}\n" for rank in range(RANKS)), encoding="utf-8")
    return ["-np", str(RANKS), "-platform", "platform.xml", "-hostfile", "hosts", "--cfg=smpi/host-speed:1Gf"]


def end_in_simgrid(trace: Path) -> float:
    """When `smpirun -replay` says that a trace ends."""
    algorithms = [f"--cfg=smpi/{one}" for one in ALGORITHMS]
    words = ["smpirun", "-replay", trace.name, *platform(trace.parent), "--cfg=network/model:CM02"]
    done = completed([*words, *EAGER, *algorithms], cwd=trace.parent)
    found = re.search(r"Simulation time ([0-9.]+)", done.stderr)
    assert found, done.stderr
    return float(found[1])


def end_in_replay(trace: Path, capsys: pytest.CaptureFixture[str]) -> float:
    return float(document(capsys, "replay", trace, "--loggp", NETWORK, "--flops-rate", "1G")["makespan_s"])


def ring(rank: int, steps: int) -> Iterator[str]:
    """One message at a time in each direction, with computation that differs by rank and step.

    SimGrid's pairs of hosts share no link, LogGP's messages of a rank share its network interface: no two overlap.
    """
    ahead, behind = (rank + 1) % RANKS, (rank - 1) % RANKS
    yield "init"
    for step in range(steps):
        yield f"irecv {behind} 7 {1000 + step * 500} 0"
        yield f"isend {ahead} 7 {1000 + step * 500} 0"
        yield f"compute {30_000 * (1 + (rank + step) % RANKS)}"
        yield "waitall 2"
        yield "compute 150000"
        if rank == step % RANKS:
            yield f"send {(rank + 2) % RANKS} 5 100000 6"
        if (rank + 2) % RANKS == step % RANKS:
            yield f"recv {(rank + 2) % RANKS} 5 100000 6"
        yield "compute 150000"
        yield f"allreduce {100 * step} 2000 0"
        yield "compute 20000"
        yield "bcast 5000 0 1"
        yield "compute 100000"
        yield "barrier"
    yield "finalize"


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    lines = [f"{rank} {one}\n" for rank in range(RANKS) for one in ring(rank, 20)]
    for rank in range(RANKS):
        own = [line for line in lines if line.startswith(f"{rank} ")]
        (tmp_path / f"rank-{rank}.txt").write_text("".join(own), encoding="utf-8")
    index = tmp_path / "trace.txt"
    index.write_text("".join(f"rank-{rank}.txt\n" for rank in range(RANKS)), encoding="utf-8")
    return index


def test_its_time_is_that_of_computation_and_messages(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = "0 init\n0 compute 5000\n0 send 1 1 1001 6\n0 finalize\n1 init\n1 recv 0 1 1001 6\n1 compute 7000\n1 finalize\n"
    (tmp_path / "trace.txt").write_text(lines, encoding="utf-8")
    assert end_in_replay(tmp_path / "trace.txt", capsys) == pytest.approx(
        5e-6 + 2e-6 + 1e-6 + 7e-6, rel=1e-12
    )
    options = ("--latency", "2us", "--bandwidth", "1GB/s", "--flops-rate", "2G")
    (row,) = document(capsys, "whatif", tmp_path / "trace.txt", *options)["rows"]
    assert row["time_s"] == pytest.approx(2.5e-6 + 2e-6 + 1e-6 + 3.5e-6, rel=1e-12)


def test_what_it_does_not_hold_is_said_in_one_line(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    line = refusal(capsys, "replay", trace, "--loggp", NETWORK)
    assert line.endswith("say how fast its hosts compute, with --flops-rate 1G")
    for command in ("potential", "report"):
        line = refusal(capsys, command, trace)
        assert "without the times of calls; give it to `stretto whatif` or `replay`" in line
    own = trace.parent / "rank-2.txt"
    own.write_text(own.read_text(encoding="utf-8")[:-12], encoding="utf-8")
    line = refusal(capsys, "whatif", trace, "--flops-rate", "1G")
    assert "the actions of rank 2 end without finalize: they are cut off" in line


@pytest.mark.slow
@needs_simgrid
def test_it_ends_when_simgrid_says(trace: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert end_in_replay(trace, capsys) == pytest.approx(end_in_simgrid(trace), rel=0.01)


@pytest.mark.slow
@needs_simgrid
def test_what_smpirun_records_ends_when_simgrid_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = Path(__file__).with_name("recorded_by_simgrid.c")
    subprocess.run(["smpicc", "-O1", str(source), "-o", "program"], check=True, cwd=tmp_path)
    recorded = ["smpirun", "-trace-ti", "-trace-file", "trace.txt", *platform(tmp_path), "./program"]
    subprocess.run(recorded, check=True, cwd=tmp_path, capture_output=True)
    trace = tmp_path / "trace.txt"
    assert end_in_replay(trace, capsys) == pytest.approx(end_in_simgrid(trace), rel=0.01)
