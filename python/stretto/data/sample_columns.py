# SPDX-License-Identifier: BSD-3-Clause
"""The columns of sample rows and their bounds; one line per axis."""

from dataclasses import dataclass
from typing import Literal

from stretto.data.collectives import ALGORITHMS, OPERATIONS
from stretto.data.fields import LARGEST_INTEGER, LONGEST_TIME_S

NEIGHBOUR_OPERATIONS = ("neighbor-alltoall", "neighbor-sends")
WORK_KINDS = ("register", "cache", "stream")
FT_SCHEDULES = ("exchange", "slabs", "pencils", "chunks")
SPMV_SCHEDULES = ("bulk", "gather", "scatter")


@dataclass(frozen=True)
class Column:
    """A member of sample rows; an empty `allowed` permits any text."""

    name: str
    kind: Literal["text", "integer", "number"]
    required: bool = False
    low: float = 0
    high: float = LARGEST_INTEGER
    allowed: tuple[str, ...] = ()


AXES = (
    Column("transport", "text"),
    Column("operation", "text", allowed=("send", "put", "get", *OPERATIONS, *NEIGHBOUR_OPERATIONS)),
    Column("progress", "text", allowed=("none", "poll", "thread")),
    Column("side", "text", allowed=("origin", "target", "both")),
    Column("direction", "text", allowed=("one-way", "both-ways")),
    Column("size_bytes", "integer"),
    Column("ratio", "number", high=1e9),
    Column("work_kind", "text", allowed=WORK_KINDS),
    Column("work_count", "integer"),
    Column("window", "integer", low=1),
    Column("buffers", "text", allowed=("distinct", "same")),
    Column("pairs", "integer", low=1),
    Column("partitions", "integer", low=1),
    Column("path", "text", allowed=("direct", "rma", "message")),
    Column("method", "text", allowed=("individual", "aggregate", "vector")),
    Column("pattern", "text", allowed=("pairs", "gather-all")),
    Column("algorithm", "text", allowed=ALGORITHMS),
    Column("grid", "text"),
    Column("members", "integer", low=1),
    Column("root", "integer"),
    Column("segments", "integer", low=1),
    Column("rows", "integer", low=1),
    Column("row_length", "integer", low=1),
    Column("planes", "integer", low=1),
    Column("scale", "number", high=1e9),
    Column("nonzero_ratio", "number", high=1),
    Column("flops", "number", high=1e30),
)
# These axes, `operation` and `size_bytes` identify the quantities of a case of ft or spmv.
SCHEDULE_AXES = (
    Column("schedule", "text", allowed=FT_SCHEDULES + SPMV_SCHEDULES),
    Column("chunks", "integer", low=1),
    Column("prefetch", "integer"),
)
SEGMENTS = ("init", "work", "sync", "barrier")
SPMV_SEGMENTS = ("prefetch_init", "pipeline_init", "local_work", "remote_work", "sync", "barrier")
_ALL_SEGMENTS = tuple(dict.fromkeys((*SEGMENTS, *SPMV_SEGMENTS)))
COLUMNS = (
    Column("probe", "text", required=True),
    Column("case", "integer", required=True),
    Column("quantity", "text", required=True),
    Column("round", "integer", required=True),
    Column("time_s", "number", required=True, high=LONGEST_TIME_S),
    Column("messages", "integer", required=True),
    Column("ranks", "integer", required=True, low=1),
    Column("visit", "integer"),
    Column("switches", "integer"),
    Column("lost_s", "number", high=LONGEST_TIME_S),
    *AXES,
    *SCHEDULE_AXES,
    *(
        Column(f"{name}{which}_s", "number", high=LONGEST_TIME_S)
        for name in _ALL_SEGMENTS
        for which in ("", "_min", "_max")
    ),
)
