# SPDX-License-Identifier: BSD-3-Clause
"""The choice of a native program's build."""

import os
from pathlib import Path

import pytest

from stretto.errors import UserError
from stretto.launch.mpi import MpiLibrary
from stretto.launch.preload import preload_variables
from stretto.native import programs
from stretto.native.programs import library_path, native_program


def build(directory: Path, family: str, mpiexec: str, program: str = "stretto-probe") -> Path:
    path = directory / "bin" / program
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n", encoding="ascii")
    path.chmod(0o700)
    cache = f"// a cache\nSTRETTO_MPI:STRING={family}\nSTRETTO_MPIEXEC:FILEPATH={mpiexec}\n"
    (directory / "CMakeCache.txt").write_text(cache, encoding="ascii")
    return path


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(programs, "project_root", lambda: tmp_path)
    monkeypatch.delenv("STRETTO_BUILD", raising=False)
    return tmp_path


def test_the_build_of_the_family_is_taken(root: Path) -> None:
    mpich = build(root / "build" / "mpich", "mpich", "/m/mpiexec")
    simulated = build(root / "build" / "simulated", "simgrid", "/usr/bin/smpirun")
    assert native_program("stretto-probe", "mpich") == mpich
    assert native_program("stretto-probe", "simgrid") == simulated


def test_releases_of_open_mpi_are_not_mixed(root: Path) -> None:
    build(root / "build" / "openmpi", "openmpi", "/five/mpiexec")
    four = build(root / "build" / "openmpi4", "openmpi", "/four/mpiexec")
    assert native_program("stretto-probe", "openmpi", Path("/four/mpiexec")) == four
    with pytest.raises(UserError, match=r"openmpi of /other/mpiexec is not built: run `make setup`"):
        native_program("stretto-probe", "openmpi", Path("/other/mpiexec"))


def test_any_mpich_runs_a_program_of_another_but_its_own_first(root: Path) -> None:
    first = build(root / "build" / "a", "mpich", "/a/mpiexec")
    second = build(root / "build" / "b", "mpich", "/b/mpiexec")
    assert native_program("stretto-probe", "mpich", Path("/b/mpiexec")) == second
    assert native_program("stretto-probe", "mpich", Path("/c/mpiexec")) == first


def test_a_build_directory_can_be_chosen_but_not_for_another_mpi(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(root / "build" / "mpich", "mpich", "/m/mpiexec")
    chosen = build(root / "elsewhere", "mpich", "/m/mpiexec")
    monkeypatch.setenv("STRETTO_BUILD", str(root / "elsewhere"))
    assert native_program("stretto-probe", "mpich") == chosen
    with pytest.raises(UserError, match="stretto-probe for openmpi is not built"):
        native_program("stretto-probe", "openmpi")


def test_a_program_without_mpi_comes_from_any_build(root: Path) -> None:
    only = build(root / "build" / "openmpi", "openmpi", "/o/mpiexec", "stretto-netload")
    assert native_program("stretto-netload", "none") == only


def test_of_several_builds_a_program_without_mpi_comes_from_the_newest(root: Path) -> None:
    for age, (name, mpi) in enumerate((("b", "mpich"), ("c", "openmpi"), ("a", "mpich"))):
        os.utime(build(root / "build" / name, mpi, "/m/mpiexec", "stretto-replay"), (0, 1000 - age))
    assert native_program("stretto-replay", "none") == root / "build" / "b" / "bin" / "stretto-replay"


def test_what_is_not_built_is_a_user_error(root: Path) -> None:
    with pytest.raises(UserError, match="stretto-netload is not built: run `make setup`"):
        native_program("stretto-netload", "none")


def abi_mpi(prefix: Path) -> Path:
    """The launcher of an MPI that has a library of the standard ABI."""
    (prefix / "lib").mkdir(parents=True)
    (prefix / "lib" / "libmpi_abi.so.1").touch()
    return prefix / "bin" / "mpiexec"


def test_a_program_of_the_standard_abi_serves_each_mpi_that_has_it(root: Path, tmp_path: Path) -> None:
    program = build(root / "build" / "abi", "mpi-abi", "/m/mpiexec")
    mpiexec = abi_mpi(tmp_path / "other")
    assert native_program("stretto-probe", "openmpi", mpiexec) == program
    assert native_program("stretto-probe", "mpich", mpiexec) == program
    with pytest.raises(UserError, match="is not built"):
        native_program("stretto-probe", "openmpi", Path("/four/bin/mpiexec"))


def test_the_build_of_the_family_comes_before_that_of_the_abi_unless_it_is_chosen(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mpich = build(root / "build" / "mpich", "mpich", "/m/mpiexec")
    abi = build(root / "elsewhere", "mpi-abi", "/m/mpiexec")
    mpiexec = abi_mpi(tmp_path / "other")
    assert native_program("stretto-probe", "mpich", mpiexec) == mpich
    monkeypatch.setenv("STRETTO_BUILD", str(root / "elsewhere"))
    assert native_program("stretto-probe", "mpich", mpiexec) == abi


def test_only_a_program_of_the_abi_gets_the_library_of_the_launchers_mpi(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/before")
    mpiexec = abi_mpi(tmp_path / "other")
    abi = build(root / "build" / "abi", "mpi-abi", "/m/mpiexec")
    assert library_path(abi, mpiexec) == {"LD_LIBRARY_PATH": f"{tmp_path / 'other' / 'lib'}:/before"}
    assert library_path(abi, Path("/four/bin/mpiexec")) == {}
    mpich = build(root / "build" / "mpich", "mpich", "/m/mpiexec")
    assert library_path(mpich, mpiexec) == {}


def test_programs_of_the_standard_abi_have_preloaded_libraries_of_their_own(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are of the build for MPICH, also where the launcher is that of another MPI."""
    monkeypatch.delenv("LD_PRELOAD", raising=False)
    bin_directory = build(root / "build" / "mpich", "mpich", "/m/mpiexec").parent
    mpi = MpiLibrary("mpich", "2021.18", abi_mpi(root / "other"), standard_abi=True)
    mpi.mpiexec.parent.mkdir()
    mpi.mpiexec.with_name("mpicxx").touch()
    with pytest.raises(UserError, match=r"libstretto_trace_abi\.so for mpich is not built: run `make setup`"):
        preload_variables(["trace"], mpi)
    libraries = [
        bin_directory.parent / "lib" / f"libstretto_{name}_abi.so" for name in ("trace", "collectives")
    ]
    libraries[0].parent.mkdir()
    for library in libraries:
        library.touch()
    names = ["trace", "collectives"]
    assert preload_variables(names, mpi) == {"LD_PRELOAD": ":".join(map(str, libraries))}
