# SPDX-License-Identifier: BSD-3-Clause
"""Whether ranks had a core each, from traces with known times of waiting."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from trace_bytes import block, trace

from stretto.data.trace import TraceFile
from stretto.potential.core_shortage import shortage_in, shortage_of

SECOND_NS = 1_000_000_000


def traces(tmp_path: Path, waited_ns: Sequence[int], cores: int = 4, *, complete: bool = True) -> None:
    """Traces from 1 s to 3 s; half of the time of waiting is known at 2 s."""
    for rank, waited in enumerate(waited_ns):
        blocks = [
            block(b"", first_ns=SECOND_NS),
            block(b"", 1, first_ns=SECOND_NS, waited_ns=2 * SECOND_NS),  # another thread
            block(b"", first_ns=2 * SECOND_NS, waited_ns=waited // 2 if not complete else waited),
        ]
        data = trace(rank, len(waited_ns), blocks, cores=cores, end_ns=3 * SECOND_NS, complete=complete)
        (tmp_path / f"rank-00000{rank}.trace").write_bytes(data)


def test_the_rank_that_waited_longest_is_named(tmp_path: Path) -> None:
    traces(tmp_path, [SECOND_NS // 5, SECOND_NS])
    found = shortage_in(tmp_path)
    assert str(found).startswith("node was busy: rank 1 waited 50 % of its time for a core")
    assert found.document() == {"crowded": None, "busy": {"host": "node", "rank": 1, "share": 0.5}}


@pytest.mark.parametrize("waited_ns", [0, SECOND_NS // 11])
def test_less_than_a_twentieth_is_not_said(waited_ns: int, tmp_path: Path) -> None:
    traces(tmp_path, [waited_ns, waited_ns])
    found = shortage_in(tmp_path)
    assert str(found) == ""
    assert found.document() == {"crowded": None, "busy": None}


def test_the_trace_of_a_killed_process_says_what_is_known_at_its_last_block(tmp_path: Path) -> None:
    traces(tmp_path, [SECOND_NS], complete=False)
    assert "rank 0 waited 50 % of its time" in str(shortage_in(tmp_path))


def test_more_ranks_than_cores_are_said_first(tmp_path: Path) -> None:
    traces(tmp_path, [SECOND_NS, SECOND_NS], cores=1)
    found = shortage_of([TraceFile(path) for path in sorted(tmp_path.glob("*"))])
    assert "2 ranks shared 1 core of node" in str(found)
    assert found.busy is None


def test_what_is_no_trace_has_no_shortage(tmp_path: Path) -> None:
    assert str(shortage_in(tmp_path / "missing")) == ""
    (tmp_path / "rank-000000.trace").write_bytes(b"strtrace")
    assert str(shortage_in(tmp_path)) == ""


def test_a_time_of_waiting_that_is_damaged_is_at_most_all_of_it(tmp_path: Path) -> None:
    traces(tmp_path, [(1 << 63) - 1])
    assert "waited 100 % of its time" in str(shortage_in(tmp_path))
