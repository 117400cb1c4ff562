# SPDX-License-Identifier: BSD-3-Clause
"""stretto with Open MPI under a real Slurm, which starts its ranks by PMIx."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import slurm_cluster
from slurm_cluster import Slurm
from slurm_jobs import (
    STRETTO,
    TWO_NODES,
    allocated,
    cancel_a_probe,
    check_replay,
    compiled,
    eventually_over,
    hosts_of,
)
from traced_runs import COMPILERS, LAUNCHERS, recorder_of

from stretto.data.trace_directory import open_trace

BUILT = [
    name for name in ("openmpi4", "openmpi") if recorder_of(name).is_file() and LAUNCHERS[name].is_file()
]
LATENCY = ("latency", "--sizes", "8:16", "--transport", "mpi-two-sided")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.matrix,
    pytest.mark.every_mpi,
    pytest.mark.skipif(slurm_cluster.missing() != "", reason=slurm_cluster.missing() or "none"),
    pytest.mark.skipif(
        not BUILT,
        reason="NO BUILD FOR OPEN MPI: it is not tested under Slurm; scripts/native openmpi4 tests builds it",
    ),
]


@pytest.fixture(scope="module")
def slurm() -> Iterator[Slurm]:
    with slurm_cluster.slurm_cluster(nodes=4) as cluster:
        listed = cluster.run(["srun", "--mpi=list"])
        if "pmix" not in (listed.stdout + listed.stderr).split():
            pytest.skip(
                "THIS SLURM HAS NO PMIX: Open MPI is not tested; Debian's slurm-wlm-basic-plugins brings it, "
                "a Slurm of your own needs ./configure --with-pmix"
            )
        yield cluster


@pytest.fixture(scope="module", params=BUILT)
def preset(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def mpi(preset: str) -> tuple[str, str]:
    """The option that names this Open MPI."""
    return ("--mpi", str(LAUNCHERS[preset]))


@pytest.fixture(scope="module")
def messages(preset: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    return compiled(COMPILERS[preset], tmp_path_factory.mktemp(preset))


@pytest.fixture(scope="module")
def limited(
    slurm: Slurm, mpi: tuple[str, str], messages: str, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Path]:
    """A job that will exceed its time limit while the other tests run, and the directory of its trace."""
    directory = tmp_path_factory.mktemp("limited")
    trace = directory / "trace"
    words = f"exec {STRETTO} trace {' '.join(mpi)} -o {trace} -- srun --mpi=pmix {messages} 600"
    script = directory / "job.sh"
    script.write_text(f"#!/bin/sh\n#SBATCH --time=1 --nodes=2 --ntasks=2\n{words}\n", encoding="utf-8")
    done = slurm.run(["sbatch", "--parsable", f"--output={directory}/out", str(script)])
    assert done.status == 0, done.stderr
    return done.stdout.strip(), trace


@pytest.mark.usefixtures("limited")
def test_a_probe_measures_between_two_nodes(slurm: Slurm, mpi: tuple[str, str], tmp_path: Path) -> None:
    run = tmp_path / "run"
    shown = allocated(slurm, TWO_NODES, "probe", *mpi, *LATENCY, "--dry-run", "-o", run)
    assert "--mpi=pmix" in shown.stdout, shown.stderr
    done = allocated(slurm, TWO_NODES, "probe", *mpi, *LATENCY, "--budget", "1", "-o", run)
    assert done.status == 0, done.stderr
    assert len(set(hosts_of(run))) == 2
    profile = json.loads((run / "profile.json").read_text(encoding="utf-8"))
    assert profile["machine"]["mpi"]["family"] == "openmpi"


def test_a_program_runs_on_the_nodes(slurm: Slurm, mpi: tuple[str, str], messages: str) -> None:
    done = allocated(slurm, TWO_NODES, "run", "-n", "2", *mpi, "--", messages, "0", "5")
    assert done.status == 5, done.stderr
    assert len({line.split()[-1] for line in done.stdout.splitlines()}) == 2


def test_a_traced_program_is_replayed(
    slurm: Slurm, mpi: tuple[str, str], messages: str, tmp_path: Path
) -> None:
    trace = tmp_path / "trace"
    done = allocated(slurm, TWO_NODES, "trace", *mpi, "-o", trace, "--", "srun", "--mpi=pmix", messages)
    assert done.status == 0, done.stderr
    check_replay(slurm, trace)


@pytest.mark.parametrize("library", ["progress", "collectives"])
def test_preloaded_libraries_reach_the_ranks_and_not_srun(
    slurm: Slurm, mpi: tuple[str, str], library: str, messages: str
) -> None:
    ranks = ("srun", "--mpi=pmix", "sh", "-c", f"echo $LD_PRELOAD; exec {messages} 0 4")
    env = {"STRETTO_STATISTICS": "1", "STRETTO_GRIDS": "1x2"}
    done = allocated(slurm, TWO_NODES, "preload", library, *mpi, "--", *ranks, env=env)
    assert done.stdout.count(f"libstretto_{library}.so") == 2, done.stderr
    assert f"# {'libstretto_progress' if library == 'progress' else 'stretto collectives'}:" in done.stderr
    assert done.status == 4, "the program's own status"


def test_a_cancelled_probe_leaves_readable_samples_and_no_process(
    slurm: Slurm, mpi: tuple[str, str], tmp_path: Path
) -> None:
    cancel_a_probe(slurm, tmp_path, *mpi, *LATENCY, min_bytes=2000)


def test_a_job_at_its_time_limit_leaves_a_readable_trace_and_no_process(
    slurm: Slurm, limited: tuple[str, Path], messages: str
) -> None:
    job, trace = limited
    eventually_over(slurm, job)
    assert len({file.header.host for file in open_trace(trace)}) == 2
    done = slurm.run([STRETTO, "potential", str(trace), "--json"])
    assert done.status == 0, done.stderr
    assert slurm.processes(Path(messages).name) == []
