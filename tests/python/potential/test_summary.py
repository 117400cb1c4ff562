# SPDX-License-Identifier: BSD-3-Clause
"""The first sentences: figures of one network each, none of which contradicts another."""

import re

import pytest

from stretto.data.program import Program
from stretto.potential.advice import Kind
from stretto.potential.blocked import BlockedTime, TimeUse
from stretto.potential.changes import Change
from stretto.potential.core_shortage import Busy, CoreShortage
from stretto.potential.messages import Potential
from stretto.potential.movable import MovableRegion, MovableWork
from stretto.potential.regions import Region, WorkSite
from stretto.potential.sites import Cost, Network
from stretto.potential.summary import Summary, summary_of
from stretto.report.time_sentences import meaning, time_sentences

HERE, THERE = Network(Cost(1e-6, 0.0), "here"), Network(Cost(1e-3, 0.0), "a slow network")
USE_S, PLACE = 100.0, ("app", 1)


def found(uncovered_s: float, followed: bool = True) -> Potential:
    regions = {("app", 2): Region(9.0, 0.0)} if followed else {}
    site = WorkSite("MPI_Recv", 10, 10, uncovered_s=uncovered_s, regions=regions)
    return Potential([], {PLACE: site}, {}, Program(0, {}, {}))


def moves(hidden_s: float, refused: str = "") -> list[MovableWork]:
    region = MovableRegion("f f.c:3", "re-arrangement", hidden_s, hidden_s)
    work = MovableWork(
        "arrival", "MPI_Recv", "f.c:9", 1, 1, 9.0, hidden_s, hidden_s, hidden_s, hidden_s, (region,), refused
    )
    return [work]


def use_of(shortage: CoreShortage | None = None, **blocked: float) -> TimeUse:
    return TimeUse(2, USE_S, BlockedTime(**blocked), {}, {}, shortage or CoreShortage())


BLOCKED = {"transfer_s": 2.0, "late_s": 3.0, "progress_s": 1.5}


def of_two_networks() -> Summary:
    """The issue's: 6.6 % of the time is communication, and on a slow network 150 s could be hidden."""
    return summary_of(use_of(**BLOCKED), HERE, found(9.0), moves(2.5), (THERE, found(200.0), moves(150.0)))


def test_no_more_is_hidden_than_there_is() -> None:
    summary = summary_of(use_of(**BLOCKED), HERE, found(500.0, followed=False), [], None)
    assert summary.hidden_s == 3.5  # waiting for a late partner is not hidden
    assert summary_of(use_of(**BLOCKED), HERE, found(9.0), moves(2.5), None).hidden_s == 2.5
    assert summary_of(use_of(**BLOCKED), HERE, found(9.0), moves(2.5, "it may not"), None).hidden_s == 0.0


def test_another_network_has_its_own_time_and_its_own_share() -> None:
    other = of_two_networks().other
    assert other is not None
    assert other.communication_s == 200.0 + 3.0
    assert other.run_s == pytest.approx(USE_S - 6.5 + 203.0)
    assert other.hidden_s == 150.0 <= other.communication_s <= other.run_s
    assert (other.late_s, other.replayed) == (pytest.approx(3.0), False)


@pytest.mark.parametrize(("longer_s", "late_s"), [(250.0, 56.5), (100.0, 0.0)])
def test_a_replay_says_how_long_partners_are_late_there(longer_s: float, late_s: float) -> None:
    """What takes longer, and is not the time of messages; where less is longer than that, some cost nothing."""
    there = THERE, found(200.0), moves(150.0)
    other = summary_of(use_of(**BLOCKED), HERE, found(9.0), moves(2.5), there, (), longer_s).other
    assert other is not None and other.replayed
    assert other.run_s == USE_S + longer_s and other.late_s == pytest.approx(late_s)
    assert other.hidden_s <= other.hideable_s == pytest.approx(other.communication_s - late_s)


def test_a_sentence_speaks_of_one_network() -> None:
    recorded, there = [
        text for text in time_sentences(of_two_networks()) if not text.startswith("Progress, ")
    ]
    assert recorded.startswith("6.5 % of the run time is communication") and "Network: here." in recorded
    assert there.startswith("On a slow network: 68.5 % of the run time there")
    for text in (recorded, there):
        share, *parts, hidden = [float(one) for one in re.findall(r"([\d.]+) %", text)]
        assert hidden <= share and all(part <= share for part in parts), text


