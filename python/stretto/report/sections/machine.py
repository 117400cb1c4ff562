# SPDX-License-Identifier: BSD-3-Clause
"""The machine of the report."""

from collections.abc import Sequence

from stretto.report.blocks import Block, Facts, Paragraph
from stretto.report.document import Document
from stretto.report.origin import origin
from stretto.report.sections import Section


def body(document: Document) -> Sequence[Block]:
    """One list of facts per run, without repeating those that runs share."""
    lists: list[Block] = []
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
        shown = Facts(pairs)
        if shown not in lists:
            lists.append(shown)
    if lists:
        return lists
    if document.profile is None:
        return [Paragraph("Nothing is known of the machine.")]
    machine = document.profile.machine
    known = Facts(
        [
            ("Name", machine.name or "unknown"),
            ("Hosts", ", ".join(machine.hosts) or "unknown"),
            ("MPI", machine.mpi.library if machine.mpi else "unknown"),
            ("Network", machine.network or "unknown"),
        ]
    )
    return [known]


SECTION = Section(80, "machine", "The machine", body)
