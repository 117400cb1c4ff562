# SPDX-License-Identifier: BSD-3-Clause
"""Programs that know nothing of stretto, started by it: here and between emulated hosts."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from processes import completed
from runs import MPIS, PACKAGE_ROOT, eventually, needs_namespaces, running
from screens import refusal

from stretto.errors import UserError
from stretto.launch.knobs import settings_for
from stretto.launch.mpi import MpiLibrary, find_mpi
from stretto.native.programs import native_library

PROGRAM = Path(__file__).resolve().parent / "programs" / "overlapping.c"
LAUNCHER_WAS_LATE = re.compile(
    r"\[.*\] plm:[rs]sh: Warning: setpgid\(\d+,\d+\) failed in parent with errno=Permission"
)
LAUNCHER_HAS_NO_THREAD = "The PMIx server's listener thread failed to start"
# The self-test of the network fails on a machine that runs other tests.
UNTESTED = (
    "from stretto.launch import application as a\n"
    "a.self_test = a.native_program = lambda *_: None\n"
    "from stretto.commands import main\n"
)


def stretto(*words: str | Path, given: str = "") -> subprocess.CompletedProcess[str]:
    """`stretto WORDS`; an emulated network is not tested before.

    Open MPI 5's launcher sometimes cannot start a thread of its own; then it is run once more.
    """
    done = _stretto(*words, given=given)
    return _stretto(*words, given=given) if LAUNCHER_HAS_NO_THREAD in done.stderr else done


def _stretto(*words: str | Path, given: str) -> subprocess.CompletedProcess[str]:
    return completed(
        [sys.executable, "-c", f"{UNTESTED}main({[*map(str, words)]!r})"],
        env={**os.environ, "PYTHONPATH": str(PACKAGE_ROOT)},
        input=given,
        timeout=240,
    )


def of_the_program(stderr: str) -> str:
    """Standard error without a warning of Open MPI's launcher.

    Its parent and its child both put the child into a process group. Where the child was faster and has
    executed the remote shell, the parent is refused, and says that it goes on.
    """
    lines = stderr.splitlines(keepends=True)
    return "".join(line for line in lines if not LAUNCHER_WAS_LATE.match(line))


def compiled(mpi: MpiLibrary, directory: Path) -> Path:
    """The program for this MPI. Skips where the library to preload is not built for it."""
    if mpi.family == "mpich" and not mpi.mpiexec.is_relative_to(sys.prefix):
        pytest.skip(f"NOT TESTED with {mpi.mpiexec}: the libraries are built for the embedded MPICH")
    try:
        native_library("libstretto_progress.so", mpi.family, mpi.mpiexec)
    except UserError as error:
        pytest.skip(f"NOT BUILT: {error}")
    target = directory / "overlapping"
    named = mpi.bin / mpi.mpiexec.name.replace("mpiexec", "mpicc")  # Debian: mpicc.mpich, mpicc.openmpi
    wrapper = named if named.is_file() else mpi.bin / "mpicc"
    subprocess.run([wrapper, "-O1", PROGRAM, "-o", target], check=True)
    return target


LOCAL = ("-n", "2")
PLACES = [
    pytest.param(LOCAL, id="local"),
    pytest.param(("-n", "4", "--on", "emulated"), id="emulated", marks=needs_namespaces),
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("mpi", MPIS)
class TestRun:
    def test_a_program_has_its_output_input_and_exit_status(
        self, mpi: MpiLibrary, place: tuple[str, ...], tmp_path: Path
    ) -> None:
        program = compiled(mpi, tmp_path)
        words = ("run", *place, "--mpi", mpi.mpiexec, "--", program, "3", "64", "0")
        done = stretto(*words, "--fail=7")
        assert (done.returncode, "ranks" in done.stdout) == (7, True), done.stderr
        done = stretto(*words, "--read", given="a line\n")  # Open MPI 5 does not pass on the end of a pipe
        assert (done.returncode, done.stdout.splitlines()[0]) == (0, "read: a line"), done.stderr
        assert len(done.stdout.splitlines()) == 2, "the output is the program's alone"
        assert of_the_program(done.stderr) == ""

    @pytest.mark.slow
    def test_libraries_are_preloaded_into_every_rank(
        self, mpi: MpiLibrary, place: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("STRETTO_POLL_INTERVAL_S", "soon")  # a thread, though ranks share cores
        program = compiled(mpi, tmp_path)
        done = stretto(
            "run", *place, "--mpi", mpi.mpiexec, "--preload", "progress", "--", program, "3", "64", "0"
        )
        assert done.returncode == 0, done.stderr
        assert f"threads besides the program's: {place[1]}" in done.stdout
        between_hosts = "emulated" in place
        assert f"{0.001 if between_hosts else 0.004} is used" in done.stderr

    @pytest.mark.slow
    def test_the_time_limit_ends_it(self, mpi: MpiLibrary, place: tuple[str, ...], tmp_path: Path) -> None:
        done = stretto("run", *place, "--mpi", mpi.mpiexec, "--timeout", "2", "--", "/bin/sleep", "1000")
        assert done.returncode == 1
        *launchers, last = done.stderr.splitlines()  # a launcher may say that it was ended
        assert last == "stretto: the run was ended after --timeout 2 s"
        assert not [line for line in launchers if "stretto" in line]


@needs_namespaces
@pytest.mark.parametrize("mpi", MPIS)
def test_ranks_are_on_the_hosts_in_blocks(mpi: MpiLibrary) -> None:
    show = 'echo "$PMI_RANK$OMPI_COMM_WORLD_RANK $(cat /proc/sys/kernel/hostname)"'
    done = stretto("run", "-n", "4", "--on", "emulated", "--mpi", mpi.mpiexec, "--", "/bin/sh", "-c", show)
    places = dict(line.split() for line in done.stdout.splitlines())
    assert [places[str(rank)] for rank in range(4)] == ["emulated-0"] * 2 + ["emulated-1"] * 2


@needs_namespaces
@pytest.mark.parametrize("mpi", MPIS)
def test_an_interrupt_leaves_nothing_behind(mpi: MpiLibrary, tmp_path: Path) -> None:
    words = ["run", "-n", "2", "--on", "emulated", "--mpi", str(mpi.mpiexec), "--", "/bin/sleep", "86400"]
    with running(f"{UNTESTED}main({words!r})", tmp_path) as run:
        eventually(lambda: len(run.ranks("sleep")) == 2, lambda: f"did not start: {run.processes()}")
        run.process.send_signal(signal.SIGINT)
        run.process.wait()
        run.assert_nothing_left()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("mpi", MPIS)
def test_a_trace_is_recorded_where_the_program_runs(
    mpi: MpiLibrary, place: tuple[str, ...], tmp_path: Path
) -> None:
    program = compiled(mpi, tmp_path)
    trace = tmp_path / "trace"
    done = stretto("trace", *place, "--mpi", mpi.mpiexec, "-o", trace, "--", program, "3", "64", "0")
    assert done.returncode == 0, done.stderr
    assert len(list(trace.glob("rank-*.trace"))) == int(place[1])


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.matrix_but("openmpi", place=[LOCAL])
def test_a_gain_is_measured_and_predicted(
    mpi: MpiLibrary, place: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the figures are: other tests take the processor."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    program = compiled(mpi, tmp_path)
    words = (
        "gain",
        *place,
        "--mpi",
        mpi.mpiexec,
        "--runs",
        "3",
        "--json",
        "--",
        program,
        "3",
        "1048576",
        "5",
    )
    done = stretto(*words)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert list(found)[:7] == [
        "plain_s",
        "gained_s",
        "saved",
        "ci95_low",
        "ci95_high",
        "predicted",
        "library",
    ]
    assert found["ci95_low"] <= found["saved"] <= found["ci95_high"]
    assert found["library"] == "progress"
    if found["predicted"] is None:
        # Other tests take processor time: the recorded run, its replay or the network says so.
        assert re.search(r"was busy: rank \d|^the replay .* takes|unresolved", found["no_prediction"]), found
    else:
        assert isinstance(found["predicted"], float) and found["no_prediction"] is None
    launcher = re.escape(str(mpi.mpiexec))
    ranks = f"-n {place[1]} {re.escape(str(program))} 3 1048576 5"
    line = rf"stretto preload progress --mpi {launcher} -- (mpiexec|{launcher}) {ranks}"
    assert re.fullmatch(line, found["line"]), found["line"]
    assert found["verdict"] in ("saves", "costs", "nothing", "undecided", "too busy")
    assert found["verdict"] == "costs" or (found["reason"] is not None) == (found["verdict"] == "nothing")


@pytest.mark.slow
def test_a_program_differs_from_itself_as_seldom_as_the_interval_says(
    tmp_path: Path,
) -> None:
    """A library that does nothing: its ranks and their threads would need more cores than this machine has."""
    program = compiled(find_mpi(), tmp_path)
    ranks = max(2, len(os.sched_getaffinity(0)))
    words = ("gain", "-n", str(ranks), "--runs", "6", "--json", "--", program, "3", "65536", "1")
    done = stretto(*words)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["verdict"], found["predicted"]) == ("nothing", 0.0), found
    assert found["reason"].startswith(f"{ranks} ranks on one host of {ranks} cores leave none")


@pytest.mark.slow
def test_the_gain_of_collectives_is_predicted_from_a_profile(tmp_path: Path) -> None:
    program = compiled(find_mpi(), tmp_path)
    words = ("gain", "-n", "4", "--preload", "collectives", "--runs", "3", "--json")
    done = stretto(*words, "--profile", "clic", "--", program, "3", "64", "0")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["library"] == "collectives" and isinstance(found["predicted"], float)
    assert found["line"].startswith("STRETTO_PROFILE=") and "clic.json" in found["line"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("run", "-n", "2", "--", "mpiexec", "-n", "2", "./app"), "give the program alone"),
        (("run", "nosuch"), "nosuch"),
        (("run", "ft", "more"), "more"),
        (("run", "--class", "S", "--", "/bin/true"), "--class is for a kernel"),
        (("run", "--preload", "progress", "ft"), "--preload is for a program"),
        (("run", "--on", "simulated", "--", "/bin/true"), "--on simulated"),
        (("run", "--on", "emulated", "--hosts", "9", "--", "/bin/true"), "--hosts 9"),
        (("trace", "-n", "2", "--", "mpiexec", "-n", "2", "ls"), "give the program alone"),
        (("gain", "--hosts", "3", "--", "ls"), "--hosts is for --on emulated"),
        (("gain", "--runs", "1", "--", "ls"), "--runs"),
        (("gain", "--preload", "trace", "--", "ls"), "trace"),
        (("tune", "-o", "/no/such/place/tuned.env", "--", "ls"), "-o"),
    ],
)
def test_wrong_input_is_one_line_and_exit_status_2(
    words: tuple[str, ...], message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert message in refusal(capfd, *words)


def test_a_program_that_fails_ends_a_gain_with_its_output(tmp_path: Path) -> None:
    done = stretto("gain", "-n", "1", "--no-prediction", "--", "/bin/sh", "-c", "echo out of luck; exit 5")
    assert done.returncode == 1
    assert "ended with 5" in done.stderr
    assert "out of luck" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("mpi", MPIS)
@pytest.mark.matrix_but("openmpi")
def test_the_setting_that_helps_is_found_and_written_to_the_environment_file(
    mpi: MpiLibrary, tmp_path: Path
) -> None:
    helps = settings_for(mpi, ("eager",))[1]
    name, value = next(iter(helps.variables.items()))
    file = tmp_path / "tuned.env"
    script = f'test "${name}" = {value} || sleep 1'
    words = ("tune", "-n", "1", "--mpi", mpi.mpiexec, "--knobs", "eager", "--runs", "3", "-o", file)
    done = stretto(*words, "--json", "--", "/bin/sh", "-c", script)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["chosen"] == helps.name and found["ci95_low"] > 0
    assert {one["name"] for one in found["settings"]} | set(found["not_measured"]) == {
        one.name for one in settings_for(mpi, ("eager",))
    }
    read = completed(["/bin/sh", "-c", f'. "{file}"; echo "${name}"'], check=True)
    assert read.stdout == f"{value}\n"
    again = stretto(*words, "--", "/bin/sh", "-c", script)
    assert (again.returncode, again.stderr.count("\n")) == (2, 1) and str(file) in again.stderr


@pytest.mark.slow
def test_where_no_setting_helps_no_file_is_written(tmp_path: Path) -> None:
    """Every setting costs a second here: none helps, whatever else the machine does."""
    file = tmp_path / "tuned.env"
    names = sorted({name for one in settings_for(find_mpi(), ("eager",)) for name in one.variables})
    script = f'test -z "{"".join(f"${name}" for name in names)}" || sleep 1'
    words = ("tune", "-n", "1", "--knobs", "eager", "--runs", "3", "--budget", "20", "-o", file)
    done = stretto(*words, "--json", "--", "/bin/sh", "-c", script)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["settings"] and all(one["saved"] < 0 for one in found["settings"]), found
    assert found["chosen"] is None and found["file"] is None
    assert not file.exists()
