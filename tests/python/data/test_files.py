# SPDX-License-Identifier: BSD-3-Clause
"""Files are written atomically, and recognised by their schema."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from later_samples import later_samples

from stretto.data.files import artefact_kind, write_atomically
from stretto.errors import UserError

GOLDEN = Path(__file__).parents[2] / "golden"


def test_a_failed_write_leaves_only_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "profile.json"
    write_atomically(path, "old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(UserError, match="No space left"):
        write_atomically(path, "new")
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("what", [UserError("the trace is damaged"), KeyboardInterrupt()])
def test_an_error_in_a_part_leaves_only_the_old_file(what: BaseException, tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    write_atomically(path, "old")

    def parts() -> Iterator[str]:
        yield "new"
        raise what

    with pytest.raises(type(what)):
        write_atomically(path, parts())
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_a_written_file_has_the_permissions_of_any_other(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    write_atomically(tmp_path / "atomic", "x")
    assert (tmp_path / "atomic").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_missing_directory_is_a_user_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be written"):
        write_atomically(tmp_path / "absent" / "profile.json", "x")


@pytest.mark.parametrize("name", ["samples-1.0.jsonl", "results-1.0.json", "profile-by-hand.json"])
def test_an_artefact_is_recognised_by_its_content(name: str, tmp_path: Path) -> None:
    path = tmp_path / "named.otherwise"
    path.write_bytes((GOLDEN / name).read_bytes())
    assert artefact_kind(path) == name.partition("-")[0]


def test_an_artefact_of_a_later_version_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "named.otherwise"
    path.write_bytes(later_samples())
    assert artefact_kind(path) == "samples"


@pytest.mark.parametrize(
    "content", ["", "\n", "{}", "hello\n", '{"schema": "stretto.trace/1.0"}', '{"schema": 7}', "[1]\n"]
)
def test_an_invalid_artefact_is_refused(content: str, tmp_path: Path) -> None:
    (tmp_path / "x").write_text(content)
    with pytest.raises(UserError, match="no samples, results or profile"):
        artefact_kind(tmp_path / "x")
