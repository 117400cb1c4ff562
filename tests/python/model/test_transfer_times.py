# SPDX-License-Identifier: BSD-3-Clause
"""The time curve of a profile is what was measured, of the probe that measures it best; and the eager limit."""

from pathlib import Path
from typing import Any

import pytest
from synthetic_samples import PATH, Machine, Row, loggp_rows, sample, samples_of, unexpected_rows

from stretto.data.profile import TransferSize, TransferTimes
from stretto.data.profile_file import read_profile, write_profile
from stretto.model.derive import derive_results
from stretto.model.fit import fit_profile
from stretto.model.transfer_times import transfer_times

TRUTH = Machine()


def curve(tmp_path: Path, rows: list[Row], noise_floor_s: float = 0.0) -> TransferTimes:
    (found,) = transfer_times(samples_of(tmp_path / "samples.jsonl", rows, noise_floor_s))
    return found


def at(found: TransferTimes, size_bytes: int) -> TransferSize:
    return next(one for one in found.sizes if one.size_bytes == size_bytes)


def timed(probe: str, case: int, size_bytes: int, time_s: float, messages: int, **axes: Any) -> list[Row]:
    place = {**PATH, "size_bytes": size_bytes, **axes}
    return [sample(probe, case, "T_c", round_, time_s, messages, **place) for round_ in range(5)]


def test_single_messages_of_trains_give_every_time(tmp_path: Path) -> None:
    found = curve(tmp_path, loggp_rows(rounds=3))
    for size in (8, 1024, 1 << 20):
        here = at(found, size)
        figures = here.time_s, here.stream_s, here.overhead_send_s, here.receive_s
        assert all(figure is not None for figure in figures)
        values = [figure.value for figure in figures if figure is not None]
        stream_s = max(TRUTH.o_r, TRUTH.g + TRUTH.wire_s(size))
        assert values == pytest.approx([TRUTH.one_way_s(size), stream_s, TRUTH.o_s, TRUTH.o_r], rel=1e-6)
    assert (found.transport, found.operation, found.locality) == ("virtual", "send", "remote")


def test_a_put_takes_until_it_is_complete_and_has_no_receive(tmp_path: Path) -> None:
    here = at(curve(tmp_path, loggp_rows(rounds=3, operation="put")), 8)
    assert here.time_s is not None and here.receive_s is None
    assert here.time_s.value == pytest.approx(TRUTH.o_s + 2 * TRUTH.L + TRUTH.wire_s(8))


def test_ping_pongs_and_streams_come_before_trains(tmp_path: Path) -> None:
    rows = [
        *loggp_rows(rounds=3),
        *timed("latency", 50, 64, 2 * 10 * 7e-6, 10),
        *timed("bandwidth", 60, 64, 10 * 2e-6, 10, direction="one-way"),
        *timed("bandwidth", 61, 64, 10 * 9e-6, 10, direction="both-ways"),
    ]
    here = at(curve(tmp_path, rows), 64)
    assert here.time_s is not None and here.time_s.value == pytest.approx(7e-6)
    assert here.stream_s is not None and here.stream_s.value == pytest.approx(2e-6)


def test_latency_and_bandwidth_alone_are_a_curve(tmp_path: Path) -> None:
    rows = [
        *timed("latency", 1, 8, 2e-4, 100),
        *timed("latency", 2, 65536, 2e-3, 100),
        *timed("bandwidth", 3, 65536, 1e-3, 200, direction="one-way"),
    ]
    found = curve(tmp_path, rows)
    assert [one.size_bytes for one in found.sizes] == [8, 65536]
    assert at(found, 8).stream_s is None and at(found, 8).overhead_send_s is None


def test_what_is_under_ten_noise_floors_is_left_out(tmp_path: Path) -> None:
    here = at(curve(tmp_path, loggp_rows(rounds=3), noise_floor_s=2e-6), 8)
    assert here.time_s is None and here.stream_s is not None  # 15 gaps are long enough
    assert not transfer_times(
        samples_of(tmp_path / "short.jsonl", timed("latency", 1, 8, 1e-6, 1), noise_floor_s=1e-6)
    )


def test_without_a_small_message_the_answer_is_unknown(tmp_path: Path) -> None:
    here = at(curve(tmp_path, loggp_rows(rounds=3, sizes=(65536, 131072))), 65536)
    assert here.time_s is None and here.stream_s is not None


def test_a_forced_path_is_no_curve_of_the_transport(tmp_path: Path) -> None:
    rows = timed("latency", 1, 8, 2e-4, 100, path="rma")
    assert transfer_times(samples_of(tmp_path / "samples.jsonl", rows)) == []


def test_the_eager_limit_is_what_the_bisection_found(tmp_path: Path) -> None:
    limit = curve(tmp_path, [*loggp_rows(rounds=3), *unexpected_rows(4095)]).eager_bytes
    assert limit is not None and (limit.value, limit.bound) == (4095, None)


def test_a_limit_that_no_size_reached_is_a_lower_bound(tmp_path: Path) -> None:
    limit = curve(tmp_path, [*loggp_rows(rounds=3), *unexpected_rows(1 << 20, (False,))]).eager_bytes
    assert limit is not None and (limit.value, limit.bound) == (1 << 20, "lower")


@pytest.mark.parametrize("waits", [(True, True), (False, False), (True,)])
def test_a_limit_that_rounds_contradict_is_unknown(waits: tuple[bool, ...], tmp_path: Path) -> None:
    assert curve(tmp_path, [*loggp_rows(rounds=3), *unexpected_rows(4095, waits)]).eager_bytes is None


def test_a_range_ends_at_the_eager_limit(tmp_path: Path) -> None:
    above = Machine(L=7e-6, o_s=2e-6, g=6e-6, G=0.4e-9, handshake_s=10e-6)
    rows = [*loggp_rows(rounds=3, break_bytes=65536, above=above), *unexpected_rows(40000)]
    samples = samples_of(tmp_path / "samples.jsonl", rows)
    ranges = {
        (row.axes["size_min_bytes"], row.axes["size_max_bytes"])
        for row in derive_results(samples).rows
        if row.metric == "o_s"
    }
    assert ranges == {(8, 40000), (40001, 1 << 20)}
    (limit,) = [row for row in derive_results(samples).rows if row.metric == "eager_limit"]
    assert (limit.value, limit.unit) == (40000, "B")


def test_a_profile_keeps_the_curves_of_each_path(tmp_path: Path) -> None:
    near = samples_of(tmp_path / "near", loggp_rows(rounds=3), locality="same-node")
    far = samples_of(tmp_path / "far", loggp_rows(Machine(L=9e-6), rounds=3))
    profile = fit_profile([near, far])
    assert sorted(one.locality for one in profile.transfer_times) == ["remote", "same-node"]
    write_profile(profile, tmp_path / "profile.json")
    assert read_profile(tmp_path / "profile.json") == profile
