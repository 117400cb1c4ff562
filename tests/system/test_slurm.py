# SPDX-License-Identifier: BSD-3-Clause
"""stretto under a real Slurm: probes, traces, preloaded libraries and kernels on several nodes, and jobs that
Slurm ends. Each MPI is started by the interface that Slurm and it have in common."""

import json
import re
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
    eventually_over,
    hosts_of,
)
from traced_runs import LAUNCHERS, compiled, parameters, recorder_of

from stretto.data.trace_directory import open_trace

pytestmark = [
    pytest.mark.slow,
    pytest.mark.matrix,
    pytest.mark.skipif(slurm_cluster.missing() != "", reason=slurm_cluster.missing() or "none"),
]
LATENCY = ("latency", "--sizes", "8:16", "--transport", "mpi-two-sided")
PMI = {"mpich": "--mpi=pmi2", "openmpi": "--mpi=pmix", "openmpi4": "--mpi=pmix"}
BUILT = [
    name for name in PMI if name == "mpich" or (recorder_of(name).is_file() and LAUNCHERS[name].is_file())
]
embedded = pytest.mark.parametrize("preset", ["mpich"], indirect=True)
"""A test of what no MPI changes."""


@pytest.fixture(scope="module")
def slurm() -> Iterator[Slurm]:
    with slurm_cluster.slurm_cluster(nodes=4) as cluster:
        yield cluster


@pytest.fixture(scope="module", params=parameters(BUILT))
def preset(request: pytest.FixtureRequest, slurm: Slurm) -> str:
    listed = slurm.run(["srun", "--mpi=list"])
    if PMI[request.param].partition("=")[2] not in (listed.stdout + listed.stderr).split():
        pytest.skip(
            "THIS SLURM HAS NO PMIX: Open MPI is not tested; Debian's slurm-wlm-basic-plugins brings it, "
            "a Slurm of your own needs ./configure --with-pmix"
        )
    return str(request.param)


@pytest.fixture(scope="module")
def mpi(preset: str) -> tuple[str, ...]:
    """The option that names this MPI; the embedded one is found without."""
    return () if preset == "mpich" else ("--mpi", str(LAUNCHERS[preset]))


