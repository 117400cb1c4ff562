# SPDX-License-Identifier: BSD-3-Clause
"""What is asked of ft and spmv: wrong input is told in one line that names the option and the mend."""

from __future__ import annotations

import re

import pytest

from stretto.commands.schedule_options import ScheduleOptions
from stretto.errors import UserError


def test_what_is_given_is_passed_on() -> None:
    options = ScheduleOptions(rows="1024", row_length="512", scale="0.5,balance", schedules="slabs,chunks=64")
    assert options.arguments(["ft"], 32) == [
        *("--rows", "1024", "--row-length", "512"),
        *("--scale", "0.5,balance", "--schedules", "slabs,chunks=64"),
    ]
    assert ScheduleOptions(sweep="prefetch", prefetch="0,1,31").arguments(["spmv"], 32)
    assert ScheduleOptions().arguments(["latency"], 2) == []


@pytest.mark.parametrize(
    ("options", "probes", "ranks", "complaint"),
    [
        (ScheduleOptions(rows="100"), ["ft"], 32, "--rows 100: not a multiple of 32 ranks: give 96 or 128"),
        (ScheduleOptions(rows="10"), ["ft"], 32, "--rows 10: not a multiple of 32 ranks: give 32"),
        (
            ScheduleOptions(rows="64", planes="3"),
            ["ft"],
            32,
            "--rows 64: not a multiple of 32 ranks x 3 planes: give 96",
        ),
        (ScheduleOptions(rows="8"), ["ft", "spmv"], 2, "run the two apart"),
        (ScheduleOptions(rows="1e3"), ["spmv"], 2, "--rows 1e3: give whole numbers from 1 on"),
        (ScheduleOptions(prefetch="4"), ["spmv"], 4, "--prefetch 4: beyond P-1: with 4 ranks give 0 to 3"),
        (ScheduleOptions(prefetch="-1"), ["spmv"], 4, "--prefetch -1: give whole numbers from 0 on"),
        (ScheduleOptions(scale="nan"), ["ft"], 2, "--scale nan: give fractions"),
        (ScheduleOptions(scale="half"), ["ft"], 2, "or balance"),
        (ScheduleOptions(nonzeros="2"), ["spmv"], 2, "--nonzeros 2: give nonzeros over the order squared"),
        (ScheduleOptions(schedules="slab"), ["ft"], 2, "unknown 'slab'"),
        (ScheduleOptions(schedules="chunks"), ["ft"], 2, "chunks=X"),
        (ScheduleOptions(sweep="many-small"), ["spmv"], 2, "spmv has no 'many-small'; choose from nonzero,"),
        (ScheduleOptions(scale="1"), ["overlap"], 2, "--scale is for the probes ft and spmv"),
    ],
)
def test_wrong_input_is_refused(
    options: ScheduleOptions, probes: list[str], ranks: int, complaint: str
) -> None:
    with pytest.raises(UserError, match=re.escape(complaint)) as raised:
        options.arguments(probes, ranks)
    assert "\n" not in str(raised.value)
