# SPDX-License-Identifier: BSD-3-Clause
"""Options of `stretto run`."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from stretto.errors import UserError
from stretto.options.choices import KERNELS
from stretto.options.common import PROFILE_NAME, JsonSwitch
from stretto.options.declare import argument, declared, option
from stretto.options.kinds import Kind, Text, names
from stretto.options.launchers import refuse_launcher
from stretto.options.substrate import LIBRARIES, WHERE, SubstrateRequest

_OF_KERNELS = frozenset({"class_name", "variant", "transport", "matrix", "profile", "settings", "as_json"})


@dataclass(frozen=True)
class Setting(Kind[tuple[str, str]]):
    """A kernel's setting, `NAME=VALUE`."""

    metavar: str = "NAME=VALUE"

    def parse(self, text: str) -> tuple[str, str]:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise UserError("write NAME=VALUE")
        return name, value

    def text(self, value: tuple[str, str]) -> str:
        return "=".join(value)


@dataclass(frozen=True, kw_only=True)
class RunRequest(SubstrateRequest):
    """A kernel, its problem, and its communication; an empty member means the kernel's default.

    Or an MPI program with its arguments; the options of kernels are then not for it.
    """

    subject: ClassVar[str] = "run"

    command: Annotated[
        tuple[str, ...],
        argument(
            "KERNEL | -- COMMAND...",
            Text(),
            f"{', '.join(KERNELS)}; or an MPI program and its arguments.",
            repeatable=True,
            keeps_duplicates=True,
        ),
    ]
    libraries: Annotated[
        tuple[str, ...],
        option(
            "--preload",
            names(LIBRARIES, "LIBRARY"),
            "Of a program: trace, collectives, progress; the first is called first.",
            panel=WHERE,
        ),
    ] = ()
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
        Path | None, option("--profile", PROFILE_NAME, "jacobi, auto: the machine's profile to choose by.")
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

    @property
    def kernel(self) -> str:
        """The kernel; empty where a program is named."""
        return self.command[0] if self.command[0] in KERNELS else ""

    @property
    def launched_ranks(self) -> int:
        """The ranks that stretto starts."""
        return self.ranks

    def check(self) -> None:
        """Raises UserError where an option is not for what is named."""
        if self.kernel:
            if len(self.command) > 1:
                raise UserError(
                    f"{self.command[1]}: what is this? the kernel {self.kernel} takes options only"
                )
            if self.libraries:
                raise UserError(f"--preload is for a program, not for the kernel {self.kernel}")
            return
        refuse_launcher(self.command[0])
        if "/" not in self.command[0] and shutil.which(self.command[0]) is None:
            raise UserError(
                f"kernel: unknown '{self.command[0]}', which is no program either: choose from "
                f"{', '.join(KERNELS)}, or give a program after --"
            )
        if self.on == "simulated":
            raise UserError("--on simulated is for kernels; a program runs on local or emulated")
        for one in declared(RunRequest):
            if one.field in _OF_KERNELS and self.gave(one.field):
                raise UserError(
                    f"{one.option.name} is for a kernel ({', '.join(KERNELS)}), not for a program"
                )
