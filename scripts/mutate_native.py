# SPDX-License-Identifier: BSD-3-Clause
"""Mutation test of the native sources: changes one place at a time, and reports which changes tests detect.

Usage: mutate_native.py [--at-least PERCENT] [--only WORD] [LIST...]: lists of scripts/mutants/native, or all
of them. A list has mutants of this form; lines between them that begin with "#" are comments:

    mutant a get asks for one byte too many
    file src/onesided/engine/packet.cpp
    test unit_tests Packet.*
    old
        the exact text, which occurs once in the file
    new
        its replacement
    end

`test TARGET FILTER` builds TARGET and runs it with --gtest_filter=FILTER; `test TARGET ctest REGEX` runs
tests of CTest. Each line of both texts is indented by four spaces. The sources are changed in a copy,
build/native-mutants.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LISTS = ROOT / "scripts" / "mutants" / "native"
COPY = ROOT / "build" / "native-mutants"
BUILD = COPY / "build" / "mpich"  # the same relative paths as in the tree, for the compiler's cache
TEST_TIMEOUT_S = 300
INDENT = "    "


@dataclass(frozen=True)
class Mutant:
    """One change of a file, and the tests that should detect it."""

    name: str
    file: str
    target: str
    selection: str
    through_ctest: bool
    old: str
    new: str

    def test_command(self) -> list[str]:
        if self.through_ctest:
            return ["ctest", "--test-dir", str(BUILD), "--no-tests=error", "-R", self.selection]
        return [str(BUILD / "tests" / self.target), f"--gtest_filter={self.selection}"]


def read_list(text: str, source: str) -> list[Mutant]:
    """The mutants of a list.

    Raises:
        ValueError: A line has a wrong form; the message names the file and line.
    """
    mutants: list[Mutant] = []
    fields: dict[str, str] = {}
    block: str | None = None  # "old" or "new" inside such a block
    for number, line in enumerate(text.splitlines(), start=1):
        word, _, rest = line.partition(" ")
        if block is not None and line.startswith(INDENT):
            fields[block] += line.removeprefix(INDENT) + "\n"
        elif block is not None and not line.strip():
            fields[block] += "\n"
        elif word in ("old", "new") and not rest:
            block = word
            fields[block] = ""
        elif word == "end" and not rest:
            mutants.append(_mutant(fields, f"{source}:{number}"))
            fields, block = {}, None
        elif word in ("mutant", "file", "test") and rest and word not in fields:
            fields[word] = rest.strip()
        elif line.strip() and not line.startswith("#"):
            raise ValueError(f"{source}:{number}: '{line}' does not belong here")
    if fields:
        raise ValueError(f"{source}: the last mutant has no 'end'")
    return mutants


def _mutant(fields: dict[str, str], where: str) -> Mutant:
    missing = {"mutant", "file", "test", "old", "new"} - fields.keys()
    if missing:
        raise ValueError(f"{where}: the mutant has no {', '.join(sorted(missing))}")
    target, _, selection = fields["test"].partition(" ")
    through_ctest = selection.startswith("ctest ")
    return Mutant(
        name=fields["mutant"],
        file=fields["file"],
        target=target,
        selection=selection.removeprefix("ctest ").strip(),
        through_ctest=through_ctest,
        old=fields["old"].strip("\n"),
        new=fields["new"].strip("\n"),
    )


def mutated(text: str, mutant: Mutant) -> str:
    """The file's text with the mutant.

    Raises:
        ValueError: The old text does not occur exactly once in the file.
    """
    count = text.count(mutant.old)
    if count != 1:
        raise ValueError(f"{mutant.name}: {mutant.file} has the old text {count} times, not once")
    return text.replace(mutant.old, mutant.new)


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


def build(target: str) -> tuple[bool, str]:
    return run(["cmake", "--build", str(BUILD), "--target", target, "-j", str(os.cpu_count() or 1)])


def must(outcome: tuple[bool, str], what: str) -> None:
    succeeded, output = outcome
    if not succeeded:
        sys.exit(f"mutate_native: {what} failed:\n{output[-3000:]}")


def prepare(mutants: list[Mutant]) -> None:
    """Configures the copy, and checks that every test passes without mutants."""
    copy_sources()
    if not (BUILD / "build.ninja").is_file():
        options = ["-DSTRETTO_TESTS=ON", "-DSTRETTO_UNIT_TESTS=ON", "-DSTRETTO_EXAMPLES=OFF"]
        must(run(["cmake", "--preset", "mpich", *options]), "configuring the copy")
    for target in sorted({mutant.target for mutant in mutants}):
        must(build(target), f"building {target}")
    for command in sorted({tuple(mutant.test_command()) for mutant in mutants}):
        must(run(list(command), TEST_TIMEOUT_S), " ".join(command))


def try_mutant(mutant: Mutant) -> str:
    """`killed` or `survived`. A mutant that does not compile is an error of the list."""
    file = COPY / mutant.file
    original = file.read_text(encoding="utf-8")
    file.write_text(mutated(original, mutant), encoding="utf-8")
    try:
        must(build(mutant.target), f"building the mutant '{mutant.name}'")
        passed, _ = run(mutant.test_command(), TEST_TIMEOUT_S)
    finally:
        file.write_text(original, encoding="utf-8")
    return "survived" if passed else "killed"


def main() -> int:
    """Prints a line per mutant and the kill rate of each list; returns 1 for a rate below `--at-least`."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--at-least", type=float, default=85, help="percent of each list that must be killed")
    parser.add_argument("--only", default="", help="mutants whose name has this in it")
    parser.add_argument("lists", nargs="*", help="such as onesided; all of them where none is named")
    arguments = parser.parse_args()
    names = arguments.lists or sorted(path.stem for path in LISTS.glob("*.txt"))
    lists = {}
    try:
        for name in names:
            path = LISTS / f"{name}.txt"
            every = read_list(path.read_text(encoding="utf-8"), path.name)
            lists[name] = [mutant for mutant in every if arguments.only in mutant.name]
            for mutant in lists[name]:
                mutated((ROOT / mutant.file).read_text(encoding="utf-8"), mutant)
    except (OSError, ValueError) as error:
        sys.exit(f"mutate_native: {error}")
    prepare([mutant for mutants in lists.values() for mutant in mutants])
    status = 0
    for name, mutants in lists.items():
        killed = 0
        for mutant in mutants:
            outcome = try_mutant(mutant)
            killed += outcome == "killed"
            print(f"{outcome:9}{name}: {mutant.name}", flush=True)
        share = 100 * killed / len(mutants) if mutants else 100
        print(f"{name}: {killed} of {len(mutants)} killed, {share:.0f} %", flush=True)
        if share < arguments.at_least:
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
