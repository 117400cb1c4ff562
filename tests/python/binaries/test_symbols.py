# SPDX-License-Identifier: BSD-3-Clause
"""Names of call sites: lines where there are any, else symbols with their callers, an offset only as the last resort."""

import shutil
import subprocess
from pathlib import Path

import pytest

from stretto.binaries.symbols import (
    Frame,
    Location,
    _location,
    frames_of,
    functions_of,
    name_sites,
    plain_name,
)

needs_tools = pytest.mark.skipif(
    shutil.which("g++") is None or shutil.which("addr2line") is None, reason="NO G++ OR ADDR2LINE"
)
SOURCE = """
#include <algorithm>
namespace app {
struct Halo {
  __attribute__((noinline)) void swap(int* data) { std::fill(data, data + data[0], 7); }
  __attribute__((noinline)) void run(int* data) { swap(data); data[1] = 3; }
};
}
extern "C" void work(int* data) { app::Halo().run(data); }
extern "C" void _PyEval_EvalFrameDefault(int* data) { work(data); data[1] = 4; }
extern "C" int __libc_start_main_impl(int (*main)()) { return main() + 1; }
"""
INLINED = """program app
  implicit none
  real(8) :: cell(1000)
  integer :: step
  call random_number(cell)
  do step = 1, 10
    call doubled(cell)
  end do
  print *, sum(cell)
contains
  subroutine doubled(x)
    real(8), intent(inout) :: x(:)
    integer :: i
    do i = 1, size(x)
      x(i) = 2 * x(i) + 1
    end do
  end subroutine doubled
end program app
"""


@pytest.mark.parametrize(
    ("mangled", "plain"),
    [
        ("void independent<std::vector<double, std::allocator<double> > >(int)", "independent"),
        ("(anonymous namespace)::Sweep::run()", "Sweep::run"),
        ("__kernels_MOD_sweep", "kernels::sweep"),
        ("__kernels_MOD_sweep.constprop.0.isra.0", "kernels::sweep"),
        ("advance.1", "advance"),
        ("main._omp_fn.0", "main._omp_fn.0"),
        ("MAIN__", "main"),
        ("bool operator< <int>(A const&, A const&)", "bool operator< <int>"),
        ("app::Step::operator()(Data&, int) const", "app::Step::operator()"),
        ("main::{lambda(int, char)#2}::operator()(int) const", "main::lambda::operator()"),
        ("exchange", "exchange"),
        ("__pyx_pw_6mpi4py_3MPI_4Comm_135Alltoall", "mpi4py.MPI.Comm.Alltoall"),
        ("__pyx_f_6mpi4py_3MPI_PyMPI_bcast_p2p.constprop.0", "mpi4py.MPI.PyMPI_bcast_p2p"),
        ("__pyx_pf_4heat_2step", "heat.step"),
    ],
)
def test_a_name_is_as_short_as_people_say_it(mangled: str, plain: str) -> None:
    assert plain_name(mangled) == plain


def library(directory: Path, *options: str) -> tuple[str, dict[str, int]]:
    """A shared library, and the addresses within its functions by name."""
    (directory / "app.cpp").write_text(SOURCE)
    target = directory / "libapp.so"
    subprocess.run(
        ["g++", "-O1", "-fPIC", "-shared", *options, directory / "app.cpp", "-o", target], check=True
    )
    table = subprocess.run(["nm", "-DC", target], capture_output=True, text=True, check=True).stdout
    words = (line.split(maxsplit=2) for line in table.splitlines())
    return str(target), {one[2].partition("(")[0]: int(one[0], 16) for one in words if len(one) == 3}


@needs_tools
def test_without_debug_information_the_dynamic_symbols_and_the_callers_name_a_site(tmp_path: Path) -> None:
    module, at = library(tmp_path, "-s")
    site, caller, outer = ((module, at[name] + 2) for name in ("app::Halo::swap", "app::Halo::run", "work"))
    assert name_sites([site]) == {site: "app::Halo::swap (libapp.so)"}
    chain = "app::Halo::swap <- app::Halo::run <- work (libapp.so)"
    assert name_sites([site], {site: (caller, outer, caller)}) == {site: chain}


