# SPDX-License-Identifier: BSD-3-Clause
"""Arrows point down only: which component of src/ may include which, which part of stretto may import which.

A component also has private headers: another one may include its interface alone. The tables here are the one place
where all that is written down; docs/architecture.md draws them.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

Arrows = Mapping[str, frozenset[str]]


def arrows(table: dict[str, str]) -> Arrows:
    return {component: frozenset(below.split()) for component, below in table.items()}


# What a component may use directly; what those may use, it may use, too. Tools are the mains: they may use all.
NATIVE = arrows(
    {
        "record": "",
        "measure": "record",
        "mpi": "",
        # The one network model: LogGP, schedules as graphs, what stretto-model answers.
        "network": "",
        "profile": "network",
        # The list of MPI's calls, from which wrappers are generated: no C++ of its own.
        "interpose": "",
        # The progress thread, which the runtime shares, and libstretto_progress.so for unmodified programs.
        "progress": "mpi",
        "onesided": "progress mpi profile",
        # Traces: the layout is that which the recorder writes.
        "replay": "network record",
        # What a trace's communication costs, and what could hide it.
        "analysis": "replay",
        # Traces of other tools.
        "foreign": "replay",
        "exchange": "mpi onesided measure",
        "collective": "network onesided",
        # What plans of transforms and sparse products share.
        "plan": "onesided",
        "fft": "plan exchange network profile",
        "sparse": "plan exchange",
        # The C interface of the runtime, transforms and sparse products, for C, Fortran and Python.
        "bindings": "fft sparse",
        "probe": "exchange collective",
        # Who looks at a program's accesses knows neither MPI nor files.
        "memory": "",
        "trace": "record memory mpi",
        "armci": "onesided",
        "tools": "probe bindings exchange collective trace armci foreign analysis replay network measure record profile mpi onesided",
    }
)
# Who may include <mpi.h>; the others are built without an MPI, and tested without one.
KNOWS_MPI = frozenset(
    {
        "mpi",
        "onesided",
        "progress",
        "exchange",
        "collective",
        "plan",
        "fft",
        "sparse",
        "bindings",
        "trace",
        "armci",
        "tools",
    }
)
# Public headers (include/stretto) belong to the component that implements them.
PUBLIC_HEADERS = {
    "exchange": "transport",
    "fft": "fft",
    "sparse": "spmv",
    "collective": "collective collective_choice",
    "network": "collective_form",
    "plan": "plan_timers",
    "onesided": "accumulate aggregate array atomic completion counters checked_size element error handle mutexes options protocol region"
    " remote_function runtime shape signal team team_collective transfer wait_check",
}
# Headers for C in the same folder.
C_HEADERS = {"bindings": "stretto kernels c/runtime c/teams c/transfers c/updates"}
# The headers of a component's folder that others may include; all others are private to it. A new line here is a
# decision: a public header, or an accessor in one of these, may serve better.
INTERFACES = {
    "analysis": "analyse archive cut listing team timeline",
    "collective": "communicator_state two_phase",
    "exchange": "channel exchange mpi_team pattern pieces platform transports",
    "foreign": "conversion damaged",
    "fft": "candidate_schedules transform_steps",
    "measure": "clock experiment harness named preemption statistics team timekeeper work",
    "memory": "fault_action fault_mask fault_stack irregular pages reserved signal_flags watch",
    "mpi": "abort check communicator count delay fortran_buffer library memory next_function node_groups plain_numbers program reductions statistics_file world",
    "network": "collective_choice draws event_heap json_depth loggp network node_blocks probe_steps profile_paths"
    " quantity rank_timeline request_members requests runtime_functions schedule_graph",
    "plan": "*",
    "probe": "collectives computation nonblocking probes run settings",
    "profile": "document installed machine_costs runtime_settings",
    "record": "limited_size rank_runs record_packer record_unpacker rows sample_file trace_format utc_now",
    "sparse": "candidate_settings",
    "tools": "command_line program request_file",
    "replay": "batch call_kinds call_plan deadlock for_all goal packed_trace plain_trace streamed_trace trace_definitions trace_file trace_schedule",
    # What ARMCI builds on, the reasons of protocols, and the rounding to cache lines.
    "onesided": "api/agreed_options api/agreement api/finalize_hook api/services api/make_transfer path/execute path/explain_path memory/cache_lines",
    # All that makes progress: it knows no runtime. The rules are those that a command asks before a run.
    "progress": "thread/* thread_rules",
}
# Folders that may use nothing else of their component, nor of others, so that they can be used without it.
SELF_CONTAINED = ("progress/thread",)

PYTHON = arrows(
    {
        "errors": "",
        "data": "errors native",
        # Finds the native programs, and asks the one that evaluates models.
        "native": "errors",
        # The Python interface of the runtime; nothing else imports it.
        "rma": "native",
        "model": "data native",
        "options": "data",
        # The files of a traced program: symbols, lines, loops, build ids.
        "binaries": "data",
        "launch": "model native options binaries",
        "report": "model potential",
        "potential": "model",
        # Patches of a program's source: syntax tree and trace together.
        "patch": "launch potential",
        "commands": "launch options potential report patch",
    }
)


@dataclass(frozen=True)
class Use:
    """Where one component uses another; `used` is a component, or `<mpi.h>`."""

    file: Path
    line: int
    component: str
    used: str
    header: str = ""  # in the folder of `used`, without its suffix; empty for public headers


def allowed(table: Arrows, component: str) -> set[str]:
    """The component itself and all that is below it."""
    reached: set[str] = set()
    waiting = {component}
    while waiting:
        reached |= waiting
        waiting = {below for above in waiting for below in table[above]} - reached
    return reached


def cycles(table: Arrows) -> list[str]:
    """What uses itself by way of others."""
    return [one for one in table if any(one in allowed(table, used) for used in table[one])]


def violations(table: Arrows, uses: Iterator[Use]) -> list[str]:
    """One line for every use that points up, or that no table knows."""
    wrong = []
    for use in uses:
        where = f"{use.file}:{use.line}"
        if use.component not in table:
            wrong.append(
                f"{where}: component {use.component} is not in the table of tests/python/test_layers.py"
            )
        elif use.used == "<mpi.h>":
            if use.component not in KNOWS_MPI:
                wrong.append(f"{where}: {use.component} must not know MPI")
        elif use.used not in allowed(table, use.component):
            wrong.append(f"{where}: {use.component} must not use {use.used}")
        elif use.header and use.component != use.used and not is_interface(use.used, use.header):
            wrong.append(
                f"{where}: {use.used}/{use.header}.hpp is private to {use.used}; use a header of INTERFACES"
            )
    return wrong


def is_interface(component: str, header: str) -> bool:
    """Whether other components may include a header of a component's folder."""
    return any(fnmatch(header, pattern) for pattern in INTERFACES.get(component, "").split())


