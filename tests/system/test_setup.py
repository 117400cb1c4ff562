# SPDX-License-Identifier: BSD-3-Clause
"""Set-up on machines without root, apt or the requested MPI."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

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
    return subprocess.run(
        command,
        cwd=tree,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=120,
        stdin=subprocess.DEVNULL,
        check=False,
    )


def test_without_root_says_what_to_install(tree: Path, tmp_path: Path) -> None:
    path = poor_path(tmp_path / "bin", without={"cmake", "smpicxx"})
    done = run(tree, "make", "probe", PATH=str(path))
    assert done.returncode != 0
    assert "neither root nor sudo" in done.stderr
    assert "CMake 3.22 or newer" in done.stderr
    assert "apt-get install cmake libsimgrid-dev\n" in done.stderr
    assert "module load" in done.stderr
    assert not (tree / ".venv").exists(), "nothing is half set up"


def test_without_apt_says_so(tree: Path, tmp_path: Path) -> None:
    path = poor_path(tmp_path / "bin", without={"ninja", "apt-get"})
    done = run(tree, "scripts/system-packages", "build", PATH=str(path))
    assert done.returncode != 0
    assert "there is no apt-get" in done.stderr and "  Ninja\n" in done.stderr


def test_what_is_only_wished_for_stops_nothing(tree: Path, tmp_path: Path) -> None:
    path = poor_path(tmp_path / "bin", without={"smpicxx", "tc"})
    done = run(tree, "scripts/system-packages", "build", "substrates", PATH=str(path))
    assert done.returncode == 0, done.stderr
    assert "--on simulated" in done.stdout and "--on emulated" in done.stdout
    again = run(tree, "scripts/system-packages", "build", "substrates", PATH=str(path))
    assert again.stdout == "", "once is enough"


def test_old_cmake_is_not_enough(tree: Path, tmp_path: Path) -> None:
    path = poor_path(tmp_path / "bin", without={"cmake"})
    (path / "cmake").write_text("#!/bin/sh\necho cmake version 3.18.4\n")
    (path / "cmake").chmod(0o755)
    done = run(tree, "scripts/system-packages", "build", PATH=str(path))
    assert done.returncode != 0 and "CMake 3.22 or newer" in done.stderr


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
