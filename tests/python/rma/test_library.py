# SPDX-License-Identifier: BSD-3-Clause
"""The library is chosen by the MPI that the process has loaded."""

from pathlib import Path

import pytest

from stretto.errors import UserError
from stretto.native import programs
from stretto.rma import library

LINE = "7f00-7f01 r-xp 00000000 08:01 12 {}\n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["/lib/libc.so.6"], {}),
        (["/v/lib/libmpi.so.12.5.2"], {"mpich": "/v/lib/libmpi.so.12.5.2"}),
        (["/lib/libmpich.so.12"], {"mpich": "/lib/libmpich.so.12"}),
        (["/opt/libmpi.so.40.30.4", "/opt/libmpi_mpifh.so.40"], {"openmpi": "/opt/libmpi.so.40.30.4"}),
        (["/v/lib/libmpi_abi.so.1.0.2"], {"mpi-abi": "/v/lib/libmpi_abi.so.1.0.2"}),
    ],
)
def test_the_loaded_mpi_is_known_by_its_library(
    tmp_path: Path, files: list[str], expected: dict[str, str]
) -> None:
    maps = tmp_path / "maps"
    maps.write_text(
        "".join(LINE.format(file) for file in files for _ in range(2)) + "7f02-7f03 rw-p 0 00:00 0\n"
    )
    assert library.loaded_mpi(maps) == expected


def test_the_chosen_build_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "lib" / "stretto" / "openmpi" / "libstretto.so"
    file.parent.mkdir(parents=True)
    file.touch()
    monkeypatch.setenv("STRETTO_BUILD", str(tmp_path))
    assert next(programs.interface_libraries("openmpi")) == file
    assert file in programs.interface_libraries(None)
    assert file not in programs.interface_libraries("mpich")


def test_what_is_not_built_for_the_loaded_mpi_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    library.library.cache_clear()
    monkeypatch.setattr(library, "loaded_mpi", lambda: {"openmpi": "/opt/libmpi.so.40"})
    monkeypatch.setattr(library, "interface_libraries", lambda family: iter(()))
    with pytest.raises(UserError, match="not built for openmpi, the MPI that is loaded: run") as error:
        library.library()
    assert "\n" not in str(error.value)
    monkeypatch.setattr(library, "loaded_mpi", lambda: {"mpich": "/a", "openmpi": "/b"})
    with pytest.raises(UserError, match="several MPI libraries: /a, /b"):
        library.library()
