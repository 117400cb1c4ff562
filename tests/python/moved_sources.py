# SPDX-License-Identifier: BSD-3-Clause
"""Small functions with a wait or a start, and what a trace is said to have seen of them: may the call move?"""

import functools
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from stretto.patch.clang_source import ParsedSource, parse_options
from stretto.patch.moves import LocalKind, Move, move_of
from stretto.patch.statements import Statement

MPICC = shutil.which("mpicc") or str(Path(sys.executable).parent / "mpicc")
HEAD = """#include <mpi.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#define CHECK(call) do { if ((call) != MPI_SUCCESS) abort(); } while (0)
#define INNER(u) for (int i = 0; i < n; ++i) u[i] += 1
double mystery(double *);
static double *global;
static volatile int stop;
static _Atomic int turns;
static void inner(double *u, int n) { for (int i = 0; i < n; ++i) u[i] = sqrt(u[i]); }
static void twice(double *u, int n) { inner(u, n); if (n < 2) return; inner(u, n); }
static void asks(double *u, int n) { inner(u, n); MPI_Barrier(MPI_COMM_WORLD); }
static double globally(void) { return global[0]; }
"""
WAIT = """
void step(double *u, double *other, int n, double tolerance) {{
  double *halo = malloc(n * sizeof *halo);
  double *v = malloc(n * sizeof *v);
  double *alias = halo;
  double sum = 0;
  MPI_Request request;
  MPI_Status status;
  for (int turn = 0; turn < 3; ++turn) {{
    MPI_Irecv(halo, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status); // WAIT
    {crossed}
    sum += halo[0]; // USE
  }}
  other[0] = sum; alias[0] = v[0];
}}
"""
SEND = """
void step(double *u, double *other, int n, double tolerance) {{
  double *out = malloc(n * sizeof *out);
  double *v = malloc(n * sizeof *v);
  double edge[4];
  MPI_Request request;
  int next = 1;
  for (int turn = 0; turn < 3; ++turn) {{
    out[0] = turn; // STORE
    {crossed}
    MPI_Isend(out, n, MPI_DOUBLE, next, 0, MPI_COMM_WORLD, &request); // START
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }}
  edge[0] = v[0]; other[0] = edge[0];
}}
"""


@dataclass
class Seen:
    """A trace that followed everything, or nothing, and saw accesses in some lines."""

    follows: bool = False
    lines: tuple[int, ...] = ()

    def followed(self, moved: Sequence[Statement]) -> bool:
        return self.follows

    def seen_in(self, moved: Sequence[Statement], other: Statement) -> int:
        return sum(other.first <= line <= other.last for line in self.lines)


@functools.cache
def options() -> tuple[str, ...]:
    return tuple(parse_options(MPICC, Path("program.c"), []))


def line_of(text: str, mark: str) -> int:
    return next(number for number, line in enumerate(text.split("\n"), 1) if mark in line)


def moved(
    directory: Path,
    text: str,
    mark: str,
    kind: LocalKind,
    evidence: Seen | None = None,
    name: str = "program.c",
) -> Move | str:
    path = directory / name
    path.write_text(text)
    source = ParsedSource(path, text.encode(), options())
    block = source.block_of(line_of(text, mark))
    return block if isinstance(block, str) else move_of(block, line_of(text, mark), kind, evidence or Seen())


def wait(directory: Path, crossed: str, evidence: Seen | None = None) -> Move | str:
    return moved(directory, HEAD + WAIT.format(crossed=crossed), "// WAIT", "wait later", evidence)


def start(directory: Path, crossed: str, evidence: Seen | None = None) -> Move | str:
    return moved(directory, HEAD + SEND.format(crossed=crossed), "// START", "start earlier", evidence)