def owner(header: str) -> str:
    """The component of a public header; its own name, which no table knows, where it has none."""
    table = C_HEADERS if header.endswith(".h") else PUBLIC_HEADERS
    stem = header.removesuffix(".h").removesuffix(".hpp")
    owners = [component for component, headers in table.items() if stem in headers.split()]
    return owners[0] if owners else f"stretto/{header} (which PUBLIC_HEADERS gives no component)"


def native_uses(source: Path) -> Iterator[Use]:
    """Every include in `source`/COMPONENT/ of another component, of a public header, or of MPI."""
    for file in sorted(source.glob("*/**/*.[ch]pp")):
        yield from includes_of(file, file.relative_to(source).parts[0], source)


def includes_of(file: Path, component: str, source: Path) -> Iterator[Use]:
    """What one file of a component includes of the components in `source`."""
    for line, text in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        match = re.match(r'\s*#\s*include\s*[<"]([^>"]+)[>"]', text)
        if match is None:
            continue
        name = match[1]
        if name == "mpi.h":
            yield Use(file, line, component, "<mpi.h>")
        elif name.startswith("stretto/"):
            yield Use(file, line, component, owner(name.removeprefix("stretto/")))
        elif "/" in name and (source / name).is_file():
            used, _, header = name.partition("/")
            yield Use(file, line, component, used, header.removesuffix(".hpp"))


def python_uses(package: Path) -> Iterator[Use]:
    """Every import in `package`/PART of another part of stretto, wherever in the file it stands."""
    for file in sorted(package.glob("**/*.py")):
        parts = file.relative_to(package).with_suffix("").parts
        if parts[0] in ("__init__", "__main__"):
            continue
        for line, names in imported(file, ("stretto", *parts)):
            for part in {name.split(".")[1] for name in names if name.startswith("stretto.")}:
                yield Use(file, line, parts[0], part)


