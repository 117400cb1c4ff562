# SPDX-License-Identifier: BSD-3-Clause
"""The screen of `stretto potential`: call sites without weight have one line together."""

import pytest

from stretto.potential.blocked import BlockedTime, TimeUse
from stretto.potential.changes import Change
from stretto.potential.core_shortage import CoreShortage
from stretto.potential.data_work import DataWork
from stretto.potential.levels import levels_of
from stretto.potential.movable import MovableRegion, MovableWork, Side
from stretto.potential.sites import Cost, SitePotential
from stretto.potential.summary import Summary
from stretto.report.screen import plain_text
from stretto.report.time_sentences import change_sentence
from stretto.report.views.potential import PotentialResult, potential_view


def shown(blocked_s: list[float]) -> list[str]:
    """The lines for call sites that blocked so long in a run of 10 s."""
    sites = [
        SitePotential("app", number, "MPI_Send", "send", count=9, size_bytes=72, cost_s=1e-3, blocked_s=one)
        for number, one in enumerate(blocked_s)
    ]
    names = {(site.module, site.address): f"place{site.address}" for site in sites}
    use = TimeUse(1, 10.0, BlockedTime(transfer_s=sum(blocked_s)), {}, {}, CoreShortage())
    summary = Summary(use, "this machine's profile", False, 0.0, None)
    cost = Cost(1e-6, 1e-9)
    result = PotentialResult(cost, "here", summary, [], sites, names, [], [])
    return plain_text(potential_view(result)).splitlines()


def test_all_sites_of_a_small_program_are_shown() -> None:
    lines = shown([0.001] * 12)
    assert sum("MPI_Send, place" in line for line in lines) == 12
    assert not any("others" in line for line in lines)


def test_of_many_sites_those_that_block_are_shown() -> None:
    lines = shown([0.001] * 90 + [0.2] + [0.001] * 9)
    places = [line.split("place")[1].split(":")[0] for line in lines if "MPI_Send, place" in line]
    assert places == [*map(str, range(12)), "90"]
    (others,) = [line for line in lines if "others" in line]
    assert others == "# and 87 others that cost and blocked less than 1 % of the run each: --json"
    assert any(line.startswith("# all: cost 100.000 ms") for line in lines)


def test_below_the_call_sites_each_line_without_figures_is_a_comment() -> None:
    """Readers of the table skip lines that begin with `#`."""
    data = DataWork(messages=468, independent_s=1.0, orders={"in order": 468})
    sites = [
        SitePotential("app", 0, "MPI_Start", "send", count=480, data=data, reordered=data),
        SitePotential("app", 1, "MPI_Allreduce", "collective", count=200),
        SitePotential("app", 2, "MPI_Put", "one-sided", count=1000),
    ]
    names = {(site.module, site.address): f"place{site.address}" for site in sites}
    use = TimeUse(1, 10.0, BlockedTime(), {}, {}, CoreShortage())
    summary = Summary(use, None, False, 0.0, None)
    result = PotentialResult(Cost(0.0, 0.0), "", summary, [], sites, names, levels_of(sites), [])
    lines = plain_text(potential_view(result)).splitlines()
    below = lines[next(at for at, line in enumerate(lines) if "have no data times" in line) :]
    assert len(below) > 2 and [line for line in below if not line.startswith("#")] == [
        "independent        2136.752               -",
        "consumer           2136.752               -",
        "producer-consumer  2136.752               -",
    ]


@pytest.mark.parametrize(
    ("side", "hidden_s", "said"),
    [
        (
            "arrival",
            2e-3,
            "MPI_Wait, step a.c:9: of 15 ms of work after it, on all ranks, 12 ms read nothing that came; done "
            "before it, this work would hide 2 ms of the 3 ms of its messages that no work hides",
        ),
        (
            "send",
            0.0,
            "MPI_Wait, step a.c:9: of 15 ms of work before it, on all ranks, 12 ms come after the last store to "
            "its data; with the send before that, this work would hide messages",
        ),
    ],
)
def test_work_that_could_move_is_one_sentence(side: Side, hidden_s: float, said: str) -> None:
    region = MovableRegion("step a.c:10-12", "re-arrangement", 0.012, 0.012)
    uncovered_s = 1.5 * hidden_s
    work = MovableWork(
        side, "MPI_Wait", "step a.c:9", 1, 1, 0.1, uncovered_s, hidden_s, 0.012, 0.015, (region,)
    )
    use = TimeUse(1, 1.0, BlockedTime(), {}, {}, CoreShortage())
    cost = Cost(0.0, 1e-9 if hidden_s else 0.0)
    summary = Summary(use, "here" if hidden_s else None, False, 0.0, None)
    result = PotentialResult(cost, "here", summary, [], [], {}, [], [work])
    assert said in " ".join(plain_text(potential_view(result)).split())


def test_the_gain_of_a_change_says_of_how_many_ranks_its_time_is() -> None:
    """Of a run of 100 ms on 3 ranks 37.6 % are no 113 ms of the user's clock."""
    change = Change("main a.c:9", "MPI_Recv", "start it earlier", 0.113)
    assert change_sentence(change, 0.3, 3).startswith(
        "37.7 % of the run (113 ms of 3 ranks together) at most: "
    )
    assert change_sentence(change, 0.3, 1).startswith("37.7 % of the run (113 ms) at most: ")


@pytest.mark.parametrize(
    ("ranks", "progress_s", "said"),
    [
        (
            1,
            0.02,
            "2.0 % of the run time is communication: calls of one rank, which has no partner but itself.",
        ),
        (2, 0.0, "0.0 % of the run time is communication."),
    ],
)
def test_where_no_message_travels_nobody_is_asked_how_long(ranks: int, progress_s: float, said: str) -> None:
    use = TimeUse(ranks, 1.0, BlockedTime(progress_s=progress_s), {}, {}, CoreShortage(share=0.9))
    result = PotentialResult(Cost(0.0, 0.0), "", Summary(use, None, False, 0.0, None), [], [], {}, [], [])
    text = " ".join(plain_text(potential_view(result)).split())
    assert text.startswith(said)
    assert "travel" not in text and "--profile" not in text and "costs of a message" not in text
