# SPDX-License-Identifier: BSD-3-Clause
"""The overlap that the calls of a trace allow: per message, the computation that could hide it.

The computation lies between the start of an operation and its wait. Where the trace has accesses to data, it
also lies between data and calls. The native `stretto-analyse` reads the records.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from stretto.data.program import Place, Program, program_in
from stretto.data.trace import TraceFile
from stretto.errors import RunError
from stretto.native.document import document_of, request_text
from stretto.potential.data_work import DataWork
from stretto.potential.regions import Region, WorkSite
from stretto.potential.sites import Cost, SitePotential

_SCHEMA = "stretto.analysis/1.3"


@dataclass(frozen=True)
class Potential:
    """What a trace's calls leave unused: of all call sites, of those at which data arrives, and of sends.

    `program` is what the trace says of the program.
    """

    sites: list[SitePotential]
    arrivals: dict[Place, WorkSite]
    sends: dict[Place, WorkSite]
    program: Program


def potential_of(traces: Sequence[TraceFile], cost: Cost, by_data: bool = False) -> Potential:
    """All call sites of a program, or all variables, in descending order of cost, without a network of time.

    Args:
        traces: One per rank.
        cost: The cost of a message on the requested network.
        by_data: Whether the entries are variables in place of call sites.

    Raises:
        UserError: a trace is damaged.
        RunError: the native program failed.
    """
    return potential_in(analysed(traces, "sites", **asdict(cost), by_data=by_data))


def analysed(traces: Sequence[TraceFile], *parts: str, **members: Any) -> dict[str, Any]:
    """The answer of stretto-analyse with these parts.

    Raises:
        UserError: a trace is damaged.
        RunError: the native program failed, or is of another version of stretto.
    """
    request = {"traces": [str(one.path) for one in traces], "parts": parts, **members}
    answer = document_of("stretto-analyse", text=request_text(request))
    if answer.get("schema") != _SCHEMA:
        raise RunError(
            f"stretto-analyse answers in the format {answer.get('schema')}, and this stretto reads "
            f"{_SCHEMA}: build it again with `make setup`"
        )
    return answer


def potential_in(found: Mapping[str, Any]) -> Potential:
    """The potential in an answer with the part `sites`."""
    sites = [
        SitePotential(**{**row, "data": DataWork(**row["data"]), "reordered": DataWork(**row["reordered"])})
        for row in found["sites"]
    ]
    ordered = sorted(
        sites, key=lambda site: (-site.cost_s, -site.blocked_s, site.module, site.address, site.call)
    )
    arrivals, sends = _work_sites(found["arrivals"]), _work_sites(found["sends"])
    return Potential(ordered, arrivals, sends, program_in(found))


def program_of(traces: Sequence[TraceFile]) -> Program:
    """What the traces say of the program.

    Raises:
        UserError: a trace is damaged.
        RunError: the native program failed.
    """
    return program_in(analysed(traces, "program"))


def fetches(site: SitePotential) -> bool:
    """Whether a one-sided operation brings data to this rank."""
    return site.call.startswith(("MPI_Get", "MPI_Rget", "MPI_Fetch", "MPI_Compare"))


def _work_sites(rows: Iterable[dict[str, Any]]) -> dict[Place, WorkSite]:
    found = {}
    for row in rows:
        regions = {(module, address): Region(*work) for module, address, *work in row["regions"]}
        accessed = [(module, address) for module, address in row["accessed"]]
        place = row.pop("module"), row.pop("address")
        found[place] = WorkSite(**{**row, "regions": regions, "accessed": accessed})
    return found
