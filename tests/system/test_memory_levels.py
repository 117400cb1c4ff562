# SPDX-License-Identifier: BSD-3-Clause
"""`stretto whatif --level` on traces with data times: the gain of each level, of a program whose times are known."""

import json
from pathlib import Path

import pytest
from memory_runs import (
    BIN,
    INDEPENDENT_S,
    PARTS,
    ROUNDS,
    Traced,
    compile_instrumented,
    needs_memory,
    run,
    trace,
)

from stretto.data.trace_records import Event

pytestmark = needs_memory


@pytest.fixture(scope="session")
def instrumented(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_instrumented(tmp_path_factory.mktemp("program"))


def ends_s(result: Traced, latency_s: float) -> tuple[float, float]:
    """When the receiver is done, in s of computing: as the program is written, and where messages go out when their
    data is produced (nobody saw when that of the first was) and are waited for when the first of it is needed, with what
    is independent before that."""
    sends, before_sends, _ = calls(result.sender, "MPI_Send")
    receives, _, after_receives = calls(result.receiver, "MPI_Recv")
    computed_s = in_place_s = moved_s = 0.0
    for turn, (send, receive) in enumerate(zip(sends, receives, strict=True)):
        computed_s += send.begin_s - (before_sends[turn].begin_s + before_sends[turn].duration_s)
        produced_s = computed_s
        if turn > 0:
            produced_s -= max(send.begin_s - max(result.moved("produced", turn)), 0.0)
        done_s = after_receives[turn].begin_s
        received_s = receive.begin_s + receive.duration_s
        in_place_s = max(in_place_s, computed_s + latency_s) + done_s - received_s
        used_s = min(result.moved("consumed", turn))
        moved_s = max(moved_s + used_s - received_s, produced_s + latency_s) + done_s - used_s
    return in_place_s, moved_s


def calls(events: list[Event], name: str) -> tuple[list[Event], list[Event], list[Event]]:
    """The calls of this name, each with its previous and next call."""
    all_calls = [event for event in events if event.name.startswith("MPI_")]
    at = [number for number, event in enumerate(all_calls) if event.name == name]
    return tuple([all_calls[number + by] for number in at] for by in (0, -1, 1))


def test_every_level_gains(instrumented: Path, tmp_path: Path) -> None:
    in_place_s, moved_s = ends_s(trace(instrumented, tmp_path), 500e-6)
    times = times_of_levels(tmp_path)
    # The receiver's, at the first message; the others follow it.
    assert in_place_s - moved_s > 0.9 * INDEPENDENT_S
    assert times["traced"] - times["independent"] > 0.9 * INDEPENDENT_S
    # The receiver needs the last part first, and the sender has that last: there is no more to gain than bytes on
    # their way.
    bytes_s = 8 * 64 * PARTS / 5e9
    assert times["consumer"] == pytest.approx(times["independent"], abs=bytes_s)
    assert times["producer-consumer"] == pytest.approx(times["independent"], abs=bytes_s)
    later, less = times["consumer"] - times["independent"], times["producer-consumer"] - times["consumer"]
    assert max(later, less) < 1e-12, "no level is slower, but for the rounding of sums"


def times_of_levels(directory: Path) -> dict[str, float]:
    """The predicted seconds of the scripted program's trace."""
    network = ("--latency", "500us", "--bandwidth", "5GB/s")
    result = json.loads(run(BIN / "stretto", "whatif", directory / "trace", *network, "--json").stdout)
    assert (result["trace"]["produced"], result["trace"]["consumed"]) == (ROUNDS - 1, ROUNDS)
    times = {row["level"]: row["time_s"] for row in result["rows"]}
    assert list(times) == ["traced", "independent", "consumer", "producer-consumer"]
    return times


def test_levels_need_what_a_plain_trace_lacks(tmp_path: Path, instrumented: Path) -> None:
    trace(instrumented, tmp_path, level="off")
    command = (BIN / "stretto", "whatif", tmp_path / "trace", "--level", "consumer")
    refused = run(*command, status=2)
    assert "--memory" in refused.stderr and refused.stderr.count("\n") == 1
