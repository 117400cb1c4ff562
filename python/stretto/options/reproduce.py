# SPDX-License-Identifier: BSD-3-Clause
"""Options of `stretto reproduce`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from stretto.options.common import JsonSwitch
from stretto.options.declare import Request, argument, option, switch
from stretto.options.kinds import PathKind, Text


@dataclass(frozen=True, kw_only=True)
class ReproduceRequest(Request):
    """Figures of the papers; empty members mean all."""

    subject: ClassVar[str] = "reproduce"

    paper: Annotated[str, argument("[PAPER]", Text(), "One paper (--list names them).")] = ""
    figure: Annotated[str, argument("[FIGURE]", Text(), "One of its figures, such as figure-4.")] = ""
    only_list: Annotated[bool, switch("--list", "Name the figures, and compute nothing.")] = False
    full: Annotated[bool, switch("--full", "The papers' sizes where the short form has smaller ones.")] = (
        False
    )
    output: Annotated[
        Path | None,
        option("-o", "--output", PathKind("DIR"), "Write DIR/papers.md and its pictures, DIR/papers/*.svg."),
    ] = None
    force: Annotated[bool, switch("--force", "Overwrite these files.")] = False
    as_json: JsonSwitch = False
