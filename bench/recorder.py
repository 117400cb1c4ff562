# SPDX-License-Identifier: BSD-3-Clause
"""What the recorder costs: processor time of a halo code with the library preloaded and without, run in turn.

Asked: under 2 % at 10,000 messages/s a rank, under 200 ns a call. One rank with halos to itself, so that
nobody waits and spins: all of the processor time is work, MPI, and the recorder. `--long RECORDS` besides
writes a trace of about so many records on two ranks and says what recording and reading it took.

Usage: `recorder.py [TURNS [BUILD]] [--long RECORDS]`; the bench is built in BUILD (default: MPI's preset).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from builds import default_build, launcher
from checks import Check, show

from stretto.launch.preload import preloaded
from stretto.model.statistics import Estimate
from stretto.native.programs import native_program

MESSAGES_PER_S = 10_000
STEPS = 5_000
RECORDS_A_STEP = 9  # five calls, four operations that the wait found over


def build(directory: Path) -> Path:
    """Builds the program, the recorder and the replay; the program."""
    targets = ["recorder_halo", "stretto_trace_preload", "stretto-replay"]
    subprocess.run(
        ["cmake", "--build", str(directory), "--target", *targets], check=True, stdout=subprocess.DEVNULL
    )
    os.environ["STRETTO_BUILD"] = str(directory)
    return directory / "bin" / "recorder_halo"


def step_s(command: list[str], trace: Path | None) -> float:
    """Processor time of one step, of the mean rank; recorded where `trace` is given."""
    environment = dict(os.environ)
    if trace is not None:
        run = preloaded(["trace"], command, None, {"STRETTO_TRACE_DIR": str(trace)})
        command, environment = list(run.argv), environment | dict(run.env)
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    if trace is not None:
        for file in trace.glob("rank-*.trace"):
            file.unlink()
    found: float = json.loads(done.stdout.splitlines()[-1])["step_s"]
    return found


def compared(command: list[str], turns: int, directory: Path) -> tuple[list[float], list[float]]:
    """Steps without and with the recorder, in turn."""
    plain, recorded = [], []
    for _ in range(turns):
        plain.append(step_s(command, None))
        recorded.append(step_s(command, directory))
    return plain, recorded


def estimate(values: np.ndarray) -> Estimate:
    """Median of the turns; its interval from order statistics."""
    ordered = np.sort(values)
    reach = round(0.98 * np.sqrt(len(ordered)))
    middle = len(ordered) // 2
    low, high = ordered[max(middle - reach, 0)], ordered[min(middle + reach, len(ordered) - 1)]
    return Estimate(float(np.median(ordered)), float(low), float(high), len(ordered))


def work_count(start: list[str], program: Path) -> int:
    """Work with which a rank sends 10,000 messages a second."""
    tried = 4_000
    without = step_s([*start, str(program), str(STEPS), "0"], None)
    with_work = step_s([*start, str(program), str(STEPS), str(tried)], None)
    wanted_s = 2 / MESSAGES_PER_S - without
    return max(round(tried * wanted_s / (with_work - without)), 1)


def overhead(start: list[str], program: Path, turns: int, directory: Path) -> list[Check]:
    """Both figures that are asked for."""
    count = work_count(start, program)
    plain, recorded = map(
        np.array, compared([*start, str(program), str(STEPS), str(count)], turns, directory)
    )
    print(f"# a step of {1e6 * np.median(plain):.1f} us of processor time, {count} units of work in it")
    bare, noted = map(np.array, compared([*start, str(program), str(20 * STEPS), "0"], turns, directory))
    without_ns, with_ns = (1e9 * np.median(turns_s) / 5 for turns_s in (bare, noted))
    print(f"# a call takes {without_ns:.0f} ns without, {with_ns:.0f} ns with it")
    return [
        Check("halo at 10,000 messages/s, time", "not recorded", estimate(recorded / plain), 1.02),
        Check("a call, ns more", "not recorded", estimate(1e9 * (noted - bare) / 5), 200),
    ]


def long_trace(start: list[str], program: Path, records: int, directory: Path) -> None:
    """Records a long trace, and reads it by the replay and by the analysis by call site."""
    ranks = int(start[-1])
    steps = records // ranks // RECORDS_A_STEP
    run = preloaded(
        ["trace"], [*start, str(program), str(steps), "0"], None, {"STRETTO_TRACE_DIR": str(directory)}
    )
    begin = time.monotonic()
    subprocess.run(run.argv, check=True, stdout=subprocess.DEVNULL, env={**os.environ, **run.env})
    size = sum(file.stat().st_size for file in directory.glob("rank-*.trace"))
    written = steps * ranks * RECORDS_A_STEP
    print(f"\n# {ranks} ranks, {written} records, {size / 1e9:.2f} GB in {time.monotonic() - begin:.0f} s")
    stretto = str(Path(sys.executable).parent / "stretto")
    replay = str(native_program("stretto-replay", "none"))
    measured("stretto potential", [stretto, "potential", str(directory)])
    measured("stretto report", [stretto, "report", str(directory), "-o", str(directory / "report.html")])
    measured("stretto-replay", [replay, str(directory), "--loggp=L=2us,G=0.1ns"])


def measured(name: str, command: list[str]) -> float | None:
    """Prints what a command took; of that the memory of its largest process in GiB, None where it failed."""
    begin = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    peak = used.ru_maxrss * 1024 / 2**30
    elapsed_s = time.monotonic() - begin
    print(f"# {name}: exit {process.returncode}, {elapsed_s:.0f} s, {peak:.2f} GiB at most", flush=True)
    return None if process.returncode else peak


def main() -> int:
    """Prints the checks; 3 where one is missed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("turns", nargs="?", type=int, default=9)
    parser.add_argument("build", nargs="?", type=Path, default=default_build())
    parser.add_argument("--long", type=int, default=0, metavar="RECORDS")
    options = parser.parse_args()
    program = build(options.build)
    print(
        f"# load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores at the beginning, {options.turns} turns"
    )
    with TemporaryDirectory() as made:
        checks = overhead(launcher(options.build, 1), program, options.turns, Path(made))
        good = show("The recorder", checks)
        if options.long:
            long_trace(launcher(options.build, 2), program, options.long, Path(made))
    return 0 if good else 3


if __name__ == "__main__":
    sys.exit(main())
