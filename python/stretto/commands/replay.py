# SPDX-License-Identifier: BSD-3-Clause
"""`stretto replay`: a GOAL schedule on LogGP networks, simulated by the native `stretto-replay`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from stretto.commands.trace_source import trace_directory
from stretto.data.profile import Figure, LogGPEntry, Profile
from stretto.data.profile_file import read_profile
from stretto.errors import CheckError, RunError, UserError
from stretto.launch.progress import record_progress
from stretto.native.programs import native_program
from stretto.report.screen import show, show_json
from stretto.report.views.replay import replay_view

_PROGRAM = "stretto-replay"
_STUCK = 3
# The figures of a range that a replay takes, under the names that the native program gives them.
_FIGURES = {
    "L": "latency_s",
    "o_s": "overhead_send_s",
    "o_r": "overhead_receive_s",
    "g": "gap_s",
    "G": "gap_s_per_byte",
}
_OVERHEADS = ("overhead_send_s", "overhead_receive_s")


def replay(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE.goal", help="GOAL text, LogGOPSim's binary, a trace's directory, an OTF2 archive."
        ),
    ],
    profile: Annotated[
        list[Path] | None, typer.Option("--profile", help="The network of a profile; again for more.")
    ] = None,
    loggp: Annotated[
        list[str] | None,
        typer.Option(
            "--loggp",
            metavar="L=..,o=..,g=..,G=..",
            help="A network by its numbers: seconds and s/byte, or with ns, us; also O=, S=; again for more.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """When would this schedule end on that network?

    Several networks share one reading of the schedule, and run on all cores.
    """
    networks = [network_of(read_profile(path), path) for path in profile or []] + list(loggp or [])
    if not networks:
        raise UserError("of which network? give --profile FILE, or --loggp L=2us,o=1us,g=1us,G=0.1ns")
    document = run_native([str(trace_directory(file)), *(f"--loggp={network}" for network in networks)])
    if as_json:
        show_json(document)
        return
    for one in document.get("replays", [document]):
        show(replay_view(one))
        if one["unreceived"]:
            print(f"stretto: warning: {one['unreceived']} messages are never received", file=sys.stderr)


def network_of(profile: Profile, path: Path, eager_bytes: int | None = None) -> str:
    """The network of a profile as the native program reads it: its sends, range by range.

    What a range leaves out is zero. An overhead above a protocol break that is unresolved, or only an upper
    bound because it contains the transfer, is that of the first range, as fitting L takes it; other figures
    that are unresolved are refused. L above a break contains the handshake of the rendezvous
    (docs/formats.md), so that no S is set; with `eager_bytes` the replay does the handshake, and L is that
    of the first range everywhere.

    Raises:
        UserError: the profile has no sends, or one of their figures is unresolved.
    """
    entry = _sends(profile, path)
    texts = []
    for index, fitted in enumerate(entry.ranges):
        words = [f"from={fitted.size_min_bytes}"] if index else []
        for key, name in _FIGURES.items():
            with_handshake = key == "L" and eager_bytes is not None
            words.append(f"{key}={_value(entry, 0 if with_handshake else index, name, path)!r}")
        texts.append(",".join(words))
    if eager_bytes is not None:
        texts[0] += f",S={eager_bytes}"
    return ";".join(texts)


def sends_of(profile: Profile, path: Path) -> dict[str, float]:
    """LogGP figures of a profile's sends: those of its first range, by their names in the profile.

    Raises:
        UserError: as `network_of`.
    """
    entry = _sends(profile, path)
    return {name: _value(entry, 0, name, path) for name in _FIGURES.values()}


def _sends(profile: Profile, path: Path) -> LogGPEntry:
    """The entry for sends: between nodes if it is known, by spaced trains if it is known."""
    entries = [entry for entry in profile.loggp if entry.operation == "send" and entry.ranges]
    if not entries:
        raise UserError(f"{path}: has no LogGP parameters of sends; `stretto probe loggp` measures them")
    return min(
        entries,
        key=lambda one: (one.locality != "remote", one.progress != "none", one.method != "spaced-trains"),
    )


def _value(entry: LogGPEntry, index: int, name: str, path: Path) -> float:
    figure: Figure | None = getattr(entry.ranges[index], name)
    if figure is None:
        return 0.0
    if index and name in _OVERHEADS and (figure.value is None or figure.bound == "upper"):
        return _value(entry, 0, name, path)
    if figure.value is None:
        why = f" ({figure.reason})" if figure.reason else ""
        raise UserError(
            f"{path}: {name} of sends, range {index + 1}, is unresolved{why}; measure longer, or give --loggp"
        )
    return figure.value


def run_native(arguments: list[str]) -> dict[str, Any]:
    """The document that the native program prints; what it complains about, under our own name."""
    command = [str(native_program(_PROGRAM, "none")), *arguments]
    with record_progress("replaying"):
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode == 0:
        document: dict[str, Any] = json.loads(done.stdout)
        return document
    said = done.stderr.strip().removeprefix(f"{_PROGRAM}: ") or f"{_PROGRAM} ended with {done.returncode}"
    failures = {UserError.status: UserError, _STUCK: CheckError}
    raise failures.get(done.returncode, RunError)(said)
