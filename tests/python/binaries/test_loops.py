# SPDX-License-Identifier: BSD-3-Clause
"""The loop around an instruction, without those that communicate."""

import re
import subprocess
from pathlib import Path

import pytest

from stretto.binaries.loops import Lines, loop_lines

SOURCE = """extern double cell[];
void exchange(void) { __asm__ volatile("" ::: "memory"); }
void other(void) { __asm__ volatile("" ::: "memory"); }
void sweep(int blocks, int cells) {
  for (int block = 0; block < blocks; ++block) {
    exchange();
    for (int i = 0; i < cells; ++i) {
      cell[i] = 2 * cell[i] + block;
    }
    other();
  }
}
double cell[100];
int main(void) { sweep(3, 100); return 0; }
"""
_CALL = re.compile(r"^\s*([0-9a-f]+):.*\bcall\s.*<(\w+)>")
_STORE = re.compile(r"^\s*([0-9a-f]+):\s+movs[ds]\s+%xmm\d,[^\n]*\(")


Program = tuple[str, dict[str, int], int]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    return compiled(tmp_path_factory.mktemp("loops"), SOURCE)


def compiled(directory: Path, source: str) -> Program:
    """A program, the addresses behind its calls by function, and that behind the store of its inner loop."""
    (directory / "sweep.c").write_text(source)
    command = ["gcc", "-g", "-O1", "-fno-inline", "-fcf-protection=none", "-no-pie", "sweep.c", "-o", "sweep"]
    subprocess.run(command, cwd=directory, check=True)
    listing = subprocess.run(
        ["objdump", "-d", "--no-show-raw-insn", "--disassemble=sweep", "sweep"],
        cwd=directory, check=True, capture_output=True, text=True,
    ).stdout.splitlines()  # fmt: skip
    behind: dict[str, int] = {}
    store = 0
    for line, following in zip(listing, listing[1:]):
        address = following.strip().partition(":")[0]
        if match := _CALL.match(line):
            behind[match[2]] = int(address, 16)
        if _STORE.match(line):
            store = int(address, 16)
    return str(directory / "sweep"), behind, store


def whole_loop(module: str) -> Lines:
    """The loop over blocks, with the functions that it calls."""
    listing = subprocess.run(["nm", module], check=True, capture_output=True, text=True).stdout
    at = {
        name: int(address, 16)
        for address, _, name in (line.split() for line in listing.splitlines() if line[0] != " ")
    }
    return Lines("sweep", "sweep.c", 5, 10, at["sweep"], frozenset((at["exchange"], at["other"])))


def test_a_loop_that_communicates_through_a_function_of_the_program_is_none_without_messages(
    program: Program,
) -> None:
    """Sweep3D's `sweep` sends by `snd_real`: its loops over blocks communicate."""
    module, behind, store = program
    place = module, store
    assert loop_lines([place])[place] == whole_loop(module)
    wrapped = loop_lines([place], communicating=[(module, behind["exchange"])])
    assert wrapped[place].first >= 7 and wrapped[place].last <= 8


def test_calls_of_other_functions_and_other_programs_are_in_a_loop(
    program: Program,
) -> None:
    module, behind, store = program
    place = module, store
    elsewhere = [("/bin/other", behind["exchange"])]
    assert loop_lines([place], communicating=elsewhere)[place] == whole_loop(module)


def test_lines_behind_a_communicating_call_are_not_of_the_loop(tmp_path: Path) -> None:
    """An instruction of the outer loop that the compiler has moved into the inner one, here by `#line`."""
    moved = "      cell[i] = 2 * cell[i]\n#line 5\n + block;\n#line 9\n    }\n"
    module, behind, store = compiled(
        tmp_path, SOURCE.replace("      cell[i] = 2 * cell[i] + block;\n    }\n", moved)
    )
    calls = [(module, behind[name]) for name in ("exchange", "other")]
    found = loop_lines([(module, store)], communicating=calls)[module, store]
    assert (found.first, found.last) in ((7, 8), (8, 8))
