# SPDX-License-Identifier: BSD-3-Clause
"""Traces with packed records, and the older ones without, read as ever: their bytes are golden."""

import base64
import json
import struct
import zlib
from pathlib import Path

import pytest

from stretto.commands import exit_status
from stretto.data.trace import TraceFile
from stretto.data.trace_directory import record_count
from stretto.report.views.artefact import artefact_lines

GOLDEN = Path(__file__).parents[2] / "golden"
USED_AT = 4096 + 16  # in the header of the first block


def golden(directory: Path, version: str) -> Path:
    """The golden trace of a version of the format."""
    data = zlib.decompress(base64.b64decode((GOLDEN / f"trace-{version}.zlib.base64").read_text()))
    path = directory / "rank-000000.trace"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("version", ["1.9", "2.0"])
def test_a_golden_trace_reads_as_ever(tmp_path: Path, version: str) -> None:
    path = golden(tmp_path, version)
    assert list(artefact_lines(path)) == (GOLDEN / "trace.shown").read_text().splitlines()
    assert record_count([TraceFile(path)]) == 122


def test_packed_records_are_few_bytes(tmp_path: Path) -> None:
    data = golden(tmp_path, "2.0").read_bytes()
    assert int.from_bytes(data[USED_AT : USED_AT + 4], "little") < 122 * 8


def test_records_of_a_killed_process_are_read(tmp_path: Path) -> None:
    """The block's header says how many bytes are valid; what lies behind them is not read."""
    path = golden(tmp_path, "2.0")
    data = bytearray(path.read_bytes())
    used = int.from_bytes(data[USED_AT : USED_AT + 4], "little")
    records = 4096 + 48 + 4 * 48
    data[records + used :] = b"\xff" * (len(data) - records - used)
    path.write_bytes(data)
    assert sum(len(block.records) for block in TraceFile(path).blocks()) == 122


def cut_trace(directory: Path, version: str, rank: int, length: int) -> list[int]:
    """A trace of three ranks with two blocks each; the file of `rank` ends after `length` bytes.

    Returns the positions of the parts of a file that is whole: its blocks, and its end.
    """
    data = golden(directory, version).read_bytes()
    (size,) = struct.unpack_from("<Q", data, 4096 + 8)
    end = 4096 + size
    head = bytearray(data[:4096])
    for one in range(3):
        struct.pack_into("<II", head, 16, one, 3)
        whole = bytes(head) + 2 * data[4096:end]
        (directory / f"rank-{one:06}.trace").write_bytes(whole[:length] if one == rank else whole)
    return [4096, end, end + size]


@pytest.mark.parametrize("version", ["1.9", "2.0"])
@pytest.mark.parametrize("rank", [0, 1, 2])
def test_blocks_before_a_cut_are_read(tmp_path: Path, version: str, rank: int) -> None:
    first, second, end = cut_trace(tmp_path, version, rank, 1 << 30)
    lengths = (first, first + 1, first + 48, first + 300, second, second + 47, second + 48, end - 1, end)
    for length in lengths:
        cut_trace(tmp_path, version, rank, length)
        trace = TraceFile(tmp_path / f"rank-{rank:06}.trace")
        whole = sum(block_end <= length for block_end in (second, end))
        assert sum(len(block.records) for block in trace.blocks()) == whole * 122 == trace.record_count
        cut = trace.heads.cut
        if length in (first, second, end):
            assert cut is None
        else:
            is_header_there = length - (second if whole else first) >= 48
            assert cut is not None and (cut.records >= 122) == is_header_there


@pytest.mark.parametrize("version", ["1.9", "2.0"])
@pytest.mark.parametrize("command", ["potential", "whatif"])
def test_commands_say_what_a_cut_file_lacks(
    command: str, version: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, second, end = cut_trace(tmp_path, version, 0, 1 << 30)
    cut_trace(tmp_path, version, 1, (second + end) // 2)
    words = [command, str(tmp_path), "--latency", "1us", "--bandwidth", "1GB/s"]
    assert exit_status(words) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "The file of rank 1 is cut off within a block: about 12" in said
    assert exit_status([*words, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["cut"]["ranks"] == [1] and document["cut"]["records"] >= 122
    assert "rank 0, 2" in document["died"]


@pytest.mark.parametrize(
    "words",
    [
        ("potential", "--latency", "1us", "--bandwidth", "1GB/s", "--json"),
        ("whatif", "--latency", "1us", "--bandwidth", "100MB/s:1GB/s", "--json"),
    ],
    ids=lambda words: words[0],
)
def test_results_are_those_of_the_plain_trace(
    words: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = []
    for version in ("1.9", "2.0"):
        golden(tmp_path, version)
        assert exit_status([words[0], str(tmp_path), *words[1:]]) == 0
        answers.append(capsys.readouterr().out)
    assert answers[0] == answers[1] != ""
