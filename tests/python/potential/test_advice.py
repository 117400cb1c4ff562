# SPDX-License-Identifier: BSD-3-Clause
"""What helps a collective operation depends on the data that it moves."""

from __future__ import annotations

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
