# SPDX-License-Identifier: BSD-3-Clause
"""Results and profile of a synthetic machine in the formats of docs/formats.md."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

Json = dict[str, Any]

SIZES = (8, 64, 512, 4096, 16384, 65536, 262144, 1 << 20, 1 << 22, 1 << 23)
RATIOS = (0.25, 0.5, 1.0, 2.0, 4.0)
BREAK_BYTES = 65536
# (transport, operation): latency without the overheads, both in seconds, and seconds a byte
PATHS = {
    ("mpi-two-sided", "send"): (0.28e-6, 0.11e-6, 0.19e-9),
    ("mpi-rma", "put"): (0.15e-6, 0.09e-6, 0.21e-9),
    ("mpi-rma", "get"): (0.17e-6, 0.10e-6, 0.24e-9),
}


def header(**changes: Any) -> Json:
    return {
        "row": "header",
        "schema": "stretto.samples/1.0",
        "created_utc": "2026-11-21T05:30:00Z",
        "command": ["stretto-probe", "latency", "overlap", "--sizes", "8:8MiB", "--max-noise", "0.05"],
        "revision": "f78fad7",
        "on": "local",
        "mpi": {"family": "mpich", "library": "MPICH Version: 5.0.2", "standard": "5.0"},
        "hosts": ["node-a", "node-a"],
        "cpu": "AMD EPYC 7543 32-Core Processor",
        "locality": "same-node",
        "ranks": 2,
        "cases": 42,
        "clock": {
            "name": "CLOCK_MONOTONIC",
            "resolution_s": 1e-9,
            "overhead_s": 2.3e-8,
            "offset_s": [0.0, 1.2e-7],
            "offset_error_s": 5e-8,
        },
        "network": "",
        "settings": {"max_noise": 0.05, "budget_s": 60, "seed": 1, "check": False},
    } | changes


def figure(metric: str, unit: str, value: float | None, spread: float = 0.03, **axes: Any) -> Json:
    """One row; `spread` is the half width of its interval, relative, or absolute for the unit `1`."""
    row: Json = {"on": "local", "ranks": 2, "locality": "same-node"} | axes
    row |= {"metric": metric, "unit": unit, "value": value}
    if value is None:
        return {"reason": "min(T_c, T_w) is under 10 times the noise floor of 0.05 µs"} | row
    half = spread if unit == "1" else abs(value) * spread
    return row | {"ci95_low": value - half, "ci95_high": value + half, "n": 24}


def one_way_s(path: tuple[str, str], size_bytes: int) -> float:
    latency_s, overhead_s, gap_s_per_byte = PATHS[path]
    rendezvous = 1.9e-6 if size_bytes >= BREAK_BYTES else 0.0
    return latency_s + 2 * overhead_s + rendezvous + size_bytes * gap_s_per_byte


def hidden(path: tuple[str, str], size_bytes: int, progress: str, ratio: float) -> float:
    """eta of the synthetic machine: eager sends overlap, rendezvous does not unless polled, get loses."""
    fade = 1.0 - 0.12 * abs(math.log2(ratio))
    if path[1] == "get":
        return -0.18 * fade
    if progress == "poll":
        return 0.86 * fade
    return (0.62 if size_bytes < BREAK_BYTES else 0.03) * fade


def latency_rows() -> Iterator[Json]:
    for path in PATHS:
        common = {"transport": path[0], "operation": path[1]}
        for size in SIZES:
            time_s = one_way_s(path, size)
            yield figure("latency", "s", time_s, probe="latency", size_bytes=size, **common)
            for direction, factor in (("one-way", 1.0), ("both-ways", 1.6)):
                yield figure(
                    "bandwidth",
                    "B/s",
                    factor * size / (PATHS[path][1] + size * PATHS[path][2]),
                    probe="bandwidth",
                    size_bytes=size,
                    direction=direction,
                    **common,
                )


def overlap_rows(progresses: Sequence[str] = ("none", "poll")) -> Iterator[Json]:
    for path in PATHS:
        for progress in progresses:
            for size in SIZES[2::2]:
                common = {
                    "probe": "overlap",
                    "transport": path[0],
                    "operation": path[1],
                    "progress": progress,
                    "side": "both",
                    "direction": "one-way",
                    "work_kind": "register",
                    "size_bytes": size,
                }
                for ratio in RATIOS:
                    yield from _overlap_point(path, size, progress, ratio, common)
                yield figure("knee_overlap", "1", hidden(path, size, progress, 1.0), **common)


def _overlap_point(
    path: tuple[str, str], size: int, progress: str, ratio: float, axes: Json
) -> Iterator[Json]:
    axes = axes | {"ratio": ratio}
    transfer_s = one_way_s(path, size) * (1.15 if progress == "poll" else 1.0)
    work_s = ratio * transfer_s
    eta = hidden(path, size, progress, ratio)
    both_s = transfer_s + work_s - eta * min(transfer_s, work_s)
    resolved = min(transfer_s, work_s) > 5e-7
    yield figure("eta", "1", eta if resolved else None, **axes)
    yield figure("kappa", "1", 1.04 if progress == "poll" else 1.01, 0.01, **axes)
    yield figure("exposed", "s", both_s - work_s, **axes)
    for quantity, value in (("T_c", transfer_s), ("T_w", work_s), ("T_t", both_s)):
        yield figure("time", "s", value, quantity=quantity, **axes)
    for segment, share in (("init", 0.1), ("work", 0.6), ("sync", 0.28), ("barrier", 0.02)):
        yield figure(segment, "s", both_s * share, **axes)


def loggp_rows() -> Iterator[Json]:
    for path, (latency_s, overhead_s, gap_s_per_byte) in PATHS.items():
        for low, high in ((1, BREAK_BYTES - 1), (BREAK_BYTES, 1 << 23)):
            axes: Json = {
                "probe": "loggp",
                "transport": path[0],
                "operation": path[1],
                "size_min_bytes": low,
                "size_max_bytes": high,
            }
            late = 1.9e-6 if low > 1 else 0.0
            trains = axes | {"method": "spaced-trains"}
            yield figure("L", "s", latency_s + late, **trains)
            yield figure("o_s", "s", overhead_s, **trains)
            if path[1] == "send":
                yield figure("o_r", "s", overhead_s * 1.1, **trains)
            yield figure("g", "s", overhead_s * 0.9, **trains) | {
                "bound": "upper",
                "reason": "below max(o_s, o_r)",
            }
            yield figure("G", "s/B", gap_s_per_byte, **trains)
            yield figure("o_s", "s", overhead_s * 1.04, 0.05, **axes, method="pencils")
            yield figure("g_queue", "s", overhead_s * 1.2, 0.05, **axes, method="pencils")
            yield figure("G", "s/B", gap_s_per_byte * 1.7, 0.05, **axes, method="flood")
            yield figure("G", "s/B", None, **axes, method="gather") | {
                "reason": "gather-all wants 3 ranks or more"
            }


def contention_rows() -> Iterator[Json]:
    for path in PATHS:
        for kind, kappa in (("register", 1.004), ("cache", 1.08), ("stream", 1.37)):
            for size in (65536, 1 << 20):
                yield figure(
                    "kappa",
                    "1",
                    1 + (kappa - 1) * (1.2 if size > 65536 else 0.5),
                    0.02,
                    probe="contention",
                    transport=path[0],
                    operation=path[1],
                    progress="none",
                    work_kind=kind,
                    size_bytes=size,
                )


def bound_rows() -> Iterator[Json]:
    for direction, value in (("one-way", 0.93), ("both-ways", 0.89)):
        yield figure("bound", "1", value, 0.01, probe="overlap", direction=direction, on="emulated")


def results(*kinds: Iterator[Json], provenance: Sequence[Json] | None = None) -> Json:
    rows = [
        row
        for kind in (kinds or (latency_rows(), overlap_rows(), loggp_rows(), contention_rows()))
        for row in kind
    ]
    return {"schema": "stretto.results/1.0", "provenance": list(provenance or [header()]), "rows": rows}


def emulated() -> Json:
    """The same machine's rows as of two emulated hosts, with the substrate's bound."""
    document = results(
        latency_rows(),
        overlap_rows(),
        loggp_rows(),
        contention_rows(),
        bound_rows(),
        provenance=[
            header(on="emulated", hosts=["stretto0", "stretto1"], locality="remote", network="htb 500mbit")
        ],
    )
    document["rows"] = [row | {"on": "emulated", "locality": "remote"} for row in document["rows"]]
    return document


def profile(locality: str = "same-node") -> Json:
    """The fitted profile of that machine."""

    def value(figure_value: float) -> Json:
        return {
            "value": figure_value,
            "ci95_low": figure_value * 0.97,
            "ci95_high": figure_value * 1.03,
            "n": 24,
        }

    entries = []
    for (transport, operation), (latency_s, overhead_s, gap_s_per_byte) in PATHS.items():
        ranges = []
        for low, high, late in ((1, BREAK_BYTES - 1, 0.0), (BREAK_BYTES, 1 << 23, 1.9e-6)):
            result = {
                "size_min_bytes": low,
                "size_max_bytes": high,
                "latency_s": value(
                    latency_s + late if operation == "send" else (latency_s + late + overhead_s) / 2
                ),
                "overhead_send_s": value(overhead_s),
                "gap_s": value(overhead_s * 0.9) | {"bound": "upper", "reason": "below max(o_s, o_r)"},
                "gap_s_per_byte": value(gap_s_per_byte),
            }
            if operation == "send":
                result["overhead_receive_s"] = value(overhead_s)
            ranges.append(result)
        entries.append(
            {
                "transport": transport,
                "operation": operation,
                "locality": locality,
                "method": "spaced-trains",
                "ranges": ranges,
            }
        )
    return {
        "schema": "stretto.profile/1.0",
        "machine": {
            "name": "node-a",
            "mpi": header()["mpi"],
            "hosts": ["node-a"],
            "network": "",
            "on": "local",
            "ranks": 2,
        },
        "made_from": [{"file": "samples.jsonl", "created_utc": "2026-11-21T05:30:00Z"}],
        "loggp": entries,
    }
