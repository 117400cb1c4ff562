# SPDX-License-Identifier: BSD-3-Clause
"""The network of a profile's sends for a replay, as `stretto-model` derives it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from stretto.data.profile import Profile, loggp_symbols
from stretto.data.profile_file import profile_text
from stretto.errors import UserError
from stretto.native.model import query_model

_PROBE = "`stretto probe latency bandwidth loggp --transport mpi-two-sided` measures"


@dataclass(frozen=True)
class ReplayNetwork:
    """What a profile states of sends.

    Attributes:
        text: The network as the native replay reads it, with all sizes.
        latency_s, overhead_send_s, overhead_receive_s, gap_s: LogGP parameters of small messages.
        gap_s_per_byte: G of large messages.
        times: One message alone: (bytes, seconds), ascending; linear between these sizes.
        eager_bytes: The largest size that is sent without its receive; None: not measured.
        assumed: Parameters that the profile does not state, and that count as zero.
    """

    text: str
    latency_s: float
    overhead_send_s: float
    overhead_receive_s: float
    gap_s: float
    gap_s_per_byte: float
    times: tuple[tuple[int, float], ...]
    eager_bytes: int | None
    assumed: tuple[str, ...]

    def text_with(self, more: str) -> str:
        """The text with further members of the whole network, which follow its first range."""
        first, *ranges = self.text.split(";")
        return ";".join((first + more, *ranges))

    @property
    def note(self) -> str | None:
        """What is assumed, and the command that measures it."""
        if not self.assumed:
            return None
        return f"{loggp_symbols(self.assumed)} of sends not measured, taken as 0: {_PROBE} them"


def network_under(
    profile: Profile, path: Path, eager_bytes: int | None, models: Sequence[str]
) -> tuple[ReplayNetwork, int | None]:
    """The network for a replay under some progress models, and up to which size its messages are eager.

    All models but offload need an eager limit: the given one, else the profile's.

    Raises:
        UserError: As `replay_network`, or there is no eager limit.
    """
    network = replay_network(profile, path, eager_bytes)
    waiting = [model for model in models if model != "offload"]
    if not waiting or eager_bytes is not None:
        return network, eager_bytes
    if network.eager_bytes is None:
        raise UserError(
            f"--progress-model {waiting[0]}: {path} lacks the eager limit; give --eager 64KiB, "
            "or measure it: `stretto probe loggp`"
        )
    return replay_network(profile, path, network.eager_bytes), network.eager_bytes


def replay_network(profile: Profile, path: Path, eager_bytes: int | None = None) -> ReplayNetwork:
    """The network of a profile's sends.

    L of a range above a protocol break contains the handshake of the rendezvous (docs/formats.md). With
    `eager_bytes` the replay does the handshake of larger messages, and L is that of small ones everywhere.

    Raises:
        UserError: The profile has no sends, or lacks what their time rests on.
    """
    request = {"kind": "network", "profile": json.loads(profile_text(profile))}
    if eager_bytes is not None:
        request["eager_bytes"] = eager_bytes
    (found,) = query_model([request])
    if found["missing"] is not None:
        what = "the costs of sends" if found["missing"] == "send" else f"{found['missing']} of sends"
        raise UserError(f"{path}: lacks {what}; {_PROBE} them, or give --loggp")
    limit = found["eager_bytes"]
    return ReplayNetwork(
        found["text"],
        found["latency_s"],
        found["overhead_send_s"],
        found["overhead_receive_s"],
        found["gap_s"],
        found["large_gap_s_per_byte"],
        tuple((size, time_s) for size, time_s in found["times"]),
        None if limit is None else int(limit),
        tuple(found["assumed"]),
    )
