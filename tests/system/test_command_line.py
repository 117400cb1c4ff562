# SPDX-License-Identifier: BSD-3-Clause
"""The command line: a first run, wrong input, damaged files, timeouts, a rank that dies."""

import json
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from processes import completed, has_program
from runs import TIMEOUT_S, Run, eventually, running
from screens import refusal

from stretto.data.samples import read_samples

PACKAGE_ROOT = Path(__file__).resolve().parents[2] / "python"
GOLDEN = Path(__file__).resolve().parents[1] / "golden"
STRETTO = (sys.executable, "-c", "from stretto.commands import main; main()")
QUICK = ("probe", "latency", "--sizes", "8:64", "--rounds", "3", "-o", "run")


def needs_probe(test: Callable[..., None]) -> Callable[..., None]:
    """Of a test that measures: a round begins when the slowest rank can, after 0.1 s on a busy machine."""
    is_there = pytest.mark.skipif(
        not has_program("stretto-probe"), reason="NO MPI OR NO PROGRAM FOR IT: probes are not tested"
    )
    return pytest.mark.alone(is_there(test))


def stretto(directory: Path, *arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return completed(
        [*STRETTO, *map(str, arguments)],
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(PACKAGE_ROOT), **environment},
        timeout=4 * TIMEOUT_S,
    )


