# SPDX-License-Identifier: BSD-3-Clause
"""Deviations of machines with known truth: none where the model is right, and the injected ones."""

import dataclasses

import numpy as np
import pytest
from synthetic_schedules import Machine, results_of, rows_of

from stretto.data.profile import ContendedEntry, Figure, LogGPEntry, LogGPRange, Profile
from stretto.data.results import ResultRow, Results
from stretto.errors import UserError
from stretto.model.network import LogGp
from stretto.model.parameters import Source
from stretto.model.problem import FtProblem, SpmvProblem
from stretto.model.verify import verify

FT = (("exchange", 16), ("slabs", 16), ("chunks", 64), ("pencils", 256))
SPMV = (("bulk", None), ("gather", 1), ("gather", 4), ("scatter", 2))
SCALES = (0.0, 0.25, 1.0, 4.0)
PARAMETERS = {"L": 4e-6, "o": 2e-6, "g_queue": 9e-6, "G": 1.1e-9}


def ft_sweep(machine: Machine, **slower: float) -> Results:
    problems = [FtProblem(256, 4096, 16, scale) for scale in SCALES]
    return results_of(row for problem in problems for row in rows_of(machine, problem, FT, slower))


def profile(G: float = PARAMETERS["G"]) -> Source:
    ranges = LogGPRange(
        1, 1 << 23, Figure(PARAMETERS["L"]), Figure(PARAMETERS["o"]), None, None, Figure(PARAMETERS["g_queue"]), Figure(G)
    )  # fmt: skip
    entries = [LogGPEntry("mpi-rma", way, "remote", "pencils", (ranges,)) for way in ("put", "get")]
    return Source(Profile(tuple(entries)), "by hand", draws=1)


def test_bar_m_of_the_true_parameters_is_exact() -> None:
    result = verify(ft_sweep(Machine(LogGp.of(**PARAMETERS), 2e9)), profile())
    assert result.deviations["M"].mean_absolute == pytest.approx(0, abs=1e-12)
    assert result.deviations["M"].rows == len(SCALES) * len(FT)
    for row in result.rows:
        assert all(abs(off) < 1e-12 for off in row.bars["M"].segment_deviations.values())


def test_bar_e_finds_the_parameters_in_the_runs_themselves() -> None:
    result = verify(ft_sweep(Machine(LogGp.of(**PARAMETERS), 2e9, noise=0.005)), profile())
    assert result.headline == "E"
    assert result.deviations["E"].mean_absolute < 0.01
    assert abs(result.deviations["E"].worst) < 0.03


def test_without_a_profile_bar_e_stands_alone() -> None:
    result = verify(ft_sweep(Machine(LogGp.of(**PARAMETERS), 2e9)), None)
    assert list(result.deviations) == ["E"] and "no profile" in result.missing[0]
    assert result.deviations["E"].mean_absolute < 0.02  # L is not known


def test_an_injected_deviation_is_found_where_it_is() -> None:
    result = verify(ft_sweep(Machine(LogGp.of(**PARAMETERS), 2e9), slabs=1.25), profile())
    for row in result.rows:
        expected = 1 / 1.25 - 1 if row.measured.option.schedule == "slabs" else 0.0
        assert row.bars["M"].deviation == pytest.approx(expected, abs=1e-9)
        assert row.bars["M"].segment_deviations["sync"] == pytest.approx(expected, abs=1e-9)
    deviation = result.deviations["M"]
    assert deviation.worst == pytest.approx(-0.2)
    assert deviation.mean_absolute == pytest.approx(0.2 / len(FT))


def test_a_wrong_bandwidth_of_two_is_seen_in_m_and_not_in_e() -> None:
    """The paper's reason for bar E: streaming between two is too optimistic for all at once."""
    result = verify(ft_sweep(Machine(LogGp.of(**PARAMETERS), 2e9)), profile(G=PARAMETERS["G"] / 2))
    assert result.deviations["M"].mean_absolute > 0.15
    assert result.deviations["E"].mean_absolute < 0.01


