# SPDX-License-Identifier: BSD-3-Clause
"""The replay against SimGrid's SMPI: ideal offload, no contention, one message at a time in each direction.

Where several share a link the two differ by design: SMPI gives each a fair share, LogGP serves who came first.
"""

import random
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from replays import HAS_REPLAY
from screens import document

from stretto.launch.job import Job
from stretto.launch.platforms import find_platform
from stretto.launch.simulated import run_simulated

pytestmark = pytest.mark.skipif(
    not HAS_REPLAY or shutil.which("smpicc") is None,
    reason="NO SMPI OR NO STRETTO-REPLAY: they are not compared; apt-get install libsimgrid-dev simgrid, make setup",
)

LATENCY_S, BYTES_PER_S = 4e-6, 945e6
_SIZES = (4 << 10, 16 << 10, 60 << 10)  # eager on both sides
PLATFORM = """<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="c" prefix="c-" suffix="" radical="0-15" speed="1Gf" bw="945MBps" lat="2us"
           sharing_policy="SPLITDUPLEX"/>
</platform>
"""


@dataclass(frozen=True)
class Step:
    """A message that `rank` sends or receives while it computes."""

    rank: int
    sends: bool
    peer: int
    size_bytes: int
    work_ns: int


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scheduled")
    source = Path(__file__).with_name("scheduled.c")
    subprocess.run(["smpicc", "-O1", str(source), "-o", "scheduled"], check=True, cwd=folder)
    return folder / "scheduled"


def conversations(seed: int, ranks: int, rounds: int) -> Iterator[Step]:
    """Random pairs exchange one message, its answer and an acknowledgement at a time, so that links carry one message."""
    chance = random.Random(seed)
    for _ in range(rounds):
        order = chance.sample(range(ranks), ranks)
        for one, other in zip(order[::2], order[1::2]):
            sizes = (chance.choice(_SIZES), chance.choice(_SIZES), 1)
            for number, size in enumerate(sizes):
                sender, receiver = (one, other) if number % 2 == 0 else (other, one)
                work = [chance.randrange(100_000) if size > 1 else 0 for _ in range(2)]
                yield Step(sender, True, receiver, size, work[0])
                yield Step(receiver, False, sender, size, work[1])


def goal(steps: list[Step], ranks: int) -> str:
    """The same in GOAL: what is computed begins with the message, and the next step after both."""
    text = [f"num_ranks {ranks}"]
    for rank in range(ranks):
        text.append(f"rank {rank} {{")
        before: list[str] = []
        for number, step in enumerate(one for one in steps if one.rank == rank):
            words = f"send {step.size_bytes}b to" if step.sends else f"recv {step.size_bytes}b from"
            text += [f"m{number}: {words} {step.peer}", f"c{number}: calc {step.work_ns}"]
            text += [f"{new}{number} requires {old}" for new in "mc" for old in before]
            text.append(f"c{number} irequires m{number}")
            before = [f"m{number}", f"c{number}"]
        text.append("}")
    return "\n".join(text)


@pytest.mark.parametrize(("seed", "ranks"), [(1, 2), (2, 8), (3, 16)])
def test_both_agree_with_one_message_in_flight(
    seed: int, ranks: int, program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    platform = tmp_path / "plain.xml"
    platform.write_text(PLATFORM)
    steps = list(conversations(seed, ranks, 12))
    script = tmp_path / "script"
    script.write_text("".join(
        f"{s.rank} {'S' if s.sends else 'R'} {s.peer} {s.size_bytes} {s.work_ns}\n" for s in steps
    ))  # fmt: skip
    ended = run_simulated(Job(program, (str(script),), ranks), find_platform(str(platform)))
    assert ended.status == "done", ended.stderr_tail
    simulated_s = float(ended.stdout)
    file = tmp_path / "script.goal"
    file.write_text(goal(steps, ranks))
    result = document(capsys, "replay", file, "--loggp", f"L={LATENCY_S},G={1 / BYTES_PER_S!r}")
    assert result["unreceived"] == 0
    print(f"{ranks} ranks: replay {result['makespan_s']:.6f} s, SMPI {simulated_s:.6f} s")
    assert result["makespan_s"] == pytest.approx(simulated_s, rel=0.02)
    # The work alone does not explain it: communication is in what is compared.
    work_s = max(1e-9 * sum(s.work_ns for s in steps if s.rank == rank) for rank in range(ranks))
    assert result["makespan_s"] > 1.05 * work_s
