# SPDX-License-Identifier: BSD-3-Clause
"""Jobs of the Slurm that the tests start: `stretto` in an allocation, the test program, the end of a job."""

import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path

from slurm_cluster import Slurm

from stretto.data.run_directory import samples_in
from stretto.data.samples import read_samples
from stretto.data.trace_directory import open_trace
from stretto.launch.session import Ended

STRETTO = str(Path(sys.prefix) / "bin" / "stretto")
TWO_NODES = ("-N2", "-n2")
ENDED_S = 120.0  # generous; Slurm's least time limit is a minute


def allocated(
    slurm: Slurm, nodes: tuple[str, ...], *words: str | Path, env: Mapping[str, str] | None = None
) -> Ended:
    """`stretto WORDS` in an interactive job."""
    return slurm.run(["salloc", "--quiet", *nodes, STRETTO, *map(str, words)], ENDED_S, env)


def hosts_of(directory: Path) -> tuple[str, ...]:
    """The host of each rank of a run."""
    file = samples_in(directory)
    assert file is not None
    return read_samples(file).header.hosts


def eventually_over(slurm: Slurm, job: str) -> None:
    """Waits until Slurm has ended a job and all of its processes."""
    deadline = time.monotonic() + ENDED_S
    while slurm.run(["squeue", "--noheader", f"--jobs={job}"]).stdout.strip():
        assert time.monotonic() < deadline, slurm.logs()
        time.sleep(0.3)


def cancel_a_probe(slurm: Slurm, directory: Path, *words: str, min_bytes: int) -> None:
    """Cancels `stretto probe WORDS` when its samples have so many bytes; checks what is left of it."""
    run, script, output = directory / "run", directory / "job.sh", directory / "out"
    command = [STRETTO, "batch", "--system", "slurm", "probe", *words, "--budget", "600", "-o", str(run)]
    script.write_text(slurm.run(command).stdout, encoding="utf-8")
    job = slurm.run(["sbatch", "--parsable", f"--output={output}", str(script)]).stdout.strip()
    deadline = time.monotonic() + ENDED_S
    while (file := samples_in(run)) is None or file.stat().st_size < min_bytes:
        assert time.monotonic() < deadline, output.read_text(encoding="utf-8")
        time.sleep(0.2)
    assert slurm.run(["scancel", job]).status == 0
    eventually_over(slurm, job)
    assert len(set(hosts_of(run))) == 2
    assert slurm.processes("stretto-probe") == []
    assert slurm.run([STRETTO, "report", str(run), "-o", str(directory / "page.html")]).status == 0


def check_replay(slurm: Slurm, trace: Path) -> None:
    """Checks that a trace has ranks on two hosts, and that `stretto whatif` replays it."""
    assert len({file.header.host for file in open_trace(trace)}) == 2
    rows = slurm.run([STRETTO, "whatif", str(trace), "--latency", "1us", "--bandwidth", "1GB/s", "--json"])
    assert json.loads(rows.stdout)["rows"], rows.stderr
