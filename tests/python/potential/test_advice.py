# SPDX-License-Identifier: BSD-3-Clause
"""What helps a collective operation depends on the data that it moves."""

from dataclasses import replace

import pytest

from stretto.potential.advice import advice
from stretto.potential.sites import SitePotential


@pytest.mark.parametrize(
    ("call", "size_bytes", "kind", "text"),
    [
        ("MPI_Barrier", 0, "nothing", "moves no data, it waits for the last rank"),
        (
            "MPI_Allreduce",
            8,
            "nonblocking collective",
            "may decide what runs next; where they do not, MPI_Iall",
        ),
        ("MPI_Allreduce", 800, "nonblocking collective", "blocks; MPI_Iallreduce where its input is ready"),
    ],
)
def test_advice_for_a_collective(call: str, size_bytes: int, kind: str, text: str) -> None:
    site = SitePotential("app", 1, call, "collective", count=3, size_bytes=3 * size_bytes, cost_s=3.0)
    said = advice(site)
    assert said.kind == kind and text in said.text and "Ibarrier" not in said.text


def test_a_blocking_send_is_waited_for_later_and_a_receive_begins_earlier() -> None:
    send = SitePotential("app", 1, "MPI_Send", "send", count=1, cost_s=1e-5)
    assert advice(send).text == "blocks; send it with MPI_Isend, and wait for that about 10 us of work later"
    receive = SitePotential("app", 1, "MPI_Recv", "receive", count=1, cost_s=1e-5)
    assert advice(receive).text.endswith("with MPI_Irecv about 10 us of work before it is needed")


def test_without_a_network_no_amount_of_work_is_named() -> None:
    for call, side in (("MPI_Alltoall", "collective"), ("MPI_Send", "send"), ("MPI_Recv", "receive")):
        said = advice(SitePotential("app", 1, call, side, count=1, size_bytes=1000)).text  # type: ignore[arg-type]
        assert "work" in said and " 0" not in said


@pytest.mark.parametrize("nonblocking", [0, 3])
def test_messages_that_cost_nothing_on_a_network_stay_on_their_rank(nonblocking: int) -> None:
    site = SitePotential("app", 1, "MPI_Sendrecv", "send", count=3, size_bytes=3000, nonblocking=nonblocking)
    said = advice(site, has_network=True)
    assert (said.kind, said.text) == ("nothing", "its messages stay on their rank: no network carries them")
    assert advice(site).text != said.text and advice(replace(site, cost_s=1.0), has_network=True) != said
