# SPDX-License-Identifier: BSD-3-Clause
"""Options of launch lines. A wrong option would not fail, but measure something else."""

from pathlib import Path

import pytest

from stretto.launch import mpiexec
from stretto.launch.job import Job
from stretto.launch.mpi import MpiLibrary
from stretto.launch.mpiexec import Launch, emulated_launch, local_launch

MPICH = MpiLibrary("mpich", "5.0.2", Path("/m/bin/mpiexec"))
OPEN_MPI_5 = MpiLibrary("openmpi", "5.0.11", Path("/o/bin/mpiexec"))
OPEN_MPI_4 = MpiLibrary("openmpi", "4.1.4", Path("/d/bin/mpiexec"))
JOB = Job(Path("/p/probe"), ("-o", "x y"), 2, {"WHO": "me"})


def test_a_job_preloads_another_library_after_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LD_PRELOAD", raising=False)
    once = JOB.preloading(Path("/l/one.so"))
    assert once.env == {"WHO": "me", "LD_PRELOAD": "/l/one.so"}
    assert once.preloading(Path("/l/two.so")).env["LD_PRELOAD"] == "/l/one.so:/l/two.so"
    monkeypatch.setenv("LD_PRELOAD", "/u/own.so")
    assert JOB.preloading(Path("/l/one.so")).env["LD_PRELOAD"] == "/u/own.so:/l/one.so"


def pairs(launch: Launch, option: str) -> dict[str, str]:
    """`--mca NAME VALUE` options as a mapping."""
    words = launch.argv
    return {words[i + 1]: words[i + 2] for i, word in enumerate(words) if word == option}


@pytest.fixture(autouse=True)
def whole_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mpiexec, "_all_cores_are_available", lambda: True)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(4)))


@pytest.mark.parametrize("mpi", [MPICH, OPEN_MPI_5, OPEN_MPI_4])
def test_the_program_and_its_words_come_last_and_unchanged(mpi: MpiLibrary) -> None:
    launches = [
        local_launch(mpi, JOB, [0, 1]),
        emulated_launch(mpi, JOB, ["a", "b"], Path("/t/agent"), Path("/t")),
    ]
    for launch in launches:
        assert launch.argv[0] == str(mpi.mpiexec)
        assert launch.argv[-5:] == ("-n", "2", "/p/probe", "-o", "x y")


@pytest.mark.parametrize("mpi", [MPICH, OPEN_MPI_5, OPEN_MPI_4])
def test_variables_are_the_ranks_and_not_the_launchers(mpi: MpiLibrary) -> None:
    """A preloaded library of MPI has no business in mpiexec."""
    expected = ("-genv", "WHO", "me") if mpi is MPICH else ("-x", "WHO=me")
    for launch in (
        local_launch(mpi, JOB, [0, 1]),
        emulated_launch(mpi, JOB, ["a", "b"], Path("/t/agent"), Path("/t")),
    ):
        assert launch.argv[-5 - len(expected) : -5] == expected
        assert "WHO" not in launch.env


def test_each_rank_is_bound_to_a_usable_core() -> None:
    assert local_launch(MPICH, JOB, [4, 6, 8]).argv[1:3] == ("-bind-to", "user:4,6")
    assert local_launch(OPEN_MPI_5, JOB, [0, 1]).argv[1:5] == ("--bind-to", "core", "--map-by", "core")


def test_too_many_ranks_are_not_bound_and_yield() -> None:
    assert "-bind-to" not in local_launch(MPICH, JOB, [0]).argv
    for mpi, oversubscribe in ((OPEN_MPI_5, ":OVERSUBSCRIBE"), (OPEN_MPI_4, "--oversubscribe")):
        launch = local_launch(mpi, JOB, [0])
        assert oversubscribe in launch.argv
        assert launch.argv[launch.argv.index("--bind-to") + 1] == "none"
        assert pairs(launch, "--mca") == {"mpi_yield_when_idle": "1"}


def test_open_mpi_is_not_bound_where_only_some_cores_are_usable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mpiexec, "_all_cores_are_available", lambda: False)
    launch = local_launch(OPEN_MPI_5, JOB, [2, 3])
    assert launch.argv[launch.argv.index("--bind-to") + 1] == "none"
    assert pairs(launch, "--mca") == {}


