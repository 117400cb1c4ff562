# SPDX-License-Identifier: BSD-3-Clause
"""The networks of a trace's messages: the one it was recorded on, and the one that options name."""

from __future__ import annotations

from pathlib import Path

import pytest
from trace_bytes import NUMBER, block, record, trace, world

from stretto.commands.trace_network import asked_network, recorded_network
from stretto.data.trace import TraceFile
from stretto.errors import UserError
from stretto.options.traces import PotentialRequest
from stretto.potential.sites import Cost, Network

HERE = Network(Cost(3e-6, 1e-9), "here")


def request(**members: float) -> PotentialRequest:
    return PotentialRequest(directory=Path("t"), **members)  # type: ignore[arg-type]


def test_no_network_is_taken_from_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a profile nor waiting receives: there is none, and no cluster of another time stands in."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    path = tmp_path / "rank-000000.trace"
    path.write_bytes(trace(0, 1, [block(world(0, 1) + record(NUMBER["MPI_Finalize"], 9))]))
    traces = [TraceFile(path)]
    assert recorded_network(traces) is None


def test_the_network_that_was_asked_for_has_its_figures_as_its_name() -> None:
    assert asked_network(request(), HERE) is None
    both = asked_network(request(latency=4e-6, bandwidth=945e6), None)
    assert both == Network(Cost(4e-6, 1 / 945e6), "a network of 4 us and 945MB/s")


def test_half_a_network_is_completed_from_the_recorded_one_or_refused() -> None:
    half = asked_network(request(latency=4e-6), HERE)
    assert half is not None and half.cost == Cost(4e-6, 1e-9)
    with pytest.raises(UserError, match=r"--latency: .* give --bandwidth, too"):
        asked_network(request(latency=4e-6), None)
    with pytest.raises(UserError, match=r"--bandwidth: .* give --latency, too"):
        asked_network(request(bandwidth=1e9), None)
