# SPDX-License-Identifier: BSD-3-Clause
"""The request of a native program: its defaults are those of the command line; a malformed one is refused."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from virtual_runs import virtual_program

from stretto.options.kinds import LARGEST_COUNT
from stretto.options.probe import ProbeRequest


def virtual(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([virtual_program(), *arguments], capture_output=True, text=True, timeout=60)


def asked(request: Any, directory: Path) -> subprocess.CompletedProcess[str]:
    file = directory / "request.json"
    file.write_text(request if isinstance(request, str) else json.dumps(request), encoding="utf-8")
    return virtual("--machine", "L=1us", "--request", file)


def test_the_defaults_are_those_of_the_command_line() -> None:
    native = json.loads(virtual("--defaults").stdout)
    ours = json.loads(json.dumps(ProbeRequest(everything=True).native()))
    assert ours.pop("probes") and native.pop("probes") == []  # both mean all of them
    assert {name: native[name] for name in ours} == ours
    assert set(native) - set(ours) == {
        "command",
        "output",
        "preamble",
        "network",
        "warm_ups",
        "gap_queue_s",
        "spmv_efficiency",
        "size_factor",
        "max_error",
        "min_rounds",
    }


def test_a_request_by_hand_is_measured(tmp_path: Path) -> None:
    samples = tmp_path / "samples.jsonl"
    request = {"probes": ["latency"], "sizes_bytes": [8, 64], "rounds": 2, "output": str(samples)}
    assert asked(request, tmp_path).returncode == 0
    header, *rows = map(json.loads, samples.read_text(encoding="utf-8").splitlines())
    assert header["command"][-2:] == ["--request", str(tmp_path / "request.json")]
    assert {row["size_bytes"] for row in rows if row["row"] == "sample"} == {8, 16, 32, 64}


def test_parts_of_a_request_differ_in_what_they_measure(tmp_path: Path) -> None:
    samples = tmp_path / "samples.jsonl"
    request = {
        "rounds": 2,
        "output": str(samples),
        "sizes_bytes": [8, 512],
        "operations": ["send"],
        "parts": [
            {"probes": ["latency"], "sizes_bytes": [8, 8]},
            {"probes": ["bandwidth"], "size_factor": 8, "directions": ["one-way"]},
        ],
    }
    assert asked(request, tmp_path).returncode == 0
    header, *rows = map(json.loads, samples.read_text(encoding="utf-8").splitlines())
    seen = {(row["probe"], row["size_bytes"], row.get("direction")) for row in rows if row["row"] == "sample"}
    assert seen == {("latency", 8, None), *(("bandwidth", size, "one-way") for size in (8, 64, 512))}
    assert header["cases"] == 4
    assert header["settings"]["probes"] == "latency,bandwidth"


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({}, "member output is missing"),
        ({"output": "o", "size_bytes": [8, 64]}, "unknown member size_bytes"),
        ({"output": 5}, "output: must be a text"),
        ({"output": "o", "sizes_bytes": "8:64"}, "sizes_bytes: must be null or [MIN, MAX]"),
        ({"output": "o", "sizes_bytes": [0, 64]}, "sizes_bytes: must be null or [MIN, MAX]"),
        ({"output": "o", "sizes_bytes": [64, 8]}, "sizes_bytes: must be null or [MIN, MAX]"),
        ({"output": "o", "rounds": 2.5}, "rounds: must be a whole number"),
        ({"output": "o", "rounds": LARGEST_COUNT + 1}, "rounds: must be a whole number"),
        ({"output": "o", "seed": -1}, "seed: must be a whole number from 0"),
        ({"output": "o", "budget_s": None}, "budget_s: must be a number"),
        ({"output": "o", "check": 1}, "check: must be true or false"),
        ({"output": "o", "ratios": 1}, "ratios: must be a list"),
        ({"output": "o", "sides": ["left"]}, 'sides: must be a name that this program knows, not "left"'),
        ({"output": "o", "probes": ["nosuch"]}, "probes: unknown 'nosuch'"),
        ({"output": "o", "paths": ["indirect"]}, "paths: unknown 'indirect'"),
        ({"output": "o", "grids": ["2y3"]}, "grids: '2y3'"),
        (
            {"output": "o", "directions": ["up"]},
            'directions: must be a name that this program knows, not "up"',
        ),
        ({"output": "o", "size_factor": 1}, "size_factor: must be null, or 2 or more"),
        ({"output": "o", "spmv_efficiency": 0}, "spmv_efficiency: must be above 0, and 1 at most"),
        ({"output": "o", "parts": ["latency"]}, "parts: must be a list of objects"),
        ({"output": "o", "parts": [{"probes": ["nosuch"]}]}, "probes: unknown 'nosuch'"),
        ({"output": "o", "parts": [{"size_bytes": [8, 64]}]}, "unknown member size_bytes"),
        ({"output": "o", "transports": ["mpi-rma"]}, "this build has no 'mpi-rma'"),
        ({"output": "o", "schema": "stretto.request/2.0"}, "this program reads stretto.request/1."),
        ("{", "no JSON, see byte"),
        ("[]", "must be one JSON object"),
    ],
)
def test_a_malformed_request_is_one_line_and_exit_status_2(
    request_: Any, message: str, tmp_path: Path
) -> None:
    ended = asked(request_, tmp_path)
    assert ended.returncode == 2
    assert message in ended.stderr
    assert ended.stderr.startswith("stretto-virtual: ") and ended.stderr.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["request.json"]


def test_without_a_request_the_error_says_what_to_give() -> None:
    ended = virtual("--machine", "L=1us")
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert "--request is required" in ended.stderr
    ended = virtual("--machine", "L=1us", "--request", "/nonexistent.json")
    assert (ended.returncode, "cannot read /nonexistent.json" in ended.stderr) == (2, True)
