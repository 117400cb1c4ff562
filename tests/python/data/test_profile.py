# SPDX-License-Identifier: BSD-3-Clause
"""Fitted and hand-written profiles are read; implausible members are refused with their path."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stretto.data.profile import (
    BandwidthEntry,
    ComputeEntry,
    ContendedEntry,
    ContentionEntry,
    Figure,
    LogGPEntry,
    LogGPRange,
    Machine,
    OverlapEntry,
    Profile,
    RuntimeEntry,
    Source,
)
from stretto.data.profile_file import profile_text, read_profile, write_profile
from stretto.data.sample_rows import Mpi
from stretto.errors import UserError

GOLDEN = Path(__file__).parents[2] / "golden"
BY_HAND = json.loads((GOLDEN / "profile-by-hand.json").read_text())
FITTED = json.loads((GOLDEN / "profile-1.0.json").read_text())


def read_changed(tmp_path: Path, path: tuple[str | int, ...], value: Any, base: Any = BY_HAND) -> Profile:
    document = copy.deepcopy(base)
    node = document
    for key in path[:-1]:
        node = node[key]
    node[path[-1]] = value
    (tmp_path / "profile.json").write_text(json.dumps(document))
    return read_profile(tmp_path / "profile.json")


@pytest.mark.parametrize("name", ["profile-1.0.json", "profile-by-hand.json"])
def test_a_profile_is_read_as_it_was_written(name: str, tmp_path: Path) -> None:
    profile = read_profile(GOLDEN / name)
    write_profile(profile, tmp_path / "again.json")
    assert read_profile(tmp_path / "again.json") == profile


def test_a_bare_number_is_a_figure_and_null_in_an_object_is_unresolved() -> None:
    profile = read_profile(GOLDEN / "profile-by-hand.json")
    small, large = profile.loggp[0].ranges
    assert small.latency_s == Figure(1e-6)
    assert large.overhead_receive_s == Figure(None, reason="rendezvous")
    assert large.gap_s is not None and large.gap_s.bound == "upper"
    assert profile.overlap[0].eta.value == -0.05 and profile.overlap[0].ratio == 1.0


def figures(node: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The path of every figure of a profile document and the member's name."""
    if isinstance(node, dict):
        if "value" in node:
            yield (*path, "value"), str(path[-1])
        else:
            for key, inner in node.items():
                yield from figures(inner, (*path, key))
    elif isinstance(node, list):
        for index, inner in enumerate(node):
            yield from figures(inner, (*path, index))


def test_every_figure_of_a_fitted_profile_is_refused_when_implausible(tmp_path: Path) -> None:
    result = list(figures(FITTED))
    assert len({name for _, name in result}) >= 10
    for path, name in result:
        for value in ([] if name in ("eta",) else [-1e-12]) + [float("nan"), float("inf"), 1e19, "1us", True]:
            with pytest.raises(UserError):
                read_changed(tmp_path, path, value, FITTED)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (
            ("loggp", 0, "ranges", 0, "latency_s"),
            -1e-6,
            "loggp[0].ranges[0].latency_s is -1e-06, not within 0 to 1000",
        ),
        (("loggp", 0, "ranges", 0, "gap_s_per_byte"), 2.5e9, "loggp[0].ranges[0].gap_s_per_byte"),
        (("loggp", 0, "ranges", 1, "gap_s", "value"), "x", "loggp[0].ranges[1].gap_s.value"),
        (("loggp", 0, "ranges", 1, "overhead_send_s", "ci95_low"), 9e-7, "low end is above its high end"),
        (("loggp", 0, "ranges"), [], "give at least one range"),
        (("loggp",), {}, "loggp is missing or no list"),
        (("overlap", 0, "eta"), None, "overlap[0].eta is missing"),
        (("overlap", 0, "size_bytes"), None, "overlap[0].size_bytes is missing"),
        (("machine",), 7, "machine is 7"),
        (("schema",), "stretto.profile/2.0", "update stretto"),
    ],
)
def test_a_bad_member_is_named_with_the_correction(
    path: tuple[str | int, ...], value: Any, message: str, tmp_path: Path
) -> None:
    with pytest.raises(UserError) as error:
        read_changed(tmp_path, path, value)
    assert message in str(error.value)


