# SPDX-License-Identifier: BSD-3-Clause
"""Synthetic samples of machines with known parameters. Times in seconds."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from stretto.data.samples import Samples, read_samples

Row = dict[str, Any]
PATH = {"transport": "virtual", "operation": "send", "progress": "none"}
SIZES = tuple(8 * 2**i for i in range(18))


@dataclass(frozen=True)
class Machine:
    """LogGP parameters; `handshake_s` is the additional time of a rendezvous."""

    L: float = 5e-6
    o_s: float = 1e-6
    o_r: float = 1.5e-6
    g: float = 3e-6
    G: float = 1e-9
    g_queue: float = 2e-6
    handshake_s: float = 0.0

    def wire_s(self, size_bytes: int) -> float:
        return (size_bytes - 1) * self.G

    def one_way_s(self, size_bytes: int) -> float:
        return self.o_s + self.L + self.wire_s(size_bytes) + self.o_r + self.handshake_s


def header(ranks: int = 2, **changes: Any) -> Row:
    """Of two ranks on two hosts, or of more on one."""
    members: Row = {
        "row": "header",
        "schema": "stretto.samples/1.0",
        "created_utc": "2026-11-21T05:30:00Z",
        "command": ["probe"],
        "revision": "unknown",
        "on": "virtual",
        "mpi": {"family": "none", "library": "", "standard": ""},
        "hosts": ["a", "b"] if ranks == 2 else ["a"] * ranks,
        "cpu": "",
        "locality": "remote",
        "ranks": ranks,
        "cases": 1,
        "clock": {
            "name": "virtual",
            "resolution_s": 0,
            "overhead_s": 0,
            "offset_s": [0] * ranks,
            "offset_error_s": 0,
        },
        "network": "",
        "settings": {},
    }
    return {**members, **changes}


def sample(
    probe: str, case: int, quantity: str, round_: int, time_s: float, messages: int = 1, **more: Any
) -> Row:
    return {
        "row": "sample",
        "probe": probe,
        "case": case,
        "quantity": quantity,
        "round": round_,
        "time_s": time_s,
        "messages": messages,
        "ranks": 2,
        **more,
    }


def segments(**segments_s: float) -> Row:
    return {f"{name}{largest}_s": value for name, value in segments_s.items() for largest in ("", "_max")}


def write_samples(
    path: Path, rows: Iterable[Mapping[str, Any]], noise_floor_s: float = 0.0, **changes: Any
) -> Path:
    lines = [header(**changes), {"row": "noise_floor", "value_s": noise_floor_s, "n": 101}, *rows]
    lines.append({"row": "end", "rows": len(lines)})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def samples_of(
    path: Path, rows: Iterable[Mapping[str, Any]], noise_floor_s: float = 0.0, **changes: Any
) -> Samples:
    return read_samples(write_samples(path, rows, noise_floor_s, **changes))


def loggp_rows(
    machine: Machine = Machine(),
    sizes: Iterable[int] = SIZES,
    rounds: int = 30,
    noise: float = 0.0,
    seed: int = 1,
    break_bytes: int | None = None,
    above: Machine | None = None,
    messages: int = 16,
    operation: str = "send",
) -> list[Row]:
    """The rows of the loggp probe for `machine`, and for `above` from `break_bytes` on."""
    rng = np.random.default_rng(seed)
    rows = []
    for case, size in enumerate(sizes):
        here = above if break_bytes is not None and above is not None and size >= break_bytes else machine
        gap_s = max(here.o_s, here.o_r, here.g + here.wire_s(size))
        if operation == "send":
            once_s = here.one_way_s(size) + machine.one_way_s(8)
        else:
            once_s = here.o_s + 2 * here.L + here.wire_s(size)
        spacing_s = 1.25 * once_s * (messages - 1)
        for round_ in range(rounds):
            axes = {**PATH, "operation": operation, "size_bytes": size}

            def row(
                quantity: str,
                time_s: float,
                count: int,
                more: Mapping[str, float] | None = None,
                case: int = case,
                round_: int = round_,
                axes: Row = axes,
            ) -> None:
                rows.append(sample("loggp", case, quantity, round_, time_s, count, **axes, **(more or {})))

            def noisy(time_s: float) -> float:
                return float(time_s * max(0.05, 1 + noise * rng.standard_normal()))

            row("prtt_1", noisy(once_s), 1)
            row("prtt_n", noisy(once_s + (messages - 1) * gap_s), messages)
            spaced_s = noisy(once_s + (messages - 1) * here.o_s)
            row("prtt_n_spaced", spaced_s + spacing_s, messages, segments(work=spacing_s))
            row(
                "pencils",
                once_s,
                messages,
                segments(init=noisy(here.o_s + (messages - 1) * max(here.o_s, here.g_queue))),
            )
            row("pencils_work", once_s + spacing_s, messages, segments(init=noisy(messages * here.o_s)))
            row("flood_both", noisy(messages * (here.g + here.wire_s(size)) + here.L), messages)
            row("gather_all", noisy(here.one_way_s(size) + 0.5 * here.wire_s(size)), 1)
            if operation == "send":
                late_s = here.o_r + (here.handshake_s + here.L + here.wire_s(size) if here.handshake_s else 0)
                row("receive_late", 3 * once_s, 1, segments(sync=noisy(late_s)))
    return rows


def unexpected_rows(size_bytes: int, waits: tuple[bool, ...] = (False, True), **axes: Any) -> list[Row]:
    """The case of the eager limit: the receiver computes 100 us, and a send that waits takes so long."""
    names = ("unexpected_eager", "unexpected_rendezvous")
    place = {**PATH, "size_bytes": size_bytes, **axes}
    return [
        sample("loggp", 99, name, round_, 1e-4, **place, **segments(work=1e-4, sync=1e-4 if waited else 1e-6))
        for name, waited in zip(names, waits, strict=False)
        for round_ in range(5)
    ]


def overlap_rows(
    communication_s: float,
    work_s: float,
    total_s: float,
    case: int = 0,
    ratio: float = 1.0,
    rounds: int = 30,
    noise: float = 0.0,
    seed: int = 1,
    work_under_way_s: float | None = None,
    probe: str = "overlap",
    **axes: Any,
) -> list[Row]:
    """A case of T_c, T_w and T_t with these true times."""
    rng = np.random.default_rng(seed)
    place = {
        **PATH,
        "side": "both",
        "direction": "one-way",
        "size_bytes": 1 << 20,
        "work_kind": "register",
        "ratio": ratio,
        "work_count": 1000,
        **axes,
    }
    rows = []
    for round_ in range(rounds):
        factor = 1 + noise * rng.standard_normal(3)
        under_way_s = (work_s if work_under_way_s is None else work_under_way_s) * factor[2]
        rows += [
            sample(probe, case, "T_c", round_, communication_s * factor[0], **place),
            sample(
                probe,
                case,
                "T_w",
                round_,
                work_s * factor[1],
                0,
                **place,
                **segments(work=work_s * factor[1]),
            ),
            sample(probe, case, "T_t", round_, total_s * factor[2], **place, **segments(work=under_way_s)),
        ]
    return rows
