# SPDX-License-Identifier: BSD-3-Clause
"""The papers' job from end to end under a real Slurm: the script that the command writes, two nodes that run it,
the archive that comes back, and the figures that are drawn from it."""

import json
import shlex
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import slurm_cluster
from processes import has_program
from slurm_cluster import Slurm
from slurm_jobs import STRETTO

from stretto.launch.papers_job import ARCHIVE, DIRECTORY, PARTS
from validation.papers.measured import of_figure, of_run, waits_for_a_run
from validation.papers.registry import papers

pytestmark = [
    pytest.mark.slow,
    pytest.mark.matrix,
    pytest.mark.skipif(slurm_cluster.missing() != "", reason=slurm_cluster.missing() or "none"),
]
ROOT = Path(__file__).resolve().parents[2]
# Of every probe the least that still gives what the figures show.
SMALLEST = (
    *("-n", "2", "--rounds", "1", "--progress", "none", "--ratio", "1", "--side", "origin"),
    *("--sizes", "8:8192", "--rows", "64", "--row-length", "64", "--matrix-rows", "4096"),
)
JOB_S = 1200.0  # generous: eleven parts take about two minutes
WAITING = [
    f"{paper.name}/{figure.name}"
    for paper in papers()
    for figure in paper.figures
    if waits_for_a_run(f"{paper.name}/{figure.name}")
]
"""The figures of which the page says that they wait for a run."""


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What the job left in the directory from which it was submitted."""
    place = tmp_path_factory.mktemp("submitted")
    with slurm_cluster.slurm_cluster(nodes=2) as slurm:
        made = slurm.run([STRETTO, "batch", "--system", "slurm", "--time", "00:30:00", "papers", *SMALLEST])
        assert made.status == 0, made.stderr
        script = place / "job.sh"
        script.write_text(made.stdout, encoding="utf-8")
        done = slurm.run(["sbatch", "--parsable", f"--chdir={place}", f"--output={place}/out", str(script)])
        assert done.status == 0, done.stderr
        _over(slurm, done.stdout.strip(), place / "out")
        yield place / ARCHIVE


def _over(slurm: Slurm, job: str, output: Path) -> None:
    deadline = time.monotonic() + JOB_S
    while slurm.run(["squeue", "--noheader", f"--jobs={job}"]).stdout.strip():
        assert time.monotonic() < deadline, output.read_text(encoding="utf-8") + slurm.logs()
        time.sleep(1)


def results_of(archive: Path, part: str) -> dict[str, object]:
    """The results of a part of the job."""
    with tarfile.open(archive) as opened:
        file = opened.extractfile(f"{DIRECTORY}/{part}/results.json")
        assert file is not None
        document: dict[str, object] = json.load(file)
    return document


@pytest.mark.parametrize("part", PARTS)
def test_every_part_was_measured_on_two_nodes(archive: Path, part: str) -> None:
    document = results_of(archive, part)
    (header,) = document["provenance"]  # type: ignore[misc]
    assert (header["on"], header["ranks"], len(set(header["hosts"]))) == ("local", 2, 2)


@pytest.mark.parametrize("figure", WAITING)
def test_a_figure_that_waits_for_a_run_is_filled_by_the_job(archive: Path, figure: str) -> None:
    shown = of_run(archive)
    mine = [one for one in of_figure(figure, shown) if one in shown]
    assert mine and all(one.kind == "Measured here" for one in mine)
    assert all(one.text.startswith(f"{ARCHIVE} (2 ranks on 2 hosts, ") for one in mine)


@pytest.mark.skipif(not has_program("stretto-model", "none"), reason="NO stretto-model: no figure is tested")
def test_the_page_is_drawn_from_the_archive(archive: Path, tmp_path: Path) -> None:
    """By the command of `make papers MEASURED=ARCHIVE`, after the set-up that the tests have done."""
    asked = f"ft-slides page-7 -o {shlex.quote(str(tmp_path))}"
    recipe = subprocess.run(
        ["make", "--no-print-directory", "-n", "papers", f"MEASURED={archive}", f"ARGS={asked}"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    program, *words = shlex.split(recipe.partition("&&")[2])
    assert program == ".venv/bin/python" and str(archive) in words
    drawn = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert drawn.returncode == 0, drawn.stderr
    page = (tmp_path / "papers-short.md").read_text(encoding="utf-8")
    (line,) = [one for one in page.splitlines() if one.startswith("*Measured here*: ")]
    latencies = {
        row["transport"]: row["value"]
        for row in results_of(archive, "transfers")["rows"]  # type: ignore[attr-defined]
        if (row["metric"], row.get("size_bytes"), row["progress"]) == ("latency", 8, "none")
    }
    assert {"mpi-two-sided", "mpi-rma", "stretto"} <= set(latencies)
    for transport, value in latencies.items():
        assert value is None or f"{value:.4g}" in line, (transport, line)
    assert f"{ARCHIVE} (2 ranks on 2 hosts, " in line and "waits for a run" not in page
