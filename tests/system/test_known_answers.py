# SPDX-License-Identifier: BSD-3-Clause
"""Probes over a virtual machine return its parameters (tests/system/test_coverage.py adds noise)."""

import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from virtual_runs import virtual_program

from stretto.data.results import ResultRow
from stretto.data.samples import read_samples
from stretto.launch.probing import probe_arguments
from stretto.model.derive import derive_results

PARAMETERS = {"L": 5e-6, "o_s": 1e-6, "o_r": 1.5e-6, "g": 2e-6, "G": 1e-9}
SPEC = "L=5us,o_s=1us,o_r=1.5us,g=2us,G=1ns,work=10ns"


def rows_of(directory: Path, probe: str, machine: str, *options: str, ranks: int = 2) -> Sequence[ResultRow]:
    samples = directory / "samples.jsonl"
    samples.unlink(missing_ok=True)
    request = probe_arguments([probe, "--rounds", "3", *options], samples)
    command = [str(virtual_program()), "--machine", machine, "--ranks", str(ranks), *request]
    subprocess.run(command, check=True, timeout=120)
    return derive_results(read_samples(samples)).rows


def figures(rows: Sequence[ResultRow], metric: str, **axes: str | int | float) -> list[float]:
    result = [
        row for row in rows if row.metric == metric and all(row.axes.get(k) == v for k, v in axes.items())
    ]
    assert result, f"no {metric} with {axes}"
    values = [row.value for row in result if row.value is not None]
    assert len(values) == len(result), [row.reason for row in result]
    return values


@pytest.mark.parametrize("operation", ["send", "put", "get"])
def test_loggp_parameters_come_back(tmp_path: Path, operation: str) -> None:
    rows = rows_of(tmp_path, "loggp", SPEC)
    for name, injected in PARAMETERS.items():
        if name == "o_r" and operation != "send":
            assert not [row for row in rows if row.metric == "o_r" and row.axes["operation"] == operation]
            continue
        for result in figures(rows, name, operation=operation):
            assert result == pytest.approx(injected, rel=0.02), name
    trains = [row for row in rows if row.axes.get("method") == "spaced-trains" and row.metric in PARAMETERS]
    assert trains and all(row.bound is None for row in trains)


def test_the_injection_queue_of_the_pencils_comes_back(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, "loggp", f"{SPEC},g_queue=1.8us")
    assert figures(rows, "g_queue", operation="send") == pytest.approx([1.8e-6], rel=0.02)
    assert figures(rows, "o_s", operation="send", method="pencils") == pytest.approx([1e-6], rel=0.02)


def test_each_protocol_has_its_own_parameters(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, "loggp", f"{SPEC},break=16KiB,L2=8us,o_s2=1.2us,o_r2=1.4us,g2=3us,G2=0.6ns")
    short = {"operation": "send", "method": "spaced-trains", "size_max_bytes": 16383}
    long = {"operation": "send", "method": "spaced-trains", "size_min_bytes": 16384}
    for name, injected in PARAMETERS.items():
        assert figures(rows, name, **short) == pytest.approx([injected], rel=0.02)
    # A message by rendezvous is preceded by a request and its answer: two more of the short messages' L.
    for name, injected in {
        "L": 8e-6 + 2 * 5e-6,
        "o_s": 1.2e-6,
        "o_r": 1.4e-6,
        "g": 3e-6,
        "G": 0.6e-9,
    }.items():
        assert figures(rows, name, **long) == pytest.approx([injected], rel=0.02)


