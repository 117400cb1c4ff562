# SPDX-License-Identifier: BSD-3-Clause
"""Answers and refusals of `stretto-model`, and the exceptions for refusals."""

import json
import subprocess
from pathlib import Path

import pytest

from stretto.errors import UserError
from stretto.native.model import InvalidRequest, query_model
from stretto.native.programs import native_program

SCHEDULE = {
    "kind": "schedule",
    "probe": "ft",
    "schedule": "slabs",
    "ranks": 2,
    "rows": 2,
    "row_bytes": 1600,
    "operation": "put",
    "path": {
        "ranges": [{"from_bytes": 0, "latency_s": 2, "overhead_send_s": 1, "gap_s_per_byte": 10 / 1599}],
        "overlap": [{"size_bytes": 0, "eta": [1, 0]}],
    },
    "work_s": 40,
}


def test_answers_come_in_the_order_of_the_requests_with_a_value_for_each_draw() -> None:
    first, second = query_model([SCHEDULE, {**SCHEDULE, "work_s": [0, 0]}])
    # compute 20, start 1, compute 20 over the transfer of 10 + 4; barrier 1 + 2. Without overlap: 14 later.
    assert first["total_s"] == pytest.approx([44, 58])
    assert second["total_s"] == pytest.approx([1 + 10 + 4 + 3, 1 + 10 + 4 + 3])
    assert first["segments_s"]["init"] == [1, 1]


def test_no_request_starts_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    assert query_model([]) == []


@pytest.mark.parametrize(
    ("change", "member", "what"),
    [
        ({"kind": "graphs"}, "kind", "unknown 'graphs'; choose from"),
        ({"ranks": -1}, "ranks", "give a whole number from 0 to"),
        ({"ranks": 0}, "ranks", "0 exchange nothing"),
        ({"ranks": 2.5}, "ranks", "give a whole number"),
        ({"rows": 3}, "rows", "3 do not divide among 2 ranks"),
        ({"probe": "fft"}, "probe", "choose from ft, spmv"),
        ({"operation": "take"}, "operation", "choose from put, get, send"),
        ({"path": {"ranges": []}}, "path.ranges", "give at least one range"),
        ({"path": {"ranges": [{"from_bytes": 0, "gap_s": -1}]}}, "path.ranges[0].gap_s", "give a number"),
        ({"path": {"ranges": [{"from_bytes": 4}, {"from_bytes": 4}]}}, "path.ranges[1].from_bytes", "grow"),
        ({"work_s": "much"}, "work_s", "give a number"),
        ({"work_s": [1, 2, 3]}, "", "has 2 draws of one quantity and 3 of another"),
        ({"path": 1}, "path", "give an object"),
    ],
)
def test_invalid_input_is_named_with_its_request_and_member(
    change: dict[str, object], member: str, what: str
) -> None:
    with pytest.raises(InvalidRequest) as refused:
        query_model([SCHEDULE, {**SCHEDULE, **change}])
    assert (refused.value.index, refused.value.member) == (1, member)
    assert what in refused.value.what
    assert isinstance(refused.value, UserError)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"requests": 1}', '{"requests": [1]}'])
def test_a_document_without_requests_ends_with_status_2(text: str) -> None:
    program = str(native_program("stretto-model", "none"))
    done = subprocess.run([program], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("stretto-model: ") and len(done.stderr.splitlines()) == 1
    assert done.stdout == ""


def test_a_file_is_read_as_the_standard_input_is(tmp_path: Path) -> None:
    file = tmp_path / "requests.json"
    file.write_text(json.dumps({"requests": [SCHEDULE]}))
    program = str(native_program("stretto-model", "none"))
    done = subprocess.run([program, str(file)], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["answers"] == query_model([SCHEDULE])
