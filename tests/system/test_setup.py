# SPDX-License-Identifier: BSD-3-Clause
"""Set-up on machines without root, apt or the requested MPI."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from processes import completed

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the files for set-up, so that the real state is unchanged."""
    shutil.copytree(
        ROOT / "scripts", tmp_path / "tree" / "scripts", ignore=shutil.ignore_patterns("__pycache__")
    )
    for name in ("Makefile", "pyproject.toml", "CMakePresets.json"):
        shutil.copy(ROOT / name, tmp_path / "tree" / name)
    return tmp_path / "tree"


def poor_path(directory: Path, *, without: set[str]) -> Path:
    """A PATH with this machine's programs except `without`, as for a user without root and sudo."""
    directory.mkdir()
    without = without | {"sudo", "id"}
    for folder in (Path("/usr/bin"), Path("/bin"), Path("/usr/sbin"), Path("/sbin")):
        for program in folder.iterdir():
            link = directory / program.name
            if program.name not in without and not link.is_symlink():
                link.symlink_to(program)
    somebody = directory / "id"
    somebody.write_text("#!/bin/sh\necho 1000\n")
    somebody.chmod(0o755)
    return directory


def run(tree: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return completed(command, cwd=tree, env=os.environ | environment, timeout=120, stdin=subprocess.DEVNULL)


def test_without_root_says_what_to_install(tree: Path, tmp_path: Path) -> None:
    path = poor_path(tmp_path / "bin", without={"python3", "smpicxx"})
    done = run(tree, "make", "probe", PATH=str(path))
    assert done.returncode != 0
    assert "neither root nor sudo" in done.stderr
    assert "Python 3.10 or newer" in done.stderr
    assert "apt-get install python3-venv libsimgrid-dev\n" in done.stderr
    assert "module load" in done.stderr and "conda env create" in done.stderr
    assert not (tree / ".venv").exists(), "nothing is half set up"


def test_without_apt_says_so(tree: Path, tmp_path: Path) -> None:
    path = poor_path(tmp_path / "bin", without={"python3", "ninja", "apt-get"})
    done = run(tree, "scripts/system-packages", "build", PATH=str(path))
    assert done.returncode != 0
    assert "there is no apt-get" in done.stderr and "  Ninja\n" in done.stderr


def test_what_most_users_start_is_built_first(tree: Path, tmp_path: Path) -> None:
    """With a slow compiler, users measure and record while the kernels are compiled."""
    path = poor_path(tmp_path / "bin", without={"cmake"})
    log = tmp_path / "log"
    cmake = path / "cmake"
    cmake.write_text(f'#!/bin/sh\necho "$*" >> {log}\ncase "$*" in *" -n") echo "{{rest}}" ;; esac\n')
    cmake.chmod(0o755)
    assert run(tree, "scripts/native", "mpich", "first", PATH=str(path)).returncode == 0
    asked = [line for line in log.read_text().splitlines() if line.startswith("--build")]
    assert [line.split()[3] for line in asked] == ["stretto_first"], "`make probe` answers before the rest"
    early = run(tree, "scripts/native", "mpich", "programs", PATH=str(path))
    assert "from now on" not in early.stdout, "the Python side is not there yet"
    log.unlink()
    (tree / ".venv" / "bin").mkdir(parents=True)
    (tree / ".venv" / "bin" / "stretto").write_text("#!/bin/sh\n")
    (tree / ".venv" / "bin" / "stretto").chmod(0o755)
    done = run(tree, "scripts/native", "mpich", "programs", PATH=str(path))
    assert done.returncode == 0, done.stderr
    built = [line.split()[3] for line in log.read_text().splitlines() if line.startswith("--build")]
    assert built == ["stretto_first", "stretto_programs", "stretto_programs"]
    assert "stretto probe, trace, potential and gain work from now on" in done.stdout
    cmake.write_text(cmake.read_text().replace("{rest}", "ninja: no work to do."))
    again = run(tree, "scripts/native", "mpich", "programs", PATH=str(path))
    assert "from now on" not in again.stdout, "nothing is left to build"


@pytest.mark.slow
def test_cmake_and_ninja_come_from_pypi_without_root(tree: Path, tmp_path: Path) -> None:
    """An old CMake is none, and what came is found by the next script."""
    path = poor_path(tmp_path / "bin", without={"cmake", "ninja"})
    (path / "cmake").write_text("#!/bin/sh\necho cmake version 3.18.4\n")
    (path / "cmake").chmod(0o755)
    done = run(tree, "scripts/system-packages", "build", PATH=str(path))
    assert done.returncode == 0, done.stderr
    found = run(tree, "bash", "-c", "source scripts/lib.sh; type -P cmake ninja", PATH=str(path))
    assert found.stdout.split() == [str(tree / ".setup" / "bin" / name) for name in ("cmake", "ninja")]
    assert run(tree, "scripts/system-packages", "build", PATH=str(path)).stdout == "", "once is enough"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("apt-get") is None, reason="NO apt-get: unpacking libraries is not tested")
def test_libraries_are_unpacked_without_root(tree: Path) -> None:
    done = run(tree, "scripts/user-packages", "libcli11-dev", "libfmt-dev")
    assert done.returncode == 0, done.stderr
    prefix = tree / ".setup" / "packages" / "usr"
    assert (prefix / "include" / "CLI" / "CLI.hpp").is_file()
    assert next(prefix.glob("lib/*/libfmt.so")).exists(), "with the library that the link names"
    found = run(tree, "bash", "-c", "source scripts/lib.sh; echo $CMAKE_PREFIX_PATH", CMAKE_PREFIX_PATH="/o")
    assert found.stdout.strip() == f"{prefix}:/o"


@pytest.mark.slow
def test_a_library_that_is_no_package_stops_nothing_that_is(tree: Path) -> None:
    assert run(tree, "scripts/user-packages", "g++", "python3-venv").returncode == 1


def test_what_is_only_wished_for_stops_nothing(tree: Path, tmp_path: Path) -> None:
    path = poor_path(tmp_path / "bin", without={"smpicxx", "tc"})
    done = run(tree, "scripts/system-packages", "build", "substrates", PATH=str(path))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "Goes on without:" in lines
    assert "  SimGrid 3.32 or newer: smpicxx (for --on simulated)" in lines
    assert "  iproute2: tc (for --on emulated)" in lines
    again = run(tree, "scripts/system-packages", "build", "substrates", PATH=str(path))
    assert again.stdout == "", "once is enough"


@pytest.mark.parametrize(
    ("mpi", "message"),
    [
        ("/nowhere", "MPI=/nowhere: neither"),
        ("mvapich", "MPI=mvapich: neither"),
        ("loaded", "no mpicxx on PATH"),
    ],
)
def test_unknown_mpi_is_refused_before_anything_is_made(
    tree: Path, tmp_path: Path, mpi: str, message: str
) -> None:
    path = poor_path(tmp_path / "bin", without={"mpicxx"})
    done = run(tree, "make", "setup", MPI=mpi, PATH=str(path))
    assert done.returncode != 0
    assert message in done.stderr
    assert not (tree / ".venv").exists()


def test_failed_step_shows_its_log(tree: Path) -> None:
    done = run(
        tree, "bash", "-c", "source scripts/lib.sh; step plant 'Planting' bash -c 'echo why; exit 7'; echo on"
    )
    assert done.returncode == 1
    assert (
        "Planting: failed" in done.stderr and "why" in done.stderr and ".setup/log/plant.log" in done.stderr
    )
    assert "on" not in done.stdout.split()
