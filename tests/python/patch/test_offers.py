# SPDX-License-Identifier: BSD-3-Clause
"""Hints for Fortran, of which there is no syntax tree: where the data was accessed, and why there is no hint."""

import pytest

from stretto.binaries.build_ids import Modules
from stretto.binaries.symbols import Frame
from stretto.data.program import Place
from stretto.patch.candidates import Candidate, TraceEvidence
from stretto.patch.moves import LocalKind
from stretto.patch.offers import Offers, offers_of
from stretto.patch.statements import Effects, Statement
from stretto.potential.regions import Region, WorkSite

AT, USE, OTHER = ("app", 100), ("app", 200), ("app", 300)
HERE = Frame("step", "halo.F90", 40)


def offers(
    monkeypatch: pytest.MonkeyPatch, kind: LocalKind, accesses: dict[Place, int], frames: dict[Place, Frame]
) -> Offers:
    monkeypatch.setattr("stretto.patch.offers.readable_source", lambda *_: b"")
    work = WorkSite("MPI_Waitall" if kind == "wait later" else "MPI_Isend", uncovered_s=1.0)
    one = Candidate(kind, AT, HERE, work, accesses)
    return offers_of([one], {place: (frame,) for place, frame in frames.items()}, Modules(), 2.0, True)


def line(number: int, function: str = "step") -> Frame:
    return Frame(function, "halo.F90", number)


@pytest.mark.parametrize(
    ("kind", "lines", "said"),
    [
        ("wait later", (52, 47), "the data of 12 messages was accessed first in line 47"),
        ("start earlier", (31, 36), "the data of 12 messages was stored to last in line 36"),
    ],
)
def test_a_hint_names_the_line_that_ends_the_move(
    kind: LocalKind, lines: tuple[int, int], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = dict(zip((USE, OTHER), map(line, lines)))
    found = offers(monkeypatch, kind, {USE: 5, OTHER: 7}, frames)
    assert not found.offers and not found.refused
    (hint,) = found.hints
    assert hint.startswith(f"stretto: {kind}: ") and "Fortran, line ranges only, nothing to apply" in hint
    assert f": {said}; read what stands between" in hint


@pytest.mark.parametrize(
    "frames",
    [
        {USE: line(47), OTHER: line(47, "other")},  # another routine has some of the accesses
        {
            USE: line(47),
            OTHER: line(39),
        },  # a loop, in which the data is used before the wait of the next turn
        {USE: line(47)},  # nothing is known of some
    ],
    ids=["elsewhere", "behind", "unknown"],
)
def test_no_hint_where_an_access_stands_elsewhere(
    frames: dict[Place, Frame], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = offers(monkeypatch, "wait later", {USE: 5, OTHER: 7}, frames)
    assert not found.hints
    (reason,) = found.refused
    assert "Fortran: not all accesses to its data stand in lines of this routine" in reason


@pytest.mark.parametrize(("takes_time", "gain_s"), [(True, 0.5), (False, 0.0)])
def test_statements_without_a_loop_or_a_call_hide_nothing(takes_time: bool, gain_s: float) -> None:
    """On a busy machine a trace sees a declaration that took half a second."""
    work = WorkSite("MPI_Waitall", uncovered_s=1.0, regions={USE: Region(independent_s=0.5)})
    one = Candidate("wait later", AT, HERE, work, {})
    evidence = TraceEvidence(HERE.path, "wait later", [one], {USE: [line(42)]})
    moved = Statement(HERE.line, HERE.line, Effects(), "wait", "MPI_Waitall")
    over = Statement(42, 42, Effects(takes_time=takes_time))
    assert evidence.promised_s([moved], [over], True) == gain_s