def test_open_mpi_runs_as_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert local_launch(OPEN_MPI_4, JOB, [0, 1]).env["OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"] == "1"
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert local_launch(OPEN_MPI_4, JOB, [0, 1]).env == {}


def emulated(mpi: MpiLibrary, ranks: int = 2) -> Launch:
    job = Job(Path("/p/probe"), (), ranks)
    return emulated_launch(mpi, job, ["a", "b", "c"], Path("/t/agent"), Path("/t"))


def test_emulated_ranks_take_one_host_each_from_the_first_on() -> None:
    assert emulated(MPICH).argv[5:9] == ("-hosts", "a,b", "-ppn", "1")
    assert emulated(OPEN_MPI_5, 3).argv[1:3] == ("--host", "a:1,b:1,c:1")


def test_more_ranks_than_hosts_go_to_the_hosts_in_equal_blocks() -> None:
    assert emulated(MPICH, 6).argv[5:9] == ("-hosts", "a,b,c", "-ppn", "2")
    assert emulated(MPICH, 5).argv[5:9] == ("-hosts", "a,b,c", "-ppn", "2")
    assert emulated(MPICH, 4).argv[5:9] == ("-hosts", "a,b", "-ppn", "2")
    five = emulated(OPEN_MPI_5, 4)
    assert five.argv[1:3] == ("--host", "a:2,b:2")
    assert five.argv[five.argv.index("--map-by") + 1] == "slot"


def test_ranks_of_one_host_share_its_memory() -> None:
    assert pairs(emulated(OPEN_MPI_5, 6), "--mca")["btl"] == "tcp,self,sm"
    assert pairs(emulated(OPEN_MPI_4, 6), "--mca")["btl"] == "tcp,self,vader"
    assert pairs(emulated(OPEN_MPI_5, 6), "--mca")["osc"] == "rdma,sm"
    assert pairs(emulated(OPEN_MPI_4, 6), "--mca")["osc"] == "ucx,sm"
    assert emulated(MPICH, 6).env["UCX_TLS"] == "tcp,self", "MPICH has a shared memory of its own"


@pytest.mark.parametrize("mpi", [OPEN_MPI_5, OPEN_MPI_4])
def test_ranks_of_emulated_hosts_yield_where_they_share_cores(mpi: MpiLibrary) -> None:
    assert "mpi_yield_when_idle" not in pairs(emulated(mpi, 4), "--mca")
    assert pairs(emulated(mpi, 5), "--mca")["mpi_yield_when_idle"] == "1"


def test_every_mpi_uses_the_emulated_link_and_the_agent() -> None:
    mpich = emulated(MPICH)
    assert mpich.argv[1:5] == ("-launcher", "ssh", "-launcher-exec", "/t/agent")
    assert (mpich.env["UCX_TLS"], mpich.env["UCX_NET_DEVICES"]) == ("tcp,self", "eth0")
    five = emulated(OPEN_MPI_5)
    on_tcp = {"pml": "ob1", "btl": "tcp,self", "btl_tcp_if_include": "eth0"}
    assert pairs(five, "--mca") == {**on_tcp, "osc": "rdma"}
    assert pairs(five, "--prtemca") == {"plm": "ssh", "plm_ssh_agent": "/t/agent"}
    four = emulated(OPEN_MPI_4)
    agent = {"plm": "rsh", "plm_rsh_agent": "/t/agent", "plm_rsh_no_tree_spawn": "1"}
    assert pairs(four, "--mca") == {**on_tcp, **agent, "osc": "ucx"}
    assert (four.env["UCX_TLS"], four.env["UCX_NET_DEVICES"]) == ("tcp,self", "eth0")


@pytest.mark.parametrize("mpi", [MPICH, OPEN_MPI_5, OPEN_MPI_4])
def test_an_emulated_cluster_ignores_slurm(mpi: MpiLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    assert emulated(mpi).env["SLURM_JOB_ID"] is None
    assert emulated(mpi).env["TMPDIR"] == "/t"
