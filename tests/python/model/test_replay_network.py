# SPDX-License-Identifier: BSD-3-Clause
"""The network that a profile gives a replay: by ranges, by measured times, and what it says of both."""

from pathlib import Path

import numpy as np
import pytest

from stretto.data.profile import Figure, LogGPEntry, LogGPRange, Profile, TransferSize, TransferTimes
from stretto.errors import UserError
from stretto.model.network import costs_at
from stretto.model.parameters import Path as TransferPath
from stretto.model.parameters import Source, assumptions, path_costs, paths
from stretto.model.replay_network import ReplayNetwork, replay_network

FILE = Path("some.json")
SEND = TransferPath("mpi-two-sided", "send")


def fitted(low: int, high: int, L: float, o: float, G: float | None, g: float | None = None) -> LogGPRange:
    return LogGPRange(
        low, high, Figure(L), Figure(o), Figure(o), None if g is None else Figure(g), None,
        Figure(G, reason="copied") if G is None else Figure(G),
    )  # fmt: skip


def entry(*ranges: LogGPRange, transport: str = "mpi-two-sided", locality: str = "remote") -> LogGPEntry:
    return LogGPEntry(transport, "send", locality, "spaced-trains", ranges)


def times(
    *sizes: tuple[int, float], transport: str = "mpi-two-sided", eager: float | None = None
) -> TransferTimes:
    points = tuple(TransferSize(size, Figure(time_s)) for size, time_s in sizes)
    limit = None if eager is None else Figure(eager)
    return TransferTimes(transport, "send", "remote", points, eager_bytes=limit)


def network(
    *entries: LogGPEntry, curves: tuple[TransferTimes, ...] = (), eager: int | None = None
) -> ReplayNetwork:
    return replay_network(Profile(entries, transfer_times=curves), FILE, eager)


def alone_s(found: ReplayNetwork, size_bytes: int) -> float:
    """One message, interpolated as `times` promises."""
    (low, low_s), (high, high_s) = next(
        (one, other)
        for one, other in zip(found.times, found.times[1:], strict=False)
        if one[0] <= size_bytes <= other[0]
    )
    return low_s + (size_bytes - low) / (high - low) * (high_s - low_s)


def test_resolved_ranges_are_taken_as_they_are() -> None:
    found = network(entry(fitted(8, 1024, 5e-6, 1e-6, 2e-9, 3e-6), fitted(2048, 1 << 20, 9e-6, 1e-6, 1e-9)))
    assert (
        found.text
        == "L=5e-06,o_s=1e-06,o_r=1e-06,g=3e-06,G=2e-09;from=2048,L=9e-06,o_s=1e-06,o_r=1e-06,g=0,G=1e-09"
    )
    assert (found.latency_s, found.gap_s, found.gap_s_per_byte) == (5e-6, 3e-6, 1e-9)
    assert alone_s(found, 1001) == pytest.approx(5e-6 + 2e-6 + 2e-6)
    assert alone_s(found, 4097) == pytest.approx(9e-6 + 2e-6 + 4.096e-6)
    assert found.note is None and found.eager_bytes is None


def test_a_range_without_its_gap_takes_the_measured_times() -> None:
    curve = times((8, 7e-6), (4096, 20e-6), (1 << 20, 2e-3))
    found = network(
        entry(fitted(8, 1024, 5e-6, 1e-6, 2e-9), fitted(2048, 1 << 20, 9e-6, 1e-6, None)), curves=(curve,)
    )
    assert alone_s(found, 500) == pytest.approx(7e-6 + 499 * 2e-9), "that of the range that is known"
    for size, time_s in ((4096, 20e-6), (1 << 20, 2e-3)):
        assert alone_s(found, size) == pytest.approx(time_s)
    assert alone_s(found, 5000) > alone_s(found, 4096)


def test_times_alone_are_enough_and_what_they_lack_is_named() -> None:
    found = network(curves=(times((8, 1e-6), (1 << 20, 1e-3)),))
    assert alone_s(found, 8) == pytest.approx(1e-6) and alone_s(found, 1 << 20) == pytest.approx(1e-3)
    assert found.assumed == ("overhead_send_s", "overhead_receive_s")
    assert found.note is not None and "stretto probe" in found.note and "o_s, o_r of sends" in found.note


