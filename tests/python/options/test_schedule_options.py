# SPDX-License-Identifier: BSD-3-Clause
"""Options of ft and spmv; wrong input gives one line that names the option and the correction."""

import re
from typing import Any

import pytest

from stretto.errors import UserError
from stretto.options.declare import read
from stretto.options.probe import ProbeRequest


def native(probes: list[str], ranks: int, **given: str) -> dict[str, Any]:
    return read(ProbeRequest, {"names": probes, "ranks": str(ranks), **given}).native()


def test_given_options_are_passed_on() -> None:
    result = native(
        ["ft"], 32, rows="1024", row_length="512", scale="0.5,balance", schedules="slabs,chunks=64"
    )
    assert (result["rows"], result["row_lengths"]) == ((1024,), (512,))
    assert (result["scales"], result["balance"]) == ([0.5], True)
    assert result["schedules"] == ("slabs", "chunks=64")
    assert native(["spmv"], 32, sweep="prefetch", prefetch="0,1,31")["prefetch"] == (0, 1, 31)
    both = native(["ft", "spmv"], 2, rows="8", matrix_rows="301")
    assert (both["rows"], both["matrix_rows"]) == ((8,), (301,))
    nothing = native(["latency"], 2)
    assert (nothing["rows"], nothing["sweep"], nothing["scales"], nothing["balance"]) == ((), "", [], False)


@pytest.mark.parametrize(
    ("options", "probes", "ranks", "message"),
    [
        ({"rows": "100"}, ["ft"], 32, "--rows 100: not a multiple of 32 ranks: give 96 or 128"),
        ({"rows": "10"}, ["ft"], 32, "--rows 10: not a multiple of 32 ranks: give 32"),
        (
            {"rows": "64", "planes": "3"},
            ["ft"],
            32,
            "--rows 64: not a multiple of 32 ranks x 3 planes: give 96",
        ),
        ({"rows": "8"}, ["spmv"], 2, "--rows is for the probe ft: name it"),
        ({"matrix_rows": "8"}, ["ft"], 2, "--matrix-rows is for the probe spmv: name it"),
        ({"matrix_rows": "1e3"}, ["spmv"], 2, "--matrix-rows 1e3: give whole numbers from 1 on"),
        ({"prefetch": "4"}, ["spmv"], 4, "--prefetch 4: beyond P-1: with 4 ranks give 0 to 3"),
        ({"prefetch": "-1"}, ["spmv"], 4, "--prefetch -1: give whole numbers from 0 on"),
        ({"scale": "nan"}, ["ft"], 2, "--scale nan: give fractions"),
        ({"rows": "0"}, ["ft"], 2, "--rows 0: give whole numbers from 1 on"),
        ({"matrix_rows": str(2**31)}, ["spmv"], 2, f"--matrix-rows {2**31}: give whole numbers from 1 on"),
        ({"scale": "-1"}, ["ft"], 2, "--scale -1: give fractions"),
        ({"nonzeros": "1.5"}, ["spmv"], 2, "--nonzeros 1.5: give nonzeros"),
        ({"planes": "0"}, ["ft"], 2, "--planes 0: give whole numbers from 1 on"),
        ({"scale": "half"}, ["ft"], 2, "or balance"),
        ({"nonzeros": "2"}, ["spmv"], 2, "--nonzeros 2: give nonzeros over the order squared"),
        ({"schedules": "slab"}, ["ft"], 2, "unknown 'slab'"),
        ({"schedules": "chunks"}, ["ft"], 2, "chunks=X"),
        ({"sweep": "many-small"}, ["spmv"], 2, "spmv has no 'many-small'; choose from nonzero,"),
        ({"scale": "1"}, ["overlap"], 2, "--scale is for the probe ft"),
    ],
)
def test_wrong_input_is_refused(options: dict[str, str], probes: list[str], ranks: int, message: str) -> None:
    with pytest.raises(UserError, match=re.escape(message)) as raised:
        native(probes, ranks, **options)
    assert "\n" not in str(raised.value)
