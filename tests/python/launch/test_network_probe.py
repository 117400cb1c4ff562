# SPDX-License-Identifier: BSD-3-Clause
"""The network of a prediction, from the rows of the probe `overlap`."""

from collections.abc import Mapping
from pathlib import Path
from typing import cast

import pytest

from stretto.data.results import ResultRow
from stretto.errors import RunError
from stretto.launch import network_probe
from stretto.launch.application import Place
from stretto.launch.kept_network import KeptNetwork
from stretto.launch.network_probe import (
    ProbedNetwork,
    buffer_of_rows,
    eager_limit,
    is_worth_keeping,
    network_of_rows,
    probe_network,
    with_buffer,
)
from stretto.native.replay import run_replay


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
    sizes = [size for size, _ in found.times]
    assert sizes == [1 << 10, 1 << 16, 1 << 22]
    assert [time_s for _, time_s in found.times] == pytest.approx([40e-6 + size / 60e6 for size in sizes])


def test_the_replay_finds_the_measured_times_again(tmp_path: Path) -> None:
    times = ((1 << 10, 20e-6), (1 << 14, 26e-6), (1 << 16, 1080e-6), (1 << 20, 17460e-6))
    network = ProbedNetwork(19e-6, times, 1 << 20)
    for size, time_s in (*times, (3 << 15, 1080e-6 + 16380e-6 / 30)):
        schedule = tmp_path / f"{size}.goal"
        schedule.write_text(
            f"num_ranks 2\nrank 0 {{\nl1: send {size}b to 1\n}}\nrank 1 {{\nl1: recv {size}b from 0\n}}\n",
            encoding="utf-8",
        )
        found = run_replay([str(schedule), f"--loggp={network.text()}"])
        assert found["makespan_s"] == pytest.approx(time_s), size


@pytest.mark.parametrize(
    ("etas", "limit"),
    [
        ({1 << 10: 0.1, 1 << 18: 0.95, 1 << 20: 0.9, 1 << 22: 0.0}, 3 << 20),
        ({1 << 10: 0.1, 1 << 18: 0.95, 1 << 20: 0.9, 1 << 22: 0.0}, 1 << 20),
        ({1 << 10: 0.2, 1 << 12: 0.1, 1 << 14: 0.3, 1 << 16: 0.0, 1 << 18: 0.0}, 60 << 10),
    ],
    ids=["between two sizes", "at the shorter size", "short ones are the processor's"],
)
def test_the_eager_limit_is_found_between_the_sizes(etas: Mapping[int, float], limit: int) -> None:
    """MPICH over TCP sends 2 MiB without asking first, and not 4 MiB."""
    asked = []

    def overlap(*words: str) -> list[ResultRow]:
        size = int(words[-1].partition(":")[0])
        asked.append(size)
        return rows(40e-6, 60e6, {size: 0.9 if size <= limit else 0.0})

    found = eager_limit(rows(40e-6, 60e6, etas), overlap)
    assert limit / 1.2 <= found <= limit
    assert len(asked) <= 3


def test_without_two_sizes_around_it_the_eager_limit_needs_no_probe() -> None:
    def overlap(*_: str) -> list[ResultRow]:
        raise AssertionError("no size is between them")

    assert eager_limit(rows(40e-6, 60e6, {1 << 10: 0.9, 1 << 12: 0.9}), overlap) == 1 << 12
    assert eager_limit(rows(40e-6, 60e6, {1 << 10: None, 1 << 12: None}), overlap) == 1 << 10


def test_the_limit_stays_where_a_busy_machine_leaves_it_unresolved() -> None:
    etas = {1 << 10: 0.1, 1 << 20: 0.9, 1 << 22: 0.0}
    assert eager_limit(rows(40e-6, 60e6, etas), lambda *_: rows(40e-6, 60e6, {3 << 20: None})) == 1 << 20


