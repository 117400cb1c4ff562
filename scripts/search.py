# SPDX-License-Identifier: BSD-3-Clause
"""Random search for inputs that break a property: tests that draw their inputs, with a new seed each round.

`make test` draws the same inputs in every run. What a search finds becomes an example there: `@example` of
Hypothesis, or a seed. Exit status 3 where something was found; its output stands in build/search/.
"""

from __future__ import annotations

import argparse
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "build" / "search"
LARGEST_SEED = 2**31 - 1


@dataclass(frozen=True)
class Search:
    """Tests that draw their inputs from a seed.

    Attributes:
        what: One line for people.
        command: The command for a seed.
        variables: Its environment for a seed.
    """

    what: str
    command: Callable[[int], Sequence[str]]
    variables: Callable[[int], Mapping[str, str]] = field(default=lambda seed: {})


def _properties(seed: int) -> Sequence[str]:
    profile = ("--hypothesis-profile=search", f"--hypothesis-seed={seed}")
    return [sys.executable, "-m", "pytest", "-q", "-n", "auto", "-m", "hypothesis", *profile, "tests/python"]


def _traffic(seed: int) -> Sequence[str]:
    launch = (str(ROOT / ".venv" / "bin" / "mpiexec"), "-n", "3")
    tests = str(ROOT / "build" / "mpich" / "tests" / "mpi_tests")
    return [*launch, tests, "--ranks=3", "--timeout=600", "--gtest_filter=OnesidedRandom.*"]


SEARCHES = {
    "properties": Search("the Hypothesis tests of tests/python, damaged files among them", _properties),
    "traffic": Search(
        "random traffic of the one-sided runtime on 3 ranks",
        _traffic,
        lambda seed: {"STRETTO_SEED": str(seed), "STRETTO_OPERATIONS": "20000"},
    ),
}


def holds(name: str, seed: int) -> bool:
    """Runs one search with a seed. Its output is kept where it fails."""
    search = SEARCHES[name]
    log = RESULTS / f"{name}-{seed}.log"
    variables = {"PYTHONHASHSEED": str(seed), **search.variables(seed)}
    with log.open("w", encoding="utf-8") as output:
        done = subprocess.run(
            search.command(seed),
            cwd=ROOT,
            env={**os.environ, **variables},
            stdout=output,
            stderr=output,
            check=False,
        )
    if done.returncode == 0:
        log.unlink()
        return True
    print(f"search: {name} --seed {seed}: found something, see {log.relative_to(ROOT)}", flush=True)
    return False


def main() -> int:
    """Searches until the time is over; returns 3 where something was found."""
    names = ", ".join(f"{name}: {search.what}" for name, search in SEARCHES.items())
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{names}; all by default")
    parser.add_argument("--minutes", type=float, default=10, help="until the last round starts (default 10)")
    parser.add_argument("--seed", type=int, help="of the only round, which repeats one of an earlier search")
    options = parser.parse_args()
    if unknown := set(options.names) - SEARCHES.keys():
        parser.error(f"unknown search {', '.join(sorted(unknown))}; choose from {', '.join(SEARCHES)}")
    RESULTS.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + 60 * options.minutes
    rounds, found = 0, 0
    while rounds == 0 or (options.seed is None and time.monotonic() < end):
        seed = secrets.randbelow(LARGEST_SEED) if options.seed is None else options.seed
        found += sum(not holds(name, seed) for name in options.names or SEARCHES)
        rounds += 1
    print(f"search: {rounds} rounds, {found} findings")
    return 3 if found else 0


if __name__ == "__main__":
    sys.exit(main())