@needs_tools
def test_a_function_without_a_symbol_has_its_callers(tmp_path: Path) -> None:
    module, at = library(tmp_path, "-s")
    site, caller = (module, max(at.values()) + 0x100000), (module, at["app::Halo::run"] + 2)
    assert name_sites([site], {site: (caller,)}) == {site: f"libapp.so+0x{site[1]:x} <- app::Halo::run"}


@needs_tools
def test_the_interpreter_is_no_caller(tmp_path: Path) -> None:
    module, at = library(tmp_path, "-s")
    site, caller = (module, at["app::Halo::run"] + 2), (module, at["work"] + 2)
    interpreter = (module, at["_PyEval_EvalFrameDefault"] + 2)
    callers = {site: (caller, interpreter, caller)}
    assert name_sites([site], callers) == {site: "app::Halo::run <- work (libapp.so)"}


@needs_tools
def test_what_calls_main_is_no_caller(tmp_path: Path) -> None:
    module, at = library(tmp_path, "-s")
    site, start = (module, at["work"] + 2), (module, at["__libc_start_main_impl"] + 2)
    assert name_sites([site], {site: (start,)}) == {site: "work (libapp.so)"}
    unnamed = (module, max(at.values()) + 0x100000)
    assert name_sites([unnamed], {unnamed: (start, start)}) == {
        unnamed: f"libapp.so+0x{unnamed[1]:x} in main"
    }


@needs_tools
def test_a_line_is_that_of_the_program_and_not_of_a_header(tmp_path: Path) -> None:
    module, at = library(tmp_path, "-g")
    site = (module, at["app::Halo::swap"] + 2)
    assert name_sites([site], {site: ((module, at["work"] + 2),)})[site] == "app::Halo::swap app.cpp:5"


@pytest.mark.skipif(
    shutil.which("gfortran") is None or shutil.which("addr2line") is None,
    reason="NO GFORTRAN OR ADDR2LINE: inlined names are not tested (apt install gfortran binutils)",
)
def test_an_inlined_function_has_its_own_name_whichever_address_is_asked_first(tmp_path: Path) -> None:
    (tmp_path / "app.f90").write_text(INLINED)
    module = str(tmp_path / "app")
    command = ["gfortran", "-g", "-O2", "-no-pie", "app.f90", "-o", module]
    subprocess.run(command, cwd=tmp_path, check=True)
    (main,) = (one for one in functions_of(module) if names_of(module).get(one[0]) == "MAIN__")
    places = [(module, address) for address in range(main[0] + 1, main[1])]
    together = frames_of(places)
    inlined = [place for place in places if len(together[place]) > 1]
    assert {together[place][0].function for place in inlined} == {"doubled"}
    assert all(frames_of([place])[place] == together[place] for place in inlined[:3])


def names_of(module: str) -> dict[int, str]:
    """The functions of a program by their address."""
    table = subprocess.run(["nm", module], capture_output=True, text=True, check=True).stdout
    return {int(one[0], 16): one[2] for line in table.splitlines() if len(one := line.split()) == 3}


def test_where_nothing_is_known_the_offset_remains(tmp_path: Path) -> None:
    missing = (str(tmp_path / "gone.so"), 0x1A2B)
    assert name_sites([missing]) == {missing: "gone.so+0x1a2b"}


def test_headers_of_the_library_are_no_places_wherever_a_compiler_is_installed() -> None:
    vector = Frame("std::vector::vector", "/tools/gcc-14/include/c++/14/bits/stl_vector.h", 572)
    assert _location([vector, Frame("run", "/home/me/app.cpp", 12)]) == Location("run", "app.cpp", 12)
    assert _location([vector]) == Location("std::vector::vector", "stl_vector.h", 572)
