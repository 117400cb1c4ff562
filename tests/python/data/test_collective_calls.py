# SPDX-License-Identifier: BSD-3-Clause
"""The table that the two-phase collectives write at the end of a program."""

from pathlib import Path

import pytest

from stretto.data.collective_calls import CollectiveCalls, read_collective_calls
from stretto.errors import UserError

TABLE = """\
# libstretto_progress: a row per rank
     0         79       0.000       0.000       12        3        1        0   0.001
# stretto collectives: calls of a rank, the mean call on the slowest rank against the prediction
# operation     ranks      ~bytes form                 calls     time(us) predicted(us)
broadcast          16        1024 4x4                     10         12.5         11.0
reduce-scatter     16     1048576 2x8/3                    1       1200.0       1100.5
allreduce           4           8 flat undecided         100          3.0            -
# the profile is stale: collectives took 2 times their predicted time; measure again for p.json
"""


def test_rows_of_the_collectives_are_read_and_others_skipped(tmp_path: Path) -> None:
    file = tmp_path / "statistics"
    file.write_text(TABLE, encoding="utf-8")
    assert read_collective_calls(file) == (
        CollectiveCalls("broadcast", 16, 1024, True, 10, pytest.approx(12.5e-6), pytest.approx(11e-6)),
        CollectiveCalls(
            "reduce-scatter", 16, 1 << 20, True, 1, pytest.approx(1.2e-3), pytest.approx(1.1005e-3)
        ),
        CollectiveCalls("allreduce", 4, 8, False, 100, pytest.approx(3e-6), None),
    )


def test_a_missing_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        read_collective_calls(tmp_path / "none")
