# SPDX-License-Identifier: BSD-3-Clause
"""What `stretto trace` says of a recorded run that left nothing to read."""

from __future__ import annotations

from pathlib import Path

import pytest

from stretto.launch.recording import check_recorded


def test_a_trace_that_cannot_be_read_is_no_failure_of_the_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rank-000000.trace").touch()
    assert not check_recorded(tmp_path, "mpiexec", 0)
    assert "warning: " in (said := capsys.readouterr().err) and "is empty" in said
