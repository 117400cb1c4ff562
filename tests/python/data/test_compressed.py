# SPDX-License-Identifier: BSD-3-Clause
"""Samples are compressed when a run has ended: all commands read both forms, and damage is said."""

import gzip
import shutil
from pathlib import Path

import pytest

from stretto.commands import exit_status
from stretto.data.files import compress, read_text
from stretto.data.run_directory import samples_in
from stretto.data.samples import read_samples
from stretto.errors import UserError

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "samples-1.0.jsonl"


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    shutil.copy(GOLDEN, tmp_path / "samples.jsonl")
    compress(tmp_path / "samples.jsonl")
    return tmp_path


def test_a_compressed_file_takes_the_place_of_the_other(directory: Path) -> None:
    assert [file.name for file in directory.iterdir()] == ["samples.jsonl.gz"]
    assert samples_in(directory) == directory / "samples.jsonl.gz"
    assert read_text(directory / "samples.jsonl.gz") == GOLDEN.read_text("utf-8")
    assert (directory / "samples.jsonl.gz").stat().st_size < GOLDEN.stat().st_size / 2


def test_both_forms_have_the_same_samples(directory: Path) -> None:
    packed, plain = read_samples(directory / "samples.jsonl.gz"), read_samples(GOLDEN)
    assert packed.header == plain.header and packed.rows.equals(plain.rows)


@pytest.mark.parametrize("name", ["", "samples.jsonl.gz"])
def test_commands_take_the_directory_and_the_file(
    directory: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source = str(directory / name)
    assert exit_status(["compare", source, str(GOLDEN)]) == 0
    assert exit_status(["fit", source, "-o", str(directory / "profile.json")]) == 0
    assert exit_status(["show", str(directory / "samples.jsonl.gz")]) == 0
    assert exit_status(["report", str(directory)]) == 0
    capsys.readouterr()


@pytest.mark.parametrize("cut", [1, 10, 100])
def test_a_damaged_file_is_one_line(directory: Path, cut: int, capsys: pytest.CaptureFixture[str]) -> None:
    path = directory / "samples.jsonl.gz"
    path.write_bytes(path.read_bytes()[:-cut])
    assert exit_status(["report", str(directory)]) == 2
    said = capsys.readouterr().err
    assert "is damaged" in said and len(said.splitlines()) == 1


def test_a_flipped_byte_is_found(directory: Path) -> None:
    path = directory / "samples.jsonl.gz"
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(bytes(data))
    with pytest.raises(UserError, match="is damaged"):
        read_text(path)


def test_more_than_fits_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stretto.data.files._MAX_UNPACKED", 1000)
    path = tmp_path / "large.gz"
    path.write_bytes(gzip.compress(b"a" * 1001))
    with pytest.raises(UserError, match="unpacked"):
        read_text(path)
    path.write_bytes(gzip.compress(b"a" * 1000))
    assert len(read_text(path)) == 1000
