# SPDX-License-Identifier: BSD-3-Clause
"""Options of `stretto batch`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, ClassVar

from stretto.errors import UserError
from stretto.options.declare import Request, argument, option
from stretto.options.kinds import Kind, OneOf, Text, Whole, Word

SYSTEMS = ("slurm", "pbs")
_TIME = re.compile(r"(?:(\d+)-)?(?:(\d+):)?(\d+):(\d\d)")


@dataclass(frozen=True)
class WallTime(Kind[int]):
    """Seconds of a job, written as batch systems do: MM:SS, HH:MM:SS or D-HH:MM:SS."""

    metavar: str = "HH:MM:SS"

    def parse(self, text: str) -> int:
        found = _TIME.fullmatch(text)
        if found is None:
            raise UserError("write HH:MM:SS, such as 00:20:00")
        days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
        total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
        if total == 0:
            raise UserError("give more than 0 seconds")
        return total


@dataclass(frozen=True, kw_only=True)
class BatchRequest(Request):
    """A command of stretto, and what its job asks the batch system for."""

    subject: ClassVar[str] = "batch"
    words_follow: ClassVar[bool] = True

    command: Annotated[
        tuple[str, ...],
        argument(
            "COMMAND...", Text(), "What `stretto` runs in the job.", repeatable=True, keeps_duplicates=True
        ),
    ]
    system: Annotated[
        str,
        option("--system", OneOf(SYSTEMS), "slurm or pbs.", default="the one whose sbatch or qsub is here"),
    ] = ""
    nodes: Annotated[
        int | None, option("--nodes", Whole(1), "Nodes of the job.", default="as many as the ranks need")
    ] = None
    cores: Annotated[
        int | None, option("--cores", Whole(1), "Cores of a node.", default="one for each of its ranks")
    ] = None
    time: Annotated[
        int | None,
        option("--time", WallTime(), "Time limit of the job.", default="what the command takes, and more"),
    ] = None
    partition: Annotated[str, option("--partition", Word("P"), "Partition, or queue of PBS.")] = ""
    account: Annotated[str, option("--account", Word("A"), "Account of the job.")] = ""
