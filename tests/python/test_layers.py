# SPDX-License-Identifier: BSD-3-Clause
"""Arrows point down only: which room of src/ may include which, which part of stretto may import which.

These two tables are the one place where that is written down; docs/architecture.md draws them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

Arrows = Mapping[str, frozenset[str]]


def arrows(table: dict[str, str]) -> Arrows:
    return {room: frozenset(below.split()) for room, below in table.items()}


# What a room may use directly; what those may use, it may use, too. Tools are the mains: they may use all.
NATIVE = arrows(
    {
        "record": "",
        "measure": "record",
        "mpi": "",
        # The one network model: LogGP, schedules as graphs, what stretto-model answers.
        "network": "",
        "profile": "network",
        "rma": "mpi profile",
        # Traces: the layout is that which the recorder writes.
        "replay": "network record",
        "exchange": "mpi rma replay network measure",
        "collective": "network rma",
        "kernel": "exchange collective network",
        "probe": "exchange collective",
        # Who looks at a program's accesses knows neither MPI nor files.
        "memory": "",
        "trace": "record memory",
        "armci": "rma",
        "tools": "probe exchange collective kernel trace armci replay network measure record profile mpi rma",
    }
)
# Who may include <mpi.h>; the others are built without an MPI, and tested without one.
KNOWS_MPI = frozenset({"mpi", "rma", "exchange", "collective", "kernel", "trace", "armci", "tools"})
# Public headers (include/stretto) belong to the room that implements them.
PUBLIC_HEADERS = {
    "exchange": "transport",
    "kernel": "fft spmv",
    "measure": "clock statistics work",
    "collective": "collective collective_choice",
    "network": "collective_form",
    "rma": "accumulate aggregate atomic counters element error handle mutexes options region runtime shape"
    " signal team transfer",
}
# Facts about the build: everybody may include them.
FREE_HEADERS = frozenset({"version"})

PYTHON = arrows(
    {
        "errors": "",
        "data": "errors",
        # Finds the native programs, and asks the one that evaluates models.
        "native": "errors",
        "model": "data native",
        "options": "data",
        "launch": "model native options",
        "report": "model potential",
        "potential": "model",
        "commands": "launch options potential report",
    }
)


@dataclass(frozen=True)
class Use:
    """Where one room uses another; `used` is a room, or `<mpi.h>`."""

    file: Path
    line: int
    room: str
    used: str


def allowed(table: Arrows, room: str) -> set[str]:
    """The room itself and all that is below it."""
    reached: set[str] = set()
    waiting = {room}
    while waiting:
        reached |= waiting
        waiting = {below for above in waiting for below in table[above]} - reached
    return reached


def violations(table: Arrows, uses: Iterator[Use]) -> list[str]:
    """One line for every use that points up, or that no table knows."""
    wrong = []
    for use in uses:
        where = f"{use.file}:{use.line}"
        if use.room not in table:
            wrong.append(f"{where}: room {use.room} is not in the table of tests/python/test_layers.py")
        elif use.used == "<mpi.h>":
            if use.room not in KNOWS_MPI:
                wrong.append(f"{where}: {use.room} must not know MPI")
        elif use.used not in allowed(table, use.room):
            wrong.append(f"{where}: {use.room} must not use {use.used}")
    return wrong


def owner(header: str) -> str:
    """The room of a public header; its own name, which no table knows, where it has none."""
    owners = [room for room, headers in PUBLIC_HEADERS.items() if header in headers.split()]
    return owners[0] if owners else f"stretto/{header}.hpp (which PUBLIC_HEADERS gives no room)"


def native_uses(source: Path) -> Iterator[Use]:
    """Every include in `source`/ROOM/ of another room, of a public header, or of MPI."""
    for file in sorted(source.glob("*/**/*.[ch]pp")):
        room = file.relative_to(source).parts[0]
        for line, text in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            found = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', text)
            if found is None:
                continue
            name = found[1]
            if name == "mpi.h":
                yield Use(file, line, room, "<mpi.h>")
            elif name.startswith("stretto/"):
                header = name.removeprefix("stretto/").removesuffix(".hpp")
                if header not in FREE_HEADERS:
                    yield Use(file, line, room, owner(header))
            elif "/" in name and (source / name).is_file():
                yield Use(file, line, room, name.split("/")[0])


def python_uses(package: Path) -> Iterator[Use]:
    """Every import in `package`/PART of another part of stretto, wherever in the file it stands."""
    for file in sorted(package.glob("**/*.py")):
        parts = file.relative_to(package).with_suffix("").parts
        if parts[0] in ("__init__", "__main__"):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            for module in imported(node, parts):
                yield Use(file, getattr(node, "lineno", 0), parts[0], module)


def imported(node: ast.AST, parts: tuple[str, ...]) -> Iterator[str]:
    """The parts of stretto that an import statement in the module `parts` names."""
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        inside = ("stretto", *parts)[: -node.level] if node.level else ()
        origin = ".".join((*inside, *([node.module] if node.module else [])))
        names = [f"{origin}.{alias.name}" for alias in node.names] if origin == "stretto" else [origin]
    else:
        return
    for name in names:
        if name.startswith("stretto."):
            yield name.split(".")[1]


def test_native_rooms_use_only_rooms_below() -> None:
    uses = list(native_uses(ROOT / "src"))
    assert uses, "no include between rooms found: is the pattern still right?"
    assert violations(NATIVE, iter(uses)) == []


def test_python_parts_use_only_parts_below() -> None:
    uses = list(python_uses(ROOT / "python" / "stretto"))
    assert uses, "no import between parts found: is the pattern still right?"
    assert violations(PYTHON, iter(uses)) == []


def test_tables_have_no_cycle() -> None:
    for table in (NATIVE, PYTHON):
        for room in table:
            for below in table[room]:
                assert room not in allowed(table, below), f"{room} and {below} use each other"


@pytest.mark.parametrize(
    ("room", "text", "complaint"),
    [
        ("record", '#include "probe/probe.hpp"', "record must not use probe"),
        ("replay", "#  include <mpi.h>", "replay must not know MPI"),
        ("record", "#include <stretto/clock.hpp>", "record must not use measure"),
        ("tools", "#include <stretto/attic.hpp>", "PUBLIC_HEADERS gives no room"),
        ("cellar", '#include "probe/probe.hpp"', "room cellar is not in the table"),
        ("measure", '#include "record/rows.hpp"', None),
        ("probe", '#include "measure/team.hpp"', None),
    ],
)
def test_planted_include(tmp_path: Path, room: str, text: str, complaint: str | None) -> None:
    for header in ("probe/probe.hpp", "record/rows.hpp", "measure/team.hpp"):
        (tmp_path / header).parent.mkdir(exist_ok=True)
        (tmp_path / header).touch()
    (tmp_path / room).mkdir(exist_ok=True)
    (tmp_path / room / "planted.cpp").write_text(f"// first line\n{text}\n")
    found = violations(NATIVE, native_uses(tmp_path))
    assert (not found) if complaint is None else (complaint in found[0] and "planted.cpp:2" in found[0])


@pytest.mark.parametrize(
    ("part", "text", "complaint"),
    [
        ("data", "from stretto.report import text", "data must not use report"),
        ("data", "def f():\n    import stretto.launch.mpi", "data must not use launch"),
        ("model", "from stretto import commands", "model must not use commands"),
        ("report", "from ..launch import job", "report must not use launch"),
        ("commands", "from stretto.report import text", None),
        ("data", "from .fields import number", None),
    ],
)
def test_planted_import(tmp_path: Path, part: str, text: str, complaint: str | None) -> None:
    (tmp_path / part).mkdir()
    (tmp_path / part / "planted.py").write_text(text + "\n")
    found = violations(PYTHON, python_uses(tmp_path))
    assert (not found) if complaint is None else (complaint in found[0])


def module_imports(component: Path) -> dict[str, set[str]]:
    """Which modules of a Python component each of its modules imports, wherever in the file it does."""
    inside = f"stretto.{component.name}"
    found: dict[str, set[str]] = {}
    for file in sorted(component.glob("**/*.py")):
        name = ".".join(file.relative_to(component.parent.parent).with_suffix("").parts).removesuffix(
            ".__init__"
        )
        found[name] = set()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            else:
                continue
            found[name] |= {one for one in names if one.startswith(f"{inside}.")}
    return {name: {one for one in used if one in found} for name, used in found.items()}


def cycles(graph: Mapping[str, set[str]]) -> list[str]:
    """Modules that import themselves by way of others."""
    wrong = []
    for start in graph:
        reached: set[str] = set()
        waiting = set(graph[start])
        while waiting:
            reached |= waiting
            waiting = {used for module in waiting for used in graph[module]} - reached
        if start in reached:
            wrong.append(start)
    return wrong


@pytest.mark.parametrize(
    "component", sorted(path.parent.name for path in (ROOT / "python" / "stretto").glob("*/__init__.py"))
)
def test_no_modules_of_a_component_import_each_other_in_a_circle(component: str) -> None:
    graph = module_imports(ROOT / "python" / "stretto" / component)
    assert cycles(graph) == []


def test_a_planted_circle_is_found(tmp_path: Path) -> None:
    component = tmp_path / "stretto" / "data"
    component.mkdir(parents=True)
    (component / "a.py").write_text("from stretto.data import b\n")
    (component / "b.py").write_text("def f():\n    from stretto.data.c import g\n")
    (component / "c.py").write_text("from stretto.data.a import h\n")
    (component / "d.py").write_text("import stretto.data.a\n")
    assert cycles(module_imports(component)) == ["stretto.data.a", "stretto.data.b", "stretto.data.c"]
