# SPDX-License-Identifier: BSD-3-Clause
"""Whether ranks had a core each, from traces with known times of waiting."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from trace_bytes import block, trace_file

from stretto.data.trace import TraceFile
from stretto.potential.core_shortage import shortage_in, shortage_of


def traces(tmp_path: Path, waited_ms: Sequence[int], cores: int = 4, *, complete: bool = True) -> None:
    """Traces of 2 s; of half of the time until the last block, half of the waiting is known before."""
    for rank, waited in enumerate(waited_ms):
        blocks = [
            block(b""),
            block(b"", 1, waited_ms=(1900, 2000)),  # another thread
            block(b"", waited_ms=(waited // 2, 1000)),
            block(b"", waited_ms=(waited, 2000)),
        ]
        trace_file(tmp_path, *blocks, rank=rank, ranks=len(waited_ms), cores=cores, complete=complete)


def test_the_rank_that_waited_longest_is_named(tmp_path: Path) -> None:
    traces(tmp_path, [200, 1000])
    found = shortage_in(tmp_path)
    assert str(found).startswith("node was busy: rank 1 waited 50 % of its time for a core")
    assert found.document() == {"crowded": None, "busy": {"host": "node", "rank": 1, "share": 0.5}}


@pytest.mark.parametrize("waited_ms", [0, 90])
def test_less_than_a_twentieth_is_not_said(waited_ms: int, tmp_path: Path) -> None:
    traces(tmp_path, [waited_ms, waited_ms])
    found = shortage_in(tmp_path)
    assert str(found) == ""
    assert found.document() == {"crowded": None, "busy": None}


def test_the_trace_of_a_killed_process_says_what_is_known_at_its_last_block(tmp_path: Path) -> None:
    traces(tmp_path, [1000], complete=False)
    assert "rank 0 waited 50 % of its time" in str(shortage_in(tmp_path))


def test_more_ranks_than_cores_are_said_first(tmp_path: Path) -> None:
    traces(tmp_path, [1000, 1000], cores=1)
    found = shortage_of([TraceFile(path) for path in sorted(tmp_path.glob("*"))])
    assert "2 ranks shared 1 core of node" in str(found)
    assert found.busy is None


def test_what_is_no_trace_has_no_shortage(tmp_path: Path) -> None:
    assert str(shortage_in(tmp_path / "missing")) == ""
    (tmp_path / "rank-000000.trace").write_bytes(b"strtrace")
    assert str(shortage_in(tmp_path)) == ""


@pytest.mark.parametrize("waited_ms", [(1000, 0), (3000, 2000), (10, 12), (0, 0)])
def test_a_time_of_waiting_that_cannot_be_or_is_short_is_not_said(
    waited_ms: tuple[int, int], tmp_path: Path
) -> None:
    trace_file(tmp_path, block(b"", waited_ms=waited_ms), ranks=1)
    assert str(shortage_in(tmp_path)) == ""
