# SPDX-License-Identifier: BSD-3-Clause
"""The ARMCI paper's three figures are drawn from runs of the runtime."""

from collections.abc import Sequence

import pytest
from report_documents import document_of
from synthetic_machine import Json, figure
from test_report_html import page_of

from stretto.report.overhead import overheads
from stretto.report.sections.latency_tolerance import SECTION


def latency(transport: str, size_bytes: int, value_s: float, **axes: str) -> Json:
    own = {"probe": "latency", "transport": transport, "operation": "get", "progress": "none"}
    return figure("latency", "s", value_s, size_bytes=size_bytes, **own, **axes)


def knee(transport: str, size_bytes: int, value: float, **axes: str) -> Json:
    own = {
        "probe": "overlap",
        "transport": transport,
        "operation": "get",
        "side": "origin",
        "progress": "none",
    }
    return figure("knee_overlap", "1", value, size_bytes=size_bytes, **own, **axes)


def gathering(transport: str, method: str, value_s: float, operation: str = "put", **axes: str) -> Json:
    own = {"probe": "aggregation", "transport": transport, "operation": operation, "progress": "none"}
    return figure("time", "s", value_s, size_bytes=8000, method=method, **own, **axes)


OVERHEAD = [
    latency("mpi-rma", 8, 1.0e-6),
    latency("mpi-rma", 64, 1.1e-6),
    latency("stretto", 8, 1.08e-6, path="rma"),
    latency("stretto", 64, 1.3e-6, path="rma"),
    latency("stretto", 64, 9e-6, path="message"),
]
OVERLAP = [
    knee("mpi-request", 65536, 0.1),
    knee("stretto", 65536, 0.9, path="message"),
    knee("stretto", 65536, 0.99, path="direct"),
]
AGGREGATION = [
    gathering("mpi-rma", "individual", 900e-6),
    gathering("stretto", "individual", 800e-6, path="message"),
    gathering("stretto", "aggregate", 21e-6, path="message"),
    gathering("stretto", "vector", 20e-6, path="message"),
]


@pytest.mark.parametrize(
    ("rows", "heads"),
    [
        (OVERHEAD, ["figure 5"]),
        (OVERLAP, ["figure 6"]),
        (AGGREGATION, ["figure 7"]),
        ([*OVERHEAD, *OVERLAP, *AGGREGATION], ["figure 5", "figure 6", "figure 7"]),
    ],
)
def test_the_figures_that_there_are_data_for_are_drawn(rows: Sequence[Json], heads: list[str]) -> None:
    page = page_of(document_of(rows), [SECTION])
    assert len(page.specs()) == len(heads)
    assert [head for head in ("figure 5", "figure 6", "figure 7") if head in " ".join(page.words)] == heads


def test_without_the_runtime_there_is_no_such_section() -> None:
    rows = [r for r in (*OVERHEAD, *OVERLAP, *AGGREGATION) if r["transport"] != "stretto"]
    assert not SECTION.body(document_of(rows))


def test_every_path_is_a_separate_curve() -> None:
    (spec,) = page_of(document_of(OVERHEAD), [SECTION]).specs()
    curves = {trace["name"]: trace["y"] for trace in spec["data"]}
    assert list(curves) == ["MPI RMA get", "stretto get, path rma", "stretto get, path message"]
    assert curves["stretto get, path rma"] == pytest.approx([1.08, 1.3])


def test_bars_stand_by_method_over_paths() -> None:
    (spec,) = page_of(document_of(AGGREGATION), [SECTION]).specs()
    assert [trace["name"] for trace in spec["data"]] == ["individual", "aggregate", "vector"]
    individual, aggregate, _ = spec["data"]
    assert individual["x"] == ["MPI RMA put", "stretto put, path message"]
    assert individual["y"] == pytest.approx([900, 800])
    assert aggregate["x"] == ["stretto put, path message"]
    assert aggregate["y"] == pytest.approx([21])


def test_overhead_is_against_mpi_at_the_smallest_common_size() -> None:
    result = {one.series.get("path"): one for one in overheads(document_of(OVERHEAD).results.rows)}
    assert result["rma"].size_bytes == 8
    assert result["rma"].time_s - result["rma"].peer_s == pytest.approx(80e-9)
    assert result["message"].size_bytes == 64
    assert result["message"].peer.get("transport") == "mpi-rma"
