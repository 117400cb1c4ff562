# SPDX-License-Identifier: BSD-3-Clause
"""`stretto predict` and `stretto advise` with hand-written profiles."""

import json
from pathlib import Path
from typing import Any

import pytest
from screens import document, refusal, widest

from stretto.commands import exit_status

RANGE = {
    "size_min_bytes": 1,
    "size_max_bytes": 1 << 23,
    "latency_s": {"value": 5e-6, "ci95_low": 4e-6, "ci95_high": 6e-6},
    "overhead_send_s": 1e-6,
    "gap_queue_s": 38.8e-6,
    "gap_s_per_byte": {"value": 2.2e-9, "ci95_low": 2.1e-9, "ci95_high": 2.3e-9},
}


def entry(operation: str, **changes: Any) -> dict[str, Any]:
    return {
        "transport": "mpi-rma",
        "operation": operation,
        "locality": "remote",
        "method": "pencils",
        "ranges": [{k: v for k, v in {**RANGE, **changes}.items() if v is not None}],
    }


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    return write(tmp_path, [entry("put"), entry("get")])


def write(directory: Path, loggp: list[dict[str, Any]], **more: Any) -> Path:
    path = directory / "profile.json"
    machine = {"name": "by hand", "ranks": 16}
    path.write_text(json.dumps({"schema": "stretto.profile/1.0", "machine": machine, "loggp": loggp, **more}))
    return path


FT = ("--rows", "256", "--row-length", "512", "--flops-rate", "1G")


def test_ft_gives_every_schedule_with_segments_gain_and_closed_form(
    profile: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    result = document(
        capsys,
        "predict",
        "ft",
        "--profile",
        str(profile),
        *FT,
        "--schedules",
        "exchange,slabs,chunks=64,pencils",
    )
    assert [row["schedule"] for row in result["rows"]] == ["exchange", "slabs", "chunks=64", "pencils"]
    exchange, slabs, *_ = result["rows"]
    assert exchange["gain"]["value"] == 1 and exchange["closed_form"] is None
    assert slabs["closed_form"]["total_s"]["value"] == pytest.approx(slabs["time_s"]["value"], rel=0.01)
    for row in result["rows"]:
        parts = sum(row[f"{name}_s"]["value"] for name in ("work", "init", "sync", "barrier"))
        assert parts == pytest.approx(row["time_s"]["value"])
        assert row["time_s"]["ci95_low"] <= row["time_s"]["value"] <= row["time_s"]["ci95_high"]
        assert 1 <= row["gain_bound"]["value"] <= 2
    assert slabs["gain_fraction"]["value"] == pytest.approx(
        (slabs["gain"]["value"] - 1) / (slabs["gain_bound"]["value"] - 1)
    )


def test_without_a_compute_rate_computation_is_as_long_as_communication(
    profile: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = document(capsys, "predict", "ft", "--profile", profile, "--rows", "256")
    (note,) = found["notes"]
    assert "compute rate of 'fft'" in note and "stretto probe ft" in note
    assert found["rows"][0]["gain_bound"]["value"] == pytest.approx(2)


def test_tables_have_80_columns(profile: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_status(["predict", "ft", "--profile", str(profile), *FT]) == 0
    assert (
        exit_status(
            ["predict", "spmv", "--profile", str(profile), "--flops-rate", "2e8", "--prefetch", "0,15"]
        )
        == 0
    )
    lines = capsys.readouterr().out.replace(str(profile), "").splitlines()
    assert max(map(len, lines)) <= 80 and "…" not in "".join(lines)


def test_bar_e_takes_the_contended_bandwidth(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    contended = [
        {
            "transport": "mpi-rma",
            "locality": "remote",
            "ranks": 16,
            "gap_s_per_byte": 4.4e-9,
            "operation": "put",
        }
    ]
    path = write(tmp_path, [entry("put")], contended=contended)
    rows = document(
        capsys, "predict", "ft", "--profile", path, *FT, "--scale", "0", "--schedules", "exchange"
    )["rows"]
    assert [row["bar"] for row in rows] == ["M", "E"]
    assert rows[1]["time_s"]["value"] == pytest.approx(2 * rows[0]["time_s"]["value"], rel=0.05)


def test_spmv_says_what_carries_each_schedule(profile: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = document(
        capsys, "predict", "spmv", "--profile", profile, "--flops-rate", "2e8", "--prefetch", "1,4"
    )
    assert [(row["schedule"], row["operation"]) for row in result["rows"]] == [
        ("bulk", "get"),
        ("gather,prefetch=1", "get"),
        ("gather,prefetch=4", "get"),
        ("scatter,prefetch=1", "put"),
        ("scatter,prefetch=4", "put"),
    ]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("ft", "--rows", "100"), "--rows: 100 do not divide among 16 ranks"),
        (
            ("ft", *FT, "--schedules", "slabs,waves"),
            "unknown 'waves'",
        ),
        (("ft", *FT, "--schedules", "chunks"), "chunks=X"),
        (("ft", *FT, "--schedules", "chunks=24"), "chunks=24: X must be a multiple of the 16 ranks"),
        (("ft", *FT, "--transport", "carrier-pigeon"), "has no route --transport carrier-pigeon"),
        (("ft", *FT, "--bar", "E"), "contended gap_s_per_byte"),
        (("ft", "--flops-rate", "fast"), "--flops-rate: 'fast'"),
        (("ft", *FT, "--scale", "-1"), "--scale -1: give a number from 0 to 1e+06"),
        (("ft", *FT, "--ranks", "1"), "-n 1: give a whole number from 2 to"),
        (("spmv", "--flops-rate", "1G", "--prefetch", "16"), "--prefetch: 16 is not within 0 to P - 1 = 15"),
        (
            ("spmv", "--flops-rate", "1G", "--prefetch", "deep"),
            "--prefetch deep: write whole numbers, such as 1,4,16",
        ),
        (("spmv", "--nonzeros", "2"), "--nonzeros 2: give a number from 0 to 1"),
    ],
)
def test_invalid_input_is_named_on_one_line(
    profile: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], named: str
) -> None:
    assert named in refusal(capsys, "predict", *arguments, "--profile", profile)


def test_a_profile_that_lacks_a_parameter_is_refused_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, [entry("put", latency_s=None)])
    assert "has no latency_s of put over mpi-rma" in refusal(capsys, "predict", "ft", "--profile", path, *FT)


