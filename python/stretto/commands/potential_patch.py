# SPDX-License-Identifier: BSD-3-Clause
"""`stretto potential --patch`: the local changes as a patch of the source, and their proof."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from stretto.binaries.symbols import frames_of
from stretto.commands.trace_analysis import Analysis
from stretto.data.sizes import said_duration, said_share
from stretto.data.trace import TraceFile
from stretto.data.trace_accesses import message_accesses
from stretto.launch.cluster import EmulatedNetwork
from stretto.model.paired_runs import PairedRuns
from stretto.options.traces import PotentialRequest
from stretto.patch.candidates import candidates_of
from stretto.patch.offers import Offers, offers_of
from stretto.patch.sources import folder_of
from stretto.patch.verify import Recorded, Verification, verify


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
    candidates = candidates_of(arrivals, sends, accesses, frames)
    found = offers_of(candidates, frames, analysis.modules, _run_s(analysis), analysis.network.cost.is_known)
    for line in found.refused:
        print(f"stretto: {line}", file=sys.stderr)
    if not found.offers and not found.hints:
        print(
            "stretto: nothing to patch: no wait and no start of a message may move within its block",
            file=sys.stderr,
        )
        return
    sys.stdout.flush()
    if not found.offers:
        sys.stdout.buffer.write("".join(f"# {line}\n" for line in found.hints).encode())
        sys.stdout.buffer.flush()
        return
    folder = folder_of([one.path for one in found.offers])
    if request.verify is not None:
        is_elsewhere = request.on == "emulated" and analysis.summary.other is None
        print(f"stretto: {_proved(request, traces, found, folder, is_elsewhere)}", file=sys.stderr)
    sys.stdout.buffer.write(found.diff(folder))
    sys.stdout.buffer.flush()
    print(f"stretto: apply it in {folder} with patch -p1 or git apply", file=sys.stderr)


def _proved(
    request: PotentialRequest,
    traces: Sequence[TraceFile],
    found: Offers,
    folder: Path,
    is_elsewhere: bool,
) -> str:
    """Proves the patch, and says so in one sentence. `is_elsewhere`: on another network than that of what was
    promised.
    """
    after = found.patched()
    asked = Verification(
        folder=folder,
        before={path: found.texts[path] for path in after},
        after=after,
        build=request.verify or "",
        run=None if request.launch is None else tuple(shlex.split(request.launch)),
        recorded=Recorded.of(traces),
        pairs=request.runs,
        network=EmulatedNetwork(request.hosts, request.rate) if request.on == "emulated" else None,
        without=(request.directory.resolve(),),
    )
    with TemporaryDirectory(prefix="stretto-verify-") as directory:
        proved = verify(asked, Path(directory).resolve(), _say)
    saved = proved.runs.saved()
    interval = f"{said_share(saved.value, 1)} ({100 * saved.ci95_low:.1f} to {100 * saved.ci95_high:.1f})"
    gain = {
        "saves": f"saves {interval} of the run's time",
        "costs": f"costs time: it saves {interval}",
        "nothing": f"saves nothing that matters: {interval} of the run's time",
        "undecided": f"saves {interval} of the run's time, which does not decide; more with --runs",
    }[proved.runs.verdict()]
    order = "" if proved.in_order else " but for the order of the ranks' lines"
    if proved.varying:
        numbers = "1 number that differs" if proved.varying == 1 else f"{proved.varying} numbers that differ"
        order = f" but for {numbers} between runs without the patch, too, as times do"
    return (
        f"the patch is proved: the output ({proved.output_bytes} bytes, {proved.files} files) is the same"
        f"{order},"
        f" no buffer of {proved.watched} messages is touched in flight, and it {gain},"
        f" in {proved.runs.pairs} pairs; {_promised(found, len(traces), proved.runs, is_elsewhere)}"
    )


def _run_s(analysis: Analysis) -> float:
    """The time of the run on the network of the costs, over all ranks."""
    other = analysis.summary.other
    return analysis.use.run_s if other is None else other.run_s


def _promised(found: Offers, ranks: int, runs: PairedRuns, is_elsewhere: bool) -> str:
    """What the patch promised as a share of a plain run, which is shorter than the recorded one."""
    gain_s = sum(one.gain_s for one in found.offers) / ranks
    if is_elsewhere:
        return (
            f"promised was about {said_duration(gain_s)} on the network where the trace was recorded; "
            "--latency and --bandwidth, or --profile, name that of these runs"
        )
    share = gain_s / runs.plain()
    return f"promised was about {said_share(share, 1)} of a run that is not recorded"


def _say(step: str) -> None:
    print(f"stretto: --verify: {step}", file=sys.stderr, flush=True)
