# SPDX-License-Identifier: BSD-3-Clause
"""What machine this is a report of."""

from stretto.report.document import Document
from stretto.report.markup import Html, element, facts, joined
from stretto.report.origin import origin
from stretto.report.sections import Section


def body(document: Document) -> Html | None:
    """One list of facts a run; what runs share is not said twice."""
    lists: list[Html] = []
    for header in document.results.provenance:
        run = origin(header)
        pairs = [
            ("Processor", run.cpu),
            ("Hosts", run.hosts),
            ("MPI", run.mpi),
            ("Ranks", f"{run.ranks}, {run.locality}"),
            ("Network", run.network or ("shared memory" if run.locality == "same-node" else "as found")),
            ("Substrate", run.substrate),
            ("Clock", run.clock),
        ]
        shown = facts(pairs)
        if shown not in lists:
            lists.append(shown)
    if lists:
        return joined(lists)
    if document.profile is None:
        return element("p", "Nothing is known of the machine.")
    machine = document.profile.machine
    return facts(
        [
            ("Name", machine.name or "unknown"),
            ("Hosts", ", ".join(machine.hosts) or "unknown"),
            ("MPI", machine.mpi.library if machine.mpi else "unknown"),
            ("Network", machine.network or "unknown"),
        ]
    )


SECTION = Section(10, "machine", "The machine", body)
