# SPDX-License-Identifier: BSD-3-Clause
"""Runs clang-tidy on the sources of a build, once for every content.

clang-tidy takes seconds per file, mostly for system headers: for 12 files of src/analysis, 75 s of processor
time one by one, as run-clang-tidy checks them, and 6 s as one source. A clean file is checked again only
after a change of its text, a header of this project, its command or the settings. Files with the same flags
are checked together as one source that includes them. Where that gives diagnostics or does not compile, each
half is checked, down to single files. Only diagnostics of single files count.

Usage: `tidy.py CLANG-TIDY BUILD-DIRECTORY [change]`. With `change` it checks the sources that differ from the
commit STRETTO_BASE (without it, from where the branch left origin/main, or from the commit before), for each
header that differs one source that includes it, and a part of the rest, another one at each commit: `.ci/run`
has few minutes, and after PARTS commits everything was checked.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# Flags without effect on diagnostics: outputs, dependency files, and flags unknown to clang.
WITH_ARGUMENT = frozenset({"-o", "-MT", "-MF"})
TOGETHER = 24  # files checked as one source
PARTS = 8  # parts of all sources, of which `change` checks one
SETTINGS = (".clang-tidy", "scripts/tidy.py")  # where these differ, everything is checked
# Checks whose diagnostics arise from including sources in each other.
NOT_TOGETHER = "--checks=-bugprone-suspicious-include,-bugprone-exception-escape"
ALONE = frozenset({"-c", "-MD", "-fno-ipa-pure-const"})
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
INCLUDED_FROM = (ROOT / "src", ROOT / "include", ROOT / "include" / "armci")


@dataclass(frozen=True)
class Source:
    """One translation unit and its compiler flags, without those of the build only."""

    file: Path
    directory: Path
    compiler: str
    flags: tuple[str, ...]


def sources(build: Path) -> Iterator[Source]:
    """The translation units under src/ and bench/ of a compile_commands.json.

    The tests are excluded, because GoogleTest's headers and macros would double the time.
    """
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        file = Path(entry["file"])
        if file.is_relative_to(ROOT / "src") or file.is_relative_to(ROOT / "bench"):
            words = shlex.split(entry["command"])
            launcher = next((i for i, word in enumerate(words[:5]) if Path(word).name == "ccache"), -1)
            words = words[launcher + 1 :]
            yield Source(file, Path(entry["directory"]), words[0], tuple(meaning(words[1:], entry["file"])))


def meaning(words: list[str], file: str) -> Iterator[str]:
    """The flags that affect diagnostics, without the source."""
    rest = iter(words)
    for word in rest:
        if word in WITH_ARGUMENT:
            next(rest, None)
        elif word not in ALONE and word != file:
            yield word


def content(source: Source, settings: bytes) -> str:
    """A hash of all inputs of clang-tidy except system headers, which change rarely."""
    digest = hashlib.sha256(settings + shlex.join(source.flags).encode())
    for file in sorted(with_headers(source.file)):
        digest.update(file.read_bytes())
    return digest.hexdigest()


@functools.cache
def with_headers(file: Path) -> frozenset[Path]:
    """The file and the headers of this project that it includes."""
    files, ahead = {file}, [file]
    while ahead:
        including = ahead.pop()
        for name in INCLUDE.findall(including.read_text(encoding="utf-8")):
            for directory in (including.parent, *INCLUDED_FROM):
                header = (directory / name).resolve()
                if header.is_file() and header not in files:
                    files.add(header)
                    ahead.append(header)
    return frozenset(files)


def git(*words: str) -> str:
    """The output of a git command; empty where it fails."""
    run = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return run.stdout.strip() if run.returncode == 0 else ""


def base() -> str:
    """The commit that a change is compared with; empty where there is none."""
    if given := os.environ.get("STRETTO_BASE", ""):
        return git("rev-parse", "--verify", "--quiet", f"{given}^{{commit}}")
    head = git("rev-parse", "HEAD")
    branched = git("merge-base", "HEAD", "origin/main")
    return branched if branched not in ("", head) else git("rev-parse", "--verify", "--quiet", "HEAD^")


def changed(since: str) -> frozenset[Path]:
    """The files that differ from a commit, also those that git does not know yet."""
    names = git("diff", "--name-only", since) + "\n" + git("ls-files", "--others", "--exclude-standard")
    return frozenset(ROOT / name for name in names.splitlines() if name)


def of_change(files: Sequence[Source], different: Collection[Path], part: int) -> list[Source]:
    """The sources that `change` checks, of all `files`, where the files `different` differ."""
    if any(ROOT / name in different for name in SETTINGS):
        return list(files)
    chosen = {source.file for source in files} & set(different)
    read = {file for source in chosen for file in with_headers(source)}
    for header in sorted(set(different) - read):
        including = [source.file for source in files if header in with_headers(source.file)]
        if header not in read and including:
            one = min(including, key=lambda file: (file.stem != header.stem, file))
            chosen.add(one)
            read |= with_headers(one)
    ordered = sorted({source.file for source in files})
    chosen |= set(ordered[part * len(ordered) // PARTS : (part + 1) * len(ordered) // PARTS])
    return [source for source in files if source.file in chosen]


def requested(files: Sequence[Source]) -> Sequence[Source]:
    """The sources to check, by the command line."""
    since = base() if sys.argv[3:] == ["change"] else ""
    if not since:
        return files
    part = int(git("rev-list", "--count", "HEAD") or 0) % PARTS
    result = of_change(files, changed(since), part)
    print(
        f"clang-tidy: {len(result)} of {len(files)} sources: those that differ from {since[:9]}, "
        f"and part {part + 1} of {PARTS}; make lint checks all",
        flush=True,
    )
    return result


def output_of(file: Path, source: Source, program: str, *options: str) -> str:
    """The diagnostics of a file compiled like `source`; empty if it is clean."""
    command = [program, "--quiet", *options, str(file), "--", *source.flags]
    run = subprocess.run(command, cwd=source.directory, capture_output=True, text=True, check=False)
    return "" if run.returncode == 0 and not run.stdout.strip() else run.stdout or run.stderr


def groups(pending: dict[Source, Path]) -> Iterator[list[Source]]:
    """Groups of sources of one component. A program is a separate group, because of its main(), and a file
    that two libraries compile is in two groups, because it cannot be included twice.
    """
    ordered = sorted(pending, key=lambda source: source.file)
    programs = [source for source in ordered if "int main(" in source.file.read_text(encoding="utf-8")]
    yield from ([program] for program in programs)
    left = [source for source in ordered if source not in programs]
    while left:
        once = list({source.file: source for source in left}.values())
        left = [source for source in left if source not in once]
        many = -(-len(once) // TOGETHER)
        for number in range(many):
            yield once[number * len(once) // many : (number + 1) * len(once) // many]


def tidy(group: list[Source], pending: dict[Source, Path], program: str) -> str:
    """The diagnostics of these files; empty if they are clean. Clean files are recorded."""
    if len(group) == 1:
        text = output_of(group[0].file, group[0], program)
    elif output_together(group, pending, program):
        half = len(group) // 2
        return tidy(group[:half], pending, program) + tidy(group[half:], pending, program)
    else:
        text = ""
    if not text:
        for source in group:
            pending[source].touch()
    return text


def output_together(group: list[Source], pending: dict[Source, Path], program: str) -> str:
    """The diagnostics of one source that includes them all."""
    unit = pending[group[0]].with_suffix(".cpp")
    flags = dict.fromkeys(flag for source in group for flag in whole_flags(source.flags))
    words = tuple(word for flag in flags for word in flag)
    together = Source(unit, group[0].directory, group[0].compiler, words)
    unit.write_text("".join(f'#include "{source.file}"\n' for source in group), encoding="utf-8")
    try:
        return output_of(
            unit,
            together,
            program,
            NOT_TOGETHER,
            "--header-filter=/(src|include|bench)/.*[.][ch]pp$",
        )
    finally:
        unit.unlink()


def whole_flags(flags: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Flags joined with their separate arguments."""
    words = iter(flags)
    for word in words:
        yield (word, next(words)) if word in {"-isystem", "-include", "-I", "-D"} else (word,)


def main() -> int:
    """Prints the diagnostics; returns 1 where there are any."""
    program, build = sys.argv[1], Path(sys.argv[2]).resolve()
    (build / "tidy").mkdir(exist_ok=True)
    version = subprocess.run([program, "--version"], capture_output=True, check=True).stdout
    settings = (ROOT / ".clang-tidy").read_bytes() + version
    clean = True
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        files = requested(list(sources(build)))
        known = (build / "tidy" / name for name in pool.map(lambda source: content(source, settings), files))
        pending = {source: file for source, file in zip(files, known, strict=True) if not file.is_file()}
        for text in pool.map(lambda group: tidy(group, pending, program), groups(pending)):
            if text:
                clean = False
                print(text, flush=True)
    return 0 if clean else 1


if __name__ == "__main__":
    sys.exit(main())
