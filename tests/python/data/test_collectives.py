# SPDX-License-Identifier: BSD-3-Clause
"""Runtime functions are read as docs/formats.md defines them, written unchanged, and refused if wrong."""

import json
from pathlib import Path
from typing import Any

import pytest

from stretto.data.collectives import RuntimeFunction, Summand, Term
from stretto.data.figures import Figure
from stretto.data.measured_collectives import MeasuredTime
from stretto.data.profile import Profile
from stretto.data.profile_file import read_profile, write_profile
from stretto.data.published import profile_path, published_profiles
from stretto.errors import UserError

FUNCTION: dict[str, Any] = {
    "operation": "gather",
    "members_min": 17,
    "members_max": 32,
    "size_min_bytes": 80,
    "size_max_bytes": 512000,
    "root_min_bytes": 8650753,
    "terms": [
        {"of_p": "p", "of_b": "b", "coefficient": 5e-9},
        {"of_p": "1", "of_b": "1", "coefficient": -0.02},
    ],
}


def profile_of(tmp_path: Path, **members: object) -> Profile:
    """A profile with these members, as it is read."""
    path = tmp_path / "profile.json"
    path.write_text(json.dumps({"schema": "stretto.profile/1.0", "loggp": [], **members}))
    return read_profile(path)


def read(tmp_path: Path, **changes: Any) -> RuntimeFunction:
    entry = {name: value for name, value in {**FUNCTION, **changes}.items() if value is not None}
    return profile_of(tmp_path, collectives=[entry]).collectives[0]


def test_a_function_is_read_with_its_bounds_and_signed_coefficients(tmp_path: Path) -> None:
    function = read(tmp_path)
    assert function.terms == (Term("p", "b", Figure(5e-9)), Term("1", "1", Figure(-0.02)))
    assert function.algorithm == "library" and function.phase is None and function.root_max_bytes is None


def test_every_kind_of_function_is_written_as_it_was_read(tmp_path: Path) -> None:
    kinds = (
        read(tmp_path, phase="concurrent", algorithm="reference", deviation=0.02),
        read(tmp_path, terms=None, sum_of=[{"operation": "broadcast", "of_b": "p b"}]),
        read(tmp_path, terms=None, phases_overlap=0.8),
    )
    assert kinds[1].sum_of == (Summand("broadcast", "p b"),)
    write_profile(Profile((), collectives=kinds), tmp_path / "again.json")
    assert read_profile(tmp_path / "again.json").collectives == kinds


