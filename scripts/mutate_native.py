# SPDX-License-Identifier: BSD-3-Clause
"""Mutation test of the native sources: changes one place at a time, and reports which changes tests detect.

Usage: mutate_native.py [--seed N] [--count N] [--at-least PERCENT] [--tests FILTER] [SOURCE...]

A source is mutated if a unit test mirrors it: NAME_test.cpp, or AREA_NAME_test.cpp, includes its header.
The suites of that test are run; with `--tests`, a filter of GoogleTest, those of the filter, for any source.
The mutants follow from the text of the source: OPERATORS are applied wherever they fit, and `--count` of each
source's mutants are drawn by the seed. A mutant that does not compile is not counted. An equivalent mutant
counts as one that survived, so read the survivors. The sources are changed in a copy, build/native-mutants.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COPY = ROOT / "build" / "native-mutants"
BUILD = COPY / "build" / "mpich"  # the same relative paths as in the tree, for the compiler's cache
PROGRAM = "unit_tests"
TEST_TIMEOUT_S = 60

# What is no code: comments, texts, characters, and lines of the preprocessor.
_NO_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|^\s*#[^\n]*', re.DOTALL | re.MULTILINE
)
_EXCHANGED = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
    "+": "-", "-": "+", "*": "/", "/": "*", "+=": "-=", "-=": "+=", "true": "false", "false": "true",
    "std::min": "std::max", "std::max": "std::min",
    "std::all_of": "std::any_of", "std::any_of": "std::all_of",
}  # fmt: skip
OPERATORS = (
    # clang-format puts a blank on both sides of a binary operator, and on one side at most of anything else.
    (re.compile(r"(?<= )(?:[<>]=?|[=!]=|&&|\|\||[-+*/]|[-+]=)(?= )"), "exchanged"),
    (re.compile(r"\b(?:std::min|std::max|std::all_of|std::any_of|true|false)\b"), "exchanged"),
    (re.compile(r"(?<![\w!])!(?=[\w(])"), "removed"),
    (re.compile(r"(?<![\w.'])\d+(?![\w.'])"), "incremented"),
    # Statements of one line: calls, assignments, and early ends.
    (re.compile(r"(?<=\n) {2,}(?!return\b|using\b|case\b)[\w.:>\[\]-]+\([^;{}\n]*\);"), "removed"),
    (re.compile(r"(?<=\n) {2,}(?!using\b)[\w.:>\[\]-]+ [-+|]?= [^;{}\n]+;"), "removed"),
    (re.compile(r"(?<=\n) {2,}if \([^;{}\n]*\) (?:return|continue|break)[^;{}\n]*;"), "removed"),
)


@dataclass(frozen=True)
class Mutant:
    """One change of a source: the text from `begin` to `end` becomes `new`."""

    file: str
    line: int
    begin: int
    end: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.old.strip()} -> {self.new or '(nothing)'}"

    def applied_to(self, text: str) -> str:
        return text[: self.begin] + self.new + text[self.end :]


def mutants_of(file: str, text: str) -> list[Mutant]:
    """All mutants of a source, in the order of their places."""
    code = _NO_CODE.sub(lambda found: re.sub(r"[^\n]", "_", found[0]), text)
    found = []
    for pattern, change in OPERATORS:
        for match in pattern.finditer(code):
            old = text[match.start() : match.end()]
            new = _changed(old, change)
            line = text.count("\n", 0, match.start()) + 1
            found.append(Mutant(file, line, match.start(), match.end(), old, new))
    return sorted(found, key=lambda one: (one.begin, one.end))


def _changed(old: str, change: str) -> str:
    if change == "exchanged":
        return _EXCHANGED[old]
    return str(int(old) + 1) if change == "incremented" else ""


def mirrored_sources(root: Path) -> Iterator[tuple[str, str]]:
    """Each source that a unit test mirrors, with the filter of the test's suites."""
    for test in sorted((root / "tests" / "cpp").glob("*_test.cpp")):
        text = test.read_text(encoding="utf-8")
        suites = sorted(set(re.findall(r"^TEST(?:_F|_P)?\((\w+),", text, re.MULTILINE)))
        selection = ":".join(f"{suite}.*:*/{suite}.*" for suite in suites)
        name = test.name.removesuffix("_test.cpp")
        for header in re.findall(r'^#include "([\w/]+)\.hpp"', text, re.MULTILINE):
            stem = header.rpartition("/")[2]
            if name == stem or name.endswith(f"_{stem}"):
                for source in (f"src/{header}.cpp", f"src/{header}.hpp"):
                    if (root / source).is_file():
                        yield source, selection


