# SPDX-License-Identifier: BSD-3-Clause
"""Shows installed profiles, and the machine of one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stretto.data.profile import Machine, Profile, Source
from stretto.report.screen import Column, Part, table


@dataclass(frozen=True)
class ListedProfile:
    """An installed profile; `used`: some machine uses it."""

    name: str
    machine: Machine
    made_from: tuple[Source, ...]
    used: bool


def place(machine: Machine) -> str:
    """The machine in words: its cluster, or its hosts, and the MPI."""
    if machine.cluster:
        where = f"cluster {machine.cluster}" + (f"/{machine.partition}" if machine.partition else "")
        each = f", {machine.ranks_per_node} a node" if machine.ranks_per_node else ""
    else:
        where, each = ", ".join(machine.hosts[:3]) or "an unnamed machine", ""
        where += ", ..." if len(machine.hosts) > 3 else ""
    mpi = f" with {machine.mpi.library or machine.mpi.family}" if machine.mpi else ""
    return f"{where}{mpi}{each}"


def installed_view(profiles: Sequence[ListedProfile], here: tuple[str, str]) -> Iterator[Part]:
    """What is here, and a row for each profile."""
    cluster = "/".join(filter(None, here))
    yield (
        f"this is cluster {cluster}"
        if cluster
        else "this is no cluster's job; STRETTO_CLUSTER would name one"
    )
    if not profiles:
        yield "no profile is installed: `stretto probe --all -o RUN` and `stretto fit RUN --install` make one"
        return
    yield table(
        [Column("name", words=True), Column("of", words=True), Column("made"), Column("in use")],
        (
            [
                one.name,
                place(one.machine),
                max((source.created_utc for source in one.made_from), default="")[:10] or "-",
                "yes" if one.used else "no",
            ]
            for one in profiles
        ),
    )
    yield "next: stretto profile show NAME"


def machine_view(profile: Profile) -> Iterator[Part]:
    """The machine of a profile, and what the profile has."""
    yield f"profile of {place(profile.machine)}"
    counts = {
        "paths with LogGP parameters": len(profile.loggp),
        "sizes with bandwidth": len(profile.bandwidth),
        "figures of overlap": len(profile.overlap),
        "runtime functions of collectives": len(profile.collectives),
    }
    yield ", ".join(f"{count} {what}" for what, count in counts.items())
    made = [f"{source.file} ({source.created_utc})" for source in profile.made_from]
    if made:
        yield "made from " + ", ".join(made[:3]) + (f" and {len(made) - 3} more" if len(made) > 3 else "")
