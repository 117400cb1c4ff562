# SPDX-License-Identifier: BSD-3-Clause
"""The prediction of `stretto gain`: a traced run, the network of its place, replays of the trace."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from stretto.commands.gain_collectives import predicted_of_collectives
from stretto.data.published import read_named
from stretto.data.trace import TraceFile
from stretto.data.trace_directory import open_trace
from stretto.data.trace_names import traces_in
from stretto.errors import CheckError, RunError, UserError
from stretto.launch.application import Place
from stretto.launch.kept_network import KeptNetwork
from stretto.launch.network_probe import probe_network
from stretto.launch.pairs import checked_run, run_pairs
from stretto.launch.recording import recorder_variables
from stretto.model.replay_network import replay_network
from stretto.native.library_rules import ProgressThread, progress_thread
from stretto.options.gain import GainRequest
from stretto.potential.core_shortage import shortage_in
from stretto.potential.gain import Prediction, prediction_of, with_setting_alone
from stretto.potential.progress_gain import Calls, ReplayedTimes, calls_of, replayed_times
from stretto.potential.sites import DEFAULT_EAGER_BYTES

_PAIRS_WITH_SETTINGS = 4
"""Of a profile that does not say up to which size messages move without calls."""


def predicted(request: GainRequest, place: Place, settings: Mapping[str, str]) -> Prediction:
    """What the program's trace says of a progress thread, or its calls of the two-phase collectives.
    `settings`: variables that the library sets. The trace and the network are those with them.

    Raises:
        UserError: the recorder is not built for the program's MPI.
        RunError: the program failed.
    """
    if request.libraries == ("collectives",):
        return predicted_of_collectives(request, place)
    with place.temporary() as made:
        directory = _faster_recorded(place, made, settings)
        if not traces_in(directory):
            raise RunError(f"{place.application.command[0]}: calls no MPI_Init of this MPI's shared library")
        traces = open_trace(directory)
        calls = calls_of(traces)
        known = Prediction(calls=calls, ranks=traces[0].header.ranks if _on_one_host(traces) else None)
        if request.libraries != ("progress",):
            return replace(known, missing="two libraries together are not predicted")
        if reason := _no_thread(traces):
            return replace(known, no_thread=reason)
        kept = KeptNetwork.of(place, settings) if request.profile is None else KeptNetwork(None)
        if request.measure_network:
            kept.forget()
        try:
            times, eager_bytes = _replayed(request, place, directory, calls, settings, kept)
            if kept.oldest_s is not None and not times.holds():
                kept.forget()  # it may have changed, or it was measured on a busy machine
                times, eager_bytes = _replayed(request, place, directory, calls, settings, kept)
        except (UserError, RunError, CheckError) as error:
            return replace(known, missing=str(error).splitlines()[0])
        found = prediction_of(calls, times, eager_bytes, shortage_in(directory).busy)
        origin = kept.origin() if request.profile is None else ""
    return replace(found, ranks=known.ranks, network=origin)


def _replayed(
    request: GainRequest,
    place: Place,
    directory: Path,
    calls: Calls,
    settings: Mapping[str, str],
    kept: KeptNetwork,
) -> tuple[ReplayedTimes, int]:
    """The times of the trace's replays, and up to which size messages move without calls."""
    network, eager_bytes = _network(request, place, calls, settings, kept)
    return replayed_times(directory, network, _thread(open_trace(directory)).interval_s), eager_bytes


def including_settings(prediction: Prediction, place: Place, settings: Mapping[str, str]) -> Prediction:
    """The prediction with what the settings save or cost without the library, by a few pairs of runs.

    Raises:
        RunError: the program failed.
    """
    if not settings or prediction.times is None:
        return prediction
    runs = run_pairs(place, place.launch(), place.launch((), settings), _PAIRS_WITH_SETTINGS)
    return with_setting_alone(prediction, runs)


def _faster_recorded(place: Place, directory: Path, settings: Mapping[str, str]) -> Path:
    """Records two runs in the directory; returns the place of the faster one, because the first run after a
    pause may be slow.
    """
    runs = [directory / name for name in ("first", "second")]
    for run in runs:
        run.mkdir()
    return min(runs, key=lambda run: _record(place, run, settings))


def _record(place: Place, directory: Path, settings: Mapping[str, str]) -> float:
    """Records a run in the directory; returns its seconds."""
    variables = {**recorder_variables(directory, "off"), **settings}
    return checked_run(place, place.launch(["trace"], variables)).seconds


def _network(
    request: GainRequest, place: Place, calls: Calls, settings: Mapping[str, str], kept: KeptNetwork
) -> tuple[str, int]:
    """The network of the place as the native replay reads it, and up to which size messages move without
    calls.
    """
    if request.profile is None:
        found = probe_network(place, calls.mean_bytes, settings, kept, _say_once())
        return found.text(calls.overhead_s), found.eager_bytes
    profile = read_named(request.profile)
    eager_bytes = replay_network(profile, request.profile).eager_bytes or DEFAULT_EAGER_BYTES
    return replay_network(profile, request.profile, eager_bytes).text, eager_bytes


def _say_once() -> Callable[[], None]:
    """Says at the first call that a network is measured, and how long that takes."""
    said: list[str] = []

    def say() -> None:
        if not said:
            said.append("measuring the network of this place takes about 20 s, but only once a week")
            print(f"stretto: {said[0]}", file=sys.stderr, flush=True)

    return say


def _no_thread(traces: Sequence[TraceFile]) -> str:
    """Why the progress library will start no thread where all ranks are on one host; empty where it will."""
    ranks, cores = traces[0].header.ranks, traces[0].header.cores
    if not _on_one_host(traces) or cores < 1 or _thread(traces).starts:
        return ""
    return (
        f"{ranks} ranks on one host of {cores} cores leave none for progress threads, and the library starts "
        "none; `stretto tune --knobs progress` tries them"
    )


def _thread(traces: Sequence[TraceFile]) -> ProgressThread:
    """What the progress library will do on the first rank's host."""
    header, only_host = traces[0].header, _on_one_host(traces)
    ranks = header.ranks if only_host else sum(one.header.host == header.host for one in traces)
    interval = os.environ.get("STRETTO_POLL_INTERVAL_S", "")
    return progress_thread(ranks, max(header.cores, 1), only_host, interval)


def _on_one_host(traces: Sequence[TraceFile]) -> bool:
    return len({one.header.host for one in traces}) == 1
