# SPDX-License-Identifier: BSD-3-Clause
"""What a run on a user's cluster shows next to the figures of the papers."""

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
WHERE = "(2 ranks on an emulated network, htb 500mbit, MPICH Version: 5.0.2 (MPI 4.1), 2026-11-21)"
"""What the golden file says of its run."""


def row(probe: str, metric: str, value: float | None, **axes: object) -> dict[str, object]:
    return {"probe": probe, "on": "local", "ranks": 4, "transport": "stretto", "progress": "none", **axes,
            "metric": metric, "unit": "1", "value": value, "ci95_low": value, "ci95_high": value, "n": 5}  # fmt: skip


def results(*rows: dict[str, object], **header: object) -> bytes:
    document = json.loads((GOLDEN / "results-1.0.json").read_text(encoding="utf-8"))
    (golden,) = document["provenance"]
    return json.dumps({**document, "provenance": [{**golden, **header}], "rows": list(rows)}).encode()


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

    assert shown("probes/figure-12") == [
        f"{ARCHIVE} {WHERE}, gain: stretto none pencils 1.25 to 1.5 (2 cases)"
    ]
    assert shown("probes/figure-16") == [f"{ARCHIVE} {WHERE}, gain: stretto none slabs 0.75 (1 case)"]
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
    assert len(of_figure("probes/section-9", of_run(tmp_path))) == 1, "the same of two parts"


def test_figures_18_and_19_show_the_slowdown_of_the_computation(tmp_path: Path) -> None:
    slower = row("spmv", "kappa", 1.12, schedule="gather")
    time_s = row("spmv", "local_work", 0.25, schedule="gather", over_ranks="mean")
    content = results(slower, time_s)
    run = of_run(packed(tmp_path / ARCHIVE, {f"{DIRECTORY}/spmv-contention/results.json": content}))
    for figure in ("probes/figure-18", "probes/figure-19"):
        (shown,) = (one for one in of_figure(figure, run) if one in run)
        assert shown.text == f"{ARCHIVE} {WHERE}, kappa: stretto none gather 1.12 (1 case)"
        assert shown.kind == "Measured here"


def test_a_run_says_on_how_many_hosts_and_what_processors_it_was(tmp_path: Path) -> None:
    pencils = row("ft", "gain", 1.5, schedule="pencils")
    hosts: dict[str, object] = {"on": "local", "hosts": ["a", "a", "b", "b"], "ranks": 4, "network": ""}
    (tmp_path / "results.json").write_bytes(results(pencils, **hosts))
    shown = of_run(tmp_path)[0].text
    assert "(4 ranks on 2 hosts, Example 3000, MPICH Version: 5.0.2 (MPI 4.1), 2026-11-21), gain: " in shown


def test_a_run_whose_file_does_not_say_where_it_was_is_shown(tmp_path: Path) -> None:
    document = json.loads(results(row("ft", "gain", 1.5, schedule="pencils")))
    (tmp_path / "results.json").write_text(json.dumps({**document, "provenance": []}), encoding="utf-8")
    assert of_run(tmp_path)[0].text == f"{tmp_path.name}, gain: stretto none pencils 1.5 (1 case)"


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


def test_an_option_that_is_for_some_probes_is_given_to_their_parts() -> None:
    given = ["-n", "8", "--rows", "64", "--check", "--matrix-rows=4096"]
    found = {words[-1].partition("/")[2]: words for words in commands(given)}
    assert {name for name, words in found.items() if "--rows" in words} == {
        n for n in PARTS if n[:3] == "ft-"
    }
    assert "64" not in found["transfers"]
    assert {n for n, words in found.items() if "--matrix-rows=4096" in words} == {
        name for name in PARTS if name.startswith("spmv-")
    }
    assert all("--check" in words for words in found.values())
    assert {getattr(request_of(words), "ranks", None) for words in found.values()} == {8}


def test_an_option_that_no_part_takes_is_refused() -> None:
    with pytest.raises(UserError, match="--pairs is for the probe pairs"):
        [request_of(words) for words in commands(["-n", "8", "--pairs", "2"])]
