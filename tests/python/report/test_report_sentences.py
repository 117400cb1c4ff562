# SPDX-License-Identifier: BSD-3-Clause
"""All forms of the headline sentences, which never exceed the figures."""

from dataclasses import replace

import pytest
from report_documents import document_of, eta
from synthetic_machine import BREAK_BYTES, figure, loggp_rows

from stretto.data.loads import Load
from stretto.report.document import Document
from stretto.report.sentences import headlines

KIB = 1024


def sentences(*rows: dict[str, object]) -> list[str]:
    return [sentence.text for sentence in headlines(document_of(list(rows)))]


ASKED = "Does plain MPI communicate while a program computes?"


def test_every_size_has_a_verdict_and_the_largest_its_interval() -> None:
    sentence = sentences(
        eta(0.90, 8 * KIB, 0.88, 0.92),
        eta(0.04, 64 * KIB, 0.02, 0.05),
        eta(0.03, 512 * KIB, 0.01, 0.04),
        eta(0.02, 4096 * KIB, 0.015, 0.03),
    )[0]
    assert sentence == (
        f"{ASKED} At 8 KiB yes (90 % hidden), from 64 KiB on no (2 to 4 % hidden). "
        "At 4 MiB it hides 2 % (2 to 3 %) of its communication."
    )


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (eta(0.5, KIB, 0.45, 0.55), "Partly (50 % hidden). At 1 KiB it hides 50 % (45 to 55 %)"),
        (eta(0.98, KIB, 0.96, 0.99), "Yes (98 % hidden). At 1 KiB it hides 98 % (96 to 99 %)"),
        (eta(0.01, KIB, -0.02, 0.03), "No (1 % hidden). At 1 KiB it hides 1 % (−2 to 3 %)"),
        (eta(-0.12, KIB, -0.14, -0.10), "No (−12 % hidden). At 1 KiB it hides −12 % (−14 to −10 %)"),
        (eta(0.4, KIB, 0.05, 0.8), "Unclear (about 40 % hidden). At 1 KiB it hides 40 % (5 to 80 %)"),
    ],
)
def test_one_size_has_one_verdict(row: dict[str, object], said: str) -> None:
    assert sentences(row)[0] == f"{ASKED} {said} of its communication."


def test_a_figure_without_interval_is_unclear() -> None:
    row = eta(0.4, KIB)
    del row["ci95_low"], row["ci95_high"]
    assert sentences(row)[0].endswith("At 1 KiB it hides 40 % of its communication.")
    assert "Unclear" in sentences(row)[0]


def test_unresolved_are_reported_with_their_reason() -> None:
    assert sentences(eta(None, KIB))[0] == (
        f"{ASKED} Unresolved (min(T_c, T_w) is under 10 times the noise floor of 0.05 µs)."
    )


def test_sizes_below_the_noise_floor_are_named() -> None:
    sentence = sentences(eta(None, 8), eta(0.5, KIB, 0.45, 0.55))[0]
    assert sentence.startswith(f"{ASKED} At 8 B unresolved (min(T_c, T_w) is under")
    assert ", from 1 KiB on partly (50 % hidden)." in sentence


def test_another_ratio_than_one_is_named() -> None:
    assert "computes (T_w/T_c 0.5)? Partly" in sentences(eta(0.5, KIB, 0.45, 0.55, ratio=0.5))[0]


@pytest.mark.parametrize(("hidden", "is_said"), [(0.15, False), (0.25, True)])
def test_what_hides_next_to_nothing_is_no_better(hidden: float, is_said: bool) -> None:
    """As on the screen: below a fifth the verdict is no, whatever plain MPI hides."""
    plain = eta(0.02, KIB, 0.01, 0.03)
    other = eta(hidden, KIB, hidden - 0.02, hidden + 0.02, transport="mpi-rma", operation="put")
    assert ("MPI RMA put hides" in sentences(plain, other)[0]) == is_said


def test_only_one_transport_which_is_not_plain_mpi() -> None:
    only = sentences(eta(0.5, KIB, 0.45, 0.55, transport="mpi-rma", operation="put"))[0]
    assert only.startswith("Does MPI RMA put communicate while a program computes? Partly (50 % hidden).")


def times(transport: str, seconds: float, **axes: object) -> dict[str, object]:
    return eta(1.0, KIB, transport=transport, **axes) | {
        "metric": "time",
        "unit": "s",
        "value": seconds,
        "quantity": "T_c",
    }


def test_what_hides_more_is_named_with_its_price_in_communication_time() -> None:
    put: dict[str, object] = {"transport": "mpi-rma", "operation": "put", "progress": "poll"}
    sentence = sentences(
        eta(0.1, KIB, 0.05, 0.12),
        times("mpi-two-sided", 10e-6),
        eta(0.9, KIB, 0.88, 0.92, **put),
        times(**put, seconds=15e-6),
    )[0]
    assert sentence.endswith(
        " MPI RMA put with progress poll hides 90 % (88 to 92 %) at 1 KiB, "
        "its communication alone taking 1.50 times as long as plain MPI's."
    )


