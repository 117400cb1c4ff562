# SPDX-License-Identifier: BSD-3-Clause
"""A program that makes every call of src/interpose/calls.txt on handles that were freed and made again."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from calls import every_call
from remade_calls import FIXED, Block, collective, one_sided, sends
from traced_runs import COMPILERS

PROGRAMS = Path(__file__).parent / "programs"
_COLLECTIVE = re.compile(r"i?(collective|gather|scatter|neighbor)(_init)?")
_CALLED = re.compile(r"\bMPI_(\w+)\(")
_MAIN = """
int main(int argc, char** argv) {
  prefix = argv[1];
  type = MPI_DATATYPE_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char name[256];
  snprintf(name, sizeof name, "%s.%d", prefix, rank);
  text = fopen(name, "w");
  for (turn = 0; turn < turns; ++turn) {
    make();
    for (int twice = 0; twice < 2; ++twice) all_blocks();
    release();
  }
  fclose(text);
  for (int kind = 0; rank == 0 && kind < 5; ++kind) fprintf(stderr, "%s again %d\\n", kinds[kind], again[kind]);
  MPI_Finalize();
  return 0;
}
"""


def declared(preset: str, directory: Path) -> set[str]:
    """The functions of an MPI's header, without `MPI_`."""
    source = directory / "header.c"
    source.write_text("#include <mpi.h>\n")
    header = subprocess.run([COMPILERS[preset], "-E", source], capture_output=True, text=True, check=True)
    return set(re.findall(r"\bMPI_(\w+)\s*\(", header.stdout))


def called(code: str) -> set[str]:
    """The MPI functions that C code calls, without `MPI_`."""
    return set(_CALLED.findall(code))


def _blocks() -> Iterator[Block]:
    yield from sends()
    yield from FIXED
    for call in every_call():
        if not call.large and _COLLECTIVE.fullmatch(call.kind):
            yield collective(call.name, call.words)
        elif not call.large and call.kind == "one_sided":
            yield one_sided(call.name, call.words)


def _with_large_counts(code: str, large: set[str]) -> str:
    several = _CALLED.sub(lambda call: f"MPI_{call[1]}_c(" if f"{call[1]}_c" in large else call[0], code)
    return re.sub(r"\b(\w+)_n\b", r"\1_c", several)


def blocks(here: set[str]) -> list[Block]:
    """The blocks that an MPI with these functions can run."""
    large = {call.name for call in every_call() if call.large} & here
    result = []
    for name, code in _blocks():
        if not called(code) <= here:
            continue
        result.append((name, code))
        if any(f"{call}_c" in large for call in called(code)):
            result.append((f"{name}_c", _with_large_counts(code, large)))
    return result


def source(here: set[str]) -> str:
    """The C program."""
    return _program(blocks(here), large="Send_c" in here)


def _program(chosen: Iterable[Block], large: bool) -> str:
    lines = ["#define LARGE_COUNTS" if large else "", '#include "remade_handles.h"']
    names = []
    for name, code in chosen:
        names.append(f"block_{len(names)}")
        windows = int("window" in code or "win" in code)
        lines.append(
            f'static void {names[-1]}(void) {{ begin(); {{ {code} }} result("{name}", {windows}); }}'
        )
    lines.append(f"static void all_blocks(void) {{ {' '.join(f'{name}();' for name in names)} }}")
    return "\n".join([*lines, _MAIN])


def compiled(preset: str, directory: Path) -> Path:
    """The program for an MPI."""
    code = directory / "remade.c"
    code.write_text(source(declared(preset, directory)), encoding="utf-8")
    target = directory / "remade"
    command = [COMPILERS[preset], "-g", "-Wno-deprecated-declarations", f"-I{PROGRAMS}", code, "-o", target]
    subprocess.run(command, check=True)
    return target
