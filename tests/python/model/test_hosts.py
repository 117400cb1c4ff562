# SPDX-License-Identifier: BSD-3-Clause
"""Slow hosts and links of `stretto probe hosts`, on measurements in which some were planted."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from stretto.data.hosts import HostsRun, read_hosts
from stretto.errors import UserError
from stretto.model.hosts import slow_hosts_and_links
from stretto.report.hosts import answer, hosts_page, slow_sentence
from stretto.report.screen import plain_text


def document(ranks: int = 6, per_host: int = 1) -> dict[str, Any]:
    """A measurement with a noise of a few percent, in which nothing is slow."""
    chance = random.Random(7)

    def near(value: float) -> float:
        return value * (1 + 0.05 * chance.random())

    def matrix(value: float) -> list[list[float | None]]:
        return [[None if a == b else near(value) for b in range(ranks)] for a in range(ranks)]

    return {
        "schema": "stretto.hosts/1.0",
        "created_utc": "2026-11-24T04:00:00Z",
        "mpi": "MPICH Version: 5.0.2",
        "cluster": "hal",
        "partition": "cpu",
        "hosts": [f"node{rank // per_host}" for rank in range(ranks)],
        "size_bytes": 1 << 20,
        "compute_s": [[near(2e-3)] for _ in range(ranks)],
        "latency_s": matrix(2e-6),
        "bandwidth_bytes_per_s": matrix(1e10),
    }


def run_of(members: dict[str, Any], directory: Path) -> HostsRun:
    path = directory / "hosts.json"
    path.write_text(json.dumps(members), encoding="utf-8")
    return read_hosts(path)


def found(run: HostsRun) -> set[tuple[tuple[int, ...], str]]:
    return {(one.ranks, one.what) for one in slow_hosts_and_links(run)}


def test_a_rank_without_a_time_of_computation_is_refused(tmp_path: Path) -> None:
    members = document()
    members["compute_s"][2] = [None]
    with pytest.raises(UserError, match="compute_s has null for a rank"):
        run_of(members, tmp_path)


@pytest.mark.parametrize("ranks", [3, 4, 6, 9])
def test_noise_of_a_few_percent_is_not_slow(ranks: int, tmp_path: Path) -> None:
    run = run_of(document(ranks), tmp_path)
    assert slow_hosts_and_links(run) == []
    assert "no host and no link is 20 % slower" in answer(run, [])


@pytest.mark.parametrize("ranks", [3, 4, 6, 9])
def test_a_slow_host_is_found_and_not_blamed_on_its_links(ranks: int, tmp_path: Path) -> None:
    members = document(ranks)
    for other in range(ranks):
        if other != 1:
            members["bandwidth_bytes_per_s"][1][other] *= 0.5
            members["bandwidth_bytes_per_s"][other][1] *= 0.5
    members["compute_s"][1][0] *= 1.5
    run = run_of(members, tmp_path)
    assert found(run) == {((1,), "bandwidth"), ((1,), "computation")}
    sentences = [slow_sentence(run, one) for one in slow_hosts_and_links(run)]
    assert any(line.startswith("node1: bandwidth ") for line in sentences)
    assert any(line.startswith("node1: computes ") for line in sentences)


@pytest.mark.parametrize("ranks", [4, 6, 9])
def test_a_slow_link_is_found_in_its_direction(ranks: int, tmp_path: Path) -> None:
    members = document(ranks)
    members["bandwidth_bytes_per_s"][2][3] *= 0.3
    members["latency_s"][0][1] *= 3
    members["latency_s"][1][0] *= 3
    run = run_of(members, tmp_path)
    assert found(run) == {((2, 3), "bandwidth"), ((0, 1), "latency")}
    worst, second = slow_hosts_and_links(run)
    assert worst.factor > second.factor > 2
    assert slow_sentence(run, worst).startswith("node2 to node3: bandwidth 7")


def test_links_within_a_host_are_another_thing(tmp_path: Path) -> None:
    """Shared memory is no measure for a network."""
    members = document(6, per_host=2)
    for rank in range(6):
        members["bandwidth_bytes_per_s"][rank][rank ^ 1] *= 5
    run = run_of(members, tmp_path)
    assert found(run) == set()
    assert run.names[:3] == ("node0:0", "node0:1", "node1:2")


def test_two_hosts_cannot_be_compared(tmp_path: Path) -> None:
    members = document(2)
    members["compute_s"][0][0] *= 3
    run = run_of(members, tmp_path)
    assert slow_hosts_and_links(run) == []
    assert "too few to tell" in answer(run, [])


def test_the_page_has_a_map_of_both_and_escapes_names(tmp_path: Path) -> None:
    members = document(3)
    members["hosts"][0] = "<b>node</b>"
    page = hosts_page(run_of(members, tmp_path))
    assert "Bandwidth of all links" in page and "Latency of all links" in page
    assert "<b>node</b>" not in page


@pytest.mark.parametrize(
    ("member", "value", "message"),
    [
        ("schema", "stretto.hosts/2.0", "schema"),
        ("latency_s", [[None, 1.0]], "latency_s"),
        ("latency_s", [[None]], "latency_s"),
        ("compute_s", [[-1.0], [1.0], [1.0]], "compute_s"),
        ("bandwidth_bytes_per_s", "fast", "bandwidth_bytes_per_s"),
        ("size_bytes", 0, "size_bytes"),
    ],
)
def test_wrong_members_are_named(member: str, value: object, message: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=message):
        run_of({**document(3), member: value}, tmp_path)


def test_the_screen_fits_a_terminal(tmp_path: Path) -> None:
    from stretto.report.hosts import hosts_view

    text = plain_text(hosts_view(run_of(document(), tmp_path)))
    assert text.splitlines()[0].startswith("6 hosts, 6 ranks: ")
    assert "The usual: computation " in text
