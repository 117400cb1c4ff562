# SPDX-License-Identifier: BSD-3-Clause
"""The golden samples as a later minor version would write them."""

import json
from pathlib import Path

GOLDEN = Path(__file__).parents[2] / "golden" / "samples-1.0.jsonl"


def later_samples() -> bytes:
    """A header with another member, samples with another figure, and a row of another kind."""
    header, *rows, end = map(json.loads, GOLDEN.read_text(encoding="utf-8").splitlines())
    later = [
        {**header, "schema": "stretto.samples/1.7", "scheduler": {"name": "a member of a later version"}},
        {"row": "temperature", "celsius": 40.5},
        *({**row, "humidity": 0.5} if row["row"] == "sample" else row for row in rows),
        {**end, "rows": end["rows"] + 1},
    ]
    return "".join(f"{json.dumps(row, separators=(',', ':'))}\n" for row in later).encode()