@pytest.mark.parametrize(
    ("etas", "eager"),
    [
        ({1 << 10: None, 1 << 12: 0.9, 1 << 14: 0.8, 1 << 16: 0.1, 1 << 18: 0.0}, 1 << 14),
        ({1 << 10: 0.9, 1 << 12: 0.9, 1 << 14: 0.95}, 1 << 14),
        ({1 << 10: 0.1, 1 << 12: 0.0, 1 << 14: 0.9}, 1 << 14),
        ({1 << 10: 0.1, 1 << 14: 0.02, 1 << 16: 0.93, 1 << 18: 0.95, 1 << 20: 0.0, 1 << 22: 0.6}, 1 << 18),
        ({1 << 10: 0.1, 1 << 12: 0.0, 1 << 14: 0.2}, 1 << 10),
        ({1 << 10: None, 1 << 12: None, 1 << 14: -0.2}, 1 << 10),
    ],
    ids=[
        "handshake",
        "all move",
        "the longest moves",
        "short ones are the processor's",
        "none",
        "unresolved",
    ],
)
def test_messages_up_to_the_last_that_overlaps_move_without_calls(
    etas: Mapping[int, float | None], eager: int
) -> None:
    assert network_of_rows(rows(40e-6, 60e6, etas)).eager_bytes == eager


@pytest.mark.parametrize(
    ("eta", "half", "buffer"),
    [
        (0.45, 0.1, 503316),
        (1.0, 0.05, 1118481),
        (None, 0.0, 0),
        (-0.1, 0.05, 0),
        (0.05, 0.01, 0),
        (0.45, 0.5, 0),
    ],
    ids=["a part", "at least", "unresolved", "nothing", "an eager message", "noise"],
)
def test_what_a_call_hands_over_is_what_moved_by_the_calls(
    eta: float | None, half: float, buffer: int
) -> None:
    low, high = (None, None) if eta is None else (eta - half, eta + half)
    axes = {"probe": "overlap", "direction": "one-way", "size_bytes": 1 << 25}
    row = ResultRow("eta", "1", eta, ci95_low=low, ci95_high=high, axes=axes)
    assert buffer_of_rows([row], 1 << 16) == buffer


def test_the_message_that_shows_the_buffer_takes_a_moment_and_no_more() -> None:
    for bandwidth, size in ((60e6, 18e6), (1e6, 1 << 20), (1e10, 1 << 25)):
        times = ((1 << 10, 20e-6), (1 << 22, (1 << 22) / bandwidth))
        assert ProbedNetwork(19e-6, times, 1 << 16).bytes_in(0.3) == pytest.approx(size, rel=1e-6)


def test_short_messages_one_after_another_have_the_bandwidth_of_long_ones(tmp_path: Path) -> None:
    sends, receives = (f"l1: {words}\nl2: {words}" for words in ("send 16384b to 1", "recv 16384b from 0"))
    schedule = tmp_path / "two.goal"
    schedule.write_text(f"num_ranks 2\nrank 0 {{\n{sends}\n}}\nrank 1 {{\n{receives}\n}}\n", encoding="utf-8")
    times = ((1 << 10, 21e-6), (1 << 14, 32e-6), (1 << 20, 20e-6 + (1 << 20) * 16e-9))
    found = run_replay([str(schedule), f"--loggp={ProbedNetwork(20e-6, times, 1 << 20).text()}"])
    assert found["makespan_s"] == pytest.approx(32e-6 + 16384 * 16e-9, rel=1e-3)


def test_the_senders_part_of_a_messages_time_is_its_processors(tmp_path: Path) -> None:
    schedule = tmp_path / "one.goal"
    schedule.write_text(
        "num_ranks 2\nrank 0 {\nl1: send 1024b to 1\nl2: calc 50000\nl2 requires l1\n}\n"
        "rank 1 {\nl1: recv 1024b from 0\n}\n",
        encoding="utf-8",
    )
    network = ProbedNetwork(19e-6, ((1 << 10, 20e-6), (1 << 14, 30e-6)), 1 << 14)
    for overhead_s, found_s in ((0.0, 50e-6), (8e-6, 58e-6), (1.0, 50e-6 + 0.9 * 19e-6)):
        found = run_replay([str(schedule), f"--loggp={network.text(overhead_s)}"])
        assert found["makespan_s"] == pytest.approx(found_s), "computation and the call that sends"
    schedule.write_text(
        schedule.read_text(encoding="utf-8").replace("l2: calc 50000\nl2 requires l1\n", ""), encoding="utf-8"
    )
    assert run_replay([str(schedule), f"--loggp={network.text(8e-6)}"])["makespan_s"] == pytest.approx(20e-6)


