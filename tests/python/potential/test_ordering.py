# SPDX-License-Identifier: BSD-3-Clause
"""Which messages the program's own exchange orders: pipelines and wavefronts, no exchanges of halos."""

from pathlib import Path

from time_in_calls import time_use
from trace_bytes import NUMBER, block, record, trace_file, world

from stretto.potential.ordering import STEERS, Ordering, steering
from stretto.potential.sites import Cost, SitePotential

ROUNDS = 6
SEND, RECEIVE = ("/bin/app", 0x1234), ("/bin/app", 0x2000)


def streams(tmp_path: Path, pattern: str) -> frozenset[tuple[str, int]]:
    """Of a rank that does the pattern's calls in each round: s sends to rank 1, r receives from it."""
    calls = []
    for number, what in enumerate(pattern * ROUNDS):
        name, site = ("MPI_Send", 1) if what == "s" else ("MPI_Recv", 2)
        calls.append(record(NUMBER[name], 1000 * number, 10, size=800, peer=1, site=site))
    place = record(1, 0, peer=2, tag=0, request=2, extra=RECEIVE[1])
    file = trace_file(tmp_path, block(b"".join((world(0, 2), place, *calls))))
    return time_use([file], Cost(0.0, 0.0)).streams


def test_blocks_that_only_go_one_way_are_a_stream(tmp_path: Path) -> None:
    assert streams(tmp_path, "r") == {RECEIVE}
    assert streams(tmp_path, "s") == {SEND}


def test_a_sweep_that_turns_round_is_one_too(tmp_path: Path) -> None:
    assert streams(tmp_path, "ssssssrrrrrr") == {SEND, RECEIVE}


def test_an_exchange_with_a_neighbour_is_none(tmp_path: Path) -> None:
    assert streams(tmp_path, "sr") == frozenset()
    # Of a periodic grid, where a rank is both neighbours of another.
    assert streams(tmp_path, "ssrr") == frozenset()


def test_small_results_may_steer_a_program() -> None:
    def site(address: int, call: str, size_bytes: int, nonblocking: int = 0) -> SitePotential:
        side = "send" if call == "MPI_Send" else "collective"
        return SitePotential("app", address, call, side, 2, size_bytes, nonblocking=nonblocking)  # type: ignore[arg-type]

    sites = [
        site(1, "MPI_Allreduce", 16), site(2, "MPI_Bcast", 4000), site(3, "MPI_Send", 16),
        site(4, "MPI_Iallreduce", 16, nonblocking=2),
    ]  # fmt: skip
    assert steering(sites) == {("app", 1)}
    assert Ordering(steers=steering(sites)).refusal(("app", 1), "arrival", 0.0, True) == STEERS
