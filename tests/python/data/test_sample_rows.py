# SPDX-License-Identifier: BSD-3-Clause
"""Every member of every kind of row is read, has its default, and is refused beyond its limits."""

import json
from pathlib import Path
from typing import Any

import pytest
from synthetic_samples import header, sample

from stretto.data.loads import Load
from stretto.data.sample_rows import (
    CaseEnd,
    Checked,
    NoiseFloor,
    Skipped,
    SubstrateBound,
    Traffic,
    WorkRate,
)
from stretto.data.samples import SCHEMA, Samples, read_samples
from stretto.errors import UserError

ROWS: dict[str, dict[str, Any]] = {
    "noise_floor": {"value_s": 1e-7},
    "work_rate": {"work_kind": "cache", "seconds_per_count": 2e-9},
    "bound": {
        "direction": "one-way",
        "size_bytes": 8,
        "transfer_s": 0.5,
        "value": 0.9,
        "ci95_low": 0.8,
        "ci95_high": 1.0,
    },
    "case_end": {"probe": "p", "case": 3, "ended_by": "budget", "rounds": 7},
    "checked": {"probe": "p", "case": 3, "transfers": 9, "wrong": 2},
    "traffic": {
        "probe": "p",
        "case": 3,
        "quantity": "T_c",
        "origin": 0,
        "target": 1,
        "path": "rma",
        "steps": 4,
        "operations": 5,
        "bytes": 6,
        "messages": 7,
    },
    "skipped": {"probe": "p", "reason": "why"},
    "load": {"when": "before", "seconds": 0.3, "cores": 4, "ranks": 2, "others_cores": 1.5},
}
LONGEST_S, LARGEST = 1e9, 2**62


def read(tmp_path: Path, *rows: dict[str, Any], **changes: Any) -> Samples:
    lines = [header(**changes), *rows]
    lines.append({"row": "end", "rows": len(lines)})
    path = tmp_path / "samples.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return read_samples(path)


def row(kind: str, **changes: Any) -> dict[str, Any]:
    return {
        "row": kind,
        **{name: value for name, value in {**ROWS[kind], **changes}.items() if value is not None},
    }


def test_rows_are_read_as_they_stand_and_with_their_defaults(tmp_path: Path) -> None:
    result = read(tmp_path, *map(row, ROWS))
    assert result.complete and not result.warnings
    assert result.noise_floor == NoiseFloor(1e-7, 0)
    assert result.work_rates == (WorkRate("cache", 2e-9, 2e-9, 2e-9, 0),)
    assert result.bounds == (SubstrateBound("one-way", 8, 0.5, 0.9, 0.8, 1.0, 0),)
    assert result.case_ends == (CaseEnd("p", 3, "budget", 7, 0),)
    assert result.checked == (Checked("p", 3, 9, 2),)
    assert result.traffic == (Traffic("p", 3, "T_c", 0, 1, "rma", 4, 5, 6, 7),)
    assert result.skipped == (Skipped("p", "", None, "why"),)
    assert result.loads == (Load("", "before", 0.3, 4, 2, 1.5, 0, 0, 0),)
    more = read(
        tmp_path,
        row("noise_floor", n=4),
        row("work_rate", ci95_low=1e-9, ci95_high=3e-9, n=5),
        row("bound", n=6),
        row("case_end", discarded=2, visits=3, disturbed=4),
        row("load", host="h", stolen_cores=0.5, waiting_share=0.25, runnable=7),
        row("skipped", transport="t", operation="get"),
    )
    assert more.noise_floor == NoiseFloor(1e-7, 4)
    assert more.work_rates == (WorkRate("cache", 2e-9, 1e-9, 3e-9, 5),)
    assert (more.bounds[0].n, more.case_ends[0].discarded) == (6, 2)
    assert (more.case_ends[0].visits, more.case_ends[0].disturbed) == (3, 4)
    assert more.skipped == (Skipped("p", "t", "get", "why"),)
    assert more.loads == (Load("h", "before", 0.3, 4, 2, 1.5, 0.5, 0.25, 7),)


