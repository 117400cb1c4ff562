# SPDX-License-Identifier: BSD-3-Clause
"""Which part of its run a trace has is said before all figures."""

from pathlib import Path

import pytest
from trace_bytes import NUMBER, block, record, trace_file, world

from stretto.data.trace import TraceFile
from stretto.data.traced_part import TracedPart, named_ranks, part_of


def test_a_whole_trace_says_nothing(tmp_path: Path) -> None:
    part = part_of([trace_file(tmp_path, block(world(0, 1)), ranks=1)])
    assert part == TracedPart() and part.sentences() == []
    assert part.document() == {"kept": None, "lost": None, "died": None, "cut": None}


def test_lost_records_are_counted_with_their_ranks(tmp_path: Path) -> None:
    traces = [
        trace_file(tmp_path, block(world(rank, 6)), rank=rank, ranks=6, lost=0 if rank == 3 else 10 + rank)
        for rank in range(6)
    ]
    (text,) = part_of(traces).sentences()
    assert text.startswith("62 records of rank 0, 1, 2, 4 and 1 more were lost after 0 s, as the disk")
    assert "record again on a larger disk" in text and "--limit" in text
    assert part_of(traces).document()["lost"] == {"records": 62, "ranks": (0, 1, 2, 4, 5), "from_s": 0.0}


def test_ranks_that_died_are_said_with_their_place(tmp_path: Path) -> None:
    calls = world(0, 2) + record(NUMBER["MPI_Init"], 0, 1000)
    traces = [trace_file(tmp_path, block(calls), rank=rank, ranks=2, complete=rank == 1) for rank in range(2)]
    (text,) = part_of(traces).sentences()
    assert text.startswith(
        "Without MPI_Finalize: rank 0 outside of MPI; all figures are of what was recorded"
    )


def test_a_file_that_is_cut_off_says_what_is_missing(tmp_path: Path) -> None:
    calls = world(0, 3) + record(NUMBER["MPI_Init"], 0, 1000)
    blocks = (block(calls), block(record(NUMBER["MPI_Barrier"], 2000, 1000) * 7))
    traces = [trace_file(tmp_path, *blocks, rank=rank, ranks=3) for rank in range(3)]
    for rank in (0, 2):
        data = traces[rank].path.read_bytes()
        traces[rank].path.write_bytes(data[: data.rindex(b"sblk") + 100])
        traces[rank] = TraceFile(traces[rank].path)
    part = part_of(traces)
    (text,) = part.sentences()
    assert text.startswith("The files of rank 0, 2 are cut off within a block: about 14 records from 0 s")
    assert text.endswith("copy the trace again from where it was recorded")
    assert part.document()["cut"] == {"records": 14, "ranks": (0, 2), "from_s": 0.0}
    assert [one.record_count for one in traces] == [1, 8, 1]


@pytest.mark.parametrize("left", [0, 1, 3, 4, 47])
def test_a_cut_within_the_header_of_a_block_is_one_unless_it_is_before_it(tmp_path: Path, left: int) -> None:
    trace = trace_file(tmp_path, block(world(0, 1)), block(b""), ranks=1, complete=False)
    data = trace.path.read_bytes()
    trace.path.write_bytes(data[: data.rindex(b"sblk") + left])
    part = part_of([TraceFile(trace.path)])
    assert (part.cut is None) == (left == 0)
    assert ("Without MPI_Finalize" in part.sentences()[0]) == (left == 0)


def test_many_ranks_are_counted() -> None:
    assert named_ranks([7]) == "rank 7"
    assert named_ranks(range(4)) == "rank 0, 1, 2, 3"
    assert named_ranks(range(1024)) == "rank 0, 1, 2, 3 and 1020 more"
