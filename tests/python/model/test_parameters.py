# SPDX-License-Identifier: BSD-3-Clause
"""Parameters of models from a profile: entry, range, method and draws. Errors name missing parameters."""

import numpy as np
import pytest

from stretto.data.profile import (
    ContendedEntry,
    Figure,
    LogGPEntry,
    LogGPRange,
    OverlapEntry,
    Profile,
)
from stretto.errors import UserError
from stretto.model.network import LogGp, costs_at, drawn
from stretto.model.parameters import Bar, Path, Source, has_bar, path_costs, paths

PUT = Path("mpi-rma", "put", "thread")


def entry(method: str, *ranges: LogGPRange, locality: str = "remote", progress: str = "none") -> LogGPEntry:
    return LogGPEntry("mpi-rma", "put", locality, method, ranges, progress)


def figures(*values: float | None) -> list[Figure | None]:
    return [None if value is None else Figure(value) for value in values]


def source(*entries: LogGPEntry, **more: object) -> Source:
    return Source(Profile(entries, **more), "some.json", draws=4)  # type: ignore[arg-type]


def at(source: Source, path: Path, size_bytes: int, bar: Bar = "M", ranks: int = 2) -> LogGp:
    """The costs of a message of this size."""
    (result,) = costs_at([(path_costs(source, path, bar, ranks), size_bytes)])
    return result


TRAINS = LogGPRange(1, 1 << 20, *figures(5e-6, 2e-6, None, 3e-6, None, 2e-9))
PENCILS = LogGPRange(1, 1 << 20, *figures(None, 1e-6, None, None, 9e-6, 1e-9))


def test_o_and_the_queue_are_from_the_pencils_and_latency_from_the_trains() -> None:
    result = at(source(entry("spaced-trains", TRAINS), entry("pencils", PENCILS)), PUT, 64)
    first = [float(values[0]) for values in (result.latency_s, result.overhead_send_s, result.gap_queue_s)]
    assert first == [5e-6, 1e-6, 9e-6]
    assert result.gap_s_per_byte[0] == 1e-9  # from streaming, which belongs to the pencils
    assert result.gap_s[0] == 0  # the 3 us of a train do not exceed the 9 us of the queue


def test_a_gap_of_the_adapter_above_that_of_the_queue_counts() -> None:
    slow = LogGPRange(1, 1 << 20, *figures(5e-6, 2e-6, None, 30e-6, None, 2e-9))
    result = at(source(entry("spaced-trains", slow), entry("pencils", PENCILS)), PUT, 64)
    assert result.gap_s[0] == 30e-6


def test_an_unresolved_parameter_of_a_range_is_that_of_the_range_below() -> None:
    above = LogGPRange(
        1 << 21, 1 << 24, Figure(50e-6), Figure(None, reason="noise"), None, None, None, Figure(3e-9)
    )
    here = source(entry("spaced-trains", TRAINS, above))
    large = at(here, PUT, 1 << 22)
    assert (large.latency_s[0], large.overhead_send_s[0], large.gap_s_per_byte[0]) == (50e-6, 2e-6, 3e-9)
    assert at(here, PUT, 64).latency_s[0] == 5e-6


def test_the_network_comes_before_a_nodes_memory() -> None:
    local = LogGPRange(1, 1 << 20, *figures(1e-7, 1e-7, None, None, None, 1e-10))
    result = at(source(entry("pencils", local, locality="same-node"), entry("", TRAINS)), PUT, 8)
    assert result.latency_s[0] == 5e-6


def test_bar_e_is_from_the_nearest_number_of_ranks() -> None:
    contended = tuple(ContendedEntry("mpi-rma", "remote", n, Figure(n * 1e-9), "put") for n in (2, 8, 32))
    loaded = source(entry("pencils", TRAINS), contended=contended)
    assert at(loaded, PUT, 8, "E", 10).gap_s_per_byte[0] == pytest.approx(8e-9)
    assert has_bar(loaded.profile, PUT, "E") and not has_bar(source(entry("", TRAINS)).profile, PUT, "E")