@pytest.mark.parametrize(("members", "size", "held"), [
    (17, 508868, True), (17, 508867, False),  # 8650753 / 17 = 508867.8: the bound is on p b
    (16, 512000, False), (32, 512000, True), (33, 512000, False), (32, 512001, False),
])  # fmt: skip
def test_all_bounds_are_included_and_that_of_the_root_counts_all_blocks(
    tmp_path: Path, members: int, size: int, held: bool
) -> None:
    assert read(tmp_path).holds(members, size) == held


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"operation": "bcast"}, "operation is \"bcast\", not one of broadcast"),
        ({"members_max": 16}, "members_max is 16, not within 17"),
        ({"size_max_bytes": 79}, "size_max_bytes is 79, not within 80"),
        ({"root_max_bytes": 5}, "root_max_bytes is 5, not within 8650753"),
        ({"terms": []}, "terms is empty"),
        ({"terms": None}, "has nothing; give exactly one of terms, sum_of, phases_overlap"),
        ({"phases_overlap": 0.5}, "has terms and phases_overlap; give exactly one"),
        ({"terms": None, "phases_overlap": 1.5}, "phases_overlap is 1.5, not within 0 to 1"),
        ({"deviation": -0.1}, "deviation is -0.1, not within 0 to 1"),
        ({"terms": None, "sum_of": [{"operation": "gather"}]}, "as a part of itself"),
        ({"terms": [{"of_p": "p^2", "of_b": "b", "coefficient": 1e-9}]}, "of_p is \"p^2\", not one of"),
        ({"terms": [{"of_p": "p", "of_b": "b", "coefficient": 5.0}]}, "coefficient is 5.0, not within -1 to 1"),
        ({"terms": [{"of_p": "p", "of_b": "1", "coefficient": -1e4}]}, "not within -1000 to 1000"),
        ({"terms": [{"of_p": "p", "of_b": "b", "coefficient": {"value": None}}]}, "coefficient is unresolved"),
        ({"phase": "first"}, "phase is \"first\", not one of leader, concurrent"),
        ({"algorithm": "mine"}, "not one of library, reference"),
    ],
)  # fmt: skip
def test_implausible_figures_are_refused_with_their_place(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(UserError) as refused:
        read(tmp_path, **changes)
    assert "collectives[0]" in str(refused.value) and message in str(refused.value)


COUPLING: dict[str, Any] = {
    "operation": "broadcast",
    "members_min": 4,
    "members_max": 96,
    "size_min_bytes": 80,
    "size_max_bytes": 65535,
    "terms": [{"of_p1": "ceil-log2-p", "of_p2": "p-1", "of_b": "b", "coefficient": -9e-8}],
}


def read_coupling(tmp_path: Path, **changes: Any) -> Profile:
    return profile_of(tmp_path, couplings=[{**COUPLING, **changes}])


def test_a_coupling_is_written_as_it_was_read(tmp_path: Path) -> None:
    profile = read_coupling(tmp_path)
    assert profile.couplings[0].terms[0].coefficient == Figure(-9e-8)
    write_profile(profile, tmp_path / "again.json")
    assert read_profile(tmp_path / "again.json") == profile


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"size_max_bytes": 8}, "size_max_bytes is 8, not within 80"),
        (
            {"terms": [{"of_p1": "1", "of_p2": "q", "of_b": "1", "coefficient": 0}]},
            'of_p2 is "q", not one of',
        ),
        (
            {"terms": [{"of_p1": "1", "of_p2": "1", "of_b": "b", "coefficient": 2}]},
            "coefficient is 2, not within",
        ),
    ],
)
def test_an_implausible_coupling_is_refused(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as refused:
        read_coupling(tmp_path, **changes)
    assert "couplings[0]" in str(refused.value) and message in str(refused.value)


MEASURED: dict[str, Any] = {
    "operation": "gather",
    "members": 8,
    "grid": "4x2",
    "times": [
        {"size_bytes": 8, "time_s": 1e-3, "deviation": 0.02},
        {"size_bytes": 16, "time_s": 2e-3, "deviation": 0},
    ],
}


def read_measured(tmp_path: Path, **changes: Any) -> Profile:
    entry = {name: value for name, value in {**MEASURED, **changes}.items() if value is not None}
    return profile_of(tmp_path, measured_collectives=[entry])


@pytest.mark.parametrize("grid", ["4x2", None])
def test_measured_calls_are_written_as_they_were_read(tmp_path: Path, grid: str | None) -> None:
    profile = read_measured(tmp_path, grid=grid)
    assert profile.measured_collectives[0].grid == grid
    assert profile.measured_collectives[0].times[0] == MeasuredTime(8, 1e-3, 0.02)
    write_profile(profile, tmp_path / "again.json")
    assert read_profile(tmp_path / "again.json") == profile


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"members": 1}, "members is 1, not within 2"),
        ({"grid": "flat"}, 'grid is "flat", which is no P1xP2 of 8 members'),
        ({"grid": "8x1"}, 'grid is "8x1", which is no P1xP2 of 8 members'),
        ({"grid": "4x4"}, 'grid is "4x4", which is no P1xP2 of 8 members'),
        ({"times": []}, "times is missing or empty"),
        ({"times": MEASURED["times"][::-1]}, "times[1] is not above the size before it"),
        ({"times": [{"size_bytes": 8, "time_s": 0, "deviation": 0}]}, "time_s is 0, not within"),
        ({"times": [{"size_bytes": 8, "time_s": 1, "deviation": 2}]}, "deviation is 2, not within 0 to 1"),
    ],
)
def test_a_wrong_measured_call_is_refused(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError) as refused:
        read_measured(tmp_path, **changes)
    assert "measured_collectives[0]" in str(refused.value) and message in str(refused.value)


def test_a_torus_is_read_written_and_refused_where_it_is_none(tmp_path: Path) -> None:
    path = tmp_path / "again.json"
    write_profile(profile_of(tmp_path, torus=[8, 4]), path)
    assert read_profile(path).torus == (8, 4)
    write_profile(profile_of(tmp_path, torus=None), path)
    assert "torus" not in path.read_text()
    for wrong in ([], 8, [8, 0], [1.5], [True], [2**20, 2], [1] * 7):
        with pytest.raises(UserError, match=r"torus is .*; give 1 to 6 widths"):
            profile_of(tmp_path, torus=wrong)


def test_a_term_that_depends_on_messages_is_for_reference_algorithms_with_a_root(tmp_path: Path) -> None:
    term = {"of_p": "links-eager", "of_b": "b", "coefficient": 1e-9}
    bounds = {"members_min": 2, "members_max": 4, "size_min_bytes": 1, "size_max_bytes": 9}

    def read(**entry: str) -> Profile:
        return profile_of(tmp_path, collectives=[{**bounds, **entry, "terms": [term]}])

    assert read(operation="scatter", algorithm="reference").collectives[0].terms is not None
    for entry in ({"operation": "scatter"}, {"operation": "allgather", "algorithm": "reference"}):
        with pytest.raises(UserError, match=r"terms\[0\].of_p is links-eager, which depends on messages"):
            read(**entry)


def test_a_published_profile_is_found_by_its_name_unless_a_file_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert published_profiles() == ("clic", "t3e")
    for name in published_profiles():
        assert read_profile(profile_path(Path(name))).collectives
    (tmp_path / "clic").write_text("mine")
    assert profile_path(Path("clic")) == Path("clic")
    assert profile_path(Path("no/clic")) == Path("no/clic")
