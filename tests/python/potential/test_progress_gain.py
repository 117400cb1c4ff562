# SPDX-License-Identifier: BSD-3-Clause
"""What a prediction of a progress thread reads from the calls of a trace."""

from pathlib import Path

import pytest
from trace_bytes import NUMBER, block, record, trace_file, world

from stretto.potential.progress_gain import Calls, ReplayedTimes, calls_of

LARGE = 4 << 20


def calls_in(tmp_path: Path, *records: bytes) -> Calls:
    return calls_of([trace_file(tmp_path, block(world(0, 2) + b"".join(records)))])


def send(at_ns: int, duration_ns: int, size: int, request: int) -> bytes:
    return b"".join(
        (
            record(NUMBER["MPI_Isend"], at_ns, duration_ns, size=size, peer=1, request=request, site=1),
            record(NUMBER["MPI_Wait"], at_ns + duration_ns + 1000, 500, count=1, site=0),
            record(2, at_ns + duration_ns + 1000, 500, request=request, site=0),
        )
    )


def test_the_overhead_is_the_mean_time_of_the_calls_that_send(tmp_path: Path) -> None:
    receive = record(NUMBER["MPI_Irecv"], 0, 9_000, size=8, peer=1, request=1, site=0)
    calls = calls_in(tmp_path, receive, send(10_000, 4_000, 1000, 2), send(20_000, 6_000, 3000, 3))
    assert calls.overhead_s == pytest.approx(5e-6)
    assert (calls.nonblocking, calls.mean_bytes) == (3, 2000)


def test_calls_that_copy_a_long_message_are_no_overhead(tmp_path: Path) -> None:
    calls = calls_in(tmp_path, send(0, 900_000, LARGE, 1))
    assert calls.overhead_s == 0.0


@pytest.mark.parametrize(
    ("recorded_s", "inside_calls_s", "saved_s"),
    [(10.0, 9.5, 2.5), (10.0, 10.5, 3.0), (6.8, 7.2, -0.2)],
    ids=["the replay lacks time", "the replay exaggerates waits", "the thread costs time"],
)
def test_what_is_saved_is_not_exaggerated(recorded_s: float, inside_calls_s: float, saved_s: float) -> None:
    times = ReplayedTimes(recorded_s, inside_calls_s, thread_s=7.0, offload_s=6.5)
    assert times.saved_s() == pytest.approx(saved_s)
