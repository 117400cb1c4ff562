# SPDX-License-Identifier: BSD-3-Clause
"""Results as text on the terminal, and as a section of a page of Markdown."""

from __future__ import annotations

import os
import platform
import shlex
import subprocess
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path

from bench.harness.checks import HEAD, Checks, Result

ROOT = Path(__file__).resolve().parents[2]

# Options that say how often something is measured, not what.
REPETITIONS = frozenset({"--turns", "--rounds", "--budget", "--seeds"})
_CONTINUED = "--keep"
"""A run that was interrupted, and continued, measures the same."""


def as_text(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table with aligned columns: words to the left, numbers to the right."""
    widths = [max(len(row[i]) for row in (columns, *rows)) for i in range(len(columns))]
    words = [any(not _is_number(row[i]) for row in rows) for i in range(len(columns))]

    def line(cells: Sequence[str]) -> str:
        placed = (c.ljust(w) if word else c.rjust(w) for c, w, word in zip(cells, widths, words, strict=True))
        return "  ".join(placed).rstrip()

    return "\n".join([f"\n# {title}", f"# {line(columns)}", *(f"  {line(row)}" for row in rows)])


def result_text(result: Result) -> str:
    """One result."""
    if isinstance(result, Checks):
        return as_text(result.title, HEAD, [check.cells for check in result.checks])
    return as_text(result.title, result.columns, result.rows)


def with_section(page: str, entry: str, what: str, command: str, results: Sequence[Result]) -> str:
    """The page of results with this run as its first section, in place of the older one of the same subject.

    `page` is empty for a new page.
    """
    head, *sections = (page or f"# {entry}\n\n{what[0].upper()}{what[1:]}.\n").split("\n## ")
    title = f"{datetime.now(timezone.utc):%Y-%m-%d}: `{command}`"
    lines = [title, "", f"{machine()}; load {load()} at the end; revision {revision()}."]
    for result in results:
        columns = HEAD if isinstance(result, Checks) else result.columns
        rows = [check.cells for check in result.checks] if isinstance(result, Checks) else result.rows
        lines += ["", f"### {result.title}", ""]
        lines += [_row(columns), "|" + "---|" * len(columns), *map(_row, rows)]
    mine = section_subject(title)
    others = [section.strip() for section in sections if section_subject(section.partition("\n")[0]) != mine]
    return "\n\n## ".join([head.strip(), "\n".join(lines), *others]) + "\n"


def section_subject(title: str) -> tuple[str, ...]:
    """The words of a section's command that say what was measured: neither its date nor its repetitions."""
    command = title.partition("`")[2].rpartition("`")[0]
    words = [inner for word in shlex.split(command) for inner in shlex.split(word.removeprefix("ARGS="))]
    subject = []
    rest = iter(words)
    for word in rest:
        if word in REPETITIONS:
            next(rest, None)
        elif word != _CONTINUED:
            subject.append(word)
    return tuple(sorted(subject))


def revision() -> str:
    """The revision of the source tree."""
    command = ["git", "-C", str(ROOT), "describe", "--always", "--tags", "--dirty"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def machine() -> str:
    """Processor, cores and system."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return f"{model or platform.machine()}, {os.cpu_count()} cores, Linux {platform.release()}"


def load() -> str:
    """The current load of the machine."""
    return " ".join(f"{one:.1f}" for one in os.getloadavg())


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _is_number(text: str) -> bool:
    return not any(letter.isalpha() for letter in text)