def test_advice_and_crossovers_in_one_document(profile: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = document(capsys, "advise", "--profile", profile, "--rows", "256", "--row-length", "512")
    ft, spmv = result["advice"]
    assert (ft["subject"], spmv["subject"]) == ("ft", "spmv")
    assert ft["verdict"] == "decided" and 16 <= ft["choice"]["chunks"] <= 64  # pencils wait for the queue
    assert ft["choice"]["transport"] == "mpi-rma" and ft["choice"]["progress"] == "none"
    assert ft["leading"]["gain_fraction"]["value"] > 0.8 and ft["confidence"] >= 0.95
    times = [one["time_s"]["value"] for one in ft["candidates"]]
    assert ft["leading"]["time_s"]["value"] <= 1.05 * min(times)
    compute, bandwidth = result["crossovers"]
    assert (compute["one"], compute["other"], compute["along"]) == ("pencils", "slabs", "flops_per_s")
    assert bandwidth["at"]["ci95_low"] <= bandwidth["at"]["value"] <= bandwidth["at"]["ci95_high"]
    assert len(bandwidth["curve"]) > 10


def test_advice_in_words_says_undecided_and_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    unsure = {"value": 2.2e-9, "ci95_low": 1e-9, "ci95_high": 5e-9}
    path = write(tmp_path, [entry("put", gap_s_per_byte=unsure), entry("get", gap_s_per_byte=unsure)])
    assert exit_status(["advise", "--profile", str(path), "--rows", "256", "--row-length", "512"]) == 0
    printed = capsys.readouterr().out
    assert "spmv: undecided" in printed and "scatter" in printed and "pencils loses above" in printed


def test_advice_explains_the_protocols_of_the_runtime(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, [])  # needs nothing measured
    result = document(capsys, "advise", "--profile", path, "--explain")
    rows = result["runtime"]["protocols"]
    assert result["runtime"]["segment_bytes"] == 32768
    assert all(row["reason"] and row["protocol"] for row in rows)
    (large,) = {
        row["protocol"]
        for row in rows
        if (row["progress"], row["operation"], row["data"]) == ("thread", "put_signal", "large rows")
    }
    assert large == "rendezvous"
    assert exit_status(["advise", "--profile", str(path), "--explain"]) == 0
    printed = capsys.readouterr().out
    words = " ".join(printed.split())
    assert "here 64KiB" in words and "the flag is raised behind the last segment" in words
    assert widest(printed) <= 80


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--rows", "256"), "--rows and --row-length belong together"),
        (("--rows", "250", "--row-length", "64"), "--rows: 250 do not divide"),
        (("--scale", "much"), "--scale much: give balance, or a number from 0 to 1e+06"),
        (("--scale", "1"), "compute rate of 'fft'"),
        (("--nonzeros", "7"), "--nonzeros 7: give a number from 0 to 1"),
    ],
)
def test_advice_refuses_what_is_wrong(
    profile: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], named: str
) -> None:
    assert named in refusal(capsys, "advise", "--profile", profile, *arguments)


def test_an_empty_profile_says_what_to_measure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "nothing to advise on" in refusal(capsys, "advise", "--profile", str(write(tmp_path, [])))


def test_a_schedule_is_written_for_the_replay(
    profile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "slabs.goal"
    arguments = ("predict", "ft", "--profile", str(profile), *FT, "--goal", str(file))
    assert "takes one schedule, not 3" in refusal(capsys, *arguments)
    assert exit_status([*arguments, "--schedules", "slabs"]) == 0
    text = file.read_text()
    assert text.startswith("num_ranks 16\n") and text.count("rank ") == 16 + text.count("num_rank") - 1
    assert text.count(": send") == 16 * (15 + 4)  # 15 slabs for others, and 4 rounds of the barrier