def test_eta_may_be_negative_and_a_newer_minor_version_may_say_more(tmp_path: Path) -> None:
    assert read_changed(tmp_path, ("overlap", 0, "eta"), -3.0).overlap[0].eta.value == -3
    newer = {**BY_HAND, "schema": "stretto.profile/1.9", "mood": "good"}
    assert read_changed(tmp_path, ("schema",), "stretto.profile/1.9", newer).loggp


def test_the_text_keeps_null_for_the_unresolved_and_leaves_the_absent_out() -> None:
    document = json.loads(profile_text(read_profile(GOLDEN / "profile-by-hand.json")))
    large = document["loggp"][0]["ranges"][1]
    assert large["overhead_receive_s"]["value"] is None and "gap_queue_s" not in large


WHOLE: dict[str, Any] = {
    "schema": "stretto.profile/1.0",
    "loggp": [
        {
            "transport": "t",
            "operation": "put",
            "locality": "remote",
            "ranges": [
                {
                    "size_min_bytes": 1,
                    "size_max_bytes": 8,
                    **dict.fromkeys(
                        ("latency_s", "overhead_send_s", "overhead_receive_s", "gap_s", "gap_queue_s"), 1e-6
                    ),
                    "gap_s_per_byte": 1e-9,
                }
            ],
        }
    ],
    "machine": {"mpi": {"family": "mpich"}, "ranks": 2},
    "made_from": [{"file": "samples.jsonl"}],
    "bandwidth": [
        {
            "transport": "t",
            "operation": "send",
            "locality": "remote",
            "size_bytes": 8,
            "bandwidth_bytes_per_s": 1e9,
        }
    ],
    "contended": [{"transport": "t", "locality": "remote", "ranks": 4, "gap_s_per_byte": 1e-9}],
    "overlap": [{"transport": "t", "operation": "get", "locality": "same-node", "size_bytes": 8, "eta": 0.5}],
    "contention": [
        {"transport": "t", "locality": "remote", "work_kind": "cache", "size_bytes": 8, "kappa": 1.5}
    ],
    "compute": [{"work_kind": "fft", "seconds_per_count": 1e-9, "row_length": 64}],
    "runtime": {"pace_s": 1e-3, "segment_bytes": 32768, "outstanding": 32, "kappa": 1.05},
}


def test_members_that_may_be_absent_have_their_defaults(tmp_path: Path) -> None:
    profile = read_changed(tmp_path, ("machine", "name"), "node", WHOLE)
    one = Figure(1e-6)
    fitted = LogGPRange(1, 8, one, one, one, one, one, Figure(1e-9))
    assert profile == Profile(
        loggp=(LogGPEntry("t", "put", "remote", "", (fitted,), "none"),),
        machine=Machine("node", Mpi("mpich", "", ""), (), "", None, 2),
        made_from=(Source("samples.jsonl", ""),),
        bandwidth=(BandwidthEntry("t", "send", "remote", "one-way", 8, Figure(1e9)),),
        contended=(ContendedEntry("t", "remote", 4, Figure(1e-9), None, "none"),),
        overlap=(OverlapEntry("t", "get", "same-node", "none", "both", "one-way", 8, 1.0, Figure(0.5)),),
        contention=(ContentionEntry("t", "send", "remote", "cache", 8, Figure(1.5)),),
        compute=(ComputeEntry("fft", Figure(1e-9), 64),),
        runtime=RuntimeEntry(1e-3, 32768, 32, Figure(1.05)),
    )


