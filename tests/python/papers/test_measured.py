# SPDX-License-Identifier: BSD-3-Clause
"""What a run on a user's cluster shows next to the figures of the papers."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import pytest

from stretto.commands import request_of
from stretto.errors import UserError
from stretto.launch.papers_job import ARCHIVE, DIRECTORY, PARTS, commands
from validation.papers.measured import of_figure, of_run

GOLDEN = Path(__file__).resolve().parents[2] / "golden"


def row(probe: str, metric: str, value: float | None, **axes: object) -> dict[str, object]:
    return {"probe": probe, "on": "local", "ranks": 4, "transport": "stretto", "progress": "none", **axes,
            "metric": metric, "unit": "1", "value": value, "ci95_low": value, "ci95_high": value, "n": 5}  # fmt: skip


def results(*rows: dict[str, object]) -> bytes:
    document = json.loads((GOLDEN / "results-1.0.json").read_text(encoding="utf-8"))
    return json.dumps({**document, "rows": list(rows)}).encode()


GAINS = {
    "ft-few-large": [row("ft", "gain", 1.5, schedule="pencils"), row("ft", "gain", 1.25, schedule="pencils")],
    "ft-many-small": [row("ft", "gain", 0.75, schedule="slabs")],
    "transfers": [
        row("latency", "latency", 2e-6, size_bytes=8),
        row("latency", "latency", 3e-3, size_bytes=1 << 20),
        row("latency", "latency", None, size_bytes=8, transport="mpi-two-sided"),
    ],
}


def packed(path: Path, files: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


def archive_of_parts(path: Path) -> Path:
    return packed(path, {f"{DIRECTORY}/{part}/results.json": results(*rows) for part, rows in GAINS.items()})


def test_the_archive_of_a_job_shows_each_sweep_next_to_its_figures(tmp_path: Path) -> None:
    run = of_run(archive_of_parts(tmp_path / ARCHIVE))

    def shown(figure: str) -> list[str]:
        return [one.text for one in of_figure(figure, run) if one in run]

    assert shown("probes/figure-12") == [f"{ARCHIVE}, gain: stretto none pencils 1.25 to 1.5 (2 cases)"]
    assert shown("probes/figure-16") == [f"{ARCHIVE}, gain: stretto none slabs 0.75 (1 case)"]
    assert shown("probes/figure-4") == []


def test_latencies_are_those_of_the_figures_size_and_say_where_there_is_no_value(tmp_path: Path) -> None:
    run = of_run(archive_of_parts(tmp_path / ARCHIVE))
    (shown,) = (one for one in of_figure("ft-slides/page-7", run) if one in run)
    assert "stretto none 2e-06 (1 case); mpi-two-sided none without a value (1 case)" in shown.text


def test_its_directory_shows_the_same(tmp_path: Path) -> None:
    for part, rows in GAINS.items():
        (tmp_path / DIRECTORY / part).mkdir(parents=True)
        (tmp_path / DIRECTORY / part / "results.json").write_bytes(results(*rows))
    packed_run = of_run(archive_of_parts(tmp_path / ARCHIVE))
    assert [(one.figures, one.text.removeprefix(DIRECTORY)) for one in of_run(tmp_path / DIRECTORY)] == [
        (one.figures, one.text.removeprefix(ARCHIVE)) for one in packed_run
    ]


def test_a_run_of_the_users_own_shows_its_probes(tmp_path: Path) -> None:
    (tmp_path / "results.json").write_bytes(results(*GAINS["ft-few-large"]))
    assert of_figure("probes/figure-4", of_run(tmp_path))


def test_figures_18_and_19_show_the_slowdown_of_the_computation(tmp_path: Path) -> None:
    slower = row("spmv", "kappa", 1.12, schedule="gather")
    time_s = row("spmv", "local_work", 0.25, schedule="gather", over_ranks="mean")
    content = results(slower, time_s)
    run = of_run(packed(tmp_path / ARCHIVE, {f"{DIRECTORY}/spmv-contention/results.json": content}))
    for figure in ("probes/figure-18", "probes/figure-19"):
        (shown,) = (one for one in of_figure(figure, run) if one in run)
        assert shown.text == f"{ARCHIVE}, kappa: stretto none gather 1.12 (1 case)"
        assert shown.kind == "Measured here"


def test_a_simulated_run_is_no_measurement(tmp_path: Path) -> None:
    content = results({**row("ft", "gain", 1.5, schedule="pencils"), "on": "simulated"})
    (tmp_path / "results.json").write_bytes(content)
    assert {one.kind for one in of_run(tmp_path)} == {"Simulated here"}


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({}, "holds no results.json"),
        ({f"{DIRECTORY}/ft-few-large/results.json": results()}, "no row belongs to a figure"),
        ({"../../etc/results.json": results(*GAINS["ft-few-large"])}, "holds no results.json"),
        ({f"{DIRECTORY}/../results.json": results(*GAINS["ft-few-large"])}, "holds no results.json"),
    ],
)
def test_an_archive_without_results_is_refused(tmp_path: Path, files: dict[str, bytes], message: str) -> None:
    with pytest.raises(UserError, match=message):
        of_run(packed(tmp_path / "a.tar.gz", files))


@pytest.mark.parametrize("damage", ["text", "short"])
def test_a_damaged_archive_is_refused(tmp_path: Path, damage: str) -> None:
    whole = archive_of_parts(tmp_path / ARCHIVE).read_bytes()
    damaged = tmp_path / "damaged.tar.gz"
    damaged.write_bytes(b"no archive" if damage == "text" else whole[: len(whole) // 2])
    with pytest.raises(UserError, match="no archive of a run"):
        of_run(damaged)


def test_the_job_measures_every_part() -> None:
    found = list(commands(["-n", "8"]))
    assert [words[-1] for words in found] == [f"{DIRECTORY}/{part}" for part in PARTS]
    assert {getattr(request_of(words), "ranks", None) for words in found} == {8}
