# SPDX-License-Identifier: BSD-3-Clause
"""Options of `stretto profile`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from stretto.errors import UserError
from stretto.options.common import JsonSwitch
from stretto.options.declare import Request, argument, declared, option
from stretto.options.kinds import Kind, OneOf, PathKind, Text, Whole

ACTIONS: Mapping[str, str] = {"list": "", "show": "NAME|FILE", "use": "NAME", "install": "FILE"}
"""What is done with profiles, and how the help calls the profile that it is done with."""

_OF_ACTIONS: Mapping[str, frozenset[str]] = {
    "as_json": frozenset({"list"}),
    "name": frozenset({"install"}),
    "cluster": frozenset({"use", "install"}),
    "ranks_per_node": frozenset({"use"}),
}


@dataclass(frozen=True)
class ClusterName(Kind[tuple[str, str]]):
    """A cluster, and the partition or type of its nodes."""

    metavar: str = "NAME[/PARTITION]"

    def parse(self, text: str) -> tuple[str, str]:
        name, _, partition = text.partition("/")
        if not name.strip():
            raise UserError("write NAME or NAME/PARTITION")
        return name, partition


@dataclass(frozen=True, kw_only=True)
class ProfileRequest(Request):
    """What to do with installed profiles, and with which profile."""

    subject: ClassVar[str] = "profile"

    action: Annotated[
        str, argument("ACTION", OneOf(tuple(ACTIONS)), "list, show NAME|FILE, use NAME, or install FILE.")
    ]
    profile: Annotated[
        Path | None,
        argument("[PROFILE]", PathKind(), "The name of an installed profile, or what `stretto fit` wrote."),
    ] = None
    as_json: JsonSwitch = False
    name: Annotated[
        str | None,
        option("--name", Text("NAME"), "install: its name.", default="of the machine and the MPI"),
    ] = None
    cluster: Annotated[
        tuple[str, str] | None,
        option(
            "--cluster",
            ClusterName(),
            "use, install: the cluster it is for.",
            default="where it was measured",
        ),
    ] = None
    ranks_per_node: Annotated[
        int | None,
        option(
            "--ranks-per-node",
            Whole(1, metavar="K"),
            "use: for so many.",
            default="as measured, and any",
        ),
    ] = None

    def check(self) -> None:
        """Raises UserError where the action lacks its profile, or has what is not for it."""
        wanted = ACTIONS[self.action]
        if wanted and self.profile is None:
            raise UserError(f"profile {self.action}: the profile is missing; give {wanted}")
        if not wanted and self.profile is not None:
            raise UserError(
                f"profile {self.action} takes no profile; `stretto profile show {self.profile}` shows one"
            )
        for one in declared(ProfileRequest):
            if self.action not in _OF_ACTIONS.get(one.field, ACTIONS) and self.gave(one.field):
                actions = " and ".join(sorted(_OF_ACTIONS[one.field]))
                raise UserError(f"{one.option.name} is for profile {actions}, not for profile {self.action}")