@pytest.mark.parametrize(
    ("largest", "eta", "words", "buffer", "asks_first"),
    [
        (1 << 24, 0.3, "poll", round(0.3 * 18e6 / 30), True),
        (1 << 22, 0.3, "none", round(0.3 * (1 << 24)), False),
        (1 << 22, 0.95, "none", 0, True),
        (1 << 22, -0.1, "none", 0, True),
        (1 << 22, None, "none", 0, True),
        (1 << 18, 0.3, None, 0, True),
    ],
    ids=["requests", "a buffer", "all", "requests of longer ones", "unresolved", "short"],
)
def test_the_buffer_is_measured_where_messages_may_exceed_it(
    largest: int, eta: float | None, words: str | None, buffer: int, asks_first: bool
) -> None:
    network = ProbedNetwork(
        19e-6, ((1 << 10, 20e-6), (1 << 22, (1 << 22) / 60e6)), 1 << 22 if largest < 1 << 23 else 1 << 16
    )
    called = []

    def overlap(*given: str) -> list[ResultRow]:
        called.append(given[1])
        axes = {"probe": "overlap", "direction": "one-way", "size_bytes": int(given[-1].split(":")[0])}
        low = None if eta is None else eta - 0.05
        return [ResultRow("eta", "1", eta, ci95_low=low, axes=axes)]

    found = with_buffer(network, largest, overlap)
    assert called == ([] if words is None else [words])
    assert (found.buffer_bytes, found.asks_first) == (pytest.approx(buffer, abs=1), asks_first)


def test_the_replay_is_told_the_buffer() -> None:
    times = ((1 << 10, 20e-6), (1 << 22, 70e-3))
    assert ",S=65536,B=500000;" in ProbedNetwork(19e-6, times, 1 << 16, 500_000).text()
    assert "B=" not in ProbedNetwork(19e-6, times, 1 << 16).text()
    assert (
        f",S={1 << 40},B=4000000;" in ProbedNetwork(19e-6, times, 1 << 22, 4_000_000, asks_first=False).text()
    )


def test_without_times_there_is_no_network() -> None:
    with pytest.raises(RunError, match="unresolved"):
        network_of_rows(rows(40e-6, 60e6, {1 << 10: None}))


def spoiled(found: list[ResultRow], metric: str, size: int, reason: str = "too busy") -> list[ResultRow]:
    """The rows without this figure, as of a busy machine."""
    return [
        row.unresolved(reason) if row.metric == metric and row.axes["size_bytes"] == size else row
        for row in found
    ]


def test_without_the_time_of_its_longest_message_a_network_has_no_bandwidth() -> None:
    found = rows(40e-6, 60e6, {1 << 10: 0.1, 1 << 14: 0.1, 1 << 22: None})
    assert network_of_rows(found).times[-1][0] == 1 << 22
    with pytest.raises(RunError, match=r"unresolved \(too busy\)"):
        network_of_rows(spoiled(found, "time", 1 << 22))


@pytest.mark.parametrize(
    ("metric", "size", "kept"),
    [("eta", 1 << 10, True), ("eta", 1 << 22, False), ("time", 1 << 22, False), ("time", 1 << 16, False)],
)
def test_what_a_busy_machine_has_spoiled_is_not_kept(metric: str, size: int, kept: bool) -> None:
    found = rows(40e-6, 60e6, {1 << 10: 0.1, 1 << 14: 0.1, 1 << 16: 0.9, 1 << 22: 0.0})
    assert is_worth_keeping(found)
    assert is_worth_keeping(spoiled(found, metric, size)) == kept


def test_what_a_slow_network_leaves_unresolved_is_kept_and_used() -> None:
    found = rows(40e-6, 10e6, {1 << 10: 0.1, 1 << 16: 0.9, 1 << 20: 0.0, 1 << 24: 0.0})
    for metric in ("eta", "time"):
        found = spoiled(found, metric, 1 << 24, "2 of 11 rounds before the budget ended; give --budget")
    assert is_worth_keeping(found)
    assert network_of_rows(found).times[-1][0] == 1 << 20, "1 MiB shows the bandwidth"


def test_a_probe_of_nothing_is_not_kept() -> None:
    assert not is_worth_keeping([])


def test_a_network_that_came_out_unresolved_is_measured_again(monkeypatch: pytest.MonkeyPatch) -> None:
    good = rows(40e-6, 60e6, {1 << 10: 0.1, 1 << 16: 0.9, 1 << 20: 0.9})
    answers = [spoiled(good, "time", 1 << 20), good]
    monkeypatch.setattr(network_probe, "_overlap", lambda *_: answers.pop(0))
    kept, place = KeptNetwork(None), cast(Place, None)
    with pytest.raises(RunError, match="unresolved"):
        probe_network(place, 1024, {}, kept)
    assert probe_network(place, 1024, {}, kept) == probe_network(place, 1024, {}, kept)
    assert answers == []