@pytest.mark.parametrize("hidden", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("operation", ["send", "put", "get"])
def test_the_overlapped_fraction_comes_back_as_eta(tmp_path: Path, operation: str, hidden: float) -> None:
    machine = f"L=0.5us,o_s=0.2us,o_r=0.3us,g=0.4us,G=1ns,overlap={hidden},work=10ns"
    options = ("--operation", operation, "--sizes", "256KiB:1MiB", "--ratio", "1")
    rows = rows_of(tmp_path, "overlap", machine, *options)
    for side in ("origin", "both"):
        for result in figures(rows, "eta", progress="none", side=side, direction="one-way"):
            assert result == pytest.approx(hidden, abs=0.02)


def test_a_thread_that_steals_the_core_hides_nothing(tmp_path: Path) -> None:
    """Work that a clock bounds would report 1 here: the transfer is offloaded, but the work stands still."""
    machine = "L=0.5us,o_s=0.2us,o_r=0.3us,g=0.4us,G=1ns,overlap=1,steal=1,work=10ns"
    rows = rows_of(
        tmp_path, "overlap", machine, "--sizes", "256KiB:1MiB", "--ratio", "1", "--progress", "none"
    )
    for result in figures(rows, "eta"):
        assert result == pytest.approx(0, abs=0.02)
    for result in figures(rows, "kappa", side="both", operation="put"):
        assert result == pytest.approx(2, rel=0.02)


def test_half_a_stolen_core_shows_in_kappa_and_in_eta(tmp_path: Path) -> None:
    machine = "L=0.5us,o_s=0.2us,o_r=0.3us,g=0.4us,G=1ns,overlap=1,steal=0.5,work=10ns"
    rows = rows_of(
        tmp_path,
        "overlap",
        machine,
        "--sizes",
        "1MiB:1MiB",
        "--ratio",
        "1",
        "--progress",
        "none",
        "--operation",
        "put",
    )
    # While the transfer lasts (T_c), half of the work is done; the other half follows: T_t = 1.5 T_c.
    assert figures(rows, "eta", side="origin") == pytest.approx([0.5], abs=0.02)
    assert figures(rows, "kappa", side="origin") == pytest.approx([1.5], rel=0.02)


def test_polling_lets_a_transfer_go_on_that_waits_for_calls(tmp_path: Path) -> None:
    machine = "L=0.5us,o_s=0.2us,o_r=0.3us,g=0.4us,G=1ns,overlap=0,work=10ns"
    rows = rows_of(
        tmp_path, "overlap", machine, "--sizes", "1MiB:1MiB", "--ratio", "1", "--operation", "send"
    )
    assert figures(rows, "eta", progress="none", side="both", direction="one-way") == pytest.approx(
        [0], abs=0.02
    )
    assert figures(rows, "eta", progress="poll", side="both", direction="one-way")[0] > 0.9


def test_latency_and_bandwidth_are_the_closed_forms(tmp_path: Path) -> None:
    rows = rows_of(tmp_path, "latency", SPEC, "--sizes", "8:8")
    assert figures(rows, "latency", operation="send") == pytest.approx(
        [7.507e-6], rel=0.001
    )  # o_s + L + 7 G + o_r
    assert figures(rows, "latency", operation="put") == pytest.approx(
        [11.007e-6], rel=0.001
    )  # o_s + 2 L + 7 G
    rows = rows_of(tmp_path, "bandwidth", SPEC, "--sizes", "1MiB:1MiB", "--operation", "put")
    one_way, both_ways = (figures(rows, "bandwidth", direction=d)[0] for d in ("one-way", "both-ways"))
    assert one_way == pytest.approx(1e9, rel=0.02)  # 1 / G
    assert both_ways == pytest.approx(2e9, rel=0.02)  # full duplex


def test_a_gather_of_all_is_held_up_at_the_receiver(tmp_path: Path) -> None:
    """Four ranks at once: each card takes one message at a time, so G comes back whatever the number of ranks."""
    rows = rows_of(tmp_path, "loggp", SPEC, "--operation", "get", ranks=4)
    assert figures(rows, "G", method="gather") == pytest.approx([1e-9], rel=0.02)


NEARLY_FREE = "L=0.5us,o_s=0.2us,o_r=0.3us,g=0.4us,G=1ns,work=10ns"


def test_a_stream_from_one_buffer_is_as_fast_where_there_is_no_cache(tmp_path: Path) -> None:
    options = ("--sizes", "1MiB:1MiB", "--operation", "send", "--buffers", "same,distinct")
    rows = rows_of(tmp_path, "bandwidth", SPEC, *options)
    same, distinct = (
        figures(rows, "bandwidth", direction="one-way", buffers=b)[0] for b in ("same", "distinct")
    )
    assert same == pytest.approx(1e9, rel=0.02) and distinct == pytest.approx(1e9, rel=0.02)


@pytest.mark.parametrize(("ranks", "hidden"), [(2, 0.0), (2, 0.4), (2, 1.0), (4, 0.0), (4, 1.0)])
def test_the_overlapped_fraction_of_a_collective_comes_back(
    tmp_path: Path, ranks: int, hidden: float
) -> None:
    """Collectives as direct messages: of one message a fraction hides, of several all or nothing.

    What hides of a message that moves by a fraction only holds up those after it on the same card.
    """
    options = ("--collective", "alltoall,allgather", "--sizes", "256KiB:1MiB", "--progress", "none")
    rows = rows_of(tmp_path, "nbc", f"{NEARLY_FREE},overlap={hidden}", *options, ranks=ranks)
    for operation in ("alltoall", "allgather"):
        for metric in ("eta", "overlap_osu", "overlap_imb"):
            for found in figures(rows, metric, operation=operation, members=ranks):
                assert found == pytest.approx(hidden, abs=0.03), metric
        assert figures(rows, "kappa", operation=operation) == pytest.approx([1.0, 1.0], rel=0.001)


def test_what_a_thread_steals_shows_in_ours_and_not_in_the_formulas_of_others(tmp_path: Path) -> None:
    """The transfer takes the whole core: nothing is gained, and benchmarks that time the work say otherwise."""
    machine = f"{NEARLY_FREE},overlap=1,steal=1"
    rows = rows_of(
        tmp_path, "nbc", machine, "--collective", "alltoall", "--sizes", "1MiB:1MiB", "--progress", "none"
    )
    assert figures(rows, "eta") == pytest.approx([0.0], abs=0.02)
    assert figures(rows, "overlap_osu") == pytest.approx([1.0], abs=0.02)
    assert figures(rows, "overlap_imb") == pytest.approx([0.5], abs=0.02)
    assert figures(rows, "kappa") == pytest.approx([2.0], rel=0.02)


@pytest.mark.parametrize("hidden", [0.0, 1.0])
def test_the_overlapped_fraction_of_an_exchange_with_neighbours_comes_back(
    tmp_path: Path, hidden: float
) -> None:
    options = ("--sizes", "256KiB:256KiB", "--progress", "none")
    rows = rows_of(tmp_path, "neighbourhood", f"{NEARLY_FREE},overlap={hidden}", *options, ranks=6)
    for operation in ("neighbor-alltoall", "neighbor-sends"):
        assert figures(rows, "eta", operation=operation, grid="3x2") == pytest.approx([hidden], abs=0.03)


@pytest.mark.parametrize("parts", [1, 2, 8])
@pytest.mark.parametrize("operation", ["send", "put"])
def test_of_a_message_in_parts_all_but_the_last_part_hides(
    tmp_path: Path, operation: str, parts: int
) -> None:
    options = ("--partitions", str(parts), "--sizes", "4MiB:4MiB", "--operation", operation)
    rows = rows_of(tmp_path, "partitioned", f"{NEARLY_FREE},overlap=1", *options)
    assert figures(rows, "eta", partitions=parts) == pytest.approx([1 - 1 / parts], abs=0.02)


def test_persistent_requests_hide_as_much_as_others_and_take_the_time_of_one_message(tmp_path: Path) -> None:
    options = ("--sizes", "8:256KiB", "--progress", "none")
    rows = rows_of(tmp_path, "persistent", f"{NEARLY_FREE},overlap=1", *options)
    assert figures(rows, "eta", size_bytes=262144) == pytest.approx([1.0], abs=0.02)
    # Each rank sends and receives: a short message takes the processor o_s + o_r, more than the gap.
    assert figures(rows, "time", quantity="T_c", size_bytes=8) == pytest.approx([0.5e-6], rel=0.1)


def test_pairs_do_not_disturb_each_other_where_each_rank_has_its_own_link(tmp_path: Path) -> None:
    options = ("--sizes", "8:1MiB", "--operation", "send")
    rows = rows_of(tmp_path, "pairs", SPEC, *options, ranks=8)
    for pairs in (1, 2, 4):
        assert figures(rows, "pair_bandwidth", pairs=pairs, size_bytes=1 << 20) == pytest.approx(
            [pairs * 1e9], rel=0.02
        )
        assert figures(rows, "pair_latency", pairs=pairs, size_bytes=8) == pytest.approx(
            [7.507e-6], rel=0.001
        )
        (rate,) = figures(rows, "message_rate", pairs=pairs, size_bytes=8)
        assert rate == figures(rows, "pair_bandwidth", pairs=pairs, size_bytes=8)[0] / 8