def test_without_a_network_the_sentence_says_what_to_do() -> None:
    text = next(time_sentences(summary_of(use_of(**BLOCKED), None, found(0.0), [], None)))
    assert (
        "Name one to `stretto potential` with --profile, or with --latency and --bandwidth" in text
        and "hide" not in text
    )


def causes(use: TimeUse) -> list[str]:
    return list(time_sentences(summary_of(use, HERE, found(1.0), [], None)))[1:]


def test_missing_progress_is_explained_by_its_cause_the_largest_first() -> None:
    calls, poll, rest = causes(use_of(progress_s=43.5, poll_s=13.0, calls_s=25.5))
    assert calls.startswith("Progress, 25.5 of its 43.5 %: calls that had nothing to wait for")
    assert (
        poll.startswith("Progress, 13.0 of its 43.5 %: messages waited until their partner")
        and "stretto gain" in poll
    )
    assert rest.startswith("Progress, 5.0 of its 43.5 %: waits took longer")


def test_a_busy_machine_and_shared_cores_are_causes() -> None:
    (rest,) = causes(use_of(CoreShortage(busy=Busy("n", 3, 0.25)), progress_s=9.0))
    assert "rank 3 waited for one in 25 % of its time" in rest
    (cores,) = causes(use_of(cores_s=9.0))
    assert cores.startswith("Waiting for a core, 9.0 %: ") and "a core for each rank" in cores


def test_the_parts_of_the_first_sentence_are_explained_and_no_others() -> None:
    assert meaning(use_of(**BLOCKED)) == (
        "transfer: a message was on its way; late partners: the other rank had not come to its call yet; "
        "progress: MPI had not moved the message, or its calls took the time"
    )
    assert meaning(use_of(late_s=3.0)) == "late partners: the other rank had not come to its call yet"
    assert meaning(use_of(transfer_s=0.01)) == "" == meaning(use_of(cores_s=9.0))


def change(kind: Kind, gain_s: float) -> Change:
    return Change("f.c:9", "MPI_Recv", "do it", gain_s, kind)


def test_the_first_sentence_does_not_contradict_the_changes_below() -> None:
    """A change that moves work hides something, and other changes do not: no sentence says less, or more."""
    use = use_of(transfer_s=9.0)
    moved = summary_of(use, HERE, found(9.0), moves(2.5, "it may not"), None, [change("start earlier", 1.5)])
    assert moved.hidden_s == 1.5 and "would hide 1.5 %" in next(time_sentences(moved))
    other = summary_of(use, HERE, found(9.0), moves(2.5, "it may not"), None, [change("double-buffer", 1.5)])
    assert other.hidden_s == 0 and "the changes below hide some without that" in next(time_sentences(other))
    none = summary_of(use, HERE, found(9.0), moves(2.5, "it may not"), None)
    assert "no work is known" in next(time_sentences(none)) and "below" not in next(time_sentences(none))


def test_changes_that_gain_more_than_there_is_are_bounded_together() -> None:
    use, unfollowed = use_of(transfer_s=2.0), found(500.0, followed=False)
    three = [change("start earlier", 1.5)] * 3
    text = next(time_sentences(summary_of(use, HERE, unfollowed, [], None, three)))
    assert "at most 2.0 %, all changes below together" in text
    one = next(time_sentences(summary_of(use, HERE, unfollowed, [], None, three[:1])))
    assert "at most 2.0 %. Network" in one


def test_changes_at_both_ends_of_the_same_messages_are_bounded_together() -> None:
    """As HYCOM's: each piece of advice has the cost of its messages, and both ends have the same."""
    both = [change("pipeline in blocks", 6.0), change("double-buffer", 6.0)]

    def text_of(changes: list[Change], moved_s: float) -> str:
        refused = "" if moved_s else "it may not"
        there = THERE, found(8.0), moves(moved_s or 1.0, refused)
        return list(time_sentences(summary_of(use_of(late_s=3.0), HERE, found(9.0), [], there, changes)))[-1]

    bound = f"{100 * 8.0 / (USE_S + 8.0):.1f} %"
    assert f"the changes below hide some without that, at most {bound} together" in text_of(both, 0.0)
    assert f"; the changes below hide at most {bound} together" in text_of(both, 2.0)
    assert "together" not in text_of(both[:1], 0.0) + text_of(both[:1], 2.0)
    # What a progress thread gains is no part of the communication there.
    assert "together" not in text_of([*both, change("progress thread", 1.0)], 0.0)