@pytest.mark.parametrize(
    ("kind", "member", "low", "high"),
    [
        ("noise_floor", "value_s", 0, LONGEST_S),
        ("noise_floor", "n", 0, LARGEST),
        ("work_rate", "seconds_per_count", 0, LONGEST_S),
        ("work_rate", "ci95_low", 0, LONGEST_S),
        ("work_rate", "ci95_high", 0, LONGEST_S),
        ("work_rate", "n", 0, LARGEST),
        ("bound", "size_bytes", 1, LARGEST),
        ("bound", "transfer_s", 0, LONGEST_S),
        ("bound", "n", 0, LARGEST),
        ("case_end", "case", 0, LARGEST),
        ("case_end", "rounds", 0, LARGEST),
        ("case_end", "discarded", 0, LARGEST),
        ("case_end", "visits", 1, LARGEST),
        ("case_end", "disturbed", 0, LARGEST),
        ("load", "seconds", 0, LONGEST_S),
        ("load", "cores", 1, 1_000_000),
        ("load", "ranks", 1, 1_000_000),
        ("load", "others_cores", 0, 1_000_000),
        ("load", "stolen_cores", 0, 1_000_000),
        ("load", "waiting_share", 0, LONGEST_S),
        ("load", "runnable", 0, LARGEST),
        ("checked", "case", 0, LARGEST),
        ("checked", "transfers", 2, LARGEST),
        ("checked", "wrong", 0, 9),
        ("traffic", "case", 0, LARGEST),
        ("traffic", "steps", 1, LARGEST),
        ("traffic", "operations", 0, LARGEST),
        ("traffic", "bytes", 0, LARGEST),
        ("traffic", "messages", 0, LARGEST),
    ],
)
def test_a_member_is_accepted_up_to_its_limits_and_no_further(
    kind: str, member: str, low: float, high: float, tmp_path: Path
) -> None:
    for value in (low, high):
        read(tmp_path, row(kind, **{member: value}))
    for value in (low - 1, high + 1 if isinstance(high, int) else high * 1.001):
        with pytest.raises(UserError, match=":2: "):
            read(tmp_path, row(kind, **{member: value}))


def test_disturbed_samples_stand_apart_and_may_repeat(tmp_path: Path) -> None:
    good = sample("overlap", 0, "T_c", 0, 1.0)
    spoilt = {**good, "row": "disturbed", "lost_s": 0.5, "switches": 3, "visit": 1}
    found = read(tmp_path, spoilt, spoilt, good)
    assert (len(found.rows), len(found.disturbed)) == (1, 2)
    assert found.disturbed.row(0, named=True)["lost_s"] == 0.5
    assert found.disturbed.row(0, named=True)["switches"] == 3
    with pytest.raises(UserError, match=":2: lost_s is -1"):
        read(tmp_path, {**spoilt, "lost_s": -1})


def test_a_check_of_no_transfers_is_a_check(tmp_path: Path) -> None:
    assert read(tmp_path, row("checked", transfers=0, wrong=0)).checked == (Checked("p", 3, 0, 0),)


@pytest.mark.parametrize(
    ("kind", "member"),
    [(kind, member) for kind, members in ROWS.items() for member in members],
)
def test_a_missing_member_is_named(kind: str, member: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=f":2: {member} is missing"):
        read(tmp_path, row(kind, **{member: None}))


