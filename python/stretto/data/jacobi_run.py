# SPDX-License-Identifier: BSD-3-Clause
"""The document that `stretto run jacobi --json` prints, as far as its iteration can be predicted."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from stretto.data.collectives import ALGORITHMS
from stretto.data.fields import LONGEST_TIME_S, Members, Place
from stretto.data.files import read_json_object
from stretto.errors import UserError

LONGEST_OPERATION_S = 1.0
_LARGEST = 10**6


@dataclass(frozen=True)
class JacobiRun:
    """A run of n = `size` unknowns; `grid` is `flat` or `P1xP2`, `operation_s` is t_op of its computation."""

    size: int
    ranks: int
    layout: str
    algorithm: str
    grid: str
    iteration_s: float
    operation_s: float


def read_jacobi_run(path: Path) -> JacobiRun:
    """Reads the document.

    Raises:
        UserError: It is none, or a member is wrong.
    """
    run = Members(read_json_object(path), Place(path))
    if run.members.get("kernel") != "jacobi":
        raise run.place.error("is no run of jacobi; name what `stretto run jacobi --json` printed")
    time_s = run.number("time_s", 0, LONGEST_TIME_S)
    if time_s <= 0:
        raise run.place.member("time_s").error("is 0; give more iterations")
    return JacobiRun(
        size=run.integer("size", 1, _LARGEST),
        ranks=run.integer("ranks", 1),
        layout=run.text("layout", allowed=("row", "column")),
        algorithm=run.text("algorithm", "library", allowed=ALGORITHMS),
        grid=run.text("grid", "flat"),
        iteration_s=time_s / run.integer("iterations", 1),
        operation_s=run.number("t_op_s", 0, LONGEST_OPERATION_S),
    )


def is_jacobi_run(path: Path) -> bool:
    """Whether a file is such a document; false for files of other kinds."""
    if not path.is_file() or path.suffix != ".json":
        return False
    try:
        return read_json_object(path).get("kernel") == "jacobi"
    except UserError:
        return False
