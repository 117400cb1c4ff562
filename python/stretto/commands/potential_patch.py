# SPDX-License-Identifier: BSD-3-Clause
"""`stretto potential --patch`: the local changes as a patch of the source, and their proof."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from stretto.commands.trace_analysis import Analysis
from stretto.data.trace import TraceFile
from stretto.data.trace_accesses import message_accesses
from stretto.launch.symbols import frames_of
from stretto.options.traces import PotentialRequest
from stretto.patch.candidates import candidates_of
from stretto.patch.offers import offers_of
from stretto.patch.sources import folder_of


def write_patch(request: PotentialRequest, traces: Sequence[TraceFile], analysis: Analysis) -> None:
    """Writes the patch to stdout, and to stderr one line for each call that stays and why.

    Raises:
        UserError: libclang is missing, or the trace is damaged.
    """
    accesses = message_accesses(traces)
    arrivals, sends = analysis.found.arrivals, analysis.found.sends
    places = {*arrivals, *sends}
    places |= {place for site in (*arrivals.values(), *sends.values()) for place in site.regions}
    places |= {place for by in (accesses.first, accesses.last) for found in by.values() for place in found}
    frames = frames_of(places, analysis.modules.rebuilt)
    cost = analysis.network.cost
    knows_network = cost.latency_s > 0 or cost.gap_s_per_byte > 0 or bool(cost.times)
    candidates = candidates_of(arrivals, sends, accesses, frames)
    found = offers_of(candidates, frames, analysis.modules, analysis.use.run_s, knows_network)
    for line in found.refused:
        print(f"stretto: {line}", file=sys.stderr)
    if not found.offers and not found.hints:
        print(
            "stretto: nothing to patch: no wait and no start of a message may move within its block",
            file=sys.stderr,
        )
        return
    folder = folder_of([one.path for one in found.offers]) if found.offers else None
    sys.stdout.flush()
    if folder is not None:
        sys.stdout.buffer.write(found.diff(folder))
        print(f"stretto: apply it in {folder} with patch -p1 or git apply", file=sys.stderr)
    else:
        sys.stdout.buffer.write("".join(f"# {line}\n" for line in found.hints).encode())
    sys.stdout.buffer.flush()
