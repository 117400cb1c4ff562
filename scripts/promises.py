#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""promises.py [PRESET...]: tests every promise of the runtime, and writes docs/results/promises.md.

Without a preset it takes mpich. A preset must be configured (scripts/native PRESET configure). The page
keeps what it has of the other MPIs. `--table` only writes the page from the cells of earlier runs, which
stay in .setup/promises/.
"""

import argparse
import datetime
import json
import os
import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CELLS = ROOT / ".setup" / "promises"
PAGE = ROOT / "docs" / "results" / "promises.md"
PROGRESS = ("none", "poll", "thread")
PATHS = {
    "direct": "Path `direct`",
    "rma": "Path `rma`",
    "message": "Path `message`",
    "chosen": "The path that the runtime chooses between nodes",
}
MARKS = {"still": "s", "waits": "w", "acts": "a"}
LAUNCH = {
    "mpich": [".venv/bin/mpiexec"],
    "openmpi": [".mpi/openmpi/bin/mpiexec", "--allow-run-as-root", "--oversubscribe"],
    "openmpi4": ["mpiexec.openmpi", "--allow-run-as-root", "--oversubscribe"],
}
HEAD = """# Promises of the runtime, tested

Each [promise of the runtime](../runtime.md#completion), in every world of `tests/mpi/promises/worlds.hpp`:
forced paths and chosen ones, memory of the runtime and of the program, few buffers, a timeout. The kernel
reads the target's memory for the origin at the moment of the promise. The command
`scripts/promises.py mpich openmpi openmpi4` runs all of it on two ranks of one host, and writes this page.

- **s**: the target's program calls nothing. Its progress thread runs where the column says so.
- **w**: the target calls the runtime now and then, and sleeps in between. Without a progress thread nobody
  else serves requests, and some MPIs move no `MPI_Put` without calls: the promise is not possible while the
  target calls nothing.
- **a**: the promise is about a call of the target, which looks at its own memory when it returns.
- **1**: the promise is about one word, so that there is no other size.
- The number behind a letter: so many tries, from one thread, and from three with a fourth that polls.
"""


@dataclass(frozen=True)
class Cell:
    mpi: str
    promise: str
    path: str
    progress: str
    size_bytes: int
    threads: int
    tries: int
    target: str
    held: bool


def read_cells(files: Iterable[Path]) -> Iterator[Cell]:
    for file in files:
        for line in file.read_text().splitlines():
            row = json.loads(line)
            yield Cell(
                " ".join(row["mpi"].split()),
                row["promise"],
                row["path"],
                row["progress"],
                row["bytes"],
                row["threads"],
                row["tries"],
                row["target"],
                row["held"],
            )


def promise_order(identifier: str) -> tuple[int, int]:
    return "COV".index(identifier[0]), int(identifier[1:])


def size_name(size_bytes: int) -> str:
    return "4 MiB" if size_bytes == 4 << 20 else f"{size_bytes} B"


def cell_text(cells: list[Cell], about_words: bool) -> str:
    """What is known of one promise, path, progress and size."""
    if not cells:
        return "1" if about_words else "-"
    if not all(cell.held for cell in cells):
        return "**broken**"
    marks = sorted({MARKS[cell.target] for cell in cells})
    missing = {1, 3} - {cell.threads for cell in cells}
    return "".join(marks) + str(sum(cell.tries for cell in cells)) + ("?" if missing else "")


def table(cells: list[Cell]) -> Iterator[str]:
    sizes = sorted({cell.size_bytes for cell in cells})
    columns = [(progress, size) for progress in PROGRESS for size in sizes]
    yield "| | " + " | ".join(f"{progress} {size_name(size)}" for progress, size in columns) + " |"
    yield "|---" * (len(columns) + 1) + "|"
    for promise in sorted({cell.promise for cell in cells}, key=promise_order):
        own = [cell for cell in cells if cell.promise == promise]
        about_words = {cell.size_bytes for cell in own} == {8}
        texts = [
            cell_text([cell for cell in own if (cell.progress, cell.size_bytes) == column], about_words)
            for column in columns
        ]
        yield f"| {promise} | " + " | ".join(texts) + " |"


def section(mpi: str, cells: list[Cell], day: str) -> str:
    """What is known of one MPI."""
    tries = sum(cell.tries for cell in cells)
    broken = sum(not cell.held for cell in cells)
    lines = [
        f"## {mpi}",
        "",
        f"{day}: {tries} tries in {len(cells)} cells of worlds, {broken} of them broken.",
        "",
    ]
    for path, title in PATHS.items():
        lines += [f"### {mpi}: {title}", ""]
        of_path = [cell for cell in cells if cell.path == path]
        lines += (
            list(table(of_path)) if of_path else ["Not possible: this MPI has no windows over this network."]
        )
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


SAME = "As under "


def sections(text: str) -> dict[str, str]:
    """Those of a page, by MPI, each with all of its tables."""
    parts = re.split(r"^(?=## )", text, flags=re.M)[1:]
    found: dict[str, str] = {}
    for part in parts:
        mpi = part.splitlines()[0].removeprefix("## ")
        head, *paths = _by_path(part)
        whole = [head]
        for title, body in zip(*_titles_and_bodies(mpi, paths)):
            other = body.removeprefix(SAME).removesuffix(".") if body.startswith(SAME) else ""
            if other:
                _, *others = _by_path(found[other])
                body = dict(zip(*_titles_and_bodies(other, others)))[title]
            whole.append(f"### {mpi}: {title}\n\n{body}\n\n")
        found[mpi] = "".join(whole).rstrip() + "\n"
    return found


def condensed(whole: dict[str, str]) -> list[str]:
    """The sections in the order of the page. A table that an earlier one has, too, is not shown again."""
    shown: dict[tuple[str, str], str] = {}
    texts = []
    for mpi in sorted(whole):
        head, *paths = _by_path(whole[mpi])
        lines = [head]
        for title, body in zip(*_titles_and_bodies(mpi, paths)):
            first = shown.setdefault((title, body), mpi) if body.startswith("|") else mpi
            lines.append(f"### {mpi}: {title}\n\n{body if first == mpi else f'{SAME}{first}.'}\n\n")
        texts.append("".join(lines).rstrip() + "\n")
    return texts


def _by_path(section_of_one: str) -> list[str]:
    return re.split(r"^(?=### )", section_of_one, flags=re.M)


def _titles_and_bodies(mpi: str, paths: list[str]) -> tuple[list[str], list[str]]:
    heads = [one.splitlines()[0] for one in paths]
    titles = [head.removeprefix(f"### {mpi}: ") for head in heads]
    return titles, [one.removeprefix(head).strip() for one, head in zip(paths, heads)]


def page(cells: list[Cell], day: str, before: str = "") -> str:
    """The page, with the sections of other MPIs as they are on the page before."""
    named = {mpi: [cell for cell in cells if cell.mpi == mpi] for mpi in {cell.mpi for cell in cells}}
    known = sections(before) | {mpi: section(mpi, own, day) for mpi, own in named.items()}
    return "\n".join([HEAD, *condensed(known)])


def run(preset: str) -> int:
    """Builds and runs the test of one MPI, with two ranks."""
    subprocess.run(
        ["cmake", "--build", f"build/{preset}", "--target", "onesided_promises"], cwd=ROOT, check=True
    )
    CELLS.mkdir(parents=True, exist_ok=True)
    file = CELLS / f"{preset}.jsonl"
    file.unlink(missing_ok=True)
    command = [
        *LAUNCH[preset],
        "-n",
        "2",
        f"build/{preset}/tests/onesided_promises",
        "--ranks=2",
        "--timeout=120",
    ]
    command.append("--gtest_filter=*OnesidedPromises.Hold*")
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, "STRETTO_PROMISES": str(file)}, check=False
    ).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("presets", nargs="*", help=f"of {', '.join(LAUNCH)}")
    parser.add_argument("--table", action="store_true", help="only write the page")
    arguments = parser.parse_args()
    presets = arguments.presets or ["mpich"]
    for preset in presets:
        if preset not in LAUNCH:
            parser.error(f"{preset} is none of {', '.join(LAUNCH)}")
    status = 0 if arguments.table else max(run(preset) for preset in presets)
    day = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    chosen = [file for file in CELLS.glob("*.jsonl") if arguments.table or file.stem in presets]
    PAGE.write_text(page(list(read_cells(sorted(chosen))), day, PAGE.read_text()))
    return status


if __name__ == "__main__":
    raise SystemExit(main())
