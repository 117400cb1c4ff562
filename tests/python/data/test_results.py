# SPDX-License-Identifier: BSD-3-Clause
"""Results are unchanged by writing and reading; invalid members are refused by name."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stretto.data.results import ResultRow, Results, read_results, write_results
from stretto.errors import UserError

GOLDEN = Path(__file__).parents[2] / "golden"
finite = st.floats(-1e300, 1e300)
rows = st.builds(
    ResultRow,
    metric=st.sampled_from(("eta", "L", "latency")),
    unit=st.sampled_from(("1", "s")),
    value=finite | st.none(),
    ci95_low=finite | st.none(),
    ci95_high=finite | st.none(),
    n=st.integers(0, 10**6),
    axes=st.dictionaries(
        st.sampled_from(("probe", "size_bytes", "ratio", "an axis of a later version")),
        st.integers(0, 2**62) | st.floats(-1e18, 1e18) | st.text(max_size=9),
    ),
    bound=st.none() | st.sampled_from(("upper", "lower")),
    reason=st.none() | st.just("because"),
)


@given(result=st.lists(rows, max_size=4))
def test_results_are_read_as_they_were_written(
    result: list[ResultRow], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("results") / "results.json"
    results = Results(tuple(result), ({"schema": "stretto.samples/1.0"},))
    write_results(results, path)
    assert read_results(path) == results


def test_the_golden_results_are_those_of_a_run() -> None:
    results = read_results(GOLDEN / "results-1.0.json")
    assert results.provenance[0]["revision"] == "0123abc"
    eta = next(row for row in results.rows if row.metric == "eta")
    assert eta.axes["ratio"] == 1.0 and eta.value == pytest.approx(0.75) and eta.n == 3


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"metric": "eta", "unit": "1", "value": "high"}, "rows[0].value"),
        ({"unit": "1", "value": 1}, "rows[0].metric is missing"),
        ({"metric": "eta", "unit": "1", "value": 1, "n": -1}, "rows[0].n"),
        ({"metric": "eta", "unit": "1", "value": 1, "bound": "sideways"}, "rows[0].bound"),
        ({"metric": "eta", "unit": "1", "value": 1, "side": {}}, "rows[0].side is an object"),
        (
            {"metric": "eta", "unit": "1", "value": 1, "size_bytes": 2**70},
            "rows[0].size_bytes is a huge number",
        ),
        (7, "rows[0] is 7, not an object"),
    ],
)
def test_a_bad_row_is_refused_by_its_member(row: Any, message: str, tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"schema": "stretto.results/1.0", "rows": [row]}))
    with pytest.raises(UserError) as error:
        read_results(path)
    assert message in str(error.value) and str(path) in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"schema": "stretto.results/2.0", "rows": []}', "update stretto"),
        ('{"schema": "stretto.results/1.0"}', "rows is missing"),
        ("[]", "one JSON object"),
        ('{"schema": "stretto.results/1.0",\n "rows": [}', "line 2, column"),
    ],
)
def test_an_invalid_results_file_is_refused(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "results.json").write_text(text)
    with pytest.raises(UserError, match=message):
        read_results(tmp_path / "results.json")


def test_of_a_row_only_metric_and_unit_must_be_there(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps({"schema": "stretto.results/1.0", "rows": [{"metric": "eta", "unit": "1"}]}))
    assert read_results(path) == Results((ResultRow("eta", "1", None),))
