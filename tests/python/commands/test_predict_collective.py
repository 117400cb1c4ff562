# SPDX-License-Identifier: BSD-3-Clause
"""`stretto predict collective` and `advise`: tables and JSON documents."""

from pathlib import Path

import pytest
from screens import document, refusal

from stretto.commands import exit_status

GOLDEN = Path(__file__).parents[2] / "golden"
PREDICT = ("predict", "collective", "--profile")


def test_a_published_profile_predicts_a_broadcast_on_all_grids(capsys: pytest.CaptureFixture[str]) -> None:
    result = document(
        capsys, *PREDICT, "clic", "--collective", "broadcast", "--sizes", "100000", "--grid", "all"
    )
    (row,) = result["rows"]
    assert (row["use"], row["members"], len(row["grids"])) == ("4x24", 96, 10)
    assert row["flat_s"]["value"] == pytest.approx((0.0383 + 0.474 * 6.584963) * 0.1, rel=1e-6)
    assert row["gain"]["ci95_low"] < 0.21 < row["gain"]["ci95_high"]
    assert sum(row["best"][phase]["value"] for phase in ("leader_s", "concurrent_s")) == pytest.approx(
        row["best"]["time_s"]["value"]
    )


def test_what_has_no_function_has_a_reason_instead_of_a_figure(capsys: pytest.CaptureFixture[str]) -> None:
    result = document(capsys, *PREDICT, "t3e", "--collective", "gather", "--ranks", "16", "--sizes", "1MiB")
    (row,) = result["rows"]
    assert row["use"] == "undecided" and row["flat_s"]["value"] is None
    assert "no runtime function for gather of 1048576 bytes among 16" in row["reason"]


def test_advice_is_a_table_of_operations_and_sizes(capsys: pytest.CaptureFixture[str]) -> None:
    rows = document(capsys, "advise", "--profile", "clic")["collectives"]
    uses = {row["operation"]: row["use"] for row in rows if row["size_bytes"] == 81920}
    assert uses == {
        "broadcast": "4x24",
        "reduce": "undecided",
        "gather": "undecided",
        "scatter": "undecided",
        "allreduce": "3x32",
        "allgather": "4x24",
    }
    assert exit_status(["advise", "--profile", "clic"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80 and not any("…" in line for line in lines)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("predict collective --profile clic --ranks 12 --grid 5x2", "--grid '5x2' has 10 processes, not 12"),
        ("predict collective --profile clic --grid 4*24", "--grid: '4*24' is none of flat, all, P1xP2"),
        ("predict collective --profile clic --grid flat", "--grid flat: its time is shown"),
        ("predict collective --profile clic --collective bcast", "--collective: unknown 'bcast'"),
        ("predict collective --profile clic --ranks 1", "-n 1: give a whole number from 2 to 1048576"),
        ("predict collective --profile clic --algorithm reference", "of --algorithm library only"),
        (f"predict collective --profile {GOLDEN / 'profile-by-hand.json'}", "has no runtime functions"),
    ],
)
def test_wrong_input_is_one_line_that_names_the_option(
    arguments: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert message in refusal(capsys, *arguments.split())
