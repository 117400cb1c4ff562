# SPDX-License-Identifier: BSD-3-Clause
"""Reading traces: what is in them comes out, what died halfway is read, what is damaged is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from trace_bytes import NUMBER, block, record, trace, world

from stretto.data.trace import Site, TraceFile, is_trace, open_trace
from stretto.errors import UserError
from stretto.report.views.artefact import dump_lines

RECORDS = world(0, 2) + b"".join(
    (
        record(NUMBER["MPI_Init"], 0, 5000),
        record(NUMBER["MPI_Isend"], 15_000, 700, size=4096, peer=1, tag=7, request=1),
        record(NUMBER["MPI_Wait"], 20_000, 900, count=1),
        record(2, 20_000, 900, request=1),
        record(NUMBER["MPI_Finalize"], 30_000, 10),
    )
)


def written(tmp_path: Path, data: bytes, name: str = "rank-000000.trace") -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


def test_what_was_recorded_comes_out(tmp_path: Path) -> None:
    file = TraceFile(written(tmp_path, trace(0, 2, [block(RECORDS)])))
    events = [event for one in file.blocks() for event in file.events(one.records)]
    assert [event.name for event in events] == [
        "MPI_Init", "MPI_Isend", "MPI_Wait", "completion", "MPI_Finalize",
    ]  # fmt: skip
    sent = events[1]
    assert (sent.kind, sent.size_bytes, sent.peer, sent.tag, sent.request) == ("isend", 4096, 1, 7, 1)
    assert (sent.begin_s, sent.duration_s) == pytest.approx((15e-6, 0.7e-6))
    assert file.definitions.contexts[0].members == (0, 1)
    assert file.definitions.sites == {1: Site("/bin/app", 0x1234)}
    assert file.complete and file.header.ranks == 2 and file.header.command == ("./app",)


def test_a_process_that_died_leaves_what_it_had_recorded(tmp_path: Path) -> None:
    data = trace(0, 2, [block(RECORDS)], complete=False)
    file = TraceFile(written(tmp_path, data + b"\0" * 4096))  # a block that was made and not begun
    assert sum(len(one.records) for one in file.blocks()) == 5
    assert not file.complete


def test_a_payload_that_looks_like_a_definition_is_none(tmp_path: Path) -> None:
    path = record(1, 0, request=3) * 2  # a module's path, as far as the reader is to know
    records = record(1, 0, size=len(path), peer=5, request=1) + path + record(NUMBER["MPI_Barrier"], 1)
    file = TraceFile(written(tmp_path, trace(0, 1, [block(records)])))
    assert [len(one.records) for one in file.blocks()] == [1]
    assert file.definitions.contexts == {}


def test_dump_tells_all_of_it(tmp_path: Path) -> None:
    lines = list(dump_lines(written(tmp_path, trace(0, 2, [block(RECORDS)]))))
    assert (
        "0.000015000 MPI_Isend thread=0 duration_s=7e-07 site=1 size_bytes=4096 context=0 peer=1 tag=7 request=1"
        in lines
    )
    assert "communicator 0 key=0000000000000001 rank=0 members=[0, 1]" in lines
    assert lines[-2:] == ["lost 0", "complete"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty; record it again"),
        (b"strtracX" + b"\0" * 100, "is no trace; name a rank-*.trace"),
        (trace(0, 2, [], major=2), "is a trace 2.x, and this stretto reads 1.x; update stretto"),
        (trace(3, 2, []), "byte 16: rank 3 of 2; the trace is damaged"),
        (trace(0, 2, [block(record(99, 0))]), "call 99, which the header does not name"),
        (
            trace(0, 2, [block(record(1, 0, size=9999, request=3))]),
            "a definition that is longer than its block",
        ),
        (trace(0, 2, [block(world(0, 3))]), "a communicator with more members than there are ranks"),
        (trace(0, 2, [b"X" + block(RECORDS)[1:]]), "there is no block where one should begin"),
    ],
)
def test_what_is_damaged_is_refused_with_its_byte(tmp_path: Path, data: bytes, message: str) -> None:
    path = written(tmp_path, data)
    with pytest.raises(UserError) as refused:
        list(TraceFile(path).blocks())
    assert str(refused.value).startswith(f"{path}: ") and message in str(refused.value)


def test_all_ranks_have_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"has no rank-\*\.trace"):
        open_trace(tmp_path)
    written(tmp_path, trace(1, 2, []), "rank-000001.trace")
    with pytest.raises(UserError, match="rank 0 of 2 is missing"):
        open_trace(tmp_path)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_happened_to_it_is_read_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    damaged = bytearray(
        trace(0, 2, [block(RECORDS), block(RECORDS[192:], 1)], complete=data.draw(st.booleans()))
    )
    interesting = st.one_of(st.integers(0, 400), st.integers(4096, 4700), st.integers(0, len(damaged) - 1))
    for _ in range(data.draw(st.integers(1, 4))):
        damaged[data.draw(interesting)] = data.draw(st.integers(0, 255))
    path = written(
        tmp_path, bytes(damaged[: data.draw(st.one_of(st.just(len(damaged)), st.integers(0, len(damaged))))])
    )
    try:
        list(dump_lines(path)) if is_trace(path) else TraceFile(path)
    except UserError as error:
        assert "\n" not in str(error) and len(str(error)) < 1000
