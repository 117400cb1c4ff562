# SPDX-License-Identifier: BSD-3-Clause
"""Every profile that `stretto probe` writes is of use to every command that reads one."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from processes import has_program
from replays import needs_replay
from screens import document
from trace_bytes import message_that_is_awaited

from stretto.commands import exit_status
from stretto.native.programs import Build

pytestmark = [needs_replay, pytest.mark.slow]
README = Path(__file__).resolve().parents[2] / "README.md"
PLAIN = ("-n", "2", "--transport", "mpi-two-sided", "--sizes", "8:1MiB", "--rounds", "3")
SIMULATED = ("-n", "2", "--on", "simulated", "--platform", "jacquard", "--transport", "mpi-two-sided")
PICTURED = ("--progress", "none", "--ratio", "1", "--sizes", "8:4MiB", *SIMULATED)
BUILDS: dict[str, Build | None] = {"local": None, "simulated": "simgrid"}
BYTES = 1 << 20
GOAL = f"""num_ranks 2
rank 0 {{
l1: send {BYTES}b to 1 tag 1
}}
rank 1 {{
l1: recv {BYTES}b from 0 tag 1
}}
"""


RUNS = [
    pytest.param(
        words,
        marks=[
            pytest.mark.skipif(
                not has_program("stretto-probe", BUILDS[place]),
                reason=f"NO PROGRAM FOR {place}: its profile is not tested",
            ),
            *([pytest.mark.alone] if name == "the question" and place == "local" else []),
            # Another run on this machine has no LogGP parameters, and a simulated one has.
            *([pytest.mark.matrix] if name == "LogGP" and place == "local" else []),
        ],
        id=f"{place}: {name}",
    )
    for place, name, words in (
        ("local", "the question", ("--on", "local", "--budget", "8")),
        ("local", "no LogGP", ("latency", "bandwidth", *PLAIN)),
        ("local", "LogGP", ("latency", "bandwidth", "loggp", *PLAIN)),
        ("simulated", "the question", ("--on", "simulated", "--platform", "jacquard")),
        ("simulated", "LogGP", ("latency", "bandwidth", "loggp", *SIMULATED)),
        ("simulated", "the run of the first page", ("latency", "bandwidth", "overlap", *PICTURED)),
    )
]


@pytest.fixture
def traced(tmp_path: Path) -> Path:
    message_that_is_awaited(tmp_path / "trace", BYTES)
    return tmp_path / "trace"


@pytest.mark.parametrize("words", RUNS)
def test_every_command_takes_the_profile(
    words: Sequence[str], traced: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_status(["probe", *words, "-o", str(tmp_path / "run")]) == 0
    profile = ("--profile", str(tmp_path / "run" / "profile.json"))
    goal = tmp_path / "one.goal"
    goal.write_text(GOAL)
    for command in (
        ("advise", *profile),
        ("predict", "ft", "--rows", "64", *profile),
        ("predict", "spmv", "--matrix-rows", "4096", *profile),
        ("potential", str(traced), *profile),
        ("whatif", str(traced), *profile),
        ("whatif", str(traced), *profile, "--progress-model", "offload,inside-calls", "--eager", "16KiB"),
    ):
        assert exit_status(list(command)) == 0, (command, capsys.readouterr())
    capsys.readouterr()
    found = document(capsys, "replay", goal, *profile)
    (curve,) = json.loads((tmp_path / "run" / "profile.json").read_text())["transfer_times"][:1]
    times = [(one["size_bytes"], one["time_s"]) for one in curve["sizes"] if one.get("time_s")]
    low_s, high_s = (
        np.interp(BYTES, [size for size, _ in times], [time[end] for _, time in times])
        for end in ("ci95_low", "ci95_high")
    )
    assert 0.8 * low_s <= found["makespan_s"] <= 1.2 * high_s, "as long as the message took alone"


@pytest.mark.skipif(
    not has_program("stretto-probe", "simgrid"),
    reason="NO PROGRAM FOR simulated: the screen on the first page is not compared",
)
def test_the_screen_on_the_first_page_is_that_of_its_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All but when and where it ran."""
    (shown,) = re.findall(r"```text\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert (
        exit_status(["probe", "--on", "simulated", "--platform", "jacquard", "-o", str(tmp_path / "run")])
        == 0
    )
    printed = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    first, found = (text[: text.index("  Measured")] for text in (shown, "\n".join(printed)))
    assert first == found
    assert len(printed) <= 24
