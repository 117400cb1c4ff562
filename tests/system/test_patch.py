# SPDX-License-Identifier: BSD-3-Clause
"""`stretto potential --patch`: patches of traced programs, and why others are refused."""

import functools
import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from memory_runs import BIN, needs_memory, run
from processes import completed
from traced_runs import LAUNCHERS

from stretto.errors import CheckError
from stretto.patch.copies import contents
from stretto.patch.verify import Recorded, Verification, verify

pytest.importorskip("clang.cindex", reason="NO libclang: no patch is tested; pip install libclang")

PROGRAMS = Path(__file__).parent / "programs" / "patched"
ADVICE = Path(__file__).parents[2] / "validation" / "advice" / "programs"
NETWORK = ("--latency", "1ms", "--bandwidth", "10MB/s")
pytestmark = [pytest.mark.slow, *needs_memory]


def traced(directory: Path, name: str, text: bytes | None = None, source: str = "") -> Path:
    """Compiles a program in a folder of its own, and records it."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / (source or name)
    path.write_bytes((PROGRAMS / name).read_bytes() if text is None else text)
    wrapper = "stretto-cxx" if path.suffix == ".cpp" else "stretto-cc"
    run(BIN / wrapper, "-O2", "-g", path, "-o", directory / "app", "-lm")
    run(BIN / "stretto", "trace", "--memory", "byte", "-o", directory / "TRACE", "--",
        LAUNCHERS["mpich"], "-n", "2", directory / "app")  # fmt: skip
    return directory


def patch_of(directory: Path, *words: str, status: int = 0) -> subprocess.CompletedProcess[bytes]:
    command = [BIN / "stretto", "potential", directory / "TRACE", "--patch", *NETWORK, *words]
    done = subprocess.run(
        list(map(str, command)), capture_output=True, timeout=120, check=False, cwd=directory,
        env={**os.environ, "STRETTO_BUILD": str(BIN.parents[1] / "build/mpich"), "STRETTO_CC": str(BIN / "mpicc"),
             "STRETTO_CXX": str(BIN / "mpicxx"), "PATH": f"{BIN}:{os.environ['PATH']}"},
    )  # fmt: skip
    assert done.returncode == status, done.stderr.decode()
    return done


def line_of(path: Path, text: str) -> int:
    return next(number for number, line in enumerate(path.read_text().split("\n"), 1) if text in line)


def apply(directory: Path, diff: bytes) -> None:
    """As a person would; git is the stricter reader."""
    (directory / "move.diff").write_bytes(diff)
    subprocess.run(["git", "apply", "--check", "move.diff"], cwd=directory, check=True)
    subprocess.run(["patch", "-p1", "-s", "-i", "move.diff"], cwd=directory, check=True)


def order(path: Path, *texts: str) -> bool:
    lines = [line_of(path, text) for text in texts]
    return lines == sorted(lines)


@functools.cache
def has_git() -> bool:
    return shutil.which("git") is not None and shutil.which("patch") is not None


needs_patch = pytest.mark.skipif(not has_git(), reason="NO git OR NO patch: that patches apply is not tested")


@needs_patch
def test_a_wait_moves_behind_the_work_that_reads_nothing_that_came(tmp_path: Path) -> None:
    directory = traced(tmp_path, "wait_later.c")
    before = (directory / "wait_later.c").read_bytes()
    done = patch_of(directory)
    assert (directory / "wait_later.c").read_bytes() == before
    first = line_of(directory / "wait_later.c", "MPI_Waitall")
    assert (
        f"# stretto: wait later: MPI_Waitall, main wait_later.c:{first}: line {first} before line {first + 2}\n"
        in (done.stdout.decode())
    )
    assert "# seen: the data of all 24 messages followed" in done.stdout.decode()
    apply(directory, done.stdout)
    assert order(directory / "wait_later.c", "relax(u, interior);", "MPI_Waitall", "sum += halo[i]")


@needs_patch
def test_a_send_moves_to_the_last_store_of_its_data(tmp_path: Path) -> None:
    directory = traced(tmp_path, "start_earlier.c")
    apply(directory, patch_of(directory).stdout)
    assert order(
        directory / "start_earlier.c", "edge[i] = u[i]", "MPI_Isend", "round = 0", "MPI_Wait(&arriving"
    )


@needs_patch
def test_both_kinds_are_one_patch_of_a_source_in_cxx(tmp_path: Path) -> None:
    directory = traced(tmp_path / "with spaces", "both_sides.cpp", source="a source.cpp")
    apply(directory, patch_of(directory).stdout)
    path = directory / "a source.cpp"
    assert order(
        path, "leave[i] = step", "MPI_Irecv", "MPI_Isend", "drift(stay", "MPI_Waitall", "sum += come[i]"
    )


INTERIOR = "    relax(u, interior);\n"


@pytest.mark.parametrize(
    ("changes", "text", "reason"),
    [
        # What arrives decides whether the interior is computed.
        (
            {INTERIOR: f"    if (halo[0] < 1e6) {{\n  {INTERIOR}    }}\n"},
            "if (halo[0]",
            "branches on halo, the buffer of the message",
        ),
        # The interior reads the received data by another name.
        (
            {
                "static void relax(double* u, int n) {\n": "static double* boundary;\n"
                "static void relax(double* u, int n) {\n  u[0] = boundary[0];\n",
                "  double sum = 0;\n": "  boundary = halo;\n  double sum = 0;\n",
            },
            "relax(u, interior);",
            "loads from boundary of relax, which may be part of halo, the buffer of the message",
        ),
        (
            {INTERIOR: f"    MPI_Barrier(MPI_COMM_WORLD);\n{INTERIOR}"},
            "MPI_Barrier",
            "another call of MPI, MPI_Barrier",
        ),
        ({INTERIOR: f"    fflush(stdout);\n{INTERIOR}"}, "fflush", "calls fflush, whose effect is not known"),
    ],
    ids=["branch", "alias", "message", "call"],
)
def test_tempting_moves_are_refused_with_the_reason(
    tmp_path: Path, changes: dict[str, str], text: str, reason: str
) -> None:
    name = "wait_later.c"
    source = (PROGRAMS / name).read_text()
    for old, new in changes.items():
        assert source.count(old) == 1
        source = source.replace(old, new)
    directory = traced(tmp_path, name, source.encode())
    done = patch_of(directory)
    assert done.stdout == b""
    site, line = line_of(directory / name, "MPI_Waitall"), line_of(directory / name, text)
    said = f"stretto: main {name}:{site}: MPI_Waitall stays, wait later is refused: line {line}: {reason}\n"
    assert said in done.stderr.decode()
    assert done.stderr.decode().endswith("no wait and no start of a message may move within its block\n")


def traced_of_advice(directory: Path, name: str) -> subprocess.CompletedProcess[bytes]:
    """Records a program of `make validation ARGS=advice`, whose arrays its own functions allocate and exchange."""
    shutil.copy(ADVICE / "frame.h", directory)
    return patch_of(traced(directory, f"{name}.c", (ADVICE / f"{name}.c").read_bytes()))


@needs_patch
@pytest.mark.parametrize(
    ("name", "move"),
    [
        ("boundary_last", "wait later: MPI_Waitall, main boundary_last.c:28: line 28 before line 32"),
        ("ring", "start earlier: MPI_Irecv, MPI_Isend, main ring.c:31: lines 30-31 before line 25"),
        (
            "early_edge",
            "start earlier: MPI_Irecv, MPI_Send, main early_edge.c:31: lines 30-31 before line 29",
        ),
    ],
)
def test_programs_of_a_known_local_change_are_patched(tmp_path: Path, name: str, move: str) -> None:
    done = traced_of_advice(tmp_path, name)
    assert f"# stretto: {move}\n" in done.stdout.decode(), done.stderr.decode()
    apply(tmp_path, done.stdout)
    run(BIN / "mpicc", "-O2", tmp_path / f"{name}.c", "-o", tmp_path / "patched", "-lm")
    printed = [
        run(LAUNCHERS["mpich"], "-n", "2", tmp_path / program).stdout.rpartition("sum")[2]
        for program in ("app", "patched")
    ]
    assert printed[0] == printed[1]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("refine", "line 31: branches on in, the buffer of the message"),
        ("scratch", "line 32: loads from in, the buffer of the message"),
        ("steered", "line 43: loads from all, "),
    ],
)
def test_programs_with_a_trap_are_refused(tmp_path: Path, name: str, reason: str) -> None:
    done = traced_of_advice(tmp_path, name)
    assert done.stdout == b""
    assert f"MPI_Waitall stays, wait later is refused: {reason}" in done.stderr.decode()


def test_a_source_that_is_newer_than_its_program_is_refused(tmp_path: Path) -> None:
    directory = traced(tmp_path, "wait_later.c")
    later = time.time() + 10
    os.utime(directory / "wait_later.c", (later, later))
    done = patch_of(directory)
    assert done.stdout == b""
    assert "wait_later.c is newer than app; build and record it again" in done.stderr.decode()


@needs_patch
def test_ends_of_lines_and_a_last_line_without_one_stay(tmp_path: Path) -> None:
    text = (PROGRAMS / "wait_later.c").read_bytes().replace(b"\n", b"\r\n").removesuffix(b"\r\n")
    directory = traced(tmp_path, "wait_later.c", text.replace(b"    relax", b"\trelax"))
    diff = patch_of(directory).stdout
    (directory / "move.diff").write_bytes(diff)
    subprocess.run(["patch", "--binary", "-p1", "-s", "-i", "move.diff"], cwd=directory, check=True)
    after = (directory / "wait_later.c").read_bytes()
    assert after.count(b"\r\n") == after.count(b"\n") == text.count(b"\n")
    assert not after.endswith(b"\n")
    assert order(directory / "wait_later.c", "relax(u, interior);", "MPI_Waitall", "sum += halo[i]")


def test_without_libclang_one_line_says_what_is_missing(tmp_path: Path) -> None:
    directory = traced(tmp_path, "wait_later.c")
    hidden = tmp_path / "hidden" / "clang"
    hidden.mkdir(parents=True)
    (hidden / "__init__.py").write_text("raise ImportError('hidden')\n")
    done = completed(
        [str(BIN / "stretto"), "potential", "TRACE", "--patch", *NETWORK],
        cwd=directory,
        env={
            **os.environ,
            "PYTHONPATH": str(hidden.parent),
            "STRETTO_BUILD": str(BIN.parents[1] / "build/mpich"),
        },
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.endswith(
        "--patch needs libclang, which reads C and C++: pip install 'stretto[patch]'\n"
    )


@pytest.mark.parametrize(
    ("name", "build"),
    [
        ("wait_later.c", "mpicc -O2 -g wait_later.c -o app"),
        ("start_earlier.c", "make"),
        ("both_sides.cpp", "mpicxx -O2 -g both_sides.cpp -o app"),
    ],
)
def test_patches_are_proved_by_their_command_alone(tmp_path: Path, name: str, build: str) -> None:
    directory = traced(tmp_path, name)
    (directory / "Makefile").write_text(f"app: {name}\n\tmpicc -O2 -g $< -o $@\n")
    before = contents(directory)
    done = patch_of(directory, "--verify", build, "--runs", "3")
    said = done.stderr.decode()
    assert "stretto: the patch is proved: the output (" in said
    assert " messages is touched in flight, and it " in said
    assert re.search(r"in 3 pairs; promised was about \d+\.\d % of a run that is not recorded\n", said)
    assert b"% of the run's time, as it was recorded; no bound: " in done.stdout
    assert done.stdout.startswith(b"# stretto: ")
    assert contents(directory) == before


def test_a_proof_starts_the_program_as_launch_says(tmp_path: Path) -> None:
    """The program's word becomes that of each copy; a command line without it proves nothing."""
    directory = traced(tmp_path, "wait_later.c")
    (directory / "Makefile").write_text("app: wait_later.c\n\tmpicc -O2 -g $< -o $@\n")
    launch = f"{LAUNCHERS['mpich']} -n 2 env LAUNCHED=1 ./app"
    done = patch_of(directory, "--verify", "make", "--runs", "3", "--launch", launch)
    assert "stretto: the patch is proved: " in done.stderr.decode()
    other = patch_of(
        directory, "--verify", "make", "--launch", f"{LAUNCHERS['mpich']} -n 2 ./other", status=2
    )
    assert "--launch: no word of it names the program, app" in other.stderr.decode()


