# SPDX-License-Identifier: BSD-3-Clause
"""Programs of Global Arrays, with Debian's library of it, over this ARMCI."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from processes import completed
from traced_runs import ROOT

SOURCES = Path(__file__).resolve().parent / "programs" / "global_arrays"
LIBRARIES = Path("/usr/lib/x86_64-linux-gnu")
FAMILIES = ("mpich", "openmpi")
NEEDED = [Path("/usr/include/ga.h")] + [
    file
    for family in FAMILIES
    for file in (
        LIBRARIES / f"libga-{family}.a",
        LIBRARIES / f"libscalapack-{family}.so",
        Path(f"/usr/bin/mpicxx.{family}"),
        Path(f"/usr/bin/mpifort.{family}"),
    )
]
MISSING = [str(file) for file in NEEDED if not file.exists()]
pytestmark = [
    pytest.mark.slow,
    pytest.mark.matrix,
    pytest.mark.every_mpi,
    pytest.mark.skipif(bool(MISSING), reason=f"GLOBAL ARRAYS: NOT TESTED, without {', '.join(MISSING)}"),
]

# A prefix that is built for each MPI lives next to the other builds, so that a second run links only.
ENVIRONMENT = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


@pytest.fixture(scope="module", params=FAMILIES)
def family(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def prefix(family: str) -> Path:
    target = ROOT / "build" / f"armci-prefix-{family}"
    subprocess.run(
        [ROOT / "scripts/armci-prefix", target],
        env=ENVIRONMENT | {"MPI": f"/usr/bin/mpicxx.{family}"},
        check=True,
        capture_output=True,
        timeout=900,
    )
    return target


@pytest.fixture(scope="module")
def programs(family: str, prefix: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    pkg_config = shutil.which("pkg-config")
    flags = ["-L", str(prefix / "lib"), f"-Wl,-rpath,{prefix / 'lib'}", "-larmci"]
    if pkg_config is not None:
        answer = completed(
            [pkg_config, "--libs", "armci"],
            env=ENVIRONMENT | {"PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig")},
            check=True,
        )
        flags = answer.stdout.split()
    directory = tmp_path_factory.mktemp(family)
    libraries = [f"-lga-{family}", *flags, f"-lscalapack-{family}", "-llapack", "-lblas", "-lgfortran", "-lm"]
    compilers = {
        "arrays.c": [f"mpicc.{family}", "-O1"],
        "arrays.F90": [f"mpifort.{family}", "-O1", "-fdefault-integer-8", "-I/usr/include"],
    }
    for source, compiler in compilers.items():
        target = directory / source.replace(".", "_")
        subprocess.run([*compiler, SOURCES / source, "-o", target, *libraries], check=True)
    return directory


@pytest.mark.parametrize("node_ranks", ["0", "1"], ids=["node", "network"])
@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
@pytest.mark.parametrize(
    ("program", "expected"), [("arrays_c", "Global Arrays has"), ("arrays_F90", "Fortran has")]
)
def test_programs_of_global_arrays_run(
    family: str, programs: Path, program: str, expected: str, ranks: int, node_ranks: str
) -> None:
    launcher = [f"mpiexec.{family}", *(["--oversubscribe"] if family == "openmpi" else [])]
    done = completed(
        [*launcher, "-n", str(ranks), programs / program],
        env=ENVIRONMENT | {"STRETTO_NODE_RANKS": node_ranks},
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{expected} what it should on {ranks}" in done.stdout


def test_the_prefix_is_what_with_armci_expects(prefix: Path) -> None:
    assert (prefix / "lib/libarmci.so").is_file()
    for header in ("armci.h", "message.h", "parmci.h", "armcix.h", "iterator.h"):
        assert (prefix / "include" / header).is_file()