def copy_sources() -> None:
    """Updates the copy. Unchanged files keep their time, so that they are not compiled again."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    names = {name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()}
    for name in names:
        content = (ROOT / name).read_bytes()
        copy = COPY / name
        if copy.is_file() and copy.read_bytes() == content:
            continue
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(content)
        copy.chmod((ROOT / name).stat().st_mode)
    for directory in ("src", "include", "tests"):
        for copy in (COPY / directory).rglob("*"):
            if copy.is_file() and str(copy.relative_to(COPY)) not in names:
                copy.unlink()
    for name in (".venv", ".mpi"):
        link = COPY / name
        if (ROOT / name).exists() and not link.is_symlink():
            link.symlink_to(ROOT / name)


def run(command: list[str], timeout_s: float | None = None) -> tuple[bool, str]:
    """Whether a command succeeded within the time limit, and its output."""
    try:
        done = subprocess.run(command, cwd=COPY, capture_output=True, text=True, timeout=timeout_s)
    except subprocess.TimeoutExpired:
        return False, f"{command[0]} did not end within {timeout_s} s"
    return done.returncode == 0, done.stdout + done.stderr


def build() -> tuple[bool, str]:
    return run(["cmake", "--build", str(BUILD), "--target", PROGRAM, "-j", str(os.cpu_count() or 1)])


def test(selection: str) -> tuple[bool, str]:
    return run([str(BUILD / "tests" / PROGRAM), f"--gtest_filter={selection}"], TEST_TIMEOUT_S)


def must(outcome: tuple[bool, str], what: str) -> None:
    succeeded, output = outcome
    if not succeeded:
        sys.exit(f"mutate_native: {what} failed:\n{output[-3000:]}")


def prepare(selections: set[str]) -> None:
    """Configures the copy, and checks that every test passes without mutants."""
    copy_sources()
    if not (BUILD / "build.ninja").is_file():
        options = ["-DSTRETTO_TESTS=ON", "-DSTRETTO_UNIT_TESTS=ON", "-DSTRETTO_EXAMPLES=OFF"]
        must(run(["cmake", "--preset", "mpich", *options]), "configuring the copy")
    must(build(), f"building {PROGRAM}")
    for selection in sorted(selections):
        must(test(selection), selection)


def try_mutant(mutant: Mutant, selection: str) -> str:
    """`killed`, `survived`, or `invalid`: the mutant does not compile."""
    file = COPY / mutant.file
    original = file.read_text(encoding="utf-8")
    file.write_text(mutant.applied_to(original), encoding="utf-8")
    try:
        if not build()[0]:
            return "invalid"
        return "survived" if test(selection)[0] else "killed"
    finally:
        file.write_text(original, encoding="utf-8")


def main() -> int:
    """Prints a line per mutant and the kill rate; returns 1 for a rate below `--at-least`."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1, help="draws the mutants")
    parser.add_argument("--count", type=int, default=4, help="mutants of each source")
    parser.add_argument("--at-least", type=float, default=75, help="percent that must be killed")
    parser.add_argument("--tests", help="unit tests to run, instead of those that mirror a source")
    parser.add_argument("sources", nargs="*", help="such as src/measure/stopping.cpp; all that tests mirror")
    arguments = parser.parse_args()
    known = dict(mirrored_sources(ROOT))
    if arguments.tests:
        known |= dict.fromkeys(arguments.sources or known, arguments.tests)
    for source in arguments.sources:
        if source not in known or not (ROOT / source).is_file():
            sys.exit(f"mutate_native: {source}: is no source that a unit test mirrors; name tests by --tests")
    chosen: list[Mutant] = []
    for source in arguments.sources or known:
        every = mutants_of(source, (ROOT / source).read_text(encoding="utf-8"))
        drawn = random.Random(f"{arguments.seed} {source}")
        chosen += drawn.sample(every, min(arguments.count, len(every)))
    prepare({known[mutant.file] for mutant in chosen})
    outcomes = []
    for mutant in chosen:
        outcomes.append(try_mutant(mutant, known[mutant.file]))
        print(f"{outcomes[-1]:9}{mutant}", flush=True)
    killed, valid = outcomes.count("killed"), len(outcomes) - outcomes.count("invalid")
    share = 100 * killed / valid if valid else 100
    print(f"{killed} of {valid} killed, {share:.0f} %", flush=True)
    return 0 if share >= arguments.at_least else 1


if __name__ == "__main__":
    sys.exit(main())
