# SPDX-License-Identifier: BSD-3-Clause
"""The parameters that the schedule models take from a profile: LogGP and overlap of a path.

They follow sections 7.5 and 8.2 of the probes' paper: o and g from the pencils probe, L from a latency
test, G from streaming both ways between two ranks (bar M) or from all ranks at once (bar E).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from stretto.data.profile import Figure, LogGPEntry, Profile, TransferTimes
from stretto.data.profile_file import profile_text
from stretto.errors import UserError
from stretto.model.network import DRAWS, MEASURED, PARAMETERS, PathCosts, drawn
from stretto.model.statistics import DEFAULT_SEED, Floats
from stretto.native.model import Answer, query_model

Bar = Literal["M", "E"]
BARS: dict[Bar, str] = {
    "M": "G of streaming both ways between two ranks",
    "E": "G of all ranks at once",
}
WITHOUT_PROGRESS = "none"


@dataclass(frozen=True)
class Path:
    """A transport, an operation and a progress mode."""

    transport: str
    operation: str
    progress: str = "none"

    def __str__(self) -> str:
        return f"{self.operation} over {self.transport}, progress {self.progress}"


@dataclass(frozen=True)
class Source:
    """A profile, its file, and the seed and number of draws from its intervals.

    Attributes:
        answers: The figures that `stretto-model` selected from the profile, by path and number of ranks.
    """

    profile: Profile
    file: str
    seed: int = DEFAULT_SEED
    draws: int = DRAWS
    answers: dict[tuple[Path, int], Answer] = field(
        default_factory=dict, init=False, compare=False, repr=False
    )

    def rng(self, *what: str) -> np.random.Generator:
        """A generator that depends on the figure only, because candidates are compared within a draw."""
        return np.random.default_rng([self.seed, *"|".join(what).encode()])


def paths(profile: Profile) -> list[Path]:
    """The paths that the profile has the costs of, under each progress mode that it has overlap of.

    Costs without help stand in for those of another mode, and not the other way round.
    """
    result: dict[tuple[str, str], set[str]] = {}
    entries: tuple[LogGPEntry | TransferTimes, ...] = (*profile.loggp, *profile.transfer_times)
    for entry in entries:
        result.setdefault((entry.transport, entry.operation), set()).add(entry.progress)
    modes = {
        key: dict.fromkeys(e.progress for e in profile.overlap if (e.transport, e.operation) == key)
        for key in result
    }
    return [
        Path(*key, progress)
        for key, known in result.items()
        for progress in modes[key] or sorted(known)
        if progress in known or WITHOUT_PROGRESS in known
    ]


def path_costs(source: Source, path: Path, bar: Bar, ranks: int) -> PathCosts:
    """The costs of transfers on a path when `ranks` communicate, drawn from the profile's intervals.

    Raises:
        UserError: The profile lacks a parameter that the models need; the message names it.
    """
    figures = _figures(source, path, ranks)
    if figures["missing"] is not None:
        raise _lacks(source, path, figures["missing"])
    overlap = {
        entry["size_bytes"]: _drawn(source, path, entry["eta"], "eta", entry["size_bytes"], most=1.0)
        for entry in figures["overlap"]
    }
    held = figures["unattended_bytes"]
    costs = PathCosts(
        {one["from_bytes"]: _range(source, path, one) for one in figures["ranges"]},
        {one["size_bytes"]: _point(source, path, one) for one in figures["points"]},
        path.operation,
        overlap=overlap,
        unattended_bytes=None if held is None else np.full(source.draws, held),
    )
    if bar == "M":
        return costs
    contended = figures["contended_gap_s_per_byte"]
    if contended is None:
        raise _lacks(source, path, "contended gap_s_per_byte")
    return costs.with_byte_gap(_drawn(source, path, contended, "contended"))


def has_bar(profile: Profile, path: Path, bar: Bar) -> bool:
    """Whether the profile has the G of this bar."""
    return bar == "M" or any(
        e.transport == path.transport
        and e.operation in (None, path.operation)
        and e.progress in (path.progress, WITHOUT_PROGRESS)
        and e.gap_s_per_byte.value is not None
        for e in profile.contended
    )


def assumptions(source: Source, path: Path, ranks: int) -> list[str]:
    """The parameters of a path that the profile does not state, and that count as zero."""
    return list(_figures(source, path, ranks)["assumed"])


def _figures(source: Source, path: Path, ranks: int) -> Answer:
    """The figures that `stretto-model` selects from the profile; one query per path and ranks."""
    key = path, ranks
    if key not in source.answers:
        request = {
            "kind": "path",
            "profile": json.loads(profile_text(source.profile)),
            "transport": path.transport,
            "operation": path.operation,
            "progress": path.progress,
            "ranks": ranks,
        }
        (source.answers[key],) = query_model([request])
    return source.answers[key]


def _range(source: Source, path: Path, entry: Mapping[str, Any]) -> dict[str, Floats]:
    """The parameters of a size range that the profile has."""
    return {
        name: _drawn(source, path, entry[name], name, entry[name]["range_bytes"])
        for name in PARAMETERS
        if name in entry
    }


def _point(source: Source, path: Path, entry: Mapping[str, Any]) -> dict[str, Floats]:
    """The measured times of a size; those that the profile does not have are left out."""
    size_bytes = entry["size_bytes"]
    return {name: _drawn(source, path, entry[name], name, size_bytes) for name in MEASURED if name in entry}


def _drawn(
    source: Source, path: Path, figure: Mapping[str, Any], *what: str | int, most: float = math.inf
) -> Floats:
    interval = Figure(figure["value"], figure.get("ci95_low"), figure.get("ci95_high"))
    return drawn(interval, source.rng(str(path), *map(str, what)), source.draws, most)


def _lacks(source: Source, path: Path, name: str) -> UserError:
    return UserError(
        f"{source.file}: has no {name} of {path.operation} over {path.transport}; "
        "`stretto probe latency loggp` measures it"
    )
