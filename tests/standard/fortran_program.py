# SPDX-License-Identifier: BSD-3-Clause
"""The cases of Fortran as one program for each way to MPI: mpif.h, `use mpi`, and `use mpi_f08` with and without the
error argument."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from calls import every_call

from tests.standard.case import Case
from tests.standard.fortran_collectives import collective_cases
from tests.standard.fortran_messages import message_cases
from tests.standard.fortran_objects import object_cases
from tests.standard.program import COLLECTIVE, HERE, Program

SOURCES = HERE / "fortran"
FORMS = {"mpif.h": 0, "mpi": 1, "mpi_f08": 2, "mpi_f08 without errors": 2}
"""The ways to MPI, and their numbers in surroundings.F90."""
OPTIONS = ("-cpp", "-g", "-w", "-fallow-argument-mismatch", "-ffree-line-length-none")


def fortran_cases() -> list[Case]:
    """All cases, those that fail at the end."""
    words = {
        call.name: call.words
        for call in every_call()
        if not call.large and COLLECTIVE.fullmatch(call.kind) and not call.name.startswith("I")
    }
    found = [*message_cases(), *collective_cases(words), *object_cases()]
    return sorted(found, key=lambda case: case.fails)


def _lines(number: int, case: Case) -> Iterator[str]:
    yield f"subroutine case_{number}()"
    yield from (f"  {statement.strip()}" for statement in case.code.split(";") if statement.strip())
    yield f"end subroutine case_{number}"


def source_of(cases: Sequence[Case], with_errors: bool) -> str:
    """The program that runs the cases whose numbers it is given; rank 0 of what it spawns only ends."""
    lines = ['#include "spellings.inc"', "module cases", "  use surroundings", "  implicit none", "contains"]
    for number, case in enumerate(cases):
        lines += _lines(number, case)
    lines += [
        "end module cases",
        "program standard",
        "  use cases",
        "  implicit none",
        "  integer :: i, number, error",
        "  character(4096) :: word",
        "  COMM_T :: parent",
        "  call MPI_Init(error)",
        "  call MPI_Comm_get_parent(parent, error)",
        "  if (parent /= MPI_COMM_NULL) then",
        "    call MPI_Comm_disconnect(parent, error)",
        "    call MPI_Finalize(error)",
        "    stop",
        "  end if",
        "  call set_up()",
        "  call get_command_argument(1, word)",
        "  write (word(len_trim(word) + 1:), '(a,i0)') '.', rank",
        "  open (newunit=text, file=trim(word), action='write')",
        "  do i = 2, command_argument_count()",
        "    call get_command_argument(i, word)",
        "    read (word, *) number",
        "    select case (number)",
    ]
    for number, case in enumerate(cases):
        between, fails = (f".{str(one).lower()}." for one in (case.is_between_groups, case.fails))
        lines += [
            f"    case ({number})",
            f"      call begin_case({number}, '{case.name.replace(chr(39), chr(39) * 2)}', {between}, {fails})",
            f"      call case_{number}()",
            f"      call end_case({between})",
        ]
    lines += [
        "    end select",
        "  end do",
        "  call let_errors(.false.)",
        "  call tear_down()",
        "  error = 0",
        "  call MPI_Finalize(error)",
        "  number = error",
        "  call say('end', number)",
        "end program standard",
    ]
    text = "\n".join([*lines, ""])
    if not with_errors:
        text = re.sub(r"(, code|\(code|, error|\(error)\)(?=;|$)", _without_error, text, flags=re.MULTILINE)
    return text


def _without_error(last: re.Match[str]) -> str:
    return "()" if last[1].startswith("(") else ")"


def compiled(
    compiler: Path, directory: Path, form: str, environment: Mapping[str, str] | None = None
) -> Program:
    """The program of a form, compiled by an MPI's Fortran compiler."""
    cases = fortran_cases()
    source = directory / "standard.F90"
    with_errors = "without" not in form
    source.write_text(source_of(cases, with_errors), encoding="utf-8")
    target = directory / "standard"
    command = [
        str(compiler), *OPTIONS, f"-DFORM={FORMS[form]}", f"-I{SOURCES}", f"-J{directory}",
        str(SOURCES / "surroundings.F90"), str(source), "-o", str(target),
    ]  # fmt: skip
    subprocess.run(command, env=environment, check=True)
    return Program(target, cases)