@pytest.fixture(scope="module")
def messages(preset: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The program for this MPI."""
    return str(compiled(preset, "messages.c", tmp_path_factory.mktemp(preset)))


@pytest.fixture(scope="module")
def limited(
    slurm: Slurm,
    preset: str,
    mpi: tuple[str, ...],
    messages: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[str, Path]:
    """A job that will exceed its time limit while the other tests run, and the directory of its trace."""
    directory = tmp_path_factory.mktemp("limited")
    trace = directory / "trace"
    words = f"exec {STRETTO} trace {' '.join(mpi)} -o {trace} -- srun {PMI[preset]} {messages} 600"
    script = directory / "job.sh"
    script.write_text(f"#!/bin/sh\n#SBATCH --time=1 --nodes=2 --ntasks=2\n{words}\n", encoding="utf-8")
    done = slurm.run(["sbatch", "--parsable", f"--output={directory}/out", str(script)])
    assert done.status == 0, done.stderr
    return done.stdout.strip(), trace


@pytest.mark.usefixtures("limited")
def test_a_probe_measures_between_two_nodes(
    slurm: Slurm, preset: str, mpi: tuple[str, ...], tmp_path: Path
) -> None:
    run = tmp_path / "run"
    shown = allocated(slurm, TWO_NODES, "probe", *mpi, *LATENCY, "--dry-run", "-o", run)
    assert shown.status == 0, shown.stderr
    assert "srun --nodes=2" in shown.stdout and PMI[preset] in shown.stdout
    assert not run.exists()
    done = allocated(slurm, TWO_NODES, "probe", *mpi, *LATENCY, "--budget", "1", "-o", run)
    assert done.status == 0, done.stderr
    hosts = hosts_of(run)
    assert len(hosts) == len(set(hosts)) == 2
    rows = json.loads((run / "results.json").read_text(encoding="utf-8"))["rows"]
    assert {row["locality"] for row in rows if "locality" in row} <= {"remote"}
    profile = json.loads((run / "profile.json").read_text(encoding="utf-8"))
    assert profile["machine"]["mpi"]["family"] == preset.rstrip("4")


@embedded
def test_a_profile_of_one_job_is_used_in_another_on_other_nodes(
    slurm: Slurm, messages: str, tmp_path: Path
) -> None:
    """The installed profile belongs to the cluster and the partition, not to the nodes."""
    env = {"XDG_DATA_HOME": str(tmp_path / "data"), "STRETTO_STATISTICS": "1"}
    done = allocated(slurm, TWO_NODES, "probe", *LATENCY, "--budget", "1", "-o", tmp_path / "run")
    assert done.status == 0, done.stderr
    measured_on = set(hosts_of(tmp_path / "run"))
    file = tmp_path / "run" / "profile.json"
    profile = json.loads(file.read_text(encoding="utf-8"))
    assert (profile["machine"]["cluster"], profile["machine"]["partition"]) == ("testbed", "short")
    function = {
        **{"operation": "gather", "terms": [{"of_p": "1", "of_b": "1", "coefficient": 1e-3}]},
        **{"members_min": 2, "members_max": 2, "size_min_bytes": 1, "size_max_bytes": 1 << 20},
    }
    file.write_text(json.dumps({**profile, "collectives": [function]}), encoding="utf-8")

    others = ("-N1", "-n2", f"--exclude={','.join(sorted(measured_on))}")
    use = ("preload", "collectives", "--", "srun", "--mpi=pmi2", messages)
    before = allocated(slurm, others, *use, env=env)
    (line,) = [line for line in before.stderr.splitlines() if "no profile of" in line]
    assert "on cluster testbed/short: every collective stays flat" in line
    assert slurm.run([STRETTO, "profile", "install", str(file)], env=env).status == 0
    after = allocated(slurm, others, *use, env=env)
    assert not measured_on & {line.split()[-1] for line in after.stdout.splitlines()}
    assert "no profile of" not in after.stderr
    assert re.search(r"^gather .* 1000\.0$", after.stderr, re.MULTILINE), after.stderr


@embedded
def test_ranks_per_node_fill_the_nodes_of_the_job(slurm: Slurm, messages: str) -> None:
    nodes = ("-N2", "--ntasks-per-node=2")
    done = allocated(slurm, nodes, "run", "--ranks-per-node", "2", "--", messages)
    assert done.status == 0, done.stderr
    first, second, third, fourth = (line.split()[-1] for line in done.stdout.splitlines())
    assert first == second != third == fourth


def test_ranks_on_the_wrong_node_are_refused(slurm: Slurm, tmp_path: Path) -> None:
    """Two ranks on one node would measure shared memory, and call it the network."""
    launcher = "srun --nodes=1 --overcommit -n {ranks} {command}"
    run = tmp_path / "run"
    done = allocated(slurm, TWO_NODES, "probe", *LATENCY, "--budget", "1", "--launcher", launcher, "-o", run)
    assert done.status == 2
    assert "1 rank on each of 2 nodes requested, but " in done.stderr
    assert not run.exists()


def test_a_job_script_measures(slurm: Slurm, tmp_path: Path) -> None:
    words = [
        "batch",
        "--system",
        "slurm",
        "probe",
        "-n",
        "2",
        *LATENCY,
        "--budget",
        "1",
        "-o",
        str(tmp_path / "run"),
    ]
    made = slurm.run([STRETTO, *words])
    assert made.status == 0, made.stderr
    script = tmp_path / "job.sh"
    script.write_text(made.stdout, encoding="utf-8")
    job = slurm.run(["sbatch", "--parsable", f"--output={tmp_path}/out", str(script)]).stdout.strip()
    eventually_over(slurm, job)
    assert (tmp_path / "run" / "report.html").exists(), (tmp_path / "out").read_text(encoding="utf-8")
    assert len(set(hosts_of(tmp_path / "run"))) == 2


def test_a_traced_program_is_replayed(
    slurm: Slurm, preset: str, mpi: tuple[str, ...], messages: str, tmp_path: Path
) -> None:
    trace = tmp_path / "trace"
    done = allocated(slurm, TWO_NODES, "trace", *mpi, "-o", trace, "--", "srun", PMI[preset], messages)
    assert done.status == 0, done.stderr
    check_replay(slurm, trace)


@pytest.mark.parametrize("library", ["progress", "collectives"])
def test_preloaded_libraries_reach_the_ranks_and_not_srun(
    slurm: Slurm, preset: str, mpi: tuple[str, ...], library: str, messages: str
) -> None:
    ranks = ("srun", PMI[preset], "sh", "-c", f"echo $LD_PRELOAD; exec {messages} 0 4")
    env = {"STRETTO_STATISTICS": "1", "STRETTO_GRIDS": "1x2"}
    named = mpi or ("--mpi", "mpich")
    done = allocated(slurm, TWO_NODES, "preload", library, *named, "--", *ranks, env=env)
    assert done.stdout.count(f"libstretto_{library}.so") == 2, done.stderr
    assert f"# {'libstretto_progress' if library == 'progress' else 'stretto collectives'}:" in done.stderr
    assert done.status == 4, "the program's own status"


def test_slow_hosts_are_looked_for_on_all_nodes_of_the_job(slurm: Slurm, tmp_path: Path) -> None:
    done = allocated(slurm, ("-N2",), "probe", "hosts", "--sizes", "1:4096", "-o", tmp_path / "run")
    assert done.status == 0, done.stderr
    assert done.stdout.startswith("2 hosts, 2 ranks: ")
    members = json.loads((tmp_path / "run" / "hosts.json").read_text(encoding="utf-8"))
    assert (members["cluster"], len(set(members["hosts"]))) == ("testbed", 2)
    assert "Bandwidth of all links" in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")


def test_a_kernel_runs_on_the_nodes(slurm: Slurm) -> None:
    kernel = allocated(slurm, TWO_NODES, "run", "cg", "-n", "2", "--json")
    assert json.loads(kernel.stdout)["verified"], kernel.stderr


def test_a_program_runs_on_the_nodes(slurm: Slurm, mpi: tuple[str, ...], messages: str) -> None:
    words = ("run", "-n", "2", "--preload", "progress", *mpi, "--", messages, "0", "5")
    program = allocated(slurm, TWO_NODES, *words)
    assert program.status == 5, program.stderr
    assert len({line.split()[-1] for line in program.stdout.splitlines()}) == 2


def test_a_cancelled_probe_leaves_readable_samples_and_no_process(
    slurm: Slurm, mpi: tuple[str, ...], tmp_path: Path
) -> None:
    cancel_a_probe(slurm, tmp_path, *mpi, *LATENCY[:3], min_bytes=2000)


def test_a_job_at_its_time_limit_leaves_a_readable_trace_and_no_process(
    slurm: Slurm, limited: tuple[str, Path], messages: str
) -> None:
    job, trace = limited
    eventually_over(slurm, job)
    assert len({file.header.host for file in open_trace(trace)}) == 2
    done = slurm.run([STRETTO, "potential", str(trace), "--json"])
    assert done.status == 0, done.stderr
    assert slurm.processes(Path(messages).name) == []
