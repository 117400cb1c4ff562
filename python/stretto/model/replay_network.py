# SPDX-License-Identifier: BSD-3-Clause
"""Writes the network of a profile in the format of the native replay."""

from __future__ import annotations

from pathlib import Path

from stretto.data.profile import Figure, LogGPEntry, Profile
from stretto.errors import UserError

# The parameters of a range that a replay uses, by their names in the native program.
_FIGURES = {
    "L": "latency_s",
    "o_s": "overhead_send_s",
    "o_r": "overhead_receive_s",
    "g": "gap_s",
    "G": "gap_s_per_byte",
}
_OVERHEADS = ("overhead_send_s", "overhead_receive_s")


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
