# SPDX-License-Identifier: BSD-3-Clause
"""Advice is decided where the draws agree; among equal candidates it is the simplest."""

import numpy as np
import pytest

from stretto.data.profile import Figure, LogGPEntry, LogGPRange, OverlapEntry, Profile
from stretto.model.advice import Candidate, advise
from stretto.model.advise_schedules import advise_schedule, ft_options, spmv_options, thinned
from stretto.model.crossover import LOSS, Crossover, crossover
from stretto.model.forecast import Option, Route, balanced_s
from stretto.model.parameters import Source
from stretto.model.problem import FtProblem, SpmvProblem

US = 1e-6


def candidate(name: str, *times: float) -> Candidate:
    return Candidate({"schedule": name}, np.array(times))


def test_the_simplest_of_what_is_equally_good_is_advised() -> None:
    result = advise(
        "ft",
        {},
        [candidate("bulk", 2.0, 2.0), candidate("slabs", 1.008, 1.008), candidate("pencils", 1.0, 1.0)],
    )
    assert result.decided and result.confidence == 1
    assert result.leading.choice["schedule"] == "slabs" and result.rivals == ()


def test_draws_that_disagree_leave_it_undecided_and_name_the_rival() -> None:
    steady, better_at_times = [1.0] * 10, [1.1] * 5 + [0.8] * 5
    result = advise(
        "ft",
        {},
        [candidate("slabs", *steady), candidate("pencils", *better_at_times), candidate("bulk", *[3.0] * 10)],
    )
    assert not result.decided and result.confidence == pytest.approx(0.5)
    assert result.leading.choice["schedule"] == "slabs"
    assert [rival.choice["schedule"] for rival in result.rivals] == ["pencils"]


def figure(value: float, spread: float) -> Figure:
    return Figure(value, value * (1 - spread), value * (1 + spread), 9)


def source(
    spread: float = 0.02, g_queue: float = 40 * US, G: float = 2e-9, eta: float | None = None
) -> Source:
    fitted = LogGPRange(
        1, 1 << 24, figure(5 * US, spread), figure(1 * US, spread), None, None, figure(g_queue, spread), figure(G, spread)
    )  # fmt: skip
    loggp = tuple(LogGPEntry("mpi-rma", way, "remote", "pencils", (fitted,)) for way in ("put", "get"))
    overlap = () if eta is None else (
        OverlapEntry("mpi-rma", "put", "remote", "none", "both", "one-way", 1 << 20, 1.0, figure(eta, spread)),
        OverlapEntry("mpi-rma", "put", "remote", "thread", "both", "one-way", 1 << 20, 1.0, Figure(0.95, 0.94, 0.96)),
    )  # fmt: skip
    return Source(Profile(loggp, overlap=overlap), "by hand")


def test_small_pieces_lose_where_the_queue_is_slow() -> None:
    problem = FtProblem(1024, 512, 32)
    result = advise_schedule("ft", source(), problem, ft_options(problem), None)
    assert result is not None and result.decided
    assert (
        result.leading.choice["chunks"] == 64
    )  # 32 slabs take 1.1 % longer, 1024 pencils more than twice as long
    assert result.leading.gain is not None and result.leading.gain.gain[0] > 1.8
    quick = advise_schedule(
        "ft", source(g_queue=1 * US), FtProblem(64, 65536, 2), ft_options(FtProblem(64, 65536, 2)), None
    )
    assert quick is not None and int(quick.leading.choice["chunks"]) > 2  # two slabs can hide half at most


def test_without_overlap_nothing_beats_bulk_and_with_a_thread_it_is_advised() -> None:
    problem = FtProblem(64, 65536, 4)
    result = advise_schedule("ft", source(eta=0.0), problem, ft_options(problem), None)
    assert result is not None
    assert result.leading.choice["progress"] == "thread"
    times = {(c.choice["schedule"], c.choice["progress"]): c.time_s[0] for c in result.candidates}
    assert times[("slabs", "none")] == pytest.approx(times[("exchange", "none")], rel=0.01)
    assert times[("slabs", "thread")] < 0.8 * times[("slabs", "none")]


def test_wide_intervals_leave_spmv_undecided() -> None:
    problem = SpmvProblem(1 << 20, 0.0, 8)
    sure = advise_schedule("spmv", source(spread=0.0), problem, spmv_options(problem), None)
    unsure = advise_schedule("spmv", source(spread=0.5), problem, spmv_options(problem), None)
    assert sure is not None and sure.decided and sure.leading.choice["schedule"] == "gather"
    assert unsure is not None and not unsure.decided and unsure.rivals


def test_a_profile_without_a_route_says_nothing() -> None:
    problem = FtProblem(64, 64, 2)
    assert advise_schedule("ft", Source(Profile(()), "empty"), problem, ft_options(problem), None) is None


def test_thinning_keeps_both_ends() -> None:
    assert thinned([3, 4]) == [3, 4]
    few = thinned(list(range(1, 1000)))
    assert few[0] == 1 and few[-1] == 999 and len(few) <= 8


def pencils_against_slabs(here: Source, along: str, computing_s: float) -> Crossover:
    problem = FtProblem(1024, 512, 32)
    assert along in ("flops_per_s", "bandwidth_bytes_per_s")
    found = crossover(
        "ft", here, problem, Option("pencils", 1024), Option("slabs", 32), Route("mpi-rma", "none"),
        "flops_per_s" if along == "flops_per_s" else "bandwidth_bytes_per_s", np.full(here.draws, computing_s),
    )  # fmt: skip
    assert found is not None
    return found


def test_without_computation_pencils_lose_once_the_wire_is_faster_than_the_queue() -> None:
    # 992 messages g_queue apart, against their bytes on the wire: equal where s G = g_queue
    result = pencils_against_slabs(source(spread=0.1), "bandwidth_bytes_per_s", 0.0)
    assert result.at is not None and result.upwards and result.share == 1
    assert result.at.value == pytest.approx((1 + LOSS) * 8192 / (40 * US), rel=0.01)
    assert result.at.ci95_low == pytest.approx(0.9 * result.at.value, rel=0.05)
    assert result.at.ci95_high == pytest.approx(1.1 * result.at.value, rel=0.05)
    assert result.here == pytest.approx(1 / 2e-9)


def test_pencils_lose_once_their_overheads_are_a_hundredth_of_the_computation() -> None:
    # a start takes 1 us, and 1 % is a loss: rows of 100 us; slabs lose next to nothing to theirs
    here = source(spread=0.0)
    computing_s = float(balanced_s(here, FtProblem(1024, 512, 32), Route("mpi-rma", "none"))[0])
    result = pencils_against_slabs(here, "flops_per_s", computing_s)
    assert result.at is not None and result.upwards
    rate = FtProblem(1024, 512, 32).flops / (1024 * 100 * US)
    assert result.at.value == pytest.approx(rate, rel=0.1)
    assert result.ratio[0] < 1 + LOSS < result.ratio[-1]


def test_a_queue_that_is_never_full_has_no_crossover() -> None:
    result = pencils_against_slabs(source(g_queue=0.1 * US), "bandwidth_bytes_per_s", 1.0)
    assert result.at is None and result.share == 0
