# SPDX-License-Identifier: BSD-3-Clause
"""Builds and runs tests: ctest under each MPI of a part, then pytest. The last line is a summary.

Usage: `run_tests.py quick|change|all [--native | PYTEST-OPTION...]`; scripts/test_parts.py has the parts, and
`--native` leaves out pytest.
A failed test is a failure. Only the tests of tests/unsteady.txt, which fail for a reason outside stretto,
run once more, alone. One that passes then is listed as `unsteady`, and is counted apart.
FAMILIES (words) chooses builds.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from test_parts import ALL, PARTS, Build

ROOT = Path(__file__).resolve().parents[1]


NOTHING_SELECTED = 5  # pytest's exit status

# In a test on several ranks GoogleTest skips within one CTest entry.
GOOGLETEST_SKIP = re.compile(r": Skipped\n(?P<reason>.*?)\n+\[  SKIPPED \] (?P<name>\S+)", re.DOTALL)

# One CTest entry may be many tests.
GOOGLETEST_PASSED = re.compile(r"^\[  PASSED  \] (\d+) test", re.MULTILINE)

# Ranks of Open MPI wait for its daemons for a second per run, so more tests than cores run at once.
STARTS_SLOWLY = frozenset({"openmpi", "openmpi4"})

# Additional workers of pytest, because tests that wait for the start or end of ranks need no core.
WAITING = 1

# Tests that fail now and then for a reason outside stretto.
UNSTEADY = ROOT / "tests" / "unsteady.txt"

# CTest's text for passed tests.
CTEST_PASSED = re.compile(r"^\s*(?:Start +\d+:|\d+/\d+ Test .* Passed ).*\n", re.MULTILINE)


@dataclass(frozen=True)
class Outcome:
    """The result of one runner."""

    passed: int = 0
    failed: tuple[str, ...] = ()
    skipped: tuple[tuple[str, str], ...] = field(default=())  # name, reason
    unsteady: tuple[str, ...] = ()  # failed among others, then passed alone; in neither of the above

    def __add__(self, other: Outcome) -> Outcome:
        return Outcome(
            self.passed + other.passed,
            self.failed + other.failed,
            self.skipped + other.skipped,
            self.unsteady + other.unsteady,
        )

    @property
    def summary(self) -> str:
        """The last line of a run."""
        counts = f"{self.passed} passed, {len(self.failed)} failed, {len(self.skipped)} skipped"
        return f"{counts}, {len(self.unsteady)} unsteady" if self.unsteady else counts


def read_unsteady(file: Path) -> dict[str, str]:
    """The tests that may run again, each with its reason.

    Raises:
        ValueError: A line lacks the reason or the address of an issue.
    """
    reasons = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, *said = (part.strip() for part in line.split("|"))
        if len(said) != 2 or not said[0] or not said[1].startswith("https://") or ": " not in name:
            raise ValueError(f"{file.name}, line {number}: give RUNNER: TEST | REASON | URL of an issue")
        reasons[name] = f"{said[0]} ({said[1]})"
    return reasons


def repeated(
    first: Outcome, known: Collection[str], repeat: Callable[[Sequence[str]], Collection[str]]
) -> Outcome:
    """The outcome after the known unsteady ones of the failed tests ran once more.

    Args:
        first: The outcome of the run.
        known: The tests that may run again.
        repeat: Runs these tests; returns those that passed.
    """
    again = [name for name in first.failed if name in known]
    if not again:
        return first
    passed = repeat(again)
    unsteady = tuple(name for name in again if name in passed)
    failed = tuple(name for name in first.failed if name not in unsteady)
    return replace(first, failed=failed, unsteady=unsteady)


def read_junit(runner: str, file: Path, status: int) -> Outcome:
    """Counts the tests in a JUnit file. A failed runner without a failed test counts as a failure."""
    outcome = Outcome()
    for case in _cases(file):
        outcome += _case(runner, case)
    if not outcome.failed and (status != 0 or outcome.passed == 0):
        outcome += Outcome(failed=(f"{runner}: exit status {status}, {outcome.passed} tests passed",))
    return outcome


def read_passed(runner: str, file: Path) -> frozenset[str]:
    """The entries of a JUnit file that passed as a whole."""
    outcomes = {_name(runner, case): _case(runner, case) for case in _cases(file)}
    return frozenset(name for name, outcome in outcomes.items() if outcome.passed and not outcome.skipped)


def _cases(file: Path) -> Iterable[ElementTree.Element]:
    return ElementTree.parse(file).iter("testcase") if file.is_file() else ()


def _name(runner: str, case: ElementTree.Element) -> str:
    group, test = case.get("classname", ""), case.get("name", "")
    return f"{runner}: {test}" if group == test else f"{runner}: {group}.{test}"


def _case(runner: str, case: ElementTree.Element) -> Outcome:
    name = _name(runner, case)
    text = case.findtext("system-out") or ""
    inner = tuple((f"{runner}: {skip['name']}", skip["reason"]) for skip in GOOGLETEST_SKIP.finditer(text))
    skipped = case.find("skipped")
    if case.find("failure") is not None or case.find("error") is not None or case.get("status") == "fail":
        return Outcome(failed=(name,))
    if skipped is not None:
        return Outcome(skipped=inner or ((name, skipped.get("message") or "no reason given"),))
    passed = GOOGLETEST_PASSED.search(text)
    return Outcome(passed=int(passed[1]) if passed else 1, skipped=inner)


def _run(command: list[str], log: Path | None = None) -> int:
    if log is None:
        return subprocess.run(command, cwd=ROOT, check=False).returncode
    plain = {**os.environ, "GTEST_COLOR": "no"}  # Open MPI's launcher looks like a terminal
    with log.open("w", encoding="utf-8") as output:
        done = subprocess.run(command, cwd=ROOT, stdout=output, stderr=output, env=plain, check=False)
    return done.returncode


def configure(families: Iterable[str]) -> None:
    """Configures all builds concurrently. The build repeats errors."""
    script = str(ROOT / "scripts" / "native")
    for started in [subprocess.Popen([script, family, "configure"], cwd=ROOT) for family in families]:
        started.wait()


def run_ctest(family: str, build: Build) -> Outcome:
    """Builds one preset and runs the chosen tests; shows the output of failed ones."""
    if _run([str(ROOT / "scripts" / "native"), family, build.target]) != 0:
        return Outcome(failed=(f"{family}: does not build",))
    jobs = str((os.cpu_count() or 1) * (4 if family in STARTS_SLOWLY else 1))
    status, junit = _ctest(family, "junit.xml", [*build.labels, "-j", jobs])

    def repeat(names: Sequence[str]) -> Collection[str]:
        tests = "|".join(re.escape(name.removeprefix(f"{family}: ")) for name in names)
        return read_passed(family, _ctest(family, "junit-repeated.xml", ["-R", f"^({tests})$"])[1])

    return repeated(read_junit(family, junit, status), read_unsteady(UNSTEADY), repeat)


def _ctest(family: str, report: str, options: list[str]) -> tuple[int, Path]:
    junit = ROOT / "build" / family / report
    junit.unlink(missing_ok=True)
    log = ROOT / ".setup" / "log" / f"ctest-{family}.log"
    command = ["ctest", "--test-dir", f"build/{family}", "--output-on-failure", "--no-tests=error", *options]
    command += ["--output-junit", str(junit), "--test-output-size-passed", "65536"]
    status = _run(command, log)
    if status != 0:
        print(CTEST_PASSED.sub("", log.read_text(encoding="utf-8", errors="replace")), flush=True)
    return status, junit


def run_pytest(marks: str, options: list[str]) -> Outcome:
    """Runs the pytest tests with these marks: first those that run alone, then the others concurrently.

    One process compiles the tests in the first pass, and all workers have them in the second.
    """
    workers = ["-n", str((os.cpu_count() or 1) + WAITING), "--dist", "worksteal"]
    passes = {
        "alone": ["-m", f"alone and ({marks})"],
        "together": [*workers, "-m", f"not alone and ({marks})"],
    }
    if "-m" in options:
        passes = {"chosen": []}
    outcome = Outcome()
    for name, which in passes.items():
        outcome += _run_and_repeat(name, [*which, *options])
    if outcome == Outcome():
        outcome = Outcome(failed=("pytest: no test matches",))
    return outcome


def _run_and_repeat(name: str, options: list[str]) -> Outcome:
    status, junit = _pytest(name, options)
    if status == NOTHING_SELECTED:
        return Outcome()

    def repeat(names: Sequence[str]) -> Collection[str]:
        return read_passed("pytest", _pytest("repeated", [node_id(name) for name in names])[1])

    return repeated(read_junit("pytest", junit, status), read_unsteady(UNSTEADY), repeat)


def node_id(name: str) -> str:
    """What pytest calls a test of its JUnit file: `pytest: tests.system.test_run.test_name[a.b]`."""
    words, bracket, parameters = name.removeprefix("pytest: ").partition("[")
    parts = words.split(".")
    files = [ROOT.joinpath(*parts[:count]).with_suffix(".py").is_file() for count in range(len(parts))]
    count = files.index(True)
    return "::".join([f"{'/'.join(parts[:count])}.py", *parts[count:]]) + bracket + parameters


def _pytest(name: str, options: list[str]) -> tuple[int, Path]:
    junit = ROOT / "build" / f"pytest-{name}.xml"
    junit.unlink(missing_ok=True)
    return _run([sys.executable, "-m", "pytest", "-q", f"--junitxml={junit}", *options]), junit


def main() -> int:
    """Runs one part; returns 1 after a failure, 2 for an unknown part."""
    if len(sys.argv) < 2 or sys.argv[1] not in PARTS:
        print(f"run_tests.py: give one of {', '.join(PARTS)}, then options of pytest", file=sys.stderr)
        return 2
    part = PARTS[sys.argv[1]]
    # Compiles the package once, because tests start hundreds of commands.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # Sets have one order in every run.
    os.environ["PYTHONHASHSEED"] = "0"
    chosen = os.environ.get("FAMILIES", "").split()
    builds = {family: part.builds.get(family, ALL) for family in chosen} or part.builds
    configure(builds)
    total = Outcome()
    for family, build in builds.items():
        began = time.monotonic()
        outcome = run_ctest(family, build)
        total += outcome
        print(
            f"ctest {family:<10} {outcome.passed:4d} passed {len(outcome.failed):3d} failed "
            f"{len(outcome.skipped):3d} skipped in {time.monotonic() - began:.0f} s",
            flush=True,
        )
    if sys.argv[2:] != ["--native"]:
        total += run_pytest(part.marks, sys.argv[2:])
    for name, reason in total.skipped:
        print(f"skipped {name}: {' '.join(reason.split())}")
    reasons = read_unsteady(UNSTEADY)
    for name in total.unsteady:
        print(f"unsteady {name}: failed, then passed alone: {reasons[name]}")
    for name in total.failed:
        print(f"failed {name}")
    print(total.summary, flush=True)
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
