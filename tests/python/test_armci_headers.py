# SPDX-License-Identifier: BSD-3-Clause
"""ARMCI has a test for every function, in C and in Fortran, and types as the library that programs know."""

import importlib.util
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests" / "mpi" / "armci"
SPEC = importlib.util.spec_from_file_location("armci_fortran", ROOT / "scripts" / "armci_fortran.py")
assert SPEC is not None and SPEC.loader is not None
armci_fortran = importlib.util.module_from_spec(SPEC)


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    import sys

    sys.modules["armci_fortran"] = armci_fortran
    assert SPEC is not None and SPEC.loader is not None
    SPEC.loader.exec_module(armci_fortran)


def _names() -> list[str]:
    headers = [(ROOT / "include/armci" / f"{name}.h").read_text() for name in armci_fortran.NAMES]
    return [one.name for text in headers for one in armci_fortran.functions(text)]


def _uncalled(suffix: str) -> list[str]:
    text = "".join(file.read_text() for file in TESTS.glob(f"*.{suffix}")).lower()
    return [name for name in _names() if not re.search(rf"\b{name.lower()}\b", text)]


def test_every_function_is_called_in_c() -> None:
    assert len(_names()) > 150
    assert _uncalled("c") == []


def test_every_function_is_called_in_fortran() -> None:
    assert _uncalled("f90") == []


# Of comex/src-armci/armci.h of Global Arrays 5.8 and 5.9.
COMEX = """
#include <armci.h>
#include <stddef.h>
_Static_assert(sizeof(armci_hdl_t) == sizeof(int) && sizeof(ARMCI_Group) == sizeof(int), "ints");
_Static_assert(sizeof(armci_size_t) == sizeof(long), "long");
_Static_assert(offsetof(armci_giov_t, ptr_array_len) == 16 && offsetof(armci_giov_t, bytes) == 20, "a vector");
_Static_assert(sizeof(armci_meminfo_t) == 1056 && offsetof(armci_meminfo_t, cpid) == 24, "memory");
_Static_assert(ARMCI_ACC_INT == 37 && ARMCI_ACC_DBL == 38 && ARMCI_ACC_FLT == 39, "accumulates");
_Static_assert(ARMCI_ACC_CPL == 40 && ARMCI_ACC_DCP == 41 && ARMCI_ACC_LNG == 42, "accumulates");
_Static_assert(ARMCI_SWAP == 10 && ARMCI_SWAP_LONG == 11, "updates");
_Static_assert(ARMCI_FETCH_AND_ADD == 12 && ARMCI_FETCH_AND_ADD_LONG == 13, "updates");
_Static_assert(ARMCI_MAX_STRIDE_LEVEL == 8, "levels");
"""


def test_types_and_constants_are_those_of_comex(tmp_path: Path) -> None:
    source = tmp_path / "comex.c"
    source.write_text(COMEX)
    # The types need no MPI but for its name of a communicator.
    (tmp_path / "mpi.h").write_text("typedef int MPI_Comm;\n")
    done = subprocess.run(
        ["gcc", "-std=c11", "-fsyntax-only", "-I", tmp_path, "-I", ROOT / "include/armci", source],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