@pytest.mark.parametrize("axes", [{"side": "target"}, {"direction": "both-ways"}])
def test_another_question_is_no_better_answer(axes: dict[str, object]) -> None:
    rows = (
        eta(0.1, KIB, 0.05, 0.12),
        eta(0.9, KIB, 0.88, 0.92, transport="mpi-rma", operation="put", **axes),
    )
    assert "RMA" not in sentences(*rows)[0]


def test_intervals_that_touch_name_no_better_one() -> None:
    rows = (eta(0.1, KIB, 0.05, 0.30), eta(0.2, KIB, 0.25, 0.35, transport="mpi-rma", operation="put"))
    assert "RMA" not in sentences(*rows)[0]


def test_latency_and_bandwidth_with_intervals() -> None:
    path = {"transport": "mpi-two-sided", "operation": "send"}
    sentence = sentences(
        figure("latency", "s", 0.5e-6, 0.1, probe="latency", size_bytes=8, **path),
        figure(
            "bandwidth", "B/s", 12.5e9, 0.01, probe="bandwidth", size_bytes=KIB, direction="one-way", **path
        ),
        figure(
            "bandwidth", "B/s", 99e9, 0.01, probe="bandwidth", size_bytes=KIB, direction="both-ways", **path
        ),
    )[1]
    assert sentence.replace("\u202f", " ") == (
        "A message of 8 B takes 0.500 µs (0.450 to 0.550 µs) over plain MPI "
        "and streaming reaches 12 500 MB/s (12 375 to 12 625 MB/s) at 1 KiB."
    )


def test_latency_unresolved_and_bandwidth_missing() -> None:
    row = figure(
        "latency", "s", None, probe="latency", size_bytes=8, transport="mpi-two-sided", operation="send"
    )
    assert sentences(row)[1].startswith("Latency and bandwidth are unresolved here: min(T_c, T_w) is under")


def contention(value: float | None, spread: float = 0.02, kind: str = "stream") -> dict[str, object]:
    path = {"transport": "mpi-two-sided", "operation": "send"}
    return figure("kappa", "1", value, spread, probe="contention", work_kind=kind, size_bytes=KIB, **path)


def test_contention_names_the_work_that_suffers_most() -> None:
    assert sentences(contention(1.1, kind="cache"), contention(1.4))[2] == (
        "Under traffic over plain MPI at 1 KiB, stream work takes 1.40 (1.38 to 1.42) times as long."
    )


def test_contention_within_noise() -> None:
    assert sentences(contention(1.01))[2].startswith(
        "Traffic slows no work beyond noise: 1.01 (0.99 to 1.03) times"
    )


def test_contention_unresolved() -> None:
    assert "is unresolved here" in sentences(contention(None))[2]


def test_without_contention_the_third_sentence_is_the_protocol_break() -> None:
    sentence = sentences(*loggp_rows())[2]
    assert sentence.startswith(
        f"Plain MPI changes its protocol at {BREAK_BYTES // KIB} KiB: L goes from 0.280 µs ("
    )


def test_missing_measurements_are_reported_three_times() -> None:
    assert sentences() == [
        "Overlap was not measured.",
        "Latency and bandwidth were not measured.",
        "Neither contention nor the protocol's break was measured.",
    ]


def test_a_run_of_other_probes_names_them_and_says_nothing_of_the_rest() -> None:
    rate = figure("message_rate", "1/s", 8e5, probe="pairs", transport="mpi-two-sided", size_bytes=8, pairs=1)
    assert sentences(rate) == ["Measured: pairs. The tables have the figures."]
    assert "Latency and bandwidth were not measured." in sentences(rate, eta(0.5, KIB, 0.45, 0.55))


def test_the_made_up_machine(local: Document) -> None:
    first, second, third = (sentence.text for sentence in headlines(local))
    assert first.startswith(
        f"{ASKED} At 512 B to 16 KiB partly (62 % hidden), from 256 KiB on no (3 % hidden)."
    )
    assert "MPI RMA get" not in first
    assert "0.502 µs" in second and "8 MiB" in second
    assert "stream work takes 1.44" in third


def test_a_busy_machine_comes_first_and_what_it_leaves_rough_is_no_figure() -> None:
    run = document_of([eta(-2.05, 1024 * KIB, -2.83, -0.12), eta(0.5, 64 * KIB, 0.45, 0.55)])
    busy = replace(run, loads=(Load("vm-1", "during", 20.0, 2, 2, 1.9, 0.0, 0.9, 4),), disturbed=0.7)
    first, second, *_ = (sentence.text for sentence in headlines(busy))
    assert first.startswith("The machine is busy: other programs take 1.9 of 2 cores, and disturb 70 % of")
    assert second == (
        f"{ASKED} At 64 KiB partly (50 % hidden), from 1 MiB on too busy to say. "
        "At 64 KiB it hides 50 % (45 to 55 %) of its communication."
    )
    assert ", from 1 MiB on unclear (about −205 % hidden)." in headlines(run)[0].text
