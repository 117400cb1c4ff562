# SPDX-License-Identifier: BSD-3-Clause
"""A samples file is read completely, or up to the end of its run, or refused with a line number."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from later_samples import later_samples
from synthetic_samples import header, sample

from stretto.data.samples import read_samples
from stretto.errors import UserError

GOLDEN = Path(__file__).parents[2] / "golden"


def lines_of(name: str = "samples-1.0.jsonl") -> list[str]:
    return (GOLDEN / name).read_text().splitlines(keepends=True)


def written(path: Path, lines: list[str]) -> Path:
    path.write_text("".join(lines))
    return path


def changed(line: str, **members: Any) -> str:
    return json.dumps({**json.loads(line), **members}) + "\n"


def place_of(kind: str) -> int:
    return next(i for i, line in enumerate(lines_of()) if json.loads(line)["row"] == kind)


def test_absent_axes_are_null_and_present_ones_typed() -> None:
    samples = read_samples(GOLDEN / "samples-1.0.jsonl")
    assert samples.complete and not samples.warnings
    rows = samples.rows
    latency = rows.row(0, named=True)
    assert latency["size_bytes"] == 8 and latency["ratio"] is None and isinstance(latency["time_s"], float)


def test_a_newer_minor_version_is_read_for_what_is_known_of_it(tmp_path: Path) -> None:
    (tmp_path / "samples.jsonl").write_bytes(later_samples())
    newer, known = map(read_samples, (tmp_path / "samples.jsonl", GOLDEN / "samples-1.0.jsonl"))
    assert newer.rows.equals(known.rows)
    assert len(newer.warnings) == 1 and "1 rows of unknown kinds" in newer.warnings[0]


def test_an_unknown_axis_value_is_read_only_from_a_newer_minor_version(tmp_path: Path) -> None:
    odd = sample("latency", 0, "T_c", 0, 1.0, progress="telepathy")
    rows = [header(), odd]
    with pytest.raises(UserError, match=r":2: progress .*telepathy"):
        read_samples(written(tmp_path / "a", [json.dumps(r) + "\n" for r in rows]))
    rows = [header(schema="stretto.samples/1.9"), odd]
    assert len(read_samples(written(tmp_path / "b", [json.dumps(r) + "\n" for r in rows])).rows) == 1


def test_a_last_line_without_its_newline_is_dropped_with_a_warning(tmp_path: Path) -> None:
    cut = lines_of()[:40]
    samples = read_samples(written(tmp_path / "cut.jsonl", [*cut[:-1], cut[-1][:-20]]))
    whole = read_samples(written(tmp_path / "whole.jsonl", cut[:-1]))
    assert samples.rows.equals(whole.rows)
    assert not samples.complete and any("cut" in warning for warning in samples.warnings)
    assert not whole.complete and any("did not finish" in warning for warning in whole.warnings)


BAD_LINES: dict[str, tuple[str, Callable[[str], str], str]] = {
    "NaN": ("sample", lambda line: changed(line, time_s=float("nan")), "NaN is not a JSON number"),
    "infinite": ("sample", lambda line: line.replace('"time_s":', '"time_s":1e999,"x":'), "time_s"),
    "negative": ("sample", lambda line: changed(line, time_s=-1e-9), "time_s is -1e-09, not within 0"),
    "absurd": ("sample", lambda line: changed(line, time_s=1e12), "not within 0 to 1e"),
    "text for a time": ("sample", lambda line: changed(line, time_s="1"), "not a number"),
    "truth for a time": ("sample", lambda line: changed(line, time_s=True), "not a number"),
    "fraction for a round": (
        "sample",
        lambda line: changed(line, round=0.5),
        "round is 0.5, not a whole number",
    ),
    "huge case": ("sample", lambda line: changed(line, case=2**63), "case is a huge number"),
    "no probe": ("sample", lambda line: changed(line, probe=None), "probe is missing"),
    "empty probe": ("sample", lambda line: changed(line, probe=""), "probe"),
    "a probe that steers the terminal": (
        "sample",
        lambda line: changed(line, probe="a\u001b[2J"),
        "printable",
    ),
    "list for a size": ("sample", lambda line: changed(line, size_bytes=[8]), "size_bytes is a list"),
    "unknown operation": (
        "sample",
        lambda line: changed(line, operation="sfnd"),
        "not one of send, put, get",
    ),
    "no JSON": ("sample", lambda line: line.replace("{", "[", 1), "is not JSON"),
    "a number too many": ("sample", lambda line: "1" * 5000 + "\n", "too many digits"),
    "nested deeply": ("sample", lambda line: "[" * 100_000 + "\n", "nested too deeply"),
    "nothing": ("sample", lambda line: "\n", "is no row"),
    "noise floor of text": ("noise_floor", lambda line: changed(line, value_s="low"), "value_s"),
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_a_bad_line_is_refused_with_its_number(name: str, tmp_path: Path) -> None:
    kind, spoil, message = BAD_LINES[name]
    lines, place = lines_of(), place_of(kind)
    lines[place] = spoil(lines[place])
    path = written(tmp_path / "samples.jsonl", lines)
    with pytest.raises(UserError) as error:
        read_samples(path)
    assert str(error.value).startswith(f"{path}:{place + 1}: ") and message in str(error.value)
    assert "\n" not in str(error.value) and len(str(error.value)) < 400


def test_a_sample_that_is_there_and_what_follows_the_end_are_refused(tmp_path: Path) -> None:
    """test_sample_rows.py has the other rows that may stand once."""
    lines, place = lines_of(), place_of("sample")
    with pytest.raises(UserError, match=f":{place + 2}: repeats quantity T_c of case 0 in round 0"):
        read_samples(
            written(tmp_path / "samples.jsonl", [*lines[: place + 1], lines[place], *lines[place + 1 : -1]])
        )
    with pytest.raises(UserError, match="goes on after its end row"):
        read_samples(written(tmp_path / "samples.jsonl", [*lines, "{"]))


def test_an_invalid_file_of_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "cut").write_bytes(b'{"row":"header"')
    (tmp_path / "binary").write_bytes(bytes(range(256)) * 10)
    os.mkfifo(tmp_path / "pipe")
    for name, message in (
        ("empty", "is empty"),
        ("cut", "cut within its first line"),
        ("binary", "not UTF-8"),
        ("absent", "no such file"),
        ("pipe", "not a regular file"),
        (".", "is a directory"),
    ):
        with pytest.raises(UserError, match=message):
            read_samples(tmp_path / name)


def test_a_file_name_cannot_break_the_one_line_of_an_error(tmp_path: Path) -> None:
    path = written(tmp_path / "a\nb", ["[]\n"])
    with pytest.raises(UserError) as error:
        read_samples(path)
    assert str(error.value).count("\n") == 0