@pytest.mark.parametrize(
    ("kind", "member"),
    [
        ("work_rate", "work_kind"),
        ("bound", "direction"),
        ("case_end", "ended_by"),
        ("traffic", "path"),
        ("load", "when"),
    ],
)
def test_a_name_of_another_version_is_for_newer_files(kind: str, member: str, tmp_path: Path) -> None:
    other = row(kind, **{member: "another"})
    with pytest.raises(UserError, match=f':2: {member} is "another", not one of'):
        read(tmp_path, other)
    newer = read(tmp_path, other, {"row": "gossip"}, schema="stretto.samples/1.99")
    assert newer.warnings == (
        f"{tmp_path}/samples.jsonl: version 1.99 is newer than {SCHEMA}, 1 rows of unknown kinds are ignored",
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"ranks": 3, "hosts": ["a", "b"]}, "hosts has 2 items for 3 ranks"),
        ({"ranks": 0}, "ranks is 0, not within 1"),
        ({"on": "the moon"}, 'on is "the moon", not one of'),
        ({"locality": "near"}, 'locality is "near", not one of'),
        ({"mpi": {"family": "other"}}, 'mpi.family is "other", not one of'),
        ({"cases": -1}, "cases is -1, not within 0"),
        (
            {"clock": {"resolution_s": 0, "overhead_s": 0, "offset_s": [0]}},
            "clock.offset_s has 1 items for 2",
        ),
        ({"clock": {"resolution_s": -1, "overhead_s": 0, "offset_s": [0, 0]}}, "clock.resolution_s is -1"),
        ({"clock": {"resolution_s": 0, "overhead_s": -1, "offset_s": [0, 0]}}, "clock.overhead_s is -1"),
        ({"clock": None}, "clock.resolution_s is missing"),
        ({"mpi": "mpich"}, 'mpi is "mpich", not an object'),
        ({"hosts": [1, 2]}, "hosts[0] is 1, not a text"),
        ({"schema": None}, "schema is missing or malformed"),
        ({"schema": "stretto.samples/1.99999999999999999999"}, "schema is missing or malformed"),
        ({"schema": "stretto.samples/2.0"}, "update stretto"),
        ({"schema": "stretto.samples/0.9"}, "make the file again"),
        ({"schema": "stretto.profile/1.0"}, "a stretto.samples file is needed"),
        ({"row": "sample"}, "is no header row; name a samples file that a probe wrote"),
    ],
)
def test_a_header_that_cannot_be_is_refused(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(UserError) as refused:
        read(tmp_path, **changes)
    assert ":1: " in str(refused.value) and message in str(refused.value)


def test_a_header_without_what_may_be_absent(tmp_path: Path) -> None:
    absent = dict.fromkeys(("revision", "cpu", "cases", "network", "settings"))
    clock = {"resolution_s": 1e-9, "overhead_s": 2e-9, "offset_s": [0, 1e-6]}
    result = read(tmp_path, **absent, mpi={"family": "mpich"}, clock=clock).header
    assert (result.revision, result.cpu, result.cases, result.network, result.settings) == (
        "unknown",
        "",
        0,
        "",
        {},
    )
    assert (result.mpi.family, result.mpi.library, result.mpi.standard) == ("mpich", "", "")
    assert (result.clock.name, result.clock.resolution_s, result.clock.overhead_s) == ("", 1e-9, 2e-9)
    assert (result.clock.offset_s, result.clock.offset_error_s) == ((0.0, 1e-6), 0)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([{"row": "noise_floor", "value_s": 0}] * 2, ":3: is a second noise floor"),
        ([{"row": "header"}], ":2: is a second header; remove the line"),
        ([{"row": "gossip"}], ":2: is of no known kind \\(member 'row'\\); remove the line"),
        ([{"row": 7}], ":2: is of no known kind"),
        ([["row"]], ":2: is no row \\(a JSON object\\); remove the line"),
        ([{"row": "end", "rows": 9}], ":2: says that 9 lines came before, 1 did; restore the file"),
        ([{"row": "end", "rows": 1}], ":3: stands after the end row; remove what follows it"),
    ],
)
def test_a_line_out_of_place_is_refused(lines: list[Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=message):
        read(tmp_path, *lines)


def test_a_header_says_what_ran(tmp_path: Path) -> None:
    result = read(
        tmp_path, revision="abc", cpu="a processor", cases=7, network="htb", settings={"a": 1}
    ).header
    assert (result.revision, result.cpu, result.cases, result.network) == ("abc", "a processor", 7, "htb")
    assert result.settings == {"a": 1} and result.members["revision"] == "abc"