@needs_probe
def test_a_first_run_ends_with_tables_and_the_paths_of_all_files(tmp_path: Path) -> None:
    ended = stretto(tmp_path, *QUICK, "--check")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.splitlines()[-4:] == [
        f"run/{name}" for name in ("samples.jsonl.gz", "results.json", "profile.json", "report.html")
    ]
    assert "# Size" in ended.stdout
    assert max(map(len, ended.stdout.splitlines())) <= 80
    samples = read_samples(tmp_path / "run" / "samples.jsonl.gz")
    assert samples.complete
    assert sum(check.transfers for check in samples.checked) > 0
    results = json.loads((tmp_path / "run" / "results.json").read_text())
    assert {row["metric"] for row in results["rows"]} == {"latency"}

    for command in (("report", "run"), ("fit", "run", "-o", "again.json"), ("compare", "run", "run")):
        assert stretto(tmp_path, *command).returncode == 0, command
    for name in ("samples.jsonl.gz", "results.json", "profile.json"):
        assert stretto(tmp_path, "show", f"run/{name}").stdout


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (("nosuch",), "nosuch"),
        (("probe", "nosuch"), "nosuch"),
        (("probe", "--nosuch"), "--nosuch"),
        (("probe", "-n", "many"), "--ranks"),
        (("probe", "--sizes", "1MiB:8"), "--sizes"),
        (("probe", "--on", "emulated", "--hosts", "2", "-n", "3"), "more ranks (3) than emulated hosts (2)"),
        (("probe", "--on", "simulated", "--platform", "missing.xml"), "missing.xml"),
        (("probe", "--on", "simulated", "--platform", "broken.xml"), "broken.xml"),
        (("probe", "--mpi", "/nonexistent"), "/nonexistent"),
        (("probe", "-o", "."), "--force"),
        (("fit", "truncated.jsonl", "-o", "p.json"), "truncated.jsonl"),
        (("fit", "flipped.jsonl", "-o", "p.json"), "flipped.jsonl:"),
        (("fit", "newer.jsonl", "-o", "p.json"), "newer.jsonl"),
        (("fit", "missing.jsonl", "-o", "p.json"), "missing.jsonl"),
        (("show", "negative.json"), "negative.json"),
        (("show", "infinite.json"), "infinite.json"),
        (("report", "missing"), "missing"),
        (("compare", "missing", "missing"), "missing"),
        (("compare", ".", "."), "results.json"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_wrong_input_is_one_line_and_exit_status_2(
    arguments: tuple[str, ...],
    names: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    _spoil(tmp_path)
    before = sorted(path.name for path in tmp_path.iterdir())
    assert names in refusal(capfd, *arguments)
    assert sorted(path.name for path in tmp_path.iterdir()) == before, "something was half-written"


def _spoil(directory: Path) -> None:
    """Damaged files."""
    good = (GOLDEN / "samples-1.0.jsonl").read_text(encoding="utf-8")
    profile = json.loads((GOLDEN / "profile-1.0.json").read_text(encoding="utf-8"))
    header = good.splitlines()[0]
    (directory / "truncated.jsonl").write_text(header[:40])
    (directory / "flipped.jsonl").write_text(
        good.replace('"row": "sample"', '"row": "sam\x01le"', 1).replace(
            '"row":"sample"', '"row":"sam\x01le"', 1
        )
    )
    (directory / "newer.jsonl").write_text(good.replace("stretto.samples/1.", "stretto.samples/2."))
    (directory / "broken.xml").write_text("<platform version='4.1'><zone id='w'")
    for name, value in (("negative", "-1e-6"), ("infinite", "1e999")):
        text = json.dumps({"schema": profile["schema"], "loggp": profile["loggp"]})
        entry = profile["loggp"][0]["ranges"][0]
        spoiled = {**entry, "latency_s": "SPOILED"}
        text = text.replace(json.dumps(entry), json.dumps(spoiled), 1).replace('"SPOILED"', value, 1)
        assert value in text
        (directory / f"{name}.json").write_text(text)


def test_without_an_mpi_the_error_says_what_to_do(tmp_path: Path) -> None:
    code = (
        "import sys; sys.executable = '/nonexistent/bin/python';"
        "from stretto.launch import mpi; mpi._candidates = lambda: iter(());"
        "from stretto.commands import main; main()"
    )
    ended = completed(
        [sys.executable, "-c", code, *QUICK],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(PACKAGE_ROOT)},
        timeout=TIMEOUT_S,
    )
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended.stderr
    assert "no MPI found" in ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_help_and_version_are_no_errors(tmp_path: Path) -> None:
    for arguments in ((), ("--help",), ("probe", "--help"), ("--version",), ("list",)):
        ended = stretto(tmp_path, *arguments)
        assert (ended.returncode, ended.stderr) == (0, "")
        assert ended.stdout
        assert max(map(len, ended.stdout.splitlines())) <= 80


def long_run(directory: Path, *options: str) -> str:
    arguments = (
        "probe",
        "latency",
        "bandwidth",
        "--sizes",
        "256KiB:4MiB",  # few samples a second: they are all fitted
        "--rounds",
        "100000",
        "-o",
        str(directory / "run"),
    )
    return f"from stretto.commands import main; main({[*arguments, *options]!r})"


def ended_and_kept(run: Run, directory: Path, status: int = 1) -> str:
    """The message of an incomplete run; its samples are fitted, and no process is left."""
    _, stderr = run.process.communicate(timeout=2 * TIMEOUT_S)
    assert run.process.returncode == status, stderr
    assert f"what was measured until then is in {directory / 'run'}" in stderr
    _assert_kept(directory / "run")
    run.assert_nothing_left()
    return stderr


@needs_probe
@pytest.mark.parametrize("probe", ["ft", "spmv"])
def test_a_schedule_is_not_measured_over_gets_alone(probe: str, tmp_path: Path) -> None:
    """No rank could hand over what it has computed: spmv waited for ever, and ft did not compute."""
    done = stretto(tmp_path, "probe", probe, "--transport", "mpi-request", "-n", "2", "-o", "run")
    assert done.returncode == 2 and "no requested transport has the requested operations" in done.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
@needs_probe
def test_time_that_runs_out_leaves_samples_that_are_fitted(tmp_path: Path) -> None:
    with running(long_run(tmp_path, "--timeout", "4"), tmp_path) as run:
        assert "--timeout 4 s" in ended_and_kept(run, tmp_path)


@needs_probe
@pytest.mark.parametrize("how", ["rank", "interrupt"])
def test_a_rank_that_dies_or_an_interrupt_leaves_samples_that_are_fitted(tmp_path: Path, how: str) -> None:
    samples = tmp_path / "run" / "samples.jsonl"
    with running(long_run(tmp_path), tmp_path) as run:
        eventually(
            lambda: samples.exists() and samples.read_bytes().count(b'"sample"') > 20,
            lambda: "the probes never began",
        )
        if how == "interrupt":
            run.process.send_signal(signal.SIGINT)
        else:
            os.kill(run.ranks("stretto-probe")[-1], signal.SIGKILL)
        interrupted = how == "interrupt"
        message = ended_and_kept(run, tmp_path, 130 if interrupted else 1)
        assert ("interrupted" in message) == interrupted


def _assert_kept(directory: Path) -> None:
    samples = read_samples(directory / "samples.jsonl")
    assert not samples.complete
    assert samples.rows.height + samples.disturbed.height > 0  # other tests take the processor
    for name in ("results.json", "profile.json", "report.html"):
        assert (directory / name).stat().st_size > 0


@pytest.mark.parametrize(
    ("closing", "status", "message"),
    [
        (">&-", 0, ""),
        (">/dev/full", 1, "stretto: the output cannot be written (No space left on device)\n"),
    ],
)
def test_an_output_that_takes_nothing_is_no_traceback(
    tmp_path: Path, closing: str, status: int, message: str
) -> None:
    code = "from stretto.commands import main; main(['list'])"
    script = f'"{sys.executable}" -c "{code}" {closing}'
    ended = subprocess.run(["sh", "-c", script], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (ended.returncode, ended.stderr) == (status, message)


def ended_by(code: str, script: str, directory: Path) -> subprocess.CompletedProcess[str]:
    """A stretto whose subcommand does this, started by this line of a shell."""
    run = f"import os\nfrom stretto import commands\ncommands._run = lambda _: {code}\ncommands.main([])"
    stretto = f"stretto() {{ {shlex.join([sys.executable, '-c', run])}; }}"
    return subprocess.run(
        ["sh", "-c", f"{stretto}; {script}"],
        capture_output=True,
        text=True,
        cwd=directory,
        env={**os.environ, "PYTHONPATH": str(PACKAGE_ROOT)},
        check=False,
    )


def test_no_file_takes_the_place_of_a_stream_that_is_closed(tmp_path: Path) -> None:
    """What an application prints would be written to it."""
    code = "os.write(os.open('file', os.O_CREAT | os.O_WRONLY), b'own') and os.system('echo printed')"
    ended = ended_by(code, "stretto <&- >&- 2>&-", tmp_path)
    assert (ended.returncode, (tmp_path / "file").read_text()) == (0, "own")


def test_a_directory_that_is_gone_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "gone").mkdir()
    ended = ended_by("os.getcwd()", f"cd gone; rmdir {tmp_path}/gone; stretto", tmp_path)
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), ended.stderr
    assert "the working directory is gone" in ended.stderr


def test_what_an_encoding_lacks_is_shown_by_its_number(tmp_path: Path) -> None:
    ended = ended_by("print('\u2248', os.fsdecode(b'\\xff'))", "PYTHONIOENCODING=ascii stretto", tmp_path)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "\\u2248 \\udcff\n", "")
