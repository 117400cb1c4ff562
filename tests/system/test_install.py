# SPDX-License-Identifier: BSD-3-Clause
"""Installations by CMake and by pip work without the source tree."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import conda_recipe
import pytest
from processes import completed
from shared_fixtures import made_once

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "mpich"
pytestmark = pytest.mark.slow  # make test does not build all that is installed


def run(*command: str | Path, cwd: Path | None = None, timeout_s: int = 240) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("STRETTO_")}
    done = completed(command, cwd=cwd, env=environment, timeout=timeout_s, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def installed(target: Path) -> Path:
        run("cmake", "--install", BUILD, "--prefix", target)
        return target

    return made_once(tmp_path_factory, "prefix", installed)


def program_in(page: str, language: str) -> str:
    """The first program in that language on a page of the documentation."""
    match = re.search(
        rf"```{language}\n(.*?)```", (ROOT / "docs" / page).read_text(encoding="utf-8"), re.DOTALL
    )
    assert match, page
    return match[1]


def consume(target: Path, prefix: Path, *options: str) -> None:
    """Builds tests/install against what is installed in `prefix`."""
    shutil.copytree(ROOT / "tests" / "install", target / "source")
    (target / "source" / "runtime.cpp").write_text(program_in("runtime.md", "cpp"), encoding="utf-8")
    (target / "source" / "kernels.cpp").write_text(program_in("fft.md", "cpp"), encoding="utf-8")
    (target / "source" / "armci.c").write_text(program_in("armci.md", "c"), encoding="utf-8")
    (target / "source" / "interface.c").write_text(program_in("bindings.md", "c"), encoding="utf-8")
    run(
        *("cmake", "-G", "Ninja", "-S", target / "source", "-B", target / "build"),
        *(f"-DCMAKE_PREFIX_PATH={prefix}", *options),
    )
    run("cmake", "--build", target / "build")


def libraries_of(program: Path) -> str:
    linked = run("ldd", program)
    assert "not found" not in linked
    return linked


# The MPI compiler of the project, the expected family, and the library that proves it.
FAMILIES = [("mpicxx", "mpich", "libmpi.so"), ("mpicxx_abi", "mpi-abi", "libmpi_abi.so")]


@pytest.mark.parametrize(("compiler", "family", "libmpi"), FAMILIES)
def test_cmake_package_can_be_consumed(
    prefix: Path, tmp_path: Path, compiler: str, family: str, libmpi: str
) -> None:
    once = "ON" if family == "mpich" else "OFF"  # headers know no family
    consume(tmp_path, prefix, f"-DMPI_CXX_COMPILER={ROOT}/.venv/bin/{compiler}", f"-DHEADERS_ALONE={once}")
    programs = {
        "runtime": "every rank has what it should",
        "armci": "1.99",
        "kernels": "mean 1.0",
        "interface": "499.5 from rank 1",
    }
    if family == "mpi-abi":
        del programs["kernels"]  # built for the MPI of the build only
    for name, text in programs.items():
        program = tmp_path / "build" / name
        libraries = libraries_of(program)
        assert f"/stretto/{family}/libstretto" in libraries and f"{libmpi}." in libraries
        assert run(ROOT / ".venv" / "bin" / "mpiexec", "-n", "2", program).strip() == text


def flags_of(prefix: Path, package: str) -> list[str]:
    """What pkg-config says of a package below this prefix."""
    path = {**os.environ, "PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig")}
    words = ["pkg-config", "--cflags", "--libs", package]
    done = subprocess.run(words, env=path, capture_output=True, text=True, check=True)
    return done.stdout.split()


def compile_by_hand(target: Path, prefix: Path, binaries: Path, suffix: str = "", compiler: str = "") -> None:
    """Compiles and runs the programs of three pages with a compiler wrapper and pkg-config alone."""
    programs = [
        ("mpicxx", "runtime.md", "cpp", "stretto-rma", "every rank has what it should"),
        ("mpicc", "armci.md", "c", "stretto-armci", "1.99"),
        ("mpicc", "bindings.md", "c", "stretto", "499.5 from rank 1"),
    ]
    if not compiler:
        programs.append(("mpicxx", "fft.md", "cpp", "stretto-kernels", "mean 1.0"))
    for wrapper, page, language, package, said in programs:
        source = target / f"{package}.{language}"
        source.write_text(program_in(page, language), encoding="utf-8")
        standard = ["-std=c++20"] if language == "cpp" else []
        words = [binaries / f"{wrapper}{compiler}", *standard, source, "-o", target / package]
        run(*words, *flags_of(prefix, package + suffix))
        assert run(binaries / "mpiexec", "-n", "2", target / package).strip() == said


needs_pkg_config = pytest.mark.skipif(
    shutil.which("pkg-config") is None, reason="NO PKG-CONFIG: not tested; apt-get install pkgconf"
)


needs_gfortran = pytest.mark.skipif(
    shutil.which("gfortran") is None or shutil.which("pkg-config") is None,
    reason="NO GFORTRAN: not tested; apt-get install gfortran pkgconf",
)


@needs_pkg_config
@pytest.mark.parametrize(("suffix", "compiler"), [("", ""), ("-mpi-abi", "_abi")])
def test_pkg_config_is_enough(prefix: Path, tmp_path: Path, suffix: str, compiler: str) -> None:
    compile_by_hand(tmp_path, prefix, ROOT / ".venv" / "bin", suffix, compiler)


def test_a_project_in_c_alone_finds_armci(prefix: Path, tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\nproject(c LANGUAGES C)\nfind_package(stretto REQUIRED)\n"
        "add_executable(armci armci.c)\ntarget_link_libraries(armci PRIVATE stretto::armci)\n"
    )
    (tmp_path / "armci.c").write_text(program_in("armci.md", "c"), encoding="utf-8")
    options = (f"-DCMAKE_PREFIX_PATH={prefix}", f"-DMPI_C_COMPILER={ROOT}/.venv/bin/mpicc")
    run("cmake", "-G", "Ninja", "-S", tmp_path, "-B", tmp_path / "build", *options)
    run("cmake", "--build", tmp_path / "build")
    assert run(ROOT / ".venv/bin/mpiexec", "-n", "2", tmp_path / "build" / "armci").strip() == "1.99"


@needs_gfortran
def test_the_fortran_module_is_installed_as_a_source(prefix: Path, tmp_path: Path) -> None:
    module = prefix / "include" / "stretto" / "stretto.f90"
    words = [
        "gfortran",
        "-J",
        tmp_path,
        module,
        ROOT / "examples" / "runtime.f90",
        "-o",
        tmp_path / "program",
    ]
    run(*words, *flags_of(prefix, "stretto"))
    said = run(ROOT / ".venv" / "bin" / "mpiexec", "-n", "2", tmp_path / "program")
    assert said.strip() == "runtime (Fortran): puts, gets and the counter agree"


def test_manual_pages_are_installed(prefix: Path) -> None:
    share = prefix / "share"
    assert (share / "man/man1/stretto.1").is_file() and (share / "man/man1/stretto-probe.1").is_file()


@pytest.mark.parametrize(("compiler", "family", "_libmpi"), FAMILIES)
@pytest.mark.matrix_but("mpi-abi")
def test_examples_build_and_run_against_what_is_installed(
    prefix: Path, tmp_path: Path, compiler: str, family: str, _libmpi: str
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    run(
        *("cmake", "-G", "Ninja", "-S", tmp_path / "examples", "-B", tmp_path / "build"),
        *(f"-DCMAKE_PREFIX_PATH={prefix}", f"-DMPI_CXX_COMPILER={ROOT}/.venv/bin/{compiler}"),
        f"-DMPIEXEC_EXECUTABLE={ROOT}/.venv/bin/mpiexec",
    )
    run("cmake", "--build", tmp_path / "build")
    text = run("ctest", "--test-dir", tmp_path / "build", "--output-on-failure", "-j", "2")
    assert "100% tests passed" in text
    kernels = {"fft", "spmv", "collectives"}  # built for the MPI of the build only
    for program in {"put_get", "armci_c", "runtime_c", "halo_overlap"} | (
        kernels if family == "mpich" else set()
    ):
        assert f"example.{program}.4 " in text
        assert f"/stretto/{family}/libstretto" in libraries_of(tmp_path / "build" / program)


def test_a_family_that_is_not_there_is_refused(prefix: Path, tmp_path: Path) -> None:
    with pytest.raises(
        AssertionError, match="STRETTO_MPI=lam is not installed here; there are: mpich;mpi-abi"
    ):
        consume(tmp_path, prefix, "-DSTRETTO_MPI=lam")


def test_package_does_not_know_where_it_was_built(prefix: Path) -> None:
    exported = list(prefix.glob("lib/**/cmake/stretto/*.cmake"))
    assert exported
    for file in exported:
        assert str(ROOT) not in file.read_text(), file


def test_programs_run_where_they_are_installed(prefix: Path) -> None:
    programs = sorted((prefix / "bin").iterdir())
    names = {program.name for program in programs}
    assert {"stretto-probe", "stretto-replay"} <= names and "stretto-virtual" not in names
    for program in programs:
        assert "not found" not in run("ldd", program)
        assert run(program, "--help")


def test_a_staged_installation_lies_below_its_directory(tmp_path: Path) -> None:
    """As packages are made: nothing is written outside of DESTDIR, and no file names it."""
    stage = tmp_path / "stage"
    run("env", f"DESTDIR={stage}", "cmake", "--install", BUILD, "--prefix", "/usr")
    assert [path.name for path in stage.iterdir()] == ["usr"]
    assert (stage / "usr" / "bin" / "stretto-probe").is_file()
    for file in [*stage.glob("usr/lib/**/*.cmake"), *stage.glob("usr/lib/pkgconfig/*.pc")]:
        assert str(stage) not in file.read_text(encoding="utf-8"), file


def test_platforms_are_installed(prefix: Path) -> None:
    installed = prefix / "share" / "stretto" / "platforms"
    assert {file.name for file in installed.iterdir()} == {
        file.name for file in (ROOT / "platforms").iterdir()
    }


@pytest.mark.long
def test_what_make_probe_has_built_can_be_installed(tmp_path: Path) -> None:
    """`make probe` builds the programs alone; `cmake --install` builds the libraries that it installs."""
    clone = tmp_path / "clone"
    run("git", "clone", "--quiet", "--shared", ROOT, clone)
    (clone / ".venv").symlink_to(ROOT / ".venv")
    run("bash", clone / "scripts" / "native", "mpich", "programs", timeout_s=1800)
    assert not list((clone / "build").rglob("libstretto_rma.so"))
    run("cmake", "--install", clone / "build" / "mpich", "--prefix", tmp_path / "prefix", timeout_s=1800)
    consume(tmp_path, tmp_path / "prefix", f"-DMPI_CXX_COMPILER={ROOT}/.venv/bin/mpicxx")
    assert run(ROOT / ".venv/bin/mpiexec", "-n", "2", tmp_path / "build" / "armci").strip() == "1.99"


def python_examples(environment: Path, elsewhere: Path) -> None:
    """The Python interface with the embedded MPI, and then with mpi4py's communicators."""
    python, mpiexec = environment / "bin" / "python", environment / "bin" / "mpiexec"
    said = run(mpiexec, "-n", "2", python, ROOT / "examples" / "runtime.py", cwd=elsewhere)
    assert said.strip() == "runtime (Python): puts, gets, the counter and the transform agree"
    run(python, "-m", "pip", "install", "--quiet", "mpi4py", timeout_s=600)
    checks = ROOT / "tests" / "system" / "programs" / "rma_checks.py"
    said = run(mpiexec, "-n", "2", python, checks, "between-nodes", "mpi4py", cwd=elsewhere)
    assert said.count("everything holds") == 2