def imported(file: Path, module: tuple[str, ...] = ()) -> Iterator[tuple[int, list[str]]]:
    """The line of each import of a file, wherever it stands, and the modules that it may name: `from a import b`
    names a.b, which may be a member of a. Relative imports are those of `module`.
    """
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield node.lineno, [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            inside = module[: -node.level] if node.level else ()
            origin = ".".join((*inside, *([node.module] if node.module else [])))
            yield node.lineno, [f"{origin}.{alias.name}" for alias in node.names]


def test_native_components_use_only_components_below() -> None:
    uses = list(native_uses(ROOT / "src"))
    assert uses, "no include between components found: is the pattern still right?"
    assert violations(NATIVE, iter(uses)) == []


def test_every_interface_exists() -> None:
    for component, patterns in INTERFACES.items():
        for pattern in patterns.split():
            assert list((ROOT / "src" / component).glob(f"{pattern}.hpp")), f"{component}/{pattern}.hpp"


def exposes_a_state(header: str) -> bool:
    public = re.sub(r"\n private:.*?\n};", "", header, flags=re.DOTALL)
    return re.search(r"\bstate\(|State>", public) is not None


def test_no_public_header_exposes_a_state() -> None:
    headers = sorted((ROOT / "include" / "stretto").glob("*.hpp"))
    assert headers
    assert [one.name for one in headers if exposes_a_state(one.read_text(encoding="utf-8"))] == []


def test_a_planted_state_is_found() -> None:
    private = "class A {\n private:\n  std::unique_ptr<State> state_;\n};\n"
    assert not exposes_a_state(private)
    assert exposes_a_state(private.replace(" private:", " public:"))
    assert exposes_a_state(private + "class B {\n  State& state();\n};\n")


def foreign_includes(source: Path, folder: str) -> list[str]:
    """What the files of a folder of `source` include of other folders, but for public headers."""
    return [
        f"{file}: {name}"
        for file in sorted((source / folder).glob("*.[ch]pp"))
        for name in re.findall(r'^\s*#\s*include\s*["<]([^">]+)[">]', file.read_text(encoding="utf-8"), re.M)
        if name == "mpi.h" or ((source / name).is_file() and not name.startswith(f"{folder}/"))
    ]


@pytest.mark.parametrize("folder", SELF_CONTAINED)
def test_a_self_contained_folder_uses_nothing_else(folder: str) -> None:
    assert foreign_includes(ROOT / "src", folder) == []


def test_a_planted_foreign_include_is_found(tmp_path: Path) -> None:
    for name in ("progress/thread/thread.hpp", "onesided/engine/engine.hpp"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    planted = tmp_path / "progress" / "thread" / "planted.cpp"
    planted.write_text(
        '#include "progress/thread/thread.hpp"\n#include <mpi.h>\n#include "onesided/engine/engine.hpp"\n'
    )
    result = foreign_includes(tmp_path, "progress/thread")
    assert [line.rpartition(" ")[2] for line in result] == ["mpi.h", "onesided/engine/engine.hpp"]


def test_python_parts_use_only_parts_below() -> None:
    uses = list(python_uses(ROOT / "python" / "stretto"))
    assert uses, "no import between parts found: is the pattern still right?"
    assert violations(PYTHON, iter(uses)) == []


def test_tables_have_no_cycle() -> None:
    assert cycles(NATIVE) == cycles(PYTHON) == []


@pytest.mark.parametrize(
    ("component", "text", "message"),
    [
        ("record", '#include "probe/probe.hpp"', "record must not use probe"),
        ("replay", "#  include <mpi.h>", "replay must not know MPI"),
        ("record", "#include <stretto/fft.hpp>", "record must not use fft"),
        ("tools", "#include <stretto/attic.hpp>", "PUBLIC_HEADERS gives no component"),
        ("onesided", "#include <stretto/stretto.h>", "onesided must not use bindings"),
        ("cellar", '#include "probe/probe.hpp"', "component cellar is not in the table"),
        (
            "armci",
            '#include "onesided/engine/engine.hpp"',
            "onesided/engine/engine.hpp is private to onesided",
        ),
        ("tools", '#include "record/encode.hpp"', "record/encode.hpp is private to record"),
        ("measure", '#include "record/rows.hpp"', None),
        ("probe", '#include "measure/team.hpp"', None),
        ("onesided", '#include "onesided/engine/engine.hpp"', None),
        ("armci", '#include "progress/thread/time_slice.hpp"', None),
    ],
)
def test_planted_include(tmp_path: Path, component: str, text: str, message: str | None) -> None:
    headers = (
        "probe/probe record/rows record/encode measure/team onesided/engine/engine progress/thread/time_slice"
    )
    for header in (f"{name}.hpp" for name in headers.split()):
        (tmp_path / header).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / header).touch()
    (tmp_path / component).mkdir(exist_ok=True)
    (tmp_path / component / "planted.cpp").write_text(f"// first line\n{text}\n")
    result = violations(NATIVE, native_uses(tmp_path))
    assert (not result) if message is None else (message in result[0] and "planted.cpp:2" in result[0])


@pytest.mark.parametrize(
    ("part", "text", "message"),
    [
        ("data", "from stretto.report import text", "data must not use report"),
        ("data", "def f():\n    import stretto.launch.mpi", "data must not use launch"),
        ("model", "from stretto import commands", "model must not use commands"),
        ("report", "from ..launch import job", "report must not use launch"),
        ("commands", "from stretto.report import text", None),
        ("data", "from .fields import number", None),
    ],
)
def test_planted_import(tmp_path: Path, part: str, text: str, message: str | None) -> None:
    (tmp_path / part).mkdir()
    (tmp_path / part / "planted.py").write_text(text + "\n")
    result = violations(PYTHON, python_uses(tmp_path))
    assert (not result) if message is None else (message in result[0])