@pytest.mark.parametrize(
    ("path", "low", "high"),
    [
        (("loggp", 0, "ranges", 0, "size_max_bytes"), 1, 2**62),
        (("loggp", 0, "ranges", 0, "latency_s"), 0, 1e3),
        (("loggp", 0, "ranges", 0, "gap_queue_s"), 0, 1e3),
        (("loggp", 0, "ranges", 0, "gap_s_per_byte"), 0, 1.0),
        (("machine", "ranks"), 1, 2**62),
        (("bandwidth", 0, "size_bytes"), 0, 2**62),
        (("bandwidth", 0, "bandwidth_bytes_per_s"), 0, 1e18),
        (("contended", 0, "ranks"), 1, 2**62),
        (("contended", 0, "gap_s_per_byte"), 0, 1.0),
        (("overlap", 0, "size_bytes"), 0, 2**62),
        (("overlap", 0, "ratio"), 0, 1e9),
        (("overlap", 0, "eta"), -1e6, 1e6),
        (("contention", 0, "size_bytes"), 0, 2**62),
        (("contention", 0, "kappa"), 0, 1e6),
        (("compute", 0, "seconds_per_count"), 0, 1e3),
        (("compute", 0, "row_length"), 1, 2**62),
        (("runtime", "pace_s"), 1e-6, 1),
        (("runtime", "segment_bytes"), 256, 1 << 30),
        (("runtime", "outstanding"), 1, 4096),
        (("runtime", "kappa"), 0, 1e6),
    ],
)
def test_a_member_is_accepted_up_to_its_limits_and_no_further(
    path: tuple[str | int, ...], low: float, high: float, tmp_path: Path
) -> None:
    whole = isinstance(low, int) and isinstance(high, int)
    for value in (low, high):
        assert read_changed(tmp_path, path, value, WHOLE)
    for value in (low - 1, high + 1) if whole else (low - 1e-7, high * (1 + 1e-9)):
        with pytest.raises(UserError, match=str(path[-1])):
            read_changed(tmp_path, path, value, WHOLE)


@pytest.mark.parametrize(
    "path",
    [
        ("loggp", 0, "operation"),
        ("loggp", 0, "locality"),
        ("machine", "on"),
        ("bandwidth", 0, "operation"),
        ("bandwidth", 0, "locality"),
        ("contended", 0, "operation"),
        ("contended", 0, "locality"),
        ("overlap", 0, "operation"),
        ("overlap", 0, "locality"),
        ("contention", 0, "operation"),
        ("contention", 0, "locality"),
    ],
)
def test_an_unknown_name_is_refused(path: tuple[str | int, ...], tmp_path: Path) -> None:
    with pytest.raises(UserError, match='is "elsewhere", not one of'):
        read_changed(tmp_path, path, "elsewhere", WHOLE)


@pytest.mark.parametrize(
    "path",
    [
        ("loggp", 0, "transport"),
        ("made_from", 0, "file"),
        ("bandwidth", 0, "transport"),
        ("bandwidth", 0, "bandwidth_bytes_per_s"),
        ("contended", 0, "transport"),
        ("contended", 0, "gap_s_per_byte"),
        ("overlap", 0, "transport"),
        ("contention", 0, "transport"),
        ("contention", 0, "work_kind"),
        ("contention", 0, "kappa"),
        ("compute", 0, "work_kind"),
        ("compute", 0, "seconds_per_count"),
    ],
)
def test_a_missing_member_is_named(path: tuple[str | int, ...], tmp_path: Path) -> None:
    with pytest.raises(UserError, match=f"{path[-1]} is missing"):
        read_changed(tmp_path, path, None, WHOLE)


def test_ranges_touch_but_do_not_overlap(tmp_path: Path) -> None:
    def ranges(begin: int) -> list[dict[str, int]]:
        return [{"size_min_bytes": 1, "size_max_bytes": 8}, {"size_min_bytes": begin, "size_max_bytes": 16}]

    fitted = read_changed(tmp_path, ("loggp", 0, "ranges"), ranges(9), WHOLE).loggp[0].ranges
    assert [(one.size_min_bytes, one.size_max_bytes) for one in fitted] == [(1, 8), (9, 16)]
    with pytest.raises(UserError, match=r"ranges\[1\] begins within the range before it"):
        read_changed(tmp_path, ("loggp", 0, "ranges"), ranges(8), WHOLE)
