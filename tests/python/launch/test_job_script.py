# SPDX-License-Identifier: BSD-3-Clause
"""Job scripts of `stretto batch`."""

import subprocess
import tarfile
from pathlib import Path

import pytest

from stretto.commands import exit_status, request_of
from stretto.errors import UserError
from stretto.launch import job_script as job_script_module
from stretto.launch.job_script import job_script
from stretto.launch.papers_job import ARCHIVE, commands
from stretto.options.batch import BatchRequest
from stretto.options.command_line import parsed


def script(*words: str) -> list[str]:
    batch = parsed(BatchRequest, words)
    return job_script(batch, request_of(batch.command)).splitlines()


def test_a_slurm_job_has_a_node_for_each_rank() -> None:
    lines = script("--system", "slurm", "probe", "-n", "2", "-o", "a b", "--budget", "60")
    assert lines[0] == "#!/bin/sh"
    assert {"#SBATCH --nodes=2", "#SBATCH --ntasks-per-node=1", "#SBATCH --time=00:06:00"} < set(lines)
    assert lines[-1].endswith("stretto probe -n 2 -o 'a b' --budget 60")
    assert lines[-1].startswith("exec "), "Slurm's signals reach stretto"


def test_a_pbs_job_starts_where_it_was_submitted() -> None:
    lines = script(
        "--system",
        "pbs",
        "--time",
        "1:02:03",
        "--partition",
        "q",
        "probe",
        "-n",
        "8",
        "--ranks-per-node",
        "4",
    )
    assert "#PBS -l select=2:ncpus=4:mpiprocs=4" in lines
    assert "#PBS -l walltime=01:02:03" in lines
    assert "#PBS -q q" in lines
    assert lines[-2] == 'cd "$PBS_O_WORKDIR"'


@pytest.mark.parametrize(
    ("words", "nodes", "per_node"),
    [
        ("probe", 2, 1),
        ("--nodes 4 probe --ranks-per-node 8", 4, 8),
        ("--nodes 2 probe -n 8", 2, 4),
        ("probe --ranks-per-node 8", 2, 8),
        ("run ft -n 4", 4, 1),
        ("run ft -n 4 --on emulated", 1, 4),
        ("gain --on emulated -- ./app", 1, 2),
        ("probe --on emulated --hosts 4", 1, 4),
        ("probe -n 64 --on simulated --platform jacquard", 1, 1),
    ],
)
def test_nodes_follow_from_the_ranks(words: str, nodes: int, per_node: int) -> None:
    lines = script("--system", "slurm", *words.split())
    assert f"#SBATCH --nodes={nodes}" in lines
    assert f"#SBATCH --ntasks-per-node={per_node}" in lines


def test_ranks_that_are_not_counted_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    """`mpiexec -n 8` on a node with one core would share it, or not start."""
    gain = ("gain", "--", "mpiexec", "-n", "8", "./app")
    for options, said in (((), True), (("--nodes", "2", "--cores", "4"), False)):
        assert exit_status(["batch", "--system", "slurm", *options, *gain]) == 0
        shown = capsys.readouterr()
        assert ("starts are not counted" in shown.err) == said
    assert exit_status(["batch", "--system", "slurm", "probe", "-n", "8"]) == 0
    assert "not counted" not in capsys.readouterr().err


def test_a_job_script_is_a_shell_script() -> None:
    text = "\n".join(script("--system", "pbs", "probe", "-o", "it's")) + "\n"
    assert subprocess.run(["sh", "-n"], input=text, text=True, check=False).returncode == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--system slurm --nodes 1 probe -n 8 --ranks-per-node 4", "--nodes 1: 8 ranks .* need 2"),
        ("--system slurm probe -n none", "-n none: give at least 1"),
        ("--system slurm frobnicate", "No such command: frobnicate"),
        ("--system slurm --time soon probe", "--time soon: write HH:MM:SS"),
        ("--system loadleveler probe", "choose from slurm, pbs"),
    ],
)
def test_what_would_fail_on_the_cluster_fails_here(words: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        script(*words.split())


def test_without_a_batch_system_it_has_to_be_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UserError, match="say --system"):
        script("probe")


@pytest.mark.parametrize("option", ["--partition", "--account"])
@pytest.mark.parametrize("name", ["q\n#SBATCH --exclusive", "a b", "", "\x1b[2J"])
def test_a_name_cannot_bring_a_line_of_its_own(option: str, name: str) -> None:
    with pytest.raises(UserError, match="give a name without blanks and control characters"):
        script("--system", "pbs", option, name, "probe")


def test_the_job_of_the_papers_packs_what_it_measures(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_status(["batch", "--system", "slurm", "papers", "-n", "8", "--budget", "60"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "#SBATCH --nodes=8" in lines and "#SBATCH --job-name=stretto-papers" in lines
    assert lines[-1].startswith("tar -czf papers-run.tar.gz.new papers-run && mv ")
    assert lines[-2].endswith("-n 8 --budget 60 -o papers-run/collective")


def test_a_papers_job_that_is_ended_leaves_an_archive_of_what_it_has(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The batch system ends the job in its third part, which has written a file."""
    stand_in = tmp_path / "stretto"
    stand_in.write_text(
        '#!/bin/sh\nfor part; do :; done\nmkdir -p "$part"; touch "$part/results.json"\n'
        'case "$part" in */ft-constant-flops) kill -KILL $PPID;; esac\n'
    )
    stand_in.chmod(0o755)
    monkeypatch.setattr(job_script_module, "_program", lambda: str(stand_in))
    assert exit_status(["batch", "--system", "slurm", "papers", "-n", "2"]) == 0
    script = capsys.readouterr().out
    ended = subprocess.run(["sh"], input=script, text=True, cwd=tmp_path, check=False)
    assert ended.returncode == -9
    with tarfile.open(tmp_path / ARCHIVE) as archive:
        files = [Path(one.name) for one in archive if one.isfile()]
    assert {one.parent.name for one in files} == {"transfers", "ft-pure-communication"}


@pytest.mark.parametrize("words", [("-o", "mine"), ("-omine",), ("--output", "mine"), ("--output=mine",)])
def test_the_job_of_the_papers_names_its_output_itself(words: tuple[str, ...]) -> None:
    with pytest.raises(UserError, match="-o: the job writes papers-run"):
        list(commands(["-n", "8", *words]))
