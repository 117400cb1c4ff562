# SPDX-License-Identifier: BSD-3-Clause
"""The content of a header in words.
Headers in results.json are unchecked, so nothing in them is trusted.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from stretto.data.sizes import SEGMENT_BYTES, shown_duration
from stretto.report.document import Document
from stretto.report.units import printable, size_label

UNKNOWN = "unknown"
BELOW_A_SEGMENT = f"Below {size_label(SEGMENT_BYTES)} an emulated link shows its latency, not its rate"


@dataclass(frozen=True)
class Origin:
    """A header's members as printable text, `unknown` where they are absent."""

    name: str
    created_utc: str
    command: str
    revision: str
    schema: str
    substrate: str
    mpi: str
    hosts: str
    cpu: str
    locality: str
    network: str
    ranks: str
    clock: str
    settings: tuple[tuple[str, str], ...]


def origin(header: Mapping[str, Any]) -> Origin:
    """The words for one header of `Results.provenance`."""
    mpi = _object(header.get("mpi"))
    standard = f" (MPI {_text(mpi.get('standard'))})" if mpi.get("standard") else ""
    settings = sorted(_object(header.get("settings")).items())
    return Origin(
        name=", ".join(dict.fromkeys(map(_text, _list(header.get("hosts"))))) or "this machine",
        created_utc=_text(header.get("created_utc")),
        command=" ".join(_text(word) for word in _list(header.get("command"))) or UNKNOWN,
        revision=_text(header.get("revision")),
        schema=_text(header.get("schema")),
        substrate=_text(header.get("on")),
        mpi=_text(mpi.get("library") or mpi.get("family")) + standard,
        hosts=_hosts(_list(header.get("hosts"))),
        cpu=_text(header.get("cpu")),
        locality=_text(header.get("locality")),
        network=printable(header.get("network") or ""),
        ranks=_text(header.get("ranks")),
        clock=_clock(_object(header.get("clock"))),
        settings=tuple((printable(name), _setting(value)) for name, value in settings),
    )


def names(document: Document) -> tuple[str, str]:
    """What a page is of, and when and with what it was measured."""
    runs = [origin(header) for header in document.results.provenance]
    if not runs:
        machine = document.profile.machine.name if document.profile else ""
        return machine or "a machine without a name", "From a profile, without samples."
    run = runs[0]
    name = {
        "emulated": "an emulated cluster",
        "simulated": f"the simulated platform {run.network}" if run.network else "a simulated platform",
        "virtual": "a virtual machine with known answers",
    }.get(run.substrate, run.name)
    if run.substrate == "emulated" and run.network:
        name += f" ({run.network})"
    when = run.created_utc.replace("T", " ").replace("Z", " UTC")
    return name, f"{when}, {run.mpi}, {run.ranks} ranks, {run.locality}"


def conditions(document: Document) -> str:
    """Under what the figures of a run were measured, for their captions."""
    if not document.results.provenance:
        return "From a profile."
    run = origin(document.results.provenance[0])
    where = {"same-node": "on one node", "remote": "on different nodes"}.get(run.locality, run.locality)
    network = f", {run.network}" if run.network else ""
    return f"{run.mpi}, {run.ranks} ranks {where}{network}; bars are 95 % intervals."


def _text(value: object) -> str:
    return UNKNOWN if value is None else printable(value) or UNKNOWN


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _hosts(names: list[Any]) -> str:
    """`2 ranks on node-a`, `node-a, node-b`: each host once, with its number of ranks unless that is one."""
    runs = [(name, len(list(same))) for name, same in groupby(sorted(map(_text, names)))]
    return ", ".join(name if count == 1 else f"{name} ({count} ranks)" for name, count in runs) or UNKNOWN


def _clock(clock: dict[str, Any]) -> str:
    def duration(name: str) -> str:
        value = clock.get(name)
        return shown_duration(value) if isinstance(value, int | float) else UNKNOWN

    offsets = [abs(value) for value in _list(clock.get("offset_s")) if isinstance(value, int | float)]
    result = f"{_text(clock.get('name'))}, resolution {duration('resolution_s')}"
    result += f", overhead {duration('overhead_s')}"
    if len(offsets) > 1 and not any([*offsets, clock.get("offset_error_s")]):
        result += ", one for all ranks"
    elif len(offsets) > 1:
        result += f", the ranks' apart by up to {shown_duration(max(offsets))}"
        result += f" (known to within {duration('offset_error_s')})"
    return result


def _setting(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else _text(value)
