# SPDX-License-Identifier: BSD-3-Clause
"""What `stretto trace` says of a recorded run that left nothing to read."""

from pathlib import Path

import pytest
from trace_bytes import block, trace_file, world

from stretto.launch.recording import check_recorded


def test_a_trace_that_cannot_be_read_is_no_failure_of_the_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rank-000000.trace").touch()
    assert not check_recorded(tmp_path, "mpiexec", 0)
    assert "warning: " in (said := capsys.readouterr().err) and "is empty" in said


def test_the_name_of_a_trace_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    trace = tmp_path / "a\nb"
    trace.mkdir()
    trace_file(trace, block(world(0, 1)))
    assert check_recorded(trace, "mpiexec", 0)
    (said,) = capsys.readouterr().err.splitlines()
    assert " of 1 rank, " in said and said.endswith(f"in $'{tmp_path}/a\\nb'")
