# SPDX-License-Identifier: BSD-3-Clause
"""Runs of the probes over virtual machines with known parameters, and the coverage of their figures.

A module of its own, because worker processes import it by name.
"""

import os
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from stretto.data.results import ResultRow
from stretto.data.samples import Samples, read_samples
from stretto.launch.probing import probe_arguments
from stretto.model.derive import derive_results

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 30
LOGGP = {"L": 5e-6, "o_s": 1e-6, "o_r": 1.5e-6, "g": 3e-6, "G": 1e-9}
MACHINE = "L=5us,o_s=1us,o_r=1.5us,g=3us,G=1ns,work=10ns"
WORK_S = 10e-9
OVERLAP = 0.6


def virtual_program() -> Path:
    """The program that measures a virtual machine; a missing program is a failure."""
    build = os.environ.get("STRETTO_BUILD")
    places = [Path(build)] if build else sorted((ROOT / "build").glob("*"))
    for place in places:
        for program in (place / "tests" / "stretto-virtual", place / "stretto-virtual"):
            if program.is_file():
                return program
    raise FileNotFoundError(
        f"stretto-virtual is not in {build or 'build/*/tests'}; build it, or set STRETTO_BUILD"
    )


def measure(arguments: list[str], machine: str, seed: int, rounds: int = ROUNDS) -> Samples:
    with TemporaryDirectory() as directory:
        output = Path(directory) / "samples.jsonl"
        request = probe_arguments([*arguments, "--seed", str(seed), "--rounds", str(rounds)], output)
        spec = f"{MACHINE},{machine},seed={seed}"
        command = [str(virtual_program()), "--machine", spec, "--ranks", "2", *request]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
        return read_samples(output)


def covers(row: ResultRow, truth: float) -> bool:
    assert row.value is not None, f"{row.metric}: {row.reason}"
    assert row.ci95_low is not None and row.ci95_high is not None
    return row.ci95_low <= truth <= row.ci95_high


def loggp(seed: int, noise: float = 0.05, rounds: int = ROUNDS) -> list[ResultRow]:
    samples = measure(["loggp", "--operation", "send", "--sizes", "8:16KiB"], f"noise={noise}", seed, rounds)
    return [row for row in derive_results(samples).rows if row.axes.get("method") == "spaced-trains"]


def loggp_covered(seed: int) -> list[str]:
    """The parameters that are covered; a range too many covers none."""
    rows = loggp(seed)
    return [row.metric for row in rows if covers(row, LOGGP[row.metric])] if len(rows) == len(LOGGP) else []


def overlap(seed: int, noise: float, bursts: str = "") -> tuple[ResultRow, float, float, float]:
    """The row of eta, and the medians T_c, T_t and the true T_w of its case."""
    only = [
        "--operation",
        "send",
        "--progress",
        "none",
        "--side",
        "both",
        "--ratio",
        "1",
        "--sizes",
        "1MiB:1MiB",
    ]
    samples = measure(["overlap", *only], f"overlap={OVERLAP},noise={noise}{bursts}", seed)
    rows = [row for row in derive_results(samples).rows if row.axes.get("direction") == "one-way"]
    times = {str(row.axes.get("quantity", row.metric)): row for row in rows}
    one_way = samples.rows.filter(samples.rows["direction"] == "one-way")
    work_s = WORK_S * int(one_way["work_count"][0])
    return times["eta"], float(times["T_c"].value or 0), float(times["T_t"].value or 0), work_s


@cache
def quiet_overlap() -> tuple[ResultRow, float, float, float]:
    return overlap(1, 0)


def eta_covered(seed: int, bursts: str = "") -> list[str]:
    """Each run calibrates its work on noisy times, so each has a true eta of its own. `too busy` gives none."""
    _, communication_s, total_s, work_s = quiet_overlap()
    hidden_s = communication_s + work_s - total_s
    row, _, _, own_work_s = overlap(seed, 0.05, bursts)
    if row.value is None and (row.reason or "").startswith("too busy"):
        return ["too busy"]
    return ["eta"] if covers(row, hidden_s / min(communication_s, own_work_s)) else []


BURSTS = ",burst_every=300ms,burst_min=1ms,burst_max=300ms"


def eta_covered_in_hidden_bursts(seed: int) -> list[str]:
    """Bursts that no account tells of, as those of other guests of a host."""
    return eta_covered(seed, f"{BURSTS},burst_seen=0")


def eta_covered_in_seen_bursts(seed: int) -> list[str]:
    """Bursts after which samples are measured again."""
    return eta_covered(seed, f"{BURSTS},burst_seen=1")
