# SPDX-License-Identifier: BSD-3-Clause
"""Finds words that this project no longer uses: `retired_words.py [PATH...]`, by default in all files.

scripts/retired-words.txt is the list. scripts/retired-words-kept.txt has the lines that need such a word.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "scripts" / "retired-words.txt"
KEPT = ROOT / "scripts" / "retired-words-kept.txt"
SUFFIXES = frozenset(
    [
        ".py",
        ".cpp",
        ".hpp",
        ".c",
        ".h",
        ".f90",
        ".s",
        ".md",
        ".txt",
        ".sh",
        ".cmake",
        ".xml",
        ".html",
        ".css",
        ".js",
        ".toml",
        ".json",
        ".in",
        ".rst",
    ]
)
DATA = "tests/golden/"  # data files, whose formats do not change
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True)
class Retired:
    """A pattern, its replacement, and the globs of the files to which it applies."""

    pattern: re.Pattern[str]
    instead: str
    where: tuple[str, ...]

    def applies_to(self, path: str) -> bool:
        return not self.where or any(fnmatch(path, glob) for glob in self.where)


def normalised(line: str) -> str:
    """The line in lower case with identifiers split into words."""
    return CAMEL.sub(" ", line).replace("_", " ").lower()


def retired_words(text: str) -> list[Retired]:
    """The entries of a list file.

    Raises:
        ValueError: A line violates the form in the head of the list.
    """
    entries = []
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        # A "|" inside a pattern has no spaces around it.
        fields = [field.strip() for field in line.split(" | ")]
        if len(fields) not in (2, 3):
            raise ValueError(f"{LIST.name}: '{line}' is not PATTERN | INSTEAD [| WHERE]")
        where = tuple(fields[2].split()) if len(fields) == 3 else ()
        entries.append(Retired(re.compile(rf"\b(?:{fields[0]})\b"), fields[1], where))
    return entries


def kept_lines(text: str) -> set[tuple[str, str]]:
    """Pairs of a path and a stripped line in it that may use a retired word."""
    pairs = (line.partition(": ") for line in text.splitlines() if line and not line.startswith("#"))
    return {(path, kept.strip()) for path, _, kept in pairs}


def findings(path: str, text: str, entries: list[Retired], kept: set[tuple[str, str]]) -> list[str]:
    """One line per retired word in a file, with its place and replacement."""
    relevant = [entry for entry in entries if entry.applies_to(path)]
    result = []
    for number, line in enumerate(text.splitlines(), start=1):
        if (path, line.strip()) in kept:
            continue
        plain = normalised(line)
        for entry in relevant:
            match = entry.pattern.search(plain)
            if match is not None:
                result.append(f"{path}:{number}: '{match[0]}': write {entry.instead}")
    return result


def tracked_files(arguments: list[str]) -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *arguments],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    own = {str(path.relative_to(ROOT)) for path in (LIST, KEPT)}
    own |= {"scripts/retired_words.py", "tests/python/test_retired_words.py"}
    listed_paths = {path for path in listed.stdout.split("\0") if path and path not in own}
    return sorted(path for path in listed_paths if not path.startswith(DATA))


def main() -> int:
    """Prints all findings; returns 1 where there are any."""
    entries = retired_words(LIST.read_text(encoding="utf-8"))
    kept = kept_lines(KEPT.read_text(encoding="utf-8"))
    result: list[str] = []
    for name in tracked_files(sys.argv[1:]):
        path = ROOT / name
        if path.is_file() and (path.suffix in SUFFIXES or path.suffix == ""):
            result += findings(name, path.read_text(encoding="utf-8", errors="replace"), entries, kept)
    for line in result:
        print(line)
    if result:
        print(f"{len(result)} retired words; scripts/retired-words.txt says what to write instead")
    return 1 if result else 0


if __name__ == "__main__":
    sys.exit(main())
