# SPDX-License-Identifier: BSD-3-Clause
"""Fuzz test of the readers: every damaged file is read, or refused in one line.

In process and by number, so that a run can be cut into pieces (`--first`) and one input made again.
Exit status 3 where an input was neither read nor refused.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.harness.builds import ROOT
from bench.harness.checks import Check, Checks, Result, Table, exactly
from bench.harness.runner import Context, Entry, NotHereError, main
from tests.fuzz.seeds import PACKED, TRACE, Subject
from tests.fuzz.workers import fuzz

_UNIT_TESTS = ROOT / "build" / "sanitize" / "tests" / "unit_tests"


def run_python(subject: Subject) -> Callable[[Context], Iterator[Result]]:
    """The entry that fuzzes the Python readers with files of this kind."""

    def run(context: Context) -> Iterator[Result]:
        options = context.options
        numbers = range(options.first, options.first + options.inputs)
        with TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as made:
            result = fuzz(subject, numbers, options.jobs, Path(made))
        rows = [(what, str(count)) for what, count in result.counts.items()]
        rows += [("neither", line) for line in result.wrong[:20]]
        yield Table(
            f"Damaged files: {subject.name}, inputs {numbers.start} to {numbers.stop - 1}",
            ("what", "inputs"),
            rows,
        )
        yield Checks(subject.name, [_none_wrong(subject.name, len(result.wrong))])

    return run


def run_native(context: Context) -> Iterator[Result]:
    """The native readers under the address sanitizer: GOAL text and binaries, traces, those of other tools."""
    if not _UNIT_TESTS.is_file():
        raise NotHereError("build/sanitize has no unit_tests; run scripts/native sanitize tests")
    inputs = context.options.inputs
    environment = {**os.environ, "STRETTO_FUZZ_INPUTS": str(inputs)}
    command = [str(_UNIT_TESTS), "--gtest_filter=*Mutations.*"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    ran = re.findall(r"^\[ +(OK|FAILED) +\] (\S+) ", done.stdout, re.MULTILINE)
    yield Table(f"Native readers, {inputs} inputs each", ("status", "test"), ran)
    failed = sum(status != "OK" for status, _ in ran) + (
        not ran or (done.returncode != 0 and all(s == "OK" for s, _ in ran))
    )
    yield Checks("native", [_none_wrong("native readers", failed)])


def _none_wrong(what: str, count: int) -> Check:
    return Check(f"{what}: inputs neither read nor refused", "-", exactly(count), 0)


ENTRIES = (
    Entry("trace", "the Python reader of traces", run_python(TRACE)),
    Entry("packed", "the Python reader of packed traces, which starts a process each", run_python(PACKED)),
    Entry(
        "native",
        "the native readers of GOAL, traces and those of other tools, under the address sanitizer",
        run_native,
    ),
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Options for the inputs and the number of processes."""
    parser.add_argument("--inputs", type=int, default=1_000_000, help="of each kind (default 1000000)")
    parser.add_argument("--first", type=int, default=0, metavar="NUMBER", help="of the Python readers")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes of the Python readers"
    )


if __name__ == "__main__":
    sys.exit(
        main(".venv/bin/python -m tests.fuzz.run", __doc__, ENTRIES, ROOT / "build" / "fuzz", add_options)
    )
