# SPDX-License-Identifier: BSD-3-Clause
"""The network of a prediction, from the rows of the probe `overlap`."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from stretto.data.results import ResultRow
from stretto.errors import RunError
from stretto.launch.network_probe import network_of_rows


def rows(latency_s: float, bandwidth: float, etas: Mapping[int, float | None]) -> list[ResultRow]:
    """Rows of a network with this latency and bandwidth."""
    found = []
    for direction, slower in (("one-way", 1.0), ("both-ways", 1.5)):
        for size, eta in etas.items():
            axes = {"probe": "overlap", "direction": direction, "size_bytes": size}
            time_s = slower * (latency_s + size / bandwidth)
            found += [
                ResultRow("time", "s", time_s, axes={**axes, "quantity": "T_c"}),
                ResultRow("time", "s", 2 * time_s, axes={**axes, "quantity": "T_t"}),
                ResultRow("eta", "1", eta if direction == "one-way" else -1.0, axes=axes),
            ]
    return found


def test_latency_and_bandwidth_are_those_of_the_communication_alone_one_way() -> None:
    found = network_of_rows(rows(40e-6, 60e6, {1 << 10: None, 1 << 16: 0.9, 1 << 22: 0.0}))
    assert found.latency_s == pytest.approx(40e-6)
    assert found.bandwidth_bytes_per_s == pytest.approx(60e6)


@pytest.mark.parametrize(
    ("etas", "eager"),
    [
        ({1 << 10: None, 1 << 12: 0.9, 1 << 14: 0.8, 1 << 16: 0.1, 1 << 18: 0.0}, 1 << 14),
        ({1 << 10: 0.9, 1 << 12: 0.9, 1 << 14: 0.95}, 1 << 14),
        ({1 << 10: 0.1, 1 << 12: 0.0, 1 << 14: 0.9}, 1 << 10),
        ({1 << 10: None, 1 << 12: None, 1 << 14: -0.2}, 1 << 12),
    ],
    ids=["handshake", "all move", "none moves", "short ones are not resolved"],
)
def test_messages_up_to_the_first_that_does_not_overlap_move_without_calls(
    etas: Mapping[int, float | None], eager: int
) -> None:
    assert network_of_rows(rows(40e-6, 60e6, etas)).eager_bytes == eager


def test_without_times_there_is_no_network() -> None:
    with pytest.raises(RunError, match="unresolved"):
        network_of_rows(rows(40e-6, 60e6, {1 << 10: None}))
