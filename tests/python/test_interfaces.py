# SPDX-License-Identifier: BSD-3-Clause
"""The C interface has a test for every function in C and in Fortran, and the other languages have what it has."""

import os
import re
from pathlib import Path

import pytest

import stretto_fortran
from fortran_interfaces import functions, write
from stretto.rma.declarations import HEADERS, declarations
from stretto.rma.library import ffi

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests" / "mpi" / "bindings"


def _text(header: str) -> str:
    return (ROOT / "include" / header).read_text()


def _names() -> list[str]:
    return [one.name for header in HEADERS for one in functions(_text(header))]


def _uncalled(suffix: str, names: list[str]) -> list[str]:
    text = "".join(file.read_text() for file in TESTS.glob(f"*.{suffix}"))
    return [name for name in names if not re.search(rf"\b{name}\b", text)]


def test_every_function_is_called_in_c() -> None:
    in_other_languages = {"stretto_communicator_fortran", "stretto_team_communicator_fortran"}
    assert len(_names()) > 110
    assert [name for name in _uncalled("c", _names()) if name not in in_other_languages] == []


def test_every_function_is_called_in_fortran() -> None:
    names = [one.name.removesuffix("_fortran") for one in stretto_fortran.all_functions()]
    assert len(names) > 105
    assert _uncalled("f90", names) == []


def test_a_fortran_module_is_written_again_only_where_it_differs(tmp_path: Path) -> None:
    file = tmp_path / "stretto" / "stretto.f90"
    write(file, stretto_fortran.module())
    os.utime(file, (1, 1))
    write(file, stretto_fortran.module())
    assert file.stat().st_mtime == 1, "programs would be compiled again"
    write(file, "module stretto\n")
    assert file.read_text() == "module stretto\n"


def test_python_declares_every_function_but_those_with_a_communicator_of_c() -> None:
    declared = set(
        re.findall(r"\b(stretto_\w+)\(", "".join(declarations(_text(header)) for header in HEADERS))
    )
    with_communicator = {"stretto_runtime_create", "stretto_communicator", "stretto_team_communicator"}
    assert set(_names()) - declared == with_communicator


def test_constants_and_structs_are_read() -> None:
    assert ffi.sizeof("stretto_counters") == 104
    assert "#define STRETTO_DEFAULT -1" in declarations(_text("stretto/c/runtime.h"))


@pytest.mark.parametrize("header", ["stretto/stretto.h", *HEADERS])
def test_a_header_is_plain_c(header: str) -> None:
    assert "//" not in re.sub(r'"[^"]*"', "", _text(header)), "a comment of C++"
    assert header == "stretto/stretto.h" or 'extern "C"' in _text(header)


def test_the_header_has_the_release() -> None:
    release = re.search(r'^version = "(.*)"$', (ROOT / "pyproject.toml").read_text(), re.M)
    assert release is not None
    assert f'#define STRETTO_VERSION "{release[1]}"' in _text("stretto/c/runtime.h")
