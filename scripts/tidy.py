# SPDX-License-Identifier: BSD-3-Clause
"""Runs clang-tidy on the sources of a build, once for every content.

clang-tidy takes seconds a file, most of them for headers that never change; so a file that was clean is not
looked at again until its preprocessed text, its command or the settings differ.

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


def tidy(source: Source, program: str, build: Path, settings: bytes) -> str:
    """What clang-tidy says of one file; empty if it is clean, or was when last seen like this."""
    known = build / "tidy" / content(source, settings)
    if known.is_file():
        return ""
    command = [program, "--quiet", str(source.file), "--", *source.flags]
    run = subprocess.run(command, cwd=source.directory, capture_output=True, text=True, check=False)
    if run.returncode == 0 and not run.stdout.strip():
        known.touch()
        return ""
    return run.stdout or run.stderr


def main() -> int:
    """1 if there was anything to say."""
    program, build = sys.argv[1], Path(sys.argv[2]).resolve()
    (build / "tidy").mkdir(exist_ok=True)
    version = subprocess.run([program, "--version"], capture_output=True, check=True).stdout
    settings = (ROOT / ".clang-tidy").read_bytes() + version
    clean = True
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for said in pool.map(lambda source: tidy(source, program, build, settings), sources(build)):
            if said:
                clean = False
                print(said, flush=True)
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
