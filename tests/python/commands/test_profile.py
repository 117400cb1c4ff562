# SPDX-License-Identifier: BSD-3-Clause
"""`stretto profile`: profiles of clusters, which jobs on any of their nodes find."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from screens import document, refusal
from synthetic_samples import PATH, loggp_rows, sample, write_samples

from stretto.commands import exit_status
from stretto.data.installed_profile import machine_keys
from stretto.data.profile import Machine
from stretto.data.profile_file import read_profile
from stretto.data.sample_rows import Mpi
from stretto.native.library_rules import cluster_of_job

MPI = {"family": "mpich", "library": "MPICH Version: 5.0.2", "standard": "5.0"}
CLUSTER = {"on": "local", "cluster": "hal", "partition": "cpu", "mpi": MPI}


@pytest.fixture
def profiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where profiles are installed; this process is in no job."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    for name in ("STRETTO_CLUSTER", "SLURM_CLUSTER_NAME", "SLURM_JOB_PARTITION"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "data" / "stretto" / "profiles"


def measured(directory: Path, **header: object) -> Path:
    """A run of two ranks."""
    directory.mkdir()
    write_samples(directory / "samples.jsonl", loggp_rows(rounds=3), **header)
    return directory


def fitted(directory: Path, **header: object) -> Path:
    """The profile of such a run."""
    profile = directory.with_suffix(".json")
    assert exit_status(["fit", str(measured(directory, **header)), "-o", str(profile)]) == 0
    return profile


def latency_rows(seconds: float) -> list[dict[str, Any]]:
    """Ping-pongs of a message that takes so long."""
    place = {**PATH, "size_bytes": 8}
    return [sample("latency", 0, "T_c", round_, 2 * seconds, **place) for round_ in range(9)]


def key(partition: str = "cpu", ranks_per_node: int = 1) -> str:
    """Of a cluster with so many ranks per node, or any number of them."""
    mpi = Mpi(**MPI)
    return machine_keys(Machine(mpi=mpi, cluster="hal", partition=partition, ranks_per_node=ranks_per_node))[
        0
    ]


def key_of_hosts(*hosts: str) -> str:
    return machine_keys(Machine(mpi=Mpi(**MPI), hosts=hosts))[0]


def test_a_cluster_is_found_by_its_ranks_per_node_and_by_any_number() -> None:
    machine = Machine(mpi=Mpi(**MPI), cluster="hal", partition="cpu", ranks_per_node=4)
    assert machine_keys(machine) == ("bad0b09df99829bc", key("cpu", 0))
    assert machine_keys(replace(machine, ranks_per_node=None)) == (key("cpu", 0),)


def test_hosts_are_found_in_any_order() -> None:
    assert key_of_hosts("node2", "node1", "node2") == key_of_hosts("node1", "node2") == "b862153eced50774"


def test_another_host_library_or_network_has_another_key() -> None:
    one = Machine(mpi=Mpi(**MPI), hosts=("a",), network="n")
    other_mpi = Mpi(**{**MPI, "library": "Open MPI v5.0.8"})
    others = (replace(one, hosts=("b",)), replace(one, mpi=other_mpi), replace(one, network="o"))
    assert len({machine_keys(machine) for machine in (one, *others)}) == 4


def test_a_profile_of_a_cluster_is_installed_for_all_of_its_nodes(profiles: Path, tmp_path: Path) -> None:
    assert (
        exit_status(["fit", str(measured(tmp_path / "a", **CLUSTER, hosts=["n1", "n2"])), "--install"]) == 0
    )
    for ranks_per_node in (1, 0):
        installed = read_profile(profiles / f"{key(ranks_per_node=ranks_per_node)}.json")
        assert installed.machine.cluster == "hal"
        assert installed.machine.ranks_per_node == 1
    assert not (profiles / f"{key_of_hosts('n1', 'n2')}.json").exists()


def test_runs_of_several_jobs_of_a_cluster_are_pooled(profiles: Path, tmp_path: Path) -> None:
    one = measured(tmp_path / "a", **CLUSTER, hosts=["n1", "n2"])
    other = measured(tmp_path / "b", **CLUSTER, hosts=["n7", "n8"])
    assert exit_status(["fit", str(one), str(other), "-o", str(tmp_path / "p.json")]) == 0
    assert read_profile(tmp_path / "p.json").machine.hosts == ("n1", "n2", "n7", "n8")


def test_pooled_runs_name_a_slow_host(
    profiles: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = []
    for number, seconds in enumerate((2e-6, 2.1e-6, 2e-6, 6e-6)):
        header = {**CLUSTER, "hosts": [f"n{number}", f"m{number}"]}
        directory = tmp_path / str(number)
        directory.mkdir()
        write_samples(directory / "samples.jsonl", latency_rows(seconds), **header)
        runs.append(str(directory))
    assert exit_status(["fit", *runs, "-o", str(tmp_path / "p.json")]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "slower than the others" in line]
    assert [line.split()[0] for line in lines] == ["m3", "n3"]


@pytest.mark.parametrize("other", [{"partition": "gpu"}, {"cluster": "sal"}])
def test_runs_of_other_clusters_and_partitions_are_not_pooled(
    other: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = measured(tmp_path / "a", **CLUSTER, hosts=["n1", "n2"])
    two = measured(tmp_path / "b", **{**CLUSTER, **other}, hosts=["n1", "n2"])
    assert "fit each machine by itself" in refusal(capsys, "fit", one, two, "-o", tmp_path / "p.json")


def test_profiles_stand_next_to_each_other_and_one_is_used(
    profiles: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profile = str(fitted(tmp_path / "a", **CLUSTER, hosts=["n1", "n2"]))
    assert exit_status(["profile", "install", profile, "--name", "before"]) == 0
    assert exit_status(["profile", "install", profile, "--name", "after"]) == 0
    capsys.readouterr()
    listed = {one["name"]: one["used"] for one in document(capsys, "profile", "list")["profiles"]}
    assert listed == {"after": True, "before": False}
    assert exit_status(["profile", "use", "before"]) == 0
    assert (profiles / f"{key()}.json").resolve().stem == "before"
    assert exit_status(["profile", "use", "after", "--cluster", "hal/gpu", "--ranks-per-node", "8"]) == 0
    assert (profiles / f"{key('gpu', 8)}.json").resolve().stem == "after"
    assert (profiles / f"{key()}.json").resolve().stem == "before"


def test_a_profile_of_hosts_becomes_that_of_a_cluster(profiles: Path, tmp_path: Path) -> None:
    profile = str(fitted(tmp_path / "a", on="local", mpi=MPI, hosts=["n1", "n2"]))
    assert exit_status(["profile", "install", profile]) == 0
    assert (profiles / f"{key_of_hosts('n1', 'n2')}.json").exists()
    assert exit_status(["profile", "install", profile, "--cluster", "hal/cpu"]) == 0
    assert (profiles / f"{key()}.json").exists()


@pytest.mark.slow
def test_an_installed_profile_is_named_on_the_command_line(
    profiles: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    profile = str(fitted(tmp_path / "a", **CLUSTER, hosts=["n1", "n2"]))
    assert exit_status(["profile", "install", profile, "--name", "mine"]) == 0
    assert exit_status(["profile", "show", "mine"]) == 0
    assert "profile of cluster hal/cpu with MPICH Version: 5.0.2, 1 a node" in capsys.readouterr().out
    assert exit_status(["advise", "--profile", "mine"]) == 0
    assert exit_status(["profile", "list"]) == 0
    assert "mine" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["profile", "use", "absent"], "absent: no such installed profile; there is none"),
        (["profile", "show", "absent"], "absent: no such installed profile"),
        (["profile", "install", "absent.json"], "absent.json"),
        (["profile", "use", "x", "--cluster", "/cpu"], "--cluster /cpu: write NAME or NAME/PARTITION"),
        (["profile", "use"], "profile use: the profile is missing; give NAME"),
        (["profile", "list", "x"], "profile list takes no profile; `stretto profile show x` shows one"),
        (["profile", "show", "x", "--json"], "--json is for profile list, not for profile show"),
        (["profile", "list", "--cluster", "hal"], "--cluster is for profile install and use, not for"),
        (
            ["profile", "install", "x", "--ranks-per-node", "2"],
            "--ranks-per-node is for profile use, not for",
        ),
        (["profile", "drop", "x"], "unknown 'drop'; choose from list, show, use, install"),
    ],
)
@pytest.mark.usefixtures("profiles")
def test_what_is_not_there_is_said(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert message in refusal(capsys, *words)


@pytest.mark.usefixtures("profiles")
def test_a_name_is_a_file_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    profile = str(fitted(tmp_path / "a", **CLUSTER, hosts=["n1", "n2"]))
    assert "--name ../../x: takes letters" in refusal(
        capsys, "profile", "install", profile, "--name", "../../x"
    )


def test_a_simulated_machine_is_not_installed(
    profiles: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    profile = str(fitted(tmp_path / "a", on="simulated", hosts=["n1", "n2"]))
    assert "only a profile of a real machine" in refusal(capsys, "profile", "install", profile)
    assert not profiles.exists()


def test_the_cluster_of_a_job_is_slurms_unless_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("STRETTO_CLUSTER", "SLURM_CLUSTER_NAME", "SLURM_JOB_PARTITION"):
        monkeypatch.delenv(name, raising=False)
    assert cluster_of_job() == ("", "")
    monkeypatch.setenv("SLURM_CLUSTER_NAME", "s")
    monkeypatch.setenv("SLURM_JOB_PARTITION", "p")
    assert cluster_of_job() == ("s", "p")
    monkeypatch.setenv("STRETTO_CLUSTER", "mine")
    assert cluster_of_job() == ("mine", "p")
    monkeypatch.setenv("STRETTO_CLUSTER", "mine/big/nodes")
    assert cluster_of_job() == ("mine", "big/nodes")


def test_a_machine_without_figures_has_a_key() -> None:
    assert len(machine_keys(Machine())) == 1
