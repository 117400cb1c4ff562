# SPDX-License-Identifier: BSD-3-Clause
"""Options of `stretto profile`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar, TypeAlias

from stretto.errors import UserError
from stretto.options.common import JsonSwitch
from stretto.options.declare import Request, argument, option
from stretto.options.kinds import Kind, PathKind, Text, Whole


@dataclass(frozen=True)
class ClusterName(Kind[tuple[str, str]]):
    """A cluster, and the partition or type of its nodes."""

    metavar: str = "NAME[/PARTITION]"

    def parse(self, text: str) -> tuple[str, str]:
        name, _, partition = text.partition("/")
        if not name.strip():
            raise UserError("write NAME or NAME/PARTITION")
        return name, partition


Cluster: TypeAlias = Annotated[
    tuple[str, str] | None,
    option("--cluster", ClusterName(), "The cluster it is for.", default="where it was measured"),
]
RanksPerNode: TypeAlias = Annotated[
    int | None,
    option("--ranks-per-node", Whole(1, metavar="K"), "For so many.", default="as measured, and any"),
]


@dataclass(frozen=True, kw_only=True)
class ProfileListRequest(Request):
    """All installed profiles."""

    subject: ClassVar[str] = "profile list"

    as_json: JsonSwitch = False


@dataclass(frozen=True, kw_only=True)
class ProfileShowRequest(Request):
    """A profile to show."""

    subject: ClassVar[str] = "profile show"

    profile: Annotated[Path, argument("NAME|FILE", PathKind(), "An installed profile, or a file.")]


@dataclass(frozen=True, kw_only=True)
class ProfileInstallRequest(Request):
    """A profile to install, and the machine that it is for."""

    subject: ClassVar[str] = "profile install"

    file: Annotated[Path, argument("FILE", PathKind(), "What `stretto fit` wrote.")]
    name: Annotated[
        str | None, option("--name", Text("NAME"), "Its name.", default="of the machine and the MPI")
    ] = None
    cluster: Cluster = None


@dataclass(frozen=True, kw_only=True)
class ProfileUseRequest(Request):
    """An installed profile, and the machine that will use it."""

    subject: ClassVar[str] = "profile use"

    name: Annotated[str, argument("NAME", Text(), "One of `stretto profile list`.")]
    cluster: Cluster = None
    ranks_per_node: RanksPerNode = None
