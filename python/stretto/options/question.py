# SPDX-License-Identifier: BSD-3-Clause
"""What `stretto probe` measures without a probe's name: can MPI communicate during computation here?

Plain Isend, Irecv and Waitall, both ways at once as in a halo exchange, with as much computation as
communication; one alternative; and what a profile needs besides. The time goes where the answer is open.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from stretto.data.sizes import SEGMENT_BYTES

PLAIN = "mpi-two-sided"
BUDGET_S = {"local": 20.0, "emulated": 25.0, "simulated": 20.0}
NEEDS_A_NAME = ("side", "ratio", "direction")
"""Fields whose options the question sets itself."""

_SIZES = {
    "local": (16 << 10, 4 << 20),
    "emulated": (SEGMENT_BYTES, 4 << 20),
    "simulated": (16 << 10, 4 << 20),
}
_LARGE_SIZES = (1 << 20, 4 << 20)
_PROFILE_SIZES = {"local": (8, 1 << 20), "emulated": (8, 256 << 10), "simulated": (8, 1 << 20)}
_PROFILE_FACTOR = {"local": 4, "emulated": 8, "simulated": 4}
_MAX_NOISE = 0.1  # of what is only context: latency, bandwidth, LogGP
_MAX_ERROR = 0.03  # half width of the overlap's interval
_ROUNDS, _VISITS = 12, 2


class Question(Protocol):
    """The members of a request for probes that the question heeds."""

    def gave(self, *names: str) -> bool: ...
    @property
    def on(self) -> str: ...
    @property
    def sizes(self) -> tuple[int, int] | None: ...
    @property
    def transport(self) -> tuple[str, ...]: ...
    @property
    def progress(self) -> tuple[str, ...]: ...
    @property
    def operation(self) -> tuple[str, ...]: ...
    @property
    def max_noise(self) -> float: ...


def question_members(request: Question, members: Mapping[str, Any]) -> dict[str, Any]:
    """The native program's request for the question; `members` are those that the options give."""
    given = request.gave("max_noise")
    plain = {"transports": [PLAIN], "operations": ["send"], "progress": ["none"]}
    overlap = {
        "probes": ["overlap"],
        "sides": ["both"],
        "directions": ["both-ways"],
        "ratios": [1.0],
        "sizes_bytes": request.sizes or _SIZES[request.on],
    }
    parts: list[dict[str, Any]] = [
        {**overlap, **plain},
        {**overlap, **_alternative(request)},
        {**plain, "probes": ["latency"], "sizes_bytes": (8, 8)},
        {**plain, "probes": ["bandwidth"], "sizes_bytes": _LARGE_SIZES, "directions": ["one-way"]},
        {
            **plain,
            "probes": ["loggp"],
            "sizes_bytes": _PROFILE_SIZES[request.on],
            "size_factor": _PROFILE_FACTOR[request.on],
        },
    ]
    return {
        **members,
        "max_noise": request.max_noise if given else _MAX_NOISE,
        "max_error": request.max_noise if given else _MAX_ERROR,
        "min_rounds": _ROUNDS,
        "visits": 1 if request.on == "simulated" else _VISITS,
        "parts": parts,
    }


def _alternative(request: Question) -> dict[str, Any]:
    """What plain MPI is compared with: what the options name, else polling by the program."""
    if not request.gave("transport", "progress", "operation"):
        return {"transports": [PLAIN], "operations": ["send"], "progress": ["poll"]}
    transports = request.transport or (PLAIN,)
    progress = request.progress if request.gave("progress") else ("poll",)
    if "thread" in progress and not request.transport:
        transports = ("stretto",)  # the only one that has a progress thread
    operations = request.operation if request.gave("operation") else ("send", "put")
    return {"transports": list(transports), "operations": list(operations), "progress": list(progress)}
