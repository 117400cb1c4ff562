#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Mutation test of the Python code: `make mutants` runs mutmut and reports kill rates.

It works on a copy in build/mutants. It prints the kill rate of each area and the surviving mutants.
tests/python/equivalent_mutants.txt names equivalent mutants with reasons; they do not count.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "build" / "mutants"
LOG = WORK / "mutmut.log"
EQUIVALENT = ROOT / "tests" / "python" / "equivalent_mutants.txt"
AREAS = ("model", "potential", "data")
ENOUGH = 0.85
# Exit statuses of mutmut's workers. Every other status is a failed test, a crash or a timeout.
SURVIVED, NO_TESTS = (0,), (5, 33)

_CONFIG = """
[tool.mutmut]
source_paths = ["src"]
only_mutate = [{patterns}]
also_copy = ["src", "docs", "platforms"]
pytest_add_cli_args = ["-q", "-x", "-p", "no:cacheprovider", "-p", "no:xdist"]
pytest_add_cli_args_test_selection = [{tests}]
process_isolation = "forkserver"
use_git_change_detection = false

[tool.pytest.ini_options]
pythonpath = ["src", "tests/system", "tests/python/data", "tests/python/report", "tests/python/model"]
addopts = ["--strict-markers", "--import-mode=importlib"]
markers = ["slow", "long", "alone"]
"""
# The tests import the copied package. Seeds are fixed and there are no deadlines, so that results do not
# depend on chance or load.
_CONFTEST = """
import sys

from hypothesis import settings

sys.meta_path[:] = [one for one in sys.meta_path if "ScikitBuild" not in type(one).__name__]
settings.register_profile("mutants", deadline=None, derandomize=True, max_examples=40, database=None)
settings.load_profile("mutants")
"""


def main() -> int:
    """Runs the requested mutants. Returns 3 where the kill rate of an area is too low."""
    options = _options()
    _copy(options.areas)
    # A name without mutants makes mutmut generate all mutants and record which tests call which function.
    _run_mutmut(["none.of.them"], None)
    chosen = {area: _sample(area, options) for area in options.areas}
    names = [name for sample in chosen.values() for name in sample]
    if not names:
        print("mutate_python: no mutants; see build/mutants/mutmut.log", file=sys.stderr)
        return 1
    timed_out = not _run_mutmut(["--max-children", str(options.jobs), *names], 60 * options.minutes)
    return _report(chosen, timed_out)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("areas", nargs="*", metavar="AREA", help=f"of {', '.join(AREAS)}; all by default")
    parser.add_argument(
        "--sample", type=int, metavar="N", help="so many of each area's mutants; all by default"
    )
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--minutes", type=float, default=120, help="time limit for all of them")
    parser.add_argument("--jobs", type=int, default=2, help="mutants that are tested at once")
    parser.add_argument("--only", nargs="+", default=["*"], metavar="P", help="names, such as '*levels*'")
    parser.add_argument("--skip", nargs="+", default=[], metavar="P", help="such as 'stretto.model.graph*'")
    options = parser.parse_args()
    options.areas = options.areas or list(AREAS)
    if unknown := set(options.areas) - set(AREAS):
        parser.error(f"unknown area {', '.join(sorted(unknown))}; choose from {', '.join(AREAS)}")
    return options


def _copy(areas: Sequence[str]) -> None:
    """Copies the package and its tests, and writes their configuration."""
    shutil.rmtree(WORK, ignore_errors=True)
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "python", WORK / "src", ignore=ignore)
    shutil.copytree(ROOT / "tests" / "python", WORK / "tests" / "python", ignore=ignore)
    for read in ("tests/golden", "docs", "platforms"):
        shutil.copytree(ROOT / read, WORK / read)
    shutil.copytree(ROOT / "platforms", WORK / "src" / "stretto" / "platforms")  # as an installation has them
    (WORK / "tests" / "conftest.py").write_text(_CONFTEST, encoding="utf-8")
    patterns = ", ".join(f'"src/stretto/{area}/*.py"' for area in areas)
    folders = (*areas, "commands")  # the commands' tests run much of the models
    tests = ", ".join(f'"tests/python/{folder}"' for folder in folders)
    (WORK / "pyproject.toml").write_text(_CONFIG.format(patterns=patterns, tests=tests), encoding="utf-8")


def _run_mutmut(arguments: Sequence[str], timeout_s: float | None) -> bool:
    """Runs mutmut with its output in LOG; returns False after a timeout."""
    command = [str(Path(sys.executable).with_name("mutmut")), "run", *arguments]
    with LOG.open("ab") as log:
        try:
            subprocess.run(
                command,
                cwd=WORK,
                env={"STRETTO_BUILD": str(ROOT / "build" / "mpich"), **os.environ},
                stdout=log,
                stderr=subprocess.STDOUT,
                timeout=timeout_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return False
    return True


def _statuses(area: str) -> dict[str, int | None]:
    """The exit status of each of the area's mutants; None for a mutant that was not run."""
    result: dict[str, int | None] = {}
    for file in sorted((WORK / "mutants" / "src" / "stretto" / area).rglob("*.meta")):
        result.update(json.loads(file.read_text(encoding="utf-8"))["exit_code_by_key"])
    return result


def _sample(area: str, options: argparse.Namespace) -> list[str]:
    equivalent = _equivalent()
    names = [
        name
        for name in sorted(_statuses(area))
        if any(fnmatch(name, pattern) for pattern in options.only)
        and not any(fnmatch(name, pattern) for pattern in options.skip)
        and name not in equivalent
    ]
    if options.sample is None or options.sample >= len(names):
        return names
    return sorted(random.Random(options.seed).sample(names, options.sample))


def _equivalent() -> set[str]:
    lines = EQUIVALENT.read_text(encoding="utf-8").splitlines() if EQUIVALENT.exists() else []
    return {line.split("#")[0].strip() for line in lines} - {""}


def _report(chosen: dict[str, list[str]], timed_out: bool) -> int:
    enough = True
    for area, names in chosen.items():
        statuses = _statuses(area)
        run = [name for name in names if statuses[name] is not None]
        survivors = [name for name in run if statuses[name] in (*SURVIVED, *NO_TESTS)]
        rate = 1 - len(survivors) / len(run) if run else 0.0
        enough = enough and rate >= ENOUGH
        print(f"{area}: {len(run) - len(survivors)} of {len(run)} mutants killed, {rate:.0%}")
        _show(survivors)
        if len(run) < len(names):
            why = "the time was over" if timed_out else f"mutmut ended early, see {LOG}"
            print(f"  {len(names) - len(run)} were not run: {why}")
    return 0 if enough else 3


def _show(survivors: Iterable[str]) -> None:
    mutmut = str(Path(sys.executable).with_name("mutmut"))
    for name in survivors:
        print(f"  survived: {name}")
        shown = subprocess.run([mutmut, "show", name], cwd=WORK, capture_output=True, text=True, check=False)
        for line in shown.stdout.splitlines():
            if line[:1] in "+-" and line[:3] not in ("+++", "---"):
                print(f"    {line}")


if __name__ == "__main__":
    sys.exit(main())
