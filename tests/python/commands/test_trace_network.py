# SPDX-License-Identifier: BSD-3-Clause
"""The networks of a trace's messages: the one it was recorded on, and the one that options name."""

from pathlib import Path

import pytest
from trace_bytes import NUMBER, block, record, trace_file, world

from stretto.commands.trace_network import asked_network, recorded_network
from stretto.errors import UserError
from stretto.options.traces import PotentialRequest
from stretto.potential.core_shortage import shortage_of
from stretto.potential.sites import Cost, Network

HERE = Network(Cost(3e-6, 1e-9), "here")


def request(**members: float) -> PotentialRequest:
    return PotentialRequest(directory=Path("t"), **members)  # type: ignore[arg-type]


def test_no_network_is_taken_from_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a profile nor waiting receives: there is none, and no cluster of another time stands in."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    traces = [trace_file(tmp_path / "t", block(world(0, 1) + record(NUMBER["MPI_Finalize"], 9)), ranks=1)]
    assert recorded_network(traces, shortage_of(traces)) is None


@pytest.mark.parametrize(("waited_ms", "shows"), [(240, True), (260, False)])
def test_messages_of_ranks_that_waited_for_cores_show_no_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, waited_ms: int, shows: bool
) -> None:
    """Their times are those of the system's turns of the core: milliseconds."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    begins = [1000 * (1 + turn) for turn in range(8)]
    sent = [record(NUMBER["MPI_Send"], begin + 500, 10, size=8, peer=1) for begin in begins]
    taken = [record(NUMBER["MPI_Recv"], begin, 800, size=8, peer=0) for begin in begins]
    traces = [
        trace_file(
            tmp_path / "t",
            block(
                world(rank, 2)
                + b"".join(
                    [record(NUMBER["MPI_Init"], 0, 9), *calls, record(NUMBER["MPI_Finalize"], 99_000)]
                ),
                waited_ms=(waited_ms, 1000),
            ),
            rank=rank,
        )
        for rank, calls in enumerate((sent, taken))
    ]
    shortage = shortage_of(traces)
    found = recorded_network(traces, shortage)
    assert (found is not None, not shortage.hides_network) == (shows, shows)
    assert found is None or found.cost.latency_s == pytest.approx(300e-9)


def test_the_network_that_was_asked_for_has_its_figures_as_its_name() -> None:
    assert asked_network(request(), HERE) is None
    both = asked_network(request(latency=4e-6, bandwidth=945e6), None)
    replayed = f"L=4e-06,G={1 / 945e6!r}"
    assert both == Network(Cost(4e-6, 1 / 945e6), "a network of 4 us and 945 MB/s", replayed=replayed)


def test_half_a_network_is_completed_from_the_recorded_one_or_refused() -> None:
    half = asked_network(request(latency=4e-6), HERE)
    assert half is not None and half.cost == Cost(4e-6, 1e-9)
    with pytest.raises(UserError, match=r"--latency: .* give --bandwidth, too"):
        asked_network(request(latency=4e-6), None)
    with pytest.raises(UserError, match=r"--bandwidth: .* give --latency, too"):
        asked_network(request(bandwidth=1e9), None)
