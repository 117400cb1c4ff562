# SPDX-License-Identifier: BSD-3-Clause
"""`stretto replay`: a GOAL schedule on LogGP networks, simulated by the native `stretto-replay`."""

from __future__ import annotations

import sys

from stretto.data.published import read_named
from stretto.data.sweep import TRACED
from stretto.launch.progress import record_progress
from stretto.launch.trace_source import schedule_directory
from stretto.model.replay_network import replay_network
from stretto.native.replay import run_replay
from stretto.options.traces import ReplayRequest
from stretto.potential.core_shortage import part_and_shortage_in, remarks
from stretto.report.screen import prose, show, show_json, tell
from stretto.report.views.replay import replay_view


def replay(request: ReplayRequest) -> None:
    """When would this schedule end on that network?

    Several networks share one reading of the schedule, and run on all cores.
    """
    measured = [replay_network(read_named(path), path) for path in request.profile]
    networks = [*(one.text for one in measured), *request.loggp]
    source = schedule_directory(request.file, request.flops_rate)
    arguments = [str(source), *(f"--loggp={network}" for network in networks)]
    if request.level != TRACED:
        arguments.append(f"--level={request.level}")
    with record_progress("replaying"):
        document = run_replay(arguments)
    part, shortage = part_and_shortage_in(request.file)
    if request.as_json:
        show_json(document | shortage.document() | part.document())
        return
    for text in remarks(part, shortage):
        show([prose(text, 0)])
    for note in dict.fromkeys(one.note for one in measured):
        tell(note)
    for one in document.get("replays", [document]):
        show(replay_view(one))
        if one["unreceived"]:
            print(f"stretto: warning: {one['unreceived']} messages are never received", file=sys.stderr)
