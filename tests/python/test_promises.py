# SPDX-License-Identifier: BSD-3-Clause
"""The promises of docs/runtime.md, their tests, and the page that shows them are of the same numbers."""

import json
import re
from pathlib import Path

import promises

ROOT = Path(__file__).resolve().parents[2]


def documented() -> set[str]:
    text = (ROOT / "docs/runtime.md").read_text()
    return set(re.findall(r"^\| ([COV]\d+) \|", text, re.M)) | set(
        re.findall(r"^- \*\*([COV]\d+)\*\*", text, re.M)
    )


def with_a_test() -> set[str]:
    files = (ROOT / "tests/mpi/promises").glob("*.cpp")
    return {number for file in files for number in re.findall(r'\{"([COV]\d+)"', file.read_text())}


def test_each_documented_promise_has_a_test_and_each_test_its_promise() -> None:
    assert documented() == with_a_test()
    assert {"C1", "O1", "V1"} <= documented()


def test_the_page_shows_each_promise_and_none_broken() -> None:
    text = (ROOT / "docs/results/promises.md").read_text()
    shown = set(re.findall(r"^\| ([COV]\d+) \|", text, re.M))
    assert shown == documented()
    assert "broken**" not in text


def row(**changes: object) -> str:
    usual: dict[str, object] = {
        "mpi": "An MPI", "promise": "C7", "path": "rma", "world": "rma_forced", "progress": "none", "bytes": 8,
        "threads": 1, "tries": 6, "target": "waits", "held": True,
    }  # fmt: skip
    return json.dumps({**usual, **changes})


def test_a_cell_is_broken_where_one_world_breaks_it(tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl"
    file.write_text(
        "\n".join(
            [row(), row(threads=3), row(world="rma_chosen", held=False), row(progress="poll", bytes=64)]
        )
    )
    text = promises.page(list(promises.read_cells([file])), "2026-11-27")
    line = next(line for line in text.splitlines() if line.startswith("| C7"))
    assert line == "| C7 | **broken** | - | - | w6? | - | - |"
    assert "1 of them broken" in text


def test_the_page_keeps_what_it_has_of_the_other_mpis(tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl"
    file.write_text(row(mpi="Second MPI"))
    (cell,) = promises.read_cells([file])
    first = promises.page([cell], "2026-11-27")
    file.write_text(row(mpi="First MPI", tries=9))
    (cell,) = promises.read_cells([file])
    both = promises.page([cell], "2026-11-28", first)
    assert [line for line in both.splitlines() if line[:3] == "## "] == ["## First MPI", "## Second MPI"]
    assert both.endswith(first[first.index("## Second MPI") :])
    assert promises.page([cell], "2026-11-28", both) == both


def test_a_table_that_an_earlier_mpi_has_is_shown_once_and_not_lost(tmp_path: Path) -> None:
    file = tmp_path / "some.jsonl"
    file.write_text("\n".join(row(mpi=f"{name} MPI") for name in ("First", "Second")))
    cells = list(promises.read_cells([file]))
    both = promises.page(cells, "2026-11-28")
    assert both.count("| C7 |") == 1 and "Path `rma`\n\nAs under First MPI." in both
    file.write_text(row(mpi="First MPI", held=False))
    changed = promises.page(list(promises.read_cells([file])), "2026-11-29", both)
    second = changed.split("## Second MPI\n")[1]
    assert "| C7 | w6? |" in second and "broken**" not in second


def test_the_runtime_uses_the_atomics_and_locks_that_can_delay() -> None:
    """src/progress/thread has its own, which no test delays: it may use no other component."""
    own = ROOT / "src/onesided/memory/threading.hpp"
    files = set((ROOT / "src/onesided").rglob("*.?pp"))
    assert own in files
    for file in files:
        if file != own:
            assert not re.search(
                r"std::(atomic<|atomic_flag\b|condition_variable|\w*mutex\b)", file.read_text()
            ), file