def new_environment(directory: Path, package: str | Path) -> Path:
    """A Python environment with one package and what it needs."""
    run(sys.executable, "-m", "venv", directory)
    run(directory / "bin" / "python", "-m", "pip", "install", "--quiet", package, timeout_s=1800)
    return directory


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with stretto by pip."""
    return new_environment(tmp_path_factory.mktemp("pip") / "environment", ROOT)


@pytest.mark.long
@pytest.mark.parametrize("wrapper", ["mpicc", "mpicc_abi"])
def test_pip_install_gives_tools_for_programs_of_its_mpi(
    environment: Path, tmp_path: Path, wrapper: str
) -> None:
    """A program that its compiler wrapper has compiled is traced, replayed and served by both libraries."""
    stretto, ranks = environment / "bin" / "stretto", (environment / "bin" / "mpiexec", "-n", "2")
    program = tmp_path / "messages"
    run(environment / "bin" / wrapper, ROOT / "tests" / "system" / "programs" / "messages.c", "-o", program)
    run(stretto, "trace", "-o", "trace", "--", *ranks, program, cwd=tmp_path)
    words = ("whatif", "trace", "--latency", "1us", "--bandwidth", "1GB/s", "--json")
    assert json.loads(run(stretto, *words, cwd=tmp_path))["rows"]
    for library in ("progress", "collectives"):
        file = tmp_path / library
        statistics = ("env", f"STRETTO_STATISTICS={file}", "STRETTO_GRIDS=1x2")
        run(*statistics, stretto, "preload", library, "--", *ranks, program, cwd=tmp_path)
        assert file.read_text(encoding="utf-8").startswith("# ")


@pytest.mark.long
def test_another_mpi_of_the_standard_abi_is_measured(environment: Path, tmp_path: Path) -> None:
    """Intel MPI, as PyPI has it. Its library ends a program whose runtime looks for node-local memory carelessly."""
    intel = new_environment(tmp_path / "intel", "impi-rt")
    stretto, mpi = environment / "bin" / "stretto", ("--mpi", intel / "bin" / "mpiexec")
    run(stretto, "probe", "latency", "--sizes", "8:64", "--budget", "5", *mpi, "-o", "run", cwd=tmp_path)
    results = json.loads((tmp_path / "run" / "results.json").read_text(encoding="utf-8"))
    measured = {row["transport"] for row in results["rows"] if row["metric"] == "latency"}
    assert {"mpi-two-sided", "mpi-rma", "stretto"} <= measured
    profile = json.loads((tmp_path / "run" / "profile.json").read_text(encoding="utf-8"))
    assert profile["machine"]["mpi"]["library"].startswith("Intel(R) MPI Library")
    assert json.loads(run(stretto, "run", "cg", "-n", "2", *mpi, "--json", cwd=tmp_path))["verified"]

    program, ranks = tmp_path / "messages", (intel / "bin" / "mpiexec", "-n", "2")
    run(environment / "bin" / "mpicc_abi", ROOT / "tests/system/programs/messages.c", "-o", program)
    with_intel = ("env", f"LD_LIBRARY_PATH={intel}/lib")
    run(*with_intel, stretto, "trace", "-o", "trace", "--", *ranks, program, cwd=tmp_path)
    assert b"Intel(R) MPI Library" in (tmp_path / "trace" / "rank-000000.trace").read_bytes()[:1000]
    program, ranks = tmp_path / "collectives", (intel / "bin" / "mpiexec", "-n", "4")
    run(environment / "bin" / "mpicc_abi", ROOT / "tests/system/programs/collectives.c", "-o", program)
    said = run(*with_intel, "STRETTO_GRIDS=2x2", stretto, "preload", "collectives", "--", *ranks, program)
    assert said == "right 4\n"


@pytest.mark.long
def test_pip_install_gives_a_working_tool(environment: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    stretto = environment / "bin" / "stretto"
    assert "latency" in run(stretto, "list", cwd=elsewhere)
    run(stretto, "probe", "latency", "--sizes", "8:64", "-o", "out", cwd=elsewhere)
    results = json.loads((elsewhere / "out" / "results.json").read_text())
    latencies = [row["value"] for row in results["rows"] if row["metric"] == "latency"]
    assert latencies and all(value is None or 0 < value < 1 for value in latencies)

    program = next(environment.glob("lib/python3*/site-packages/stretto/_native/mpi-abi/bin/stretto-probe"))
    native = program.parents[2]
    names = [f"{name}{abi}" for name in ("trace", "progress", "collectives") for abi in ("", "_abi")]
    preloaded = [native / "mpich" / "lib" / f"libstretto_{name}.so" for name in names]
    libraries = [
        native / "lib" / "stretto" / family / "libstretto_armci.so" for family in ("mpich", "mpi-abi")
    ]
    assert "libmpi_abi.so" in libraries_of(program)
    for linked in (program, *preloaded, *libraries):
        libmpi = [line for line in libraries_of(linked).splitlines() if "libmpi" in line]
        assert libmpi and all(
            str(environment.resolve()) in os.path.realpath(line.split()[2]) for line in libmpi
        )

    assert run(stretto, "--prefix", cwd=elsewhere).strip() == str(native)
    consume(tmp_path, native, f"-DMPI_CXX_COMPILER={environment}/bin/mpicxx")
    assert run(environment / "bin" / "mpiexec", "-n", "2", tmp_path / "build" / "armci").strip() == "1.99"
    if shutil.which("pkg-config"):
        compile_by_hand(elsewhere, native, environment / "bin")
    loaded = "import stretto.rma.array_calls as a; print(a.native_module() is not None)"
    assert run(environment / "bin" / "python", "-c", loaded, cwd=elsewhere).strip() == "True"
    python_examples(environment, elsewhere)
    assert (environment / "share/man/man1/stretto-probe.1").is_file()


@pytest.mark.long
def test_the_script_of_the_conda_recipe_builds_what_its_tests_need(tmp_path: Path) -> None:
    """With the packages of PyPI and of the system: those of conda-forge themselves are not tested here."""
    (package,) = conda_recipe.rendered()
    needed = {*package["requirements"]["host"], *package["requirements"]["run"]}
    of_the_system = {"python", "fmt", "nlohmann_json", "cli11", "fftw"}
    from_pypi = sorted(name for name in needed if name.split()[0] not in of_the_system)
    source, prefix = tmp_path / "source", new_environment(tmp_path / "prefix", "cmake")
    run("git", "clone", "--quiet", "--shared", ROOT, source)
    python, path = prefix / "bin" / "python", f"PATH={prefix}/bin:{os.environ['PATH']}"
    run(python, "-m", "pip", "install", "--quiet", "ninja", *(name.replace(" ", "") for name in from_pypi))
    script = package["build"]["script"]
    variables = [f"{name}={value}" for name, value in script["env"].items()]
    places = (f"PYTHON={python}", f"PREFIX={prefix}", path)
    run("env", *variables, *places, "bash", "-euc", script["content"], cwd=source, timeout_s=1800)
    for test in package["tests"]:
        for command in test["script"]:
            run("env", path, "bash", "-euc", command, cwd=tmp_path)
