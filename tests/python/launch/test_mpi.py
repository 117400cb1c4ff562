# SPDX-License-Identifier: BSD-3-Clause
"""The MPI is identified by the version text of its launcher."""

from pathlib import Path

import pytest

from stretto.errors import UserError
from stretto.launch import mpi
from stretto.launch.mpi import MpiLibrary, find_mpi, identify, installed_mpis

HYDRA = "HYDRA build details:\n    Version:                                 5.0.2\n    Release Date:    Fri\n"
OPEN_MPI_5 = "mpiexec (Open MPI) 5.0.11\n\nReport bugs to https://www.open-mpi.org/community/help/\n"
OPEN_MPI_4 = "mpiexec.openmpi (OpenRTE) 4.1.4\n"


def install(prefix: Path, says: str, name: str = "mpiexec") -> Path:
    launcher = prefix / "bin" / name
    launcher.parent.mkdir(parents=True, exist_ok=True)
    launcher.write_text(f"#!/bin/sh\ncat <<'END'\n{says}\nEND\n", encoding="ascii")
    launcher.chmod(0o700)
    return launcher


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any MPI: no source tree, an empty environment, a PATH with sh and cat only."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "cat"):
        (tools / name).symlink_to(f"/bin/{name}")
    monkeypatch.setattr(mpi, "project_root", lambda: None)
    monkeypatch.setattr("sys.prefix", str(tmp_path / "venv"))
    monkeypatch.setenv("PATH", str(tools))
    return tmp_path


@pytest.mark.parametrize(
    ("text", "family", "version", "major"),
    [(HYDRA, "mpich", "5.0.2", 5), (OPEN_MPI_5, "openmpi", "5.0.11", 5), (OPEN_MPI_4, "openmpi", "4.1.4", 4)],
)
def test_a_launcher_is_recognised_by_its_version_text(
    text: str, family: str, version: str, major: int
) -> None:
    library = identify(text, Path("/opt/bin/mpiexec"))
    assert library is not None
    assert (library.family, library.version, library.major) == (family, version, major)
    assert library.bin == Path("/opt/bin")


def test_another_launcher_is_not_taken_for_an_mpi() -> None:
    assert identify("mpiexec of another vendor, Version 2021.9", Path("mpiexec")) is None


def test_intels_launcher_is_of_mpichs_family() -> None:
    intel = identify("Intel(R) MPI Library for Linux* OS, Version 2021.9 Build 2023", Path("mpiexec"))
    assert intel is not None and (intel.family, intel.version, intel.is_intel) == ("mpich", "2021.9", True)


def test_the_embedded_one_is_preferred_and_each_is_listed_once(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedded = install(bare / "venv", HYDRA)
    other = install(bare / "system", OPEN_MPI_4)
    (other.parent / "mpiexec.openmpi").symlink_to(other)
    monkeypatch.setenv("PATH", f"{other.parent}:{bare / 'tools'}")
    assert find_mpi() == MpiLibrary("mpich", "5.0.2", embedded)
    assert find_mpi("openmpi") == MpiLibrary("openmpi", "4.1.4", other)
    assert [library.version for library in installed_mpis()] == ["5.0.2", "4.1.4"]


def test_the_projects_mpi_is_found_by_name(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = install(bare / "root" / ".mpi" / "openmpi", OPEN_MPI_5)
    monkeypatch.setattr(mpi, "project_root", lambda: bare / "root")
    assert find_mpi("openmpi") == MpiLibrary("openmpi", "5.0.11", own)


def test_a_prefix_a_directory_or_a_launcher_can_be_named(bare: Path) -> None:
    launcher = install(bare / "opt", OPEN_MPI_5)
    for name in (bare / "opt", bare / "opt" / "bin", launcher):
        assert find_mpi(str(name)).mpiexec == launcher


@pytest.mark.parametrize("name", [None, "mpich", "openmpi"])
def test_no_mpi_is_a_user_error(bare: Path, name: str | None) -> None:
    with pytest.raises(UserError, match="make setup"):
        find_mpi(name)


def test_a_named_mpi_must_be_one(bare: Path) -> None:
    with pytest.raises(UserError, match="neither mpich, openmpi"):
        find_mpi(str(bare / "nowhere"))
    with pytest.raises(UserError, match="by what --version says"):
        find_mpi(str(install(bare / "other", "something else")))