def test_a_machine_without_offload_is_off_by_what_the_model_hides() -> None:
    machine = Machine(LogGp.of(**PARAMETERS, overlap=0.0), 2e9)
    result = verify(ft_sweep(machine), profile())
    by_name = {
        (r.measured.option.schedule, r.measured.problem.flops > 0): r.bars["M"].deviation for r in result.rows
    }
    assert by_name[("exchange", True)] == pytest.approx(0, abs=0.001)  # starts drive nothing
    assert by_name[("slabs", True)] < -0.1


def test_spmv_is_verified_with_its_own_operations() -> None:
    machine = Machine(LogGp.of(**PARAMETERS), 5e8, noise=0.002)
    problems = [SpmvProblem(1 << 20, ratio, 16) for ratio in (0.0, 1e-6, 4e-6)]
    rows = [row for problem in problems for row in rows_of(machine, problem, SPMV)]
    result = verify(results_of(rows), profile())
    assert len(result.rows) == len(problems) * len(SPMV)
    assert result.deviations["M"].mean_absolute < 0.005
    assert result.deviations["E"].mean_absolute < 0.03


def test_bar_m_takes_the_parameters_of_the_progress_mode() -> None:
    """The entry without progress thread has a tenth of the bandwidth."""
    source = profile()
    slow = LogGPRange(1, 1 << 23, Figure(4e-6), Figure(2e-6), None, None, Figure(9e-6), Figure(1.1e-8))
    entries = [
        dataclasses.replace(entry, progress=mode, ranges=entry.ranges if mode == "thread" else (slow,))
        for entry in source.profile.loggp
        for mode in ("none", "thread")
    ]
    both = Source(Profile(tuple(entries)), "by hand", draws=1)
    results = ft_sweep(Machine(LogGp.of(**PARAMETERS), 2e9))
    threaded = Results(
        tuple(dataclasses.replace(r, axes={**r.axes, "progress": "thread"}) for r in results.rows),
        results.provenance,
    )
    assert verify(threaded, both).deviations["M"].mean_absolute == pytest.approx(0, abs=1e-12)
    assert verify(results, both).deviations["M"].mean_absolute > 0.5


def test_a_missing_path_is_named_with_transport_and_operation() -> None:
    sends = Source(
        Profile(
            (LogGPEntry("mpi-two-sided", "send", "remote", "pencils", profile().profile.loggp[0].ranges),)
        ),
        "f.json",
        draws=1,
    )
    result = verify(ft_sweep(Machine(LogGp.of(**PARAMETERS), 2e9)), sends)
    assert list(result.deviations) == ["E"]
    assert len(result.missing) == 1 and "put over mpi-rma" in result.missing[0]


def test_without_runs_there_is_nothing_to_verify() -> None:
    with pytest.raises(UserError, match="no run of ft or spmv"):
        verify(results_of([ResultRow("latency", "s", 1e-6, axes={"probe": "latency"})]), profile())


def test_what_computes_only_gives_no_bar_e() -> None:
    machine = Machine(LogGp.of(**PARAMETERS), 2e9)
    rows = rows_of(machine, FtProblem(256, 4096, 16, 1.0), (("slabs", 16), ("pencils", 256)))
    with pytest.raises(UserError, match="nothing can be modelled"):
        verify(results_of(rows), None)


def test_contended_bandwidth_is_no_part_of_bar_m() -> None:
    source = profile()
    contended = ContendedEntry("mpi-rma", "remote", 16, Figure(9e-9), "put")
    loaded = Source(Profile(source.profile.loggp, contended=(contended,)), "by hand", draws=1)
    result = verify(ft_sweep(Machine(LogGp.of(**PARAMETERS), 2e9)), loaded)
    assert np.isclose(result.deviations["M"].mean_absolute, 0)
