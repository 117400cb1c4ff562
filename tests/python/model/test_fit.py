# SPDX-License-Identifier: BSD-3-Clause
"""A profile has the measurements of one machine from one or several files."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from synthetic_collectives import collective_samples
from synthetic_samples import Machine, loggp_rows, overlap_rows, samples_of

from stretto.data.profile_file import read_profile, write_profile
from stretto.data.results import AxisValue, ResultRow, Results
from stretto.data.sample_rows import NoiseFloor
from stretto.data.samples import Samples, read_samples
from stretto.errors import UserError
from stretto.model.fit import _calls, fit_profile, merged_by_locality, profile_of

GOLDEN = Path(__file__).parents[2] / "golden"
ANY = Machine()


def test_the_golden_samples_give_a_profile_that_holds_everything(tmp_path: Path) -> None:
    profile = fit_profile([read_samples(GOLDEN / "samples-1.0.jsonl")])
    for part in ("loggp", "bandwidth", "contended", "overlap", "contention", "compute", "made_from"):
        assert getattr(profile, part), part
    assert [entry.method for entry in profile.loggp] == ["spaced-trains", "pencils"]
    fitted = profile.loggp[0].ranges[0]
    assert fitted.latency_s is not None and fitted.latency_s.value == pytest.approx(3e-6, rel=0.02)
    queue = profile.loggp[1].ranges[0].gap_queue_s
    assert queue is not None and queue.value == pytest.approx(1.5e-6, rel=0.02)
    write_profile(profile, tmp_path / "profile.json")
    assert read_profile(tmp_path / "profile.json") == profile


def loggp(path: Path, machine: Machine = ANY, **header: Any) -> Samples:
    return samples_of(path, loggp_rows(machine, rounds=3), **header)


def test_files_of_one_machine_are_pooled(tmp_path: Path) -> None:
    parts = [
        samples_of(tmp_path / f"{i}.jsonl", overlap_rows(1e-3, 1e-3, t, rounds=4))
        for i, t in enumerate((1.4e-3, 1.6e-3))
    ]
    profile = fit_profile([*parts, loggp(tmp_path / "loggp.jsonl")])
    (entry,) = profile.overlap
    assert entry.eta.value == pytest.approx(0.5) and entry.eta.n == 8
    assert len(profile.loggp) == 2 and [source.file for source in profile.made_from] == [
        "0.jsonl",
        "1.jsonl",
        "loggp.jsonl",
    ]


def test_same_node_and_remote_are_separate_entries(tmp_path: Path) -> None:
    near, far = Machine(L=1e-6), Machine(L=9e-6)
    profile = fit_profile([loggp(tmp_path / "a", near, locality="same-node"), loggp(tmp_path / "b", far)])
    latencies = {e.locality: e.ranges[0].latency_s for e in profile.loggp if e.method == "spaced-trains"}
    assert {k: v.value for k, v in latencies.items() if v} == pytest.approx(
        {"same-node": 1e-6, "remote": 9e-6}, rel=0.02
    )


def test_progress_modes_are_separate_entries(tmp_path: Path) -> None:
    def runs(name: str, machine: Machine, progress: str) -> Samples:
        rows = [{**row, "progress": progress} for row in loggp_rows(machine, rounds=3)]
        return samples_of(tmp_path / name, rows)

    helped = fit_profile([runs("a", Machine(L=9e-6), "thread")])
    assert {entry.progress for entry in helped.loggp} == {"thread"}
    both = fit_profile([runs("b", Machine(L=9e-6), "thread"), runs("c", ANY, "none")])
    assert [(e.progress, e.method) for e in both.loggp] == [
        (progress, method) for progress in ("none", "thread") for method in ("spaced-trains", "pencils")
    ]


@pytest.mark.parametrize(
    ("header", "what"),
    [
        ({"mpi": {"family": "mpich", "library": "MPICH 5", "standard": "4.1"}}, "MPI"),
        ({"on": "local"}, "substrate"),
        ({"network": "htb 500mbit"}, "network"),
        ({"hosts": ["a", "c"]}, "hosts"),
        ({"cpu": "another"}, "processor"),
    ],
)
def test_files_of_different_machines_are_refused(header: dict[str, Any], what: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=f"{what} .* fit each machine by itself"):
        fit_profile([loggp(tmp_path / "a"), loggp(tmp_path / "b", **header)])


def test_a_simulated_platform_is_one_machine_on_any_of_its_hosts(tmp_path: Path) -> None:
    simulated = {"on": "simulated", "network": "clic"}
    one = loggp(tmp_path / "a", **simulated, hosts=["clic-0", "clic-1"])
    other = loggp(tmp_path / "b", **simulated, hosts=["clic-0", "clic-2"])
    assert fit_profile([one, other]).machine.hosts == ("clic-0", "clic-1", "clic-2")


def test_consecutive_ranks_of_a_simulated_host_share_it(tmp_path: Path) -> None:
    file = loggp(tmp_path / "a", on="simulated", network="clic", hosts=["clic-0", "clic-0"])
    assert fit_profile([file]).machine.ranks_per_node == 2


def test_nothing_to_fit_is_a_user_error() -> None:
    with pytest.raises(UserError, match="no samples"):
        fit_profile([])


def test_the_larger_noise_floor_of_pooled_files_counts(tmp_path: Path) -> None:
    """T_c of 1 ms is above ten of one file's floors and below ten of the other's."""
    rows = overlap_rows(1e-3, 1e-3, 1.5e-3, rounds=4)
    quiet = samples_of(tmp_path / "quiet", rows, noise_floor_s=1e-6)
    loud = samples_of(tmp_path / "loud", rows, noise_floor_s=1.01e-4)
    assert fit_profile([quiet]).overlap[0].eta.value == pytest.approx(0.5)
    for files in ([quiet, loud], [loud, quiet]):
        (pooled,) = merged_by_locality(files)
        assert pooled.noise_floor is not None and pooled.noise_floor.value_s == 1.01e-4
        assert fit_profile(files).overlap[0].eta.value is None


def test_pooled_cases_are_numbered_on(tmp_path: Path) -> None:
    rows = overlap_rows(1e-3, 1e-3, 1.5e-3, rounds=2)
    rows += overlap_rows(1e-3, 1e-3, 1.5e-3, rounds=2, case=3)
    files = [samples_of(tmp_path / name, rows) for name in ("a", "b", "c")]
    (pooled,) = merged_by_locality(files)
    assert sorted(set(pooled.rows["case"].to_list())) == [0, 3, 4, 7, 8, 11]


@pytest.fixture
def collectives(tmp_path: Path) -> Samples:
    return collective_samples(tmp_path / "collectives", ("broadcast",), (2, 3), noise=0)


def with_floor(samples: Samples, value_s: float) -> Samples:
    return dataclasses.replace(samples, noise_floor=NoiseFloor(value_s, 100))


def test_a_collective_shorter_than_ten_noise_floors_is_not_fitted(collectives: Samples) -> None:
    times_s = sorted({call.time_s for call in _calls([with_floor(collectives, 0)])})
    assert len(times_s) >= 3
    kept = _calls([with_floor(collectives, times_s[1] * 0.0999)])
    assert sorted({call.time_s for call in kept}) == times_s[1:]
    kept = _calls([with_floor(collectives, times_s[1] * 0.1001)])
    assert sorted({call.time_s for call in kept}) == times_s[2:]


def test_without_a_noise_floor_the_clocks_resolution_is_one(collectives: Samples) -> None:
    times_s = sorted({call.time_s for call in _calls([with_floor(collectives, 0)])})
    clock = dataclasses.replace(collectives.header.clock, resolution_s=times_s[1] * 0.0999)
    header = dataclasses.replace(collectives.header, clock=clock)
    result = _calls([dataclasses.replace(collectives, header=header, noise_floor=None)])
    assert sorted({call.time_s for call in result}) == times_s[1:]


GATHER = {
    "probe": "loggp",
    "transport": "mpi-rma",
    "operation": "get",
    "locality": "remote",
    "progress": "none",
    "ranks": 4,
    "method": "gather",
    "size_min_bytes": 8,
    "size_max_bytes": 1024,
}


def contended(*changes: dict[str, AxisValue]) -> list[tuple[str, str | None, int, float | None]]:
    """The contended entries of a profile from G of a gather with these axes; G is the index from 1."""
    rows = [
        ResultRow("G", "s/B", float(index), axes={**GATHER, **change})
        for index, change in enumerate(changes, 1)
    ]
    samples = read_samples(GOLDEN / "samples-1.0.jsonl")
    profile = profile_of([samples], [Results(tuple(rows))])
    return [(e.transport, e.operation, e.ranks, e.gap_s_per_byte.value) for e in profile.contended]


def test_contended_bandwidth_is_that_of_the_range_with_the_largest_sizes() -> None:
    large = {"size_min_bytes": 2048, "size_max_bytes": 65536}
    assert contended({}, large) == [("mpi-rma", "get", 4, 2.0)]
    assert contended(large, {}) == [("mpi-rma", "get", 4, 1.0)]


@pytest.mark.parametrize(
    "other",
    [
        {"transport": "stretto"},
        {"operation": "put"},
        {"locality": "same-node"},
        {"ranks": 8},
        {"progress": "poll"},
    ],
)
def test_each_path_and_number_of_ranks_has_its_contended_bandwidth(other: dict[str, AxisValue]) -> None:
    large = {"size_min_bytes": 2048, "size_max_bytes": 65536}
    assert [gap for *_, gap in contended({}, {**large, **other})] == [1.0, 2.0]


def test_other_methods_do_not_limit_the_contended_range() -> None:
    assert [gap for *_, gap in contended({}, {"method": "flood", "size_max_bytes": 65536})] == [1.0]
    assert contended({"path": "message"}) == []