def test_overlap_is_from_the_nearest_size_and_the_same_progress_mode() -> None:
    def eta(size: int, progress: str, value: float) -> OverlapEntry:
        return OverlapEntry("mpi-rma", "put", "remote", progress, "both", "one-way", size, 1.0, Figure(value))

    overlap = (eta(1 << 10, "thread", 0.5), eta(1 << 20, "thread", 0.9), eta(1 << 20, "none", -0.2))
    here = source(entry("pencils", TRAINS), overlap=overlap)
    assert at(here, PUT, 1 << 19).overlap[0] == 0.9
    assert (
        at(here, Path("mpi-rma", "put", "none"), 8).overlap[0] == 0.0
    )  # a negative eta counts as no overlap
    assert at(here, Path("mpi-rma", "put", "poll"), 8).overlap[0] == 1.0  # offload is assumed
    assert [path.progress for path in paths(here.profile)] == ["thread", "none"]


def test_an_eta_that_large_sizes_do_not_have_is_limited_to_the_capacity_of_buffers() -> None:
    def eta(progress: str, exponent: int, value: float) -> OverlapEntry:
        size = 1 << exponent
        return OverlapEntry("mpi-rma", "put", "remote", progress, "both", "one-way", size, 1.0, Figure(value))

    overlap = (
        eta("none", 20, 0.9),
        eta("none", 21, 0.8),
        eta("none", 23, 0.0),
        eta("thread", 20, 0.9),
        eta("thread", 23, 0.8),
    )
    here = source(entry("pencils", TRAINS), overlap=overlap)
    buffers = at(here, Path("mpi-rma", "put", "none"), 1 << 20)
    assert buffers.overlap[0] == 0.9 and buffers.unattended_bytes[0] == pytest.approx(0.8 * (1 << 21))
    assert np.isinf(at(here, PUT, 1 << 20).unattended_bytes[0])


def test_a_progress_mode_has_its_own_parameters_or_those_of_mode_none() -> None:
    with_thread = LogGPRange(1, 1 << 20, *figures(7e-6, 2e-6, None, 3e-6, None, 2e-9))
    both = source(entry("spaced-trains", TRAINS), entry("spaced-trains", with_thread, progress="thread"))
    poll = Path("mpi-rma", "put", "poll")
    latencies = [at(both, path, 8).latency_s[0] for path in (PUT, poll)]
    assert latencies == [7e-6, 5e-6]
    assert [path.progress for path in paths(both.profile)] == ["none", "thread"]
    alone = source(entry("spaced-trains", with_thread, progress="thread"))
    assert paths(alone.profile) == [PUT]
    with pytest.raises(UserError, match="has no latency_s of put over mpi-rma"):
        path_costs(alone, poll, "M", 2)


def test_an_error_names_the_missing_parameter() -> None:
    without = LogGPRange(1, 1 << 20, *figures(5e-6, 2e-6, None, None, None, None))
    with pytest.raises(UserError, match=r"some.json: has no gap_s_per_byte of put over mpi-rma; .*loggp"):
        path_costs(source(entry("pencils", without)), PUT, "M", 2)


def test_draws_follow_the_interval_and_begin_with_the_value() -> None:
    values = drawn(Figure(10.0, 8.0, 16.0), np.random.default_rng(1), 4000)
    assert values[0] == 10.0
    low, middle, high = np.quantile(values, (0.025, 0.5, 0.975))
    assert (low, middle, high) == pytest.approx((8.0, 10.0, 16.0), rel=0.03)
    assert (drawn(Figure(1.0, -9.0, 1.0), np.random.default_rng(1), 4000) >= 0).all()
    assert (drawn(Figure(3.0), np.random.default_rng(1)) == 3.0).all()
    assert drawn(Figure(0.9, 0.5, 1.5), np.random.default_rng(1), 4000, most=1.0).max() == 1.0
