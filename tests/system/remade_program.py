# SPDX-License-Identifier: BSD-3-Clause
"""A program that makes every call of src/interpose/calls.txt on handles that were freed and made again."""

import itertools
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from calls import every_call
from remade_calls import FIXED, Block, collective, one_sided, sends
from traced_runs import COMPILERS, PROGRAMS, compiled

from tests.standard.case import Case
from tests.standard.program import available, declared

_COLLECTIVE = re.compile(r"i?(collective|gather|scatter|neighbor)(_init)?")
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


def _blocks() -> Iterator[Block]:
    yield from sends()
    yield from FIXED
    for call in every_call():
        if not call.large and _COLLECTIVE.fullmatch(call.kind):
            yield collective(call.name, call.words)
        elif not call.large and call.kind == "one_sided":
            yield one_sided(call.name, call.words)


def source(here: set[str]) -> str:
    """The C program."""
    return _program(available(itertools.starmap(Case, _blocks()), here), large="Send_c" in here)


def _program(chosen: Iterable[Case], large: bool) -> str:
    lines = ["#define LARGE_COUNTS" if large else "", '#include "remade_handles.h"']
    names = []
    for block in chosen:
        names.append(f"block_{len(names)}")
        windows = int("win" in block.code)
        lines.append(
            f'static void {names[-1]}(void) {{ begin(); {{ {block.code} }} result("{block.name}", {windows}); }}'
        )
    lines.append(f"static void all_blocks(void) {{ {' '.join(f'{name}();' for name in names)} }}")
    return "\n".join([*lines, _MAIN])


def remade_program(preset: str, directory: Path) -> Path:
    """The program for an MPI."""
    code = directory / "remade.c"
    code.write_text(source(declared(COMPILERS[preset], directory)), encoding="utf-8")
    return compiled(preset, code, directory, "-g", "-Wno-deprecated-declarations", f"-I{PROGRAMS}")