def test_with_an_eager_limit_the_handshake_is_the_replays() -> None:
    ranges = entry(fitted(8, 1024, 5e-6, 1e-6, 2e-9), fitted(2048, 1 << 20, 19e-6, 1e-6, 1e-9))
    found = network(ranges, curves=(times((8, 7e-6), eager=1024.0),), eager=1024)
    assert found.eager_bytes == 1024 and "S=1024" in found.text and "L=1.9e-05" not in found.text


def test_an_overhead_that_contains_the_transfer_is_that_of_the_first_range() -> None:
    above = LogGPRange(
        2048, 1 << 20, Figure(9e-6), Figure(1e-3, bound="upper"), Figure(None, reason="rendezvous"),
        None, None, Figure(1e-9),
    )  # fmt: skip
    found = network(entry(fitted(8, 1024, 5e-6, 1e-6, 2e-9), above))
    assert alone_s(found, 1 << 20) == pytest.approx(9e-6 + 2e-6 + ((1 << 20) - 1) * 1e-9)


def test_the_network_comes_before_the_node_and_the_profiles_first_transport() -> None:
    near = entry(fitted(8, 1024, 1e-7, 1e-7, 1e-10), transport="other", locality="same-node")
    far = entry(fitted(8, 1024, 5e-6, 1e-6, 2e-9))
    assert network(near, far).latency_s == 5e-6


def test_a_profile_without_sends_names_what_measures_them() -> None:
    with pytest.raises(UserError, match=r"some.json: lacks the costs of sends; `stretto probe latency"):
        network()
    with pytest.raises(UserError, match="lacks gap_s_per_byte of sends"):
        network(entry(fitted(8, 1024, 5e-6, 1e-6, None)))


def test_the_models_take_the_same_times() -> None:
    curve = times((8, 7e-6), (4096, 20e-6), (1 << 20, 2e-3))
    source = Source(Profile((), transfer_times=(curve,)), "some.json", draws=3)
    assert paths(source.profile) == [SEND]
    assert assumptions(source, SEND, 2) == ["overhead_send_s", "overhead_receive_s"]
    costs = path_costs(source, SEND, "M", 2)
    (found,) = costs_at([(costs, 1 << 20)])
    whole_s = found.latency_s + found.overhead_send_s + (2**20 - 1) * found.gap_s_per_byte
    assert whole_s == pytest.approx([2e-3])
    (faster,) = costs_at([(costs.with_faster_bytes(np.array([2.0, 4.0])), 1 << 20)])
    halves = [found.gap_s_per_byte[0] / factor for factor in (2, 2, 2, 4, 4, 4)]
    assert faster.gap_s_per_byte == pytest.approx(halves)
    (loaded,) = costs_at([(costs.with_byte_gap(found.gap_s_per_byte * 3), 8)])
    assert loaded.gap_s_per_byte == pytest.approx(found.gap_s_per_byte * 3)


def test_a_late_receive_that_contains_the_transfer_hides_nothing() -> None:
    def size(bytes_: int, time_s: float, receive_s: float) -> TransferSize:
        return TransferSize(bytes_, Figure(time_s), None, Figure(1e-6), Figure(receive_s))

    curve = TransferTimes(
        "mpi-two-sided", "send", "remote",
        (size(8, 7e-6, 1e-6), size(65536, 107e-6, 1e-6), size(1 << 20, 1007e-6, 1001e-6)),
    )  # fmt: skip
    source = Source(Profile((), transfer_times=(curve,)), "some.json", draws=2)
    costs = path_costs(source, SEND, "M", 2)
    offloaded, waited = costs_at([(costs, 65536), (costs, 1 << 20)])
    assert offloaded.overlap[0] == 1.0 and waited.overlap[0] == pytest.approx(0.0, abs=1e-9)


def test_a_replay_takes_the_gap_of_one_direction() -> None:
    """Streams in both directions share what limits a node; a replay has the other direction's messages itself."""
    both_ways = LogGPRange(8, 1024, overhead_send_s=Figure(2e-6), gap_s_per_byte=Figure(9e-9))
    pencils = LogGPEntry("mpi-two-sided", "send", "remote", "pencils", (both_ways,))
    found = network(pencils, entry(fitted(8, 1024, 5e-6, 1e-6, 2e-9)))
    assert (found.overhead_send_s, found.gap_s_per_byte) == (1e-6, 2e-9)
    source = Source(Profile((pencils, entry(fitted(8, 1024, 5e-6, 1e-6, 2e-9)))), "some.json", draws=1)
    (modelled,) = costs_at([(path_costs(source, SEND, "M", 2), 8)])
    assert modelled.gap_s_per_byte[0] == 9e-9, "equal ranks of a schedule send both ways at once"
