# SPDX-License-Identifier: BSD-3-Clause
"""What is kept of a place's network: for which places, for how long, and what happens where it cannot be."""

import os
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from stretto.data.results import ResultRow
from stretto.launch.application import Application, Place
from stretto.launch.cluster import EmulatedNetwork
from stretto.launch.command_line import read_command
from stretto.launch.kept_network import KEPT_FOR_S, KeptNetwork
from stretto.launch.mpi import MpiLibrary

WORDS = ("overlap", "--sizes", "1024:4194304")
ROWS = (
    ResultRow("time", "s", 2e-5, 1e-5, 3e-5, 11, {"probe": "overlap", "size_bytes": 1024}),
    ResultRow("eta", "1", None, axes={"probe": "overlap", "size_bytes": 1024}, reason="too short"),
)
MPICH = MpiLibrary("mpich", "5.0.2", Path("/opt/mpich/bin/mpiexec"))
COMMAND = ("mpiexec", "-n", "2", "./app", "input")


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def place(
    command: tuple[str, ...] = COMMAND, mpi: MpiLibrary = MPICH, network: EmulatedNetwork | None = None
) -> Place:
    application = Application(command, ranks=2 if network else None, network=network)
    made = SimpleNamespace(application=application, mpi=mpi, line=read_command(command, mpi))
    return cast(Place, made)


def test_what_was_kept_is_taken_from_there_whatever_the_program_is() -> None:
    KeptNetwork.of(place(), {}).keep(WORDS, ROWS)
    later = KeptNetwork.of(place((*COMMAND[:3], "./other")), {})
    assert later.rows(WORDS) == ROWS and later.oldest_s is not None
    assert later.origin().startswith("network: measured 1 minute ago; --measure-network")
    assert later.rows((*WORDS, "--ratio", "2")) is None, "another probe"


@pytest.mark.parametrize(
    ("other", "variables"),
    [
        (place(("mpiexec", "-n", "2", "-hosts", "a,b", "./app")), {}),
        (place(mpi=replace(MPICH, version="4.3.0")), {}),
        (place(mpi=replace(MPICH, mpiexec=Path("/usr/bin/mpiexec"))), {}),
        (place(network=EmulatedNetwork(2, "500mbit")), {}),
        (place(), {"UCX_TCP_PUT_ENABLE": "n"}),
    ],
    ids=["launcher", "version", "prefix", "emulated", "variable"],
)
def test_another_place_has_its_own_network(other: Place, variables: dict[str, str]) -> None:
    KeptNetwork.of(place(), {}).keep(WORDS, ROWS)
    assert KeptNetwork.of(other, variables).rows(WORDS) is None


def test_a_rate_and_the_users_own_variables_and_files_belong_to_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hosts = tmp_path / "hosts"
    hosts.write_text("a\nb\n", encoding="utf-8")
    listed = place(("mpiexec", "-n", "2", "-f", str(hosts), "./app"))
    slow, fast = (place(network=EmulatedNetwork(2, rate)) for rate in ("100mbit", "1gbit"))
    for one in (listed, slow):
        KeptNetwork.of(one, {}).keep(WORDS, ROWS)
    assert KeptNetwork.of(slow, {}).rows(WORDS) == ROWS and KeptNetwork.of(fast, {}).rows(WORDS) is None
    hosts.write_text("a\nb\nc\n", encoding="utf-8")
    assert KeptNetwork.of(listed, {}).rows(WORDS) is None
    monkeypatch.setenv("UCX_TLS", "tcp")
    assert KeptNetwork.of(slow, {}).rows(WORDS) is None


@pytest.mark.parametrize(
    ("age_s", "taken"), [(KEPT_FOR_S - 60, True), (KEPT_FOR_S + 60, False), (-60, False)]
)
def test_it_is_kept_for_a_week(age_s: float, taken: bool) -> None:
    kept = KeptNetwork.of(place(), {})
    kept.keep(WORDS, ROWS)
    assert kept.directory is not None
    for file in kept.directory.iterdir():
        os.utime(file, (time.time() - age_s,) * 2)
    later = KeptNetwork.of(place(), {})
    assert (later.rows(WORDS) == ROWS) == taken
    if taken:
        assert "measured 6 days ago" in later.origin()


def test_what_was_measured_and_not_kept_is_said() -> None:
    kept = KeptNetwork.of(place(), {})
    assert kept.origin() == "network: measured now on a busy machine, and not kept"
    kept.keep(WORDS, ROWS)
    assert kept.origin() == "network: measured now, and kept for the predictions of a week"


def test_what_does_not_last_is_measured_once_by_a_command() -> None:
    kept = KeptNetwork.of(place(), {})
    kept.keep(WORDS, ROWS, lasting=False)
    assert kept.rows(WORDS) == ROWS and kept.oldest_s is None
    assert KeptNetwork.of(place(), {}).rows(WORDS) is None
    kept.forget()
    assert kept.rows(WORDS) is None


def test_what_is_damaged_or_forgotten_is_measured_again() -> None:
    kept = KeptNetwork.of(place(), {})
    kept.keep(WORDS, ROWS)
    assert kept.directory is not None
    assert KeptNetwork.of(place(), {}).rows(WORDS) == ROWS
    next(kept.directory.iterdir()).write_text("{}", encoding="utf-8")
    assert KeptNetwork.of(place(), {}).rows(WORDS) is None
    kept.keep(WORDS, ROWS)
    later = KeptNetwork.of(place(), {})
    assert later.rows(WORDS) == ROWS
    later.forget()
    assert later.rows(WORDS) is None and later.oldest_s is None
    assert KeptNetwork.of(place(), {}).rows(WORDS) is None


def test_where_nothing_can_be_kept_the_answer_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    kept = KeptNetwork.of(place(), {})
    kept.keep(WORDS, ROWS)
    assert kept.rows(WORDS) == ROWS and KeptNetwork.of(place(), {}).rows(WORDS) is None
    assert "it cannot be kept (set XDG_CACHE_HOME" in kept.origin()
