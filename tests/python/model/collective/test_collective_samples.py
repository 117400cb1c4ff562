# SPDX-License-Identifier: BSD-3-Clause
"""The probe's samples of a machine with known collectives give profile, choices and report."""

from pathlib import Path

import numpy as np
import pytest
from synthetic_collectives import (
    OPERATIONS,
    allgather,
    broadcast,
    collective_samples,
    gather,
    predict,
    reduce,
)

from stretto.data.profile import Profile
from stretto.data.results import Results
from stretto.data.samples import Samples
from stretto.model.collective.deviations import costs, deviations, measured_calls
from stretto.model.collective.functions import Functions
from stretto.model.derive import derive_results
from stretto.model.fit import profile_of
from stretto.report.cells import tables
from stretto.report.collectives import collective_tables
from stretto.report.document import Document
from stretto.report.html import render
from stretto.report.screen import plain_text

UNSEEN = [(p, b) for p in (5, 7, 10, 14, 20) for b in (200, 3000, 30_000, 200_000)]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Samples, Results, Profile]:
    samples = collective_samples(tmp_path_factory.mktemp("run") / "samples.jsonl")
    results = derive_results(samples)
    return samples, results, profile_of([samples], [results])


def functions(run: tuple[Samples, Results, Profile]) -> Functions:
    return Functions.of(run[2])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("operation", "most"),
    [
        ("broadcast", 0.03),
        ("gather", 0.03),
        ("scatter", 0.03),
        ("reduce", 0.03),
        ("allreduce", 0.05),
        ("allgather", 0.05),
    ],
)
def test_what_was_left_out_is_predicted(
    run: tuple[Samples, Results, Profile], operation: str, most: float
) -> None:
    off = []
    for p, b in UNSEEN:
        b = max(80, b // p) if operation == "allgather" else b  # no more than 512 KiB at the root
        result = predict(functions(run), operation, p, b).time_s
        assert result is not None, (operation, p, b)
        off.append(abs(result / OPERATIONS[operation](p, b) - 1))
    assert np.mean(off) < most


def test_results_have_the_calls_and_their_phases(run: tuple[Samples, Results, Profile]) -> None:
    selected = [
        row for row in run[1].rows if row.axes.get("grid") == "4x6" and row.axes["size_bytes"] == 8192
    ]
    result = {(r.axes["operation"], r.axes["quantity"]): r.value for r in selected}
    assert result[("broadcast", "leader")] == pytest.approx(broadcast(6, 8192), rel=0.03)
    assert result[("gather", "leader")] == pytest.approx(gather(6, 4 * 8192), rel=0.03)
    assert result[("allgather", "concurrent")] == pytest.approx(allgather(4, 6 * 8192), rel=0.03)
    assert result[("reduce", "total")] == pytest.approx(reduce(4, 8192) + reduce(6, 8192), rel=0.03)


def test_deviations_are_taken_over_all_sizes_of_a_grid(run: tuple[Samples, Results, Profile]) -> None:
    result = deviations(functions(run), measured_calls(run[1].rows))
    one = next(d for d in result if (d.operation, d.grid, d.quantity) == ("broadcast", "4x6", "leader"))
    assert one.n == 5 and one.missing == 0 and one.members == 24
    assert 0 <= one.least <= one.mean <= one.most < 0.05


def test_the_choice_costs_little_where_two_phases_gain_or_lose(
    run: tuple[Samples, Results, Profile],
) -> None:
    result = costs(functions(run), measured_calls(run[1].rows))
    assert {cost.choice.operation for cost in result} == set(OPERATIONS)
    assert all(cost.over_flat < 0.05 for cost in result)
    assert np.quantile([cost.over_best for cost in result], 0.9) < 0.05
    chosen = {cost.choice.use for cost in result}
    assert len(chosen - {"flat", "undecided"}) > 0 and chosen & {"flat", "undecided"}


def test_samples_of_a_ragged_grid_are_kept_out_of_the_fit(tmp_path: Path) -> None:
    samples = collective_samples(tmp_path / "s.jsonl", ["broadcast"], (2, 3, 4), rounds=3)
    ragged = tmp_path / "ragged.jsonl"
    ragged.write_text((tmp_path / "s.jsonl").read_text().replace('"grid": "2x2"', '"grid": "2x3"'))
    from stretto.data.samples import read_samples

    for file in (samples, read_samples(ragged)):
        assert profile_of([file], [derive_results(file)]).collectives
    kept, whole = (measured_calls(derive_results(file).rows) for file in (read_samples(ragged), samples))
    assert kept and all(call.grid is None for call in kept)
    assert any(call.grid is not None for call in whole), "the grid that was replaced is one that counts"


def test_both_views_show_deviations_gains_and_choices(run: tuple[Samples, Results, Profile]) -> None:
    document = Document.of(run[1], run[2], [run[0]])
    lines = plain_text(tables(collective_tables(document))).splitlines()
    assert max(map(len, lines)) <= 80
    assert sum(line.startswith("allgather") for line in lines) == 1 + 5
    page = render(document)
    assert "Collectives and their runtime functions" in page and "broadcast among 24" in page
    assert page.count("What two phases gain over flat") == 1


def test_nothing_is_shown_where_the_probe_did_not_run() -> None:
    assert list(collective_tables(Document(Results(())))) == []
