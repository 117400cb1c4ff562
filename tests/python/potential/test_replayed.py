# SPDX-License-Identifier: BSD-3-Clause
"""On another network, ranks wait for each other as in a replay there: a master and a worker, by hand."""

from pathlib import Path

import pytest
from trace_bytes import NUMBER, rank_files, record

from stretto.commands.trace_analysis import analyse
from stretto.data.trace import TraceFile
from stretto.options.traces import PotentialRequest
from stretto.potential import replayed
from stretto.potential.summary import OtherNetwork
from stretto.report.time_sentences import time_sentences

TASKS, WORK_NS, MESSAGE_S = 10, 100_000, 51e-6
REQUEST = PotentialRequest(directory=Path("t"), latency=50e-6, bandwidth=1e9)


def call(name: str, begin: int, duration: int, peer: int, tag: int) -> bytes:
    return record(NUMBER[name], begin, duration, size=1001, peer=peer, tag=tag)


def master_and_worker(directory: Path) -> list[TraceFile]:
    """The worker computes between a task and its result; messages take no time where it is recorded."""
    ends = record(NUMBER["MPI_Init"], 0), record(NUMBER["MPI_Finalize"], TASKS * WORK_NS)
    begins = range(0, TASKS * WORK_NS, WORK_NS)
    master = [
        call("MPI_Send", one, 0, 1, 1) + call("MPI_Recv", one, WORK_NS, peer=1, tag=2) for one in begins
    ]
    worker = [call("MPI_Recv", one, 0, 0, 1) + call("MPI_Send", one + WORK_NS, 0, 0, 2) for one in begins]
    return rank_files(directory, [ends[0], *master, ends[1]], [ends[0], *worker, ends[1]])


def there(traces: list[TraceFile]) -> tuple[OtherNetwork, str]:
    """What is found there, and its sentence."""
    summary = analyse(traces, REQUEST).summary
    assert summary.other is not None
    return summary.other, list(time_sentences(summary))[-1]


def test_a_master_waits_for_a_result_that_travels_there_and_back(tmp_path: Path) -> None:
    found, text = there(master_and_worker(tmp_path))
    work_s = TASKS * WORK_NS * 1e-9
    assert found.hideable_s == pytest.approx(2 * TASKS * MESSAGE_S)
    # The master waits for its task to arrive and for the work; the worker, from its second task on, until
    # its result has arrived.
    assert found.replayed
    assert found.late_s == pytest.approx(TASKS * MESSAGE_S + work_s + (TASKS - 1) * MESSAGE_S)
    assert found.run_s == pytest.approx(2 * (work_s + 2 * TASKS * MESSAGE_S) - MESSAGE_S)
    assert "late partners, as `stretto whatif` replays them" in text


def test_without_a_replay_partners_are_late_as_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replayed, "MAX_RECORDS", 1)
    found, text = there(master_and_worker(tmp_path))
    assert not found.replayed and found.late_s == pytest.approx(TASKS * WORK_NS * 1e-9)
    assert "late partners, as recorded: `stretto whatif` replays them" in text


def test_a_trace_that_cannot_be_replayed_is_analysed(tmp_path: Path) -> None:
    """Each rank receives before it sends: no replay ends, and the recorded waits stay."""
    ends = record(NUMBER["MPI_Init"], 0), record(NUMBER["MPI_Finalize"], 20_000)
    ranks = [
        [
            ends[0],
            call("MPI_Recv", 1000, 9000, 1 - rank, 7),
            call("MPI_Send", 12_000, 10, 1 - rank, 7),
            ends[1],
        ]
        for rank in range(2)
    ]
    found, text = there(rank_files(tmp_path, *ranks))
    assert not found.replayed and "as recorded" in text


def test_a_message_that_comes_before_its_receiver_calls_costs_nothing_there(tmp_path: Path) -> None:
    """The receiver computes for longer than the message takes: only its sender's call could be hidden."""
    ends = record(NUMBER["MPI_Init"], 0), record(NUMBER["MPI_Finalize"], 900_000)
    sender = [ends[0], call("MPI_Send", 1000, 0, 1, 7), ends[1]]
    receiver = [ends[0], call("MPI_Recv", 800_000, 0, 0, 7), ends[1]]
    found, _ = there(rank_files(tmp_path, sender, receiver))
    assert found.communication_s == pytest.approx(0, abs=1e-9) and found.run_s == pytest.approx(1.8e-3)
    assert found.hidden_s <= found.hideable_s <= found.communication_s + 1e-9
