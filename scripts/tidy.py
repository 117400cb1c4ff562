# SPDX-License-Identifier: BSD-3-Clause
"""Runs clang-tidy on the sources of a build, once for every content.

clang-tidy takes seconds a file, most of them for headers that never change. So a file that was clean is not
looked at again until its preprocessed text, its command or the settings differ; and files of one room are
looked at together, as one source that includes them. Where that finds anything, or cannot be compiled because
two of them use one name, each is looked at alone, and what is said then counts.

Usage: `tidy.py CLANG-TIDY BUILD-DIRECTORY`
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# What the build asks for besides a meaning: outputs, dependency files, and what clang does not know.
WITH_ARGUMENT = frozenset({"-o", "-MT", "-MF"})
TOGETHER = 16  # files looked at as one
# What is only said of files together: that they include each other, what one sees in another.
NOT_TOGETHER = "--checks=-bugprone-suspicious-include,-bugprone-exception-escape"
ALONE = frozenset({"-c", "-MD", "-fno-ipa-pure-const"})


@dataclass(frozen=True)
class Source:
    """One translation unit and how it is compiled, without what concerns the build only."""

    file: Path
    directory: Path
    compiler: str
    flags: tuple[str, ...]


def sources(build: Path) -> Iterator[Source]:
    """The translation units under src/ and bench/ of a compile_commands.json.

    Those of the tests take as long again, nearly all of it for GoogleTest's headers and macros.
    """
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        file = Path(entry["file"])
        if file.is_relative_to(ROOT / "src") or file.is_relative_to(ROOT / "bench"):
            words = shlex.split(entry["command"])
            if Path(words[0]).name == "ccache":
                words = words[1:]
            yield Source(file, Path(entry["directory"]), words[0], tuple(meaning(words[1:], entry["file"])))


def meaning(words: list[str], file: str) -> Iterator[str]:
    """The flags that say what the source means, without the source."""
    rest = iter(words)
    for word in rest:
        if word in WITH_ARGUMENT:
            next(rest, None)
        elif word not in ALONE and word != file:
            yield word


def content(source: Source, settings: bytes) -> str:
    """A hash of all that clang-tidy's answer depends on; comments count, they hold NOLINT."""
    command = [source.compiler, *source.flags, "-E", "-CC", str(source.file)]
    text = subprocess.run(command, cwd=source.directory, capture_output=True, check=False).stdout
    return hashlib.sha256(settings + shlex.join(source.flags).encode() + text).hexdigest()


def said_of(file: Path, source: Source, program: str, *options: str) -> str:
    """What clang-tidy says of a file that is compiled like `source`; empty if it is clean."""
    command = [program, "--quiet", *options, str(file), "--", *source.flags]
    run = subprocess.run(command, cwd=source.directory, capture_output=True, text=True, check=False)
    return "" if run.returncode == 0 and not run.stdout.strip() else run.stdout or run.stderr


def rooms(pending: dict[Source, Path]) -> Iterator[list[Source]]:
    """Sources of one directory with the same flags, a few together; programs alone, each has its main()."""
    groups: dict[tuple[Path, tuple[str, ...]], list[Source]] = {}
    for source in pending:
        groups.setdefault((source.file.parent, source.flags), []).append(source)
    for group in list(groups.values()):
        for program in [source for source in group if "int main(" in source.file.read_text(encoding="utf-8")]:
            group.remove(program)
            yield [program]
        for first in range(0, len(group), TOGETHER):
            yield group[first : first + TOGETHER]


def tidy(group: list[Source], pending: dict[Source, Path], program: str) -> str:
    """What clang-tidy says of these files; empty if they are clean. Files that are clean are remembered."""
    found = {}
    if len(group) == 1 or said_together(group, pending, program):
        found = {source: said_of(source.file, source, program) for source in group}
    for source in group:
        if not found.get(source):
            pending[source].touch()
    return "\n".join(filter(None, found.values()))


def said_together(group: list[Source], pending: dict[Source, Path], program: str) -> str:
    """What clang-tidy says of one source that includes them all."""
    unit = pending[group[0]].with_suffix(".cpp")
    unit.write_text("".join(f'#include "{source.file}"\n' for source in group), encoding="utf-8")
    try:
        return said_of(
            unit,
            group[0],
            program,
            NOT_TOGETHER,
            "--header-filter=/(src|include|bench)/.*[.][ch]pp$",
        )
    finally:
        unit.unlink()


def main() -> int:
    """1 if there was anything to say."""
    program, build = sys.argv[1], Path(sys.argv[2]).resolve()
    (build / "tidy").mkdir(exist_ok=True)
    version = subprocess.run([program, "--version"], capture_output=True, check=True).stdout
    settings = (ROOT / ".clang-tidy").read_bytes() + version
    clean = True
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        files = list(sources(build))
        known = (build / "tidy" / name for name in pool.map(lambda source: content(source, settings), files))
        pending = {source: file for source, file in zip(files, known, strict=True) if not file.is_file()}
        for said in pool.map(lambda group: tidy(group, pending, program), rooms(pending)):
            if said:
                clean = False
                print(said, flush=True)
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
