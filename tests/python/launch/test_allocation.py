# SPDX-License-Identifier: BSD-3-Clause
"""The nodes that batch systems and host files give, and the placement of ranks on them."""

import os
from pathlib import Path

import pytest

from stretto.errors import UserError
from stretto.launch.allocation import expand_host_list, granted_nodes
from stretto.launch.layout import HERE, Layout, default_ranks, place, spans_nodes

_VARIABLES = ("SLURM_JOB_ID", "SLURM_JOB_NODELIST", "SLURM_NODELIST", "PBS_NODEFILE", "LSB_DJOB_HOSTFILE",
              "LSB_MCPU_HOSTS", "FLUX_URI")  # fmt: skip


@pytest.fixture(autouse=True)
def no_job(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in _VARIABLES:
        monkeypatch.delenv(name, raising=False)


def slurm(monkeypatch: pytest.MonkeyPatch, nodes: str) -> None:
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    monkeypatch.setenv("SLURM_JOB_NODELIST", nodes)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a", "a"),
        ("a,b", "a b"),
        ("n[1-3,7]", "n1 n2 n3 n7"),
        ("n[08-10]-ib", "n08-ib n09-ib n10-ib"),
        ("r[1-2]n[1-2],login", "r1n1 r1n2 r2n1 r2n2 login"),
    ],
)
def test_host_lists_are_expanded(text: str, names: str) -> None:
    assert expand_host_list(text) == tuple(names.split())


@pytest.mark.parametrize("text", [
    "", ",", "n[1-", "n[]", "n[a-b]", "n[0-99999999]", "n[3-1,5]", f"n[{'9' * 5000}]", "n[\u0663]",
])  # fmt: skip
def test_what_is_no_host_list_is_refused(text: str) -> None:
    with pytest.raises(UserError):
        expand_host_list(text)


def test_slurm_names_its_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    slurm(monkeypatch, "n[1-2]")
    allocation = granted_nodes()
    assert allocation is not None
    assert (allocation.system, allocation.nodes) == ("Slurm", ("n1", "n2"))


def test_a_node_list_of_srun_outside_of_a_job_is_not_an_allocation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLURM_JOB_NODELIST", "n[1-2]")
    assert granted_nodes() is None


@pytest.mark.parametrize("variable", ["PBS_NODEFILE", "LSB_DJOB_HOSTFILE"])
def test_node_files_name_a_node_once_per_slot(
    variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "nodes"
    file.write_text("b\nb\na\na\n", encoding="ascii")
    monkeypatch.setenv(variable, str(file))
    allocation = granted_nodes()
    assert allocation is not None
    assert allocation.nodes == ("b", "a")
    placed = place(HERE, 2)
    assert placed is not None
    assert (placed.nodes, placed.counts) == (("b", "a"), (1, 1)), "one rank on each node"


def test_lsf_without_a_file_has_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LSB_MCPU_HOSTS", "a 4 b 4")
    allocation = granted_nodes()
    assert allocation is not None
    assert (allocation.system, allocation.nodes) == ("LSF", ("a", "b"))


def test_flux_is_asked_for_its_hosts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flux = tmp_path / "flux"
    flux.write_text('#!/bin/sh\n[ "$*" = "getattr hostlist" ] && echo "n[1-3]"\n', encoding="ascii")
    flux.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert granted_nodes() is None, "not inside of an instance"
    monkeypatch.setenv("FLUX_URI", "local:///x")
    allocation = granted_nodes()
    assert allocation is not None
    assert (allocation.system, allocation.nodes) == ("Flux", ("n1", "n2", "n3"))


def test_host_files_of_every_mpi_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "hosts"
    file.write_text("# nodes\na:4\nb slots=4\n\nc\n", encoding="ascii")
    slurm(monkeypatch, "other")
    allocation = granted_nodes(file)
    assert allocation is not None
    assert allocation.nodes == ("a", "b", "c"), "the file goes before the job"


@pytest.mark.parametrize("text", ["", "# none\n", ":4\n"])
def test_a_host_file_without_nodes_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "hosts"
    file.write_text(text, encoding="ascii")
    with pytest.raises(UserError, match="has no nodes"):
        granted_nodes(file)
    with pytest.raises(UserError, match=r"--hostfile .*cannot be read"):
        granted_nodes(tmp_path / "absent")


@pytest.mark.parametrize("text", ["\0\0", "{", "[[[[", '{"schema":1}', "a/b", "$(x)"])
def test_what_is_no_name_of_a_host_is_refused_with_its_line(text: str, tmp_path: Path) -> None:
    file = tmp_path / "hosts"
    file.write_text(f"a\n{text}\n", encoding="ascii")
    with pytest.raises(UserError, match=r"hosts:2: .* is no name of a host"):
        granted_nodes(file)


@pytest.mark.parametrize(
    ("ranks", "per_node", "nodes", "counts"),
    [
        (2, None, "n1 n2", (1, 1)),
        (3, None, "n1 n2 n3", (1, 1, 1)),
        (4, None, "n1 n2", (2, 2)),
        (5, None, "n1 n2 n3", (2, 2, 1)),
        (4, 4, "n1", (4,)),
        (5, 4, "n1 n2", (4, 1)),
    ],
)
def test_ranks_are_spread_over_the_nodes(
    ranks: int, per_node: int | None, nodes: str, counts: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    slurm(monkeypatch, "n[1-3]")
    placed = place(Layout(ranks_per_node=per_node), ranks)
    assert placed is not None
    assert (placed.nodes, placed.counts) == (tuple(nodes.split()), counts)


def test_too_few_nodes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match="4 ranks need 2 nodes, and this machine has 1"):
        place(Layout(ranks_per_node=2), 4)
    slurm(monkeypatch, "n[1-3]")
    with pytest.raises(UserError, match="4 ranks need 4 nodes, and Slurm has 3"):
        place(Layout(ranks_per_node=1), 4)


def test_one_node_is_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    assert place(HERE, 4) is None
    slurm(monkeypatch, "n1")
    assert place(HERE, 4) is None
    assert not spans_nodes()
    slurm(monkeypatch, "n[1-2]")
    assert spans_nodes()


def test_ranks_per_node_fill_the_nodes_where_no_number_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    assert default_ranks(HERE, 2) == 2
    assert default_ranks(Layout(ranks_per_node=4), 2) == 4
    slurm(monkeypatch, "n[1-3]")
    assert default_ranks(HERE, 2) == 2
    assert default_ranks(Layout(ranks_per_node=4), 2) == 12


@pytest.mark.parametrize(
    "line", ["a", "a:4", "a 4", "a slots=4", "a slots = 4 max_slots=8", "a:4 # the fast one"]
)
def test_what_launchers_take_behind_a_host_is_taken(line: str, tmp_path: Path) -> None:
    (tmp_path / "hosts").write_text(f"{line}\n", encoding="utf-8")
    allocation = granted_nodes(tmp_path / "hosts")
    assert allocation is not None and allocation.nodes == ("a",)


def test_a_text_is_no_host_file(tmp_path: Path) -> None:
    (tmp_path / "hosts").write_text("Dear\nfriends of hosts\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"hosts:2: 'of' behind a host; write one name a line"):
        granted_nodes(tmp_path / "hosts")


def test_a_device_is_no_host_file() -> None:
    """Some are without an end."""
    with pytest.raises(UserError, match=r"/dev/full: cannot be read \(is no file\)"):
        granted_nodes(Path("/dev/full"))
