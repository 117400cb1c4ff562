# SPDX-License-Identifier: BSD-3-Clause
"""Options of `stretto run`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from stretto.errors import UserError
from stretto.options.choices import KERNELS
from stretto.options.common import JsonSwitch
from stretto.options.declare import argument, option
from stretto.options.kinds import Kind, OneOf, PathKind, Text
from stretto.options.substrate import SubstrateRequest


@dataclass(frozen=True)
class Setting(Kind[tuple[str, str]]):
    """A kernel's setting, `NAME=VALUE`."""

    metavar: str = "NAME=VALUE"

    def parse(self, text: str) -> tuple[str, str]:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UserError("write NAME=VALUE")
        return name, value


@dataclass(frozen=True, kw_only=True)
class RunRequest(SubstrateRequest):
    """A kernel, its problem, and its communication; an empty member means the kernel's default."""

    subject: ClassVar[str] = "run"

    kernel: Annotated[str, argument("KERNEL", OneOf(tuple(KERNELS)), f"{', '.join(KERNELS)}.")]
    class_name: Annotated[str, option("--class", Text("C"), "S, W, A, B, C, D.", default="S")] = ""
    variant: Annotated[
        str, option("--variant", Text("V"), "One of the kernel's (`stretto list`), or auto.")
    ] = ""
    transport: Annotated[str, option("--transport", Text("T"), "What it communicates over.")] = ""
    matrix: Annotated[
        str | None,
        option(
            "--matrix",
            Text("FILE"),
            "spmv: Matrix Market, Harwell-Boeing, or av41092-like.",
            default="that",
        ),
    ] = None
    profile: Annotated[
        Path | None, option("--profile", PathKind(), "auto: the machine's profile to choose by.")
    ] = None
    settings: Annotated[
        tuple[tuple[str, str], ...],
        option(
            "--set",
            Setting(),
            "An option of the kernel's own; again for more.",
            repeatable=True,
            keeps_duplicates=True,
        ),
    ] = ()
    as_json: JsonSwitch = False
