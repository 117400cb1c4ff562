# SPDX-License-Identifier: BSD-3-Clause
"""Launch lines on the nodes of a cluster."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from stretto.errors import RunError, UserError
from stretto.launch.command_line import read_command
from stretto.launch.job import Job
from stretto.launch.launchers import (
    cluster_launch,
    flux_launch,
    hosts_launch,
    shown_launch,
    slurm_launch,
    slurm_pmi,
    template_launch,
)
from stretto.launch.layout import Layout, Placement
from stretto.launch.mpi import MpiLibrary
from stretto.launch.placement_check import check_placement
from stretto.launch.preload import command_launch
from stretto.launch.session import Session

MPICH = MpiLibrary("mpich", "5.0.2", Path("/m/bin/mpiexec"))
OPEN_MPI = MpiLibrary("openmpi", "5.0.11", Path("/o/bin/mpiexec"))
JOB = Job(Path("/p/probe"), ("-o", "x y"), 4, {"WHO": "me"})
TWO = Placement("Slurm", ("n1", "n2"), 4, 2)


@pytest.fixture(autouse=True)
def in_no_step(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SLURM_STEP_ID", "SLURM_MPI_TYPE", "SLURM_EXPORT_ENV"):
        monkeypatch.delenv(name, raising=False)


def tool(directory: Path, name: str, script: str) -> str:
    """A program of that name."""
    path = directory / name
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="ascii")
    path.chmod(0o700)
    return str(path)


def test_srun_gets_nodes_and_ranks_per_node(monkeypatch: pytest.MonkeyPatch) -> None:
    launch = slurm_launch(JOB, TWO, "srun", "pmi2")
    assert {"--nodes=2", "--nodelist=n1,n2", "--ntasks=4", "--ntasks-per-node=2", "--mpi=pmi2"} < set(
        launch.argv
    )
    assert launch.argv[-5:] == ("env", "WHO=me", "/p/probe", "-o", "x y"), "srun itself is not preloaded"
    assert "--overlap" not in launch.argv
    monkeypatch.setenv("SLURM_STEP_ID", "0")
    assert "--overlap" in slurm_launch(JOB, TWO, "srun", "pmi2").argv, "a step inside of a step needs it"


def test_a_job_with_uneven_cores_divides_the_ranks_unless_their_number_is_requested() -> None:
    """Slurm grants four tasks as three cores of one node and one of another."""
    free = Placement("Slurm", ("n1", "n2"), 4, 2, requested=False)
    assert "--ntasks-per-node=2" not in slurm_launch(JOB, free, "srun", "pmi2").argv
    assert free.holds_for({"n1": 3, "n2": 1})
    assert not free.holds_for({"n1": 4})
    assert not TWO.holds_for({"n1": 3, "n2": 1})
    assert not Placement("Slurm", ("n1", "n2"), 2, 1, requested=False).holds_for({"n1": 2})


def test_the_process_manager_interface_is_one_that_both_speak(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = tool(tmp_path, "srun", "echo 'MPI plugin types are...'; echo pmi2; echo pmix >&2")
    assert (slurm_pmi(MPICH, both), slurm_pmi(OPEN_MPI, both)) == ("pmi2", "pmix")
    old = tool(tmp_path, "old", "echo none; echo pmi2")
    assert (slurm_pmi(MPICH, old), slurm_pmi(OPEN_MPI, old)) == ("pmi2", None)
    monkeypatch.setenv("SLURM_MPI_TYPE", "cray_shasta")
    assert slurm_pmi(OPEN_MPI, old) == "", "the user's choice"
    assert not [word for word in slurm_launch(JOB, TWO, "srun", "").argv if word.startswith("--mpi")]


def test_without_an_interface_the_mpis_own_launcher_takes_the_nodes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool(tmp_path, "srun", "echo none; echo pmi2")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert cluster_launch(MPICH, JOB, Layout(), TWO).argv[0].endswith("srun")
    assert cluster_launch(OPEN_MPI, JOB, Layout(), TWO).argv[0] == "/o/bin/mpiexec"


def test_mpiexec_gets_the_hosts() -> None:
    mpich = hosts_launch(MPICH, JOB, TWO).argv
    assert mpich[1:5] == ("-hosts", "n1,n2", "-ppn", "2")
    assert mpich[-5:] == ("-n", "4", "/p/probe", "-o", "x y")
    assert hosts_launch(OPEN_MPI, JOB, TWO).argv[1:5] == ("--host", "n1:2,n2:2", "--map-by", "ppr:2:node")


def test_flux_gets_nodes_and_ranks() -> None:
    assert flux_launch(JOB, TWO, "flux").argv[:4] == ("flux", "run", "--nodes=2", "--ntasks=4")


def test_a_template_is_filled_in() -> None:
    launch = template_launch("env A=1 run -n {ranks} -ppn {ppn} -N{nodes} -H {hosts} {command}", JOB, TWO)
    assert launch.argv == (
        "env", "A=1", "run", "-n", "4", "-ppn", "2", "-N2", "-H", "n1,n2",
        "env", "WHO=me", "/p/probe", "-o", "x y",
    )  # fmt: skip
    quoted = template_launch("sh -c 'exec {command}'", JOB, TWO)
    assert quoted.argv[-1] == "exec env WHO=me /p/probe -o 'x y'"


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("env -n {ranks}", "lacks {command}"),
        ("{command}", "lacks {command}"),
        ("env -n {rank} {command}", "{rank} is unknown; it knows {ranks}"),
        ("env 'x {command}", "no closing quotation"),
        ("no-such-launcher {command}", "no-such-launcher: no such command"),
    ],
)
def test_a_wrong_template_is_refused(template: str, message: str) -> None:
    with pytest.raises(UserError) as error:
        template_launch(template, JOB, TWO)
    assert str(error.value).startswith("--launcher: ")
    assert message in str(error.value)


def test_hosts_of_a_template_have_to_be_known() -> None:
    with pytest.raises(UserError, match="give --hostfile"):
        template_launch("env {hosts} {command}", JOB, Placement("the launcher", (), 4, 2))


def test_a_launch_line_is_shown_as_one_types_it() -> None:
    assert shown_launch(hosts_launch(MPICH, JOB, TWO)).endswith("-n 4 /p/probe -o 'x y'")


@contextmanager
def session() -> Iterator[Session]:
    with Session("none") as opened:
        yield opened


@pytest.mark.parametrize(
    ("printed", "message"),
    [
        ("echo a; echo a; echo b; echo b", None),
        ("echo 0: a; echo 1: a; echo 2: b; echo 3: b", None),
        ("echo a; echo a; echo a; echo a", "2 ranks on each of 2 nodes requested, but a has 4"),
        ("echo a; echo b; echo c; echo d", "a has 1, b has 1, c has 1, d has 1"),
    ],
)
def test_ranks_elsewhere_are_an_error(printed: str, message: str | None, tmp_path: Path) -> None:
    """A launcher that puts two ranks on one node would measure shared memory as the network."""
    layout = Layout(launcher=f"{tool(tmp_path, 'launch', printed)} {{command}}")
    with session() as opened:
        if message is None:
            check_placement(opened, MPICH, layout, TWO)
            return
        with pytest.raises(UserError) as error:
            check_placement(opened, MPICH, layout, TWO)
    assert message in str(error.value)


@pytest.mark.parametrize("end", ["exit 7", "echo a; exit 0"])
def test_a_launcher_that_fails_says_why(end: str, tmp_path: Path) -> None:
    """srun returns 0 although a task could not be launched."""
    layout = Layout(launcher=f"{tool(tmp_path, 'launch', f'echo no such queue >&2; {end}')} {{command}}")
    with session() as opened, pytest.raises(RunError, match="no such queue"):
        check_placement(opened, MPICH, layout, TWO)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("srun -n 2 ./app", "srun --export=ALL,LD_PRELOAD=/l/t.so -n 2 ./app"),
        ("srun --export=NONE -n 2 ./app", "srun --export=NONE,LD_PRELOAD=/l/t.so -n 2 ./app"),
        ("flux run -n 2 ./app", "flux run --env=LD_PRELOAD=/l/t.so -n 2 ./app"),
        ("jsrun -n 2 ./app", "jsrun -E LD_PRELOAD=/l/t.so -n 2 ./app"),
        ("aprun -n 2 ./app", "aprun -e LD_PRELOAD=/l/t.so -n 2 ./app"),
    ],
)
def test_batch_launchers_pass_the_library_to_the_ranks_alone(command: str, expected: str) -> None:
    launch = command_launch(read_command(command.split(), None), MPICH, {"LD_PRELOAD": "/l/t.so"})
    assert (launch.argv, launch.env) == (tuple(expected.split()), {})
    assert command_launch(read_command(command.split(), None), MPICH, {}).argv == tuple(command.split())
