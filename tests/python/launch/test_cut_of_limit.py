# SPDX-License-Identifier: BSD-3-Clause
"""What remains in the directory of a trace with a limit of size."""

from pathlib import Path

import pytest

from stretto.launch import limited_trace
from stretto.launch.recording import remove_trace


def test_an_interrupted_cut_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tmp_path / "rank-000000.trace"
    whole.touch()

    def interrupted(*_: object) -> None:
        (tmp_path / "rank-000000.trace.part").touch()
        raise KeyboardInterrupt

    monkeypatch.setattr(limited_trace, "document_of", interrupted)
    with pytest.raises(KeyboardInterrupt):
        limited_trace.cut(tmp_path)
    assert list(tmp_path.iterdir()) == [whole]


def test_a_new_trace_replaces_one_whose_cut_was_killed(tmp_path: Path) -> None:
    for name in ("rank-000000.trace", "rank-000000.trace.part"):
        (tmp_path / name).touch()
    remove_trace(tmp_path)
    assert list(tmp_path.iterdir()) == []