def verification(directory: Path, name: str, old: bytes, new: bytes) -> Verification:
    path = (directory / name).resolve()
    text = path.read_bytes()
    assert old in text
    build = f"mpicc -O2 -g {name} -o app"
    recorded = Recorded((str(directory / "app"),), 2)
    return Verification(
        directory.resolve(), {path: text}, {path: text.replace(old, new)}, build, None, recorded, 3,
        ((directory / "TRACE").resolve(),),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            b"sum += halo[i];",
            b"sum -= halo[i];",
            r"the patch is wrong: it prints something else: '0 .*' and '0 .*'",
        ),
        (
            b"    MPI_Waitall",
            b"    edge[3] += 0.0;\n    MPI_Waitall",
            r"the patch is wrong: main wait_later.c:30 touches the buffer of main wait_later.c:29 in flight, 24 times",
        ),
        (
            b"    MPI_Waitall",
            b"    sum += 0 * halo[5];\n    MPI_Waitall",
            r"the patch is wrong: main wait_later.c:30 touches the buffer of main wait_later.c:28 in flight, 24 times",
        ),
        (
            b"  MPI_Finalize();",
            b'  if (rank == 0) fclose(fopen("left.txt", "w"));\n  MPI_Finalize();',
            r"the patch is wrong: the file left.txt that the patched program writes has other bytes",
        ),
    ],
)
def test_a_wrong_patch_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: bytes, new: bytes, reason: str
) -> None:
    monkeypatch.setenv("PATH", f"{BIN}:{os.environ['PATH']}")
    monkeypatch.setenv("STRETTO_BUILD", str(BIN.parents[1] / "build/mpich"))
    monkeypatch.delenv("STRETTO_CC", raising=False)
    directory = tmp_path / "sources"
    directory.mkdir()
    shutil.copy(PROGRAMS / "wait_later.c", directory)
    (tmp_path / "made").mkdir()
    asked = verification(directory, "wait_later.c", old, new)
    with pytest.raises(CheckError, match=reason):
        verify(asked, (tmp_path / "made").resolve(), lambda _: None)
