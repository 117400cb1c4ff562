# SPDX-License-Identifier: BSD-3-Clause
"""The preloaded progress library: what plain nonblocking calls gain between emulated hosts, and its price.

Nothing in the programs is changed. Runs with and without the library alternate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from bench.harness.builds import build
from bench.harness.checks import Check, Checks, Result, Table, quotient, ratio_of_medians
from bench.harness.pair import EmulatedPair, emulated_pair
from bench.harness.runner import Context
from stretto.data.results import ResultRow
from stretto.data.samples import read_samples
from stretto.errors import RunError
from stretto.launch.job import Job
from stretto.launch.local import run_local
from stretto.launch.mpi import MpiLibrary
from stretto.launch.preload import preload_variables
from stretto.model.derive import derive_results
from stretto.model.statistics import DEFAULT_SEED, Estimate, bootstrap_medians, interval

_SIZES = "1048576:16777216"
_COLLECTIVES = tuple(
    f"{operation}:{size}"
    for operation in ("alltoall", "allreduce", "broadcast")
    for size in (1 << 20, 4 << 20)
)
_ON_NODE = ("send:1048576", "send:4194304", *_COLLECTIVES)
_IDLE_ITERATIONS = 20_000_000
_SMALL, _MIDDLE = 8, 64 << 10
_ROUNDS = 7
_TURNS = 7
_RUNS_PER_TURN = 4  # on one node, where a virtual machine's cores lie nearer or farther in each run
_ON_NODE_ROUNDS = 41
_PING_PONGS = 200
_PLAIN_OVERLAPS = 0.4  # plain MPI that overlaps so much needs no library


def run(context: Context) -> Iterator[Result]:
    """All parts: two-sided and collectives between hosts, then one node, latency and the idle thread."""
    with emulated_pair(context, "500mbit", _ROUNDS, "overlapped_calls") as pair:
        library = preload_variables(["progress"], pair.mpi)
        yield from _two_sided(pair, library)
        yield from _collectives(pair, library)
        mpi = pair.mpi
    yield from _on_node(context, mpi, library)


def _two_sided(pair: EmulatedPair, library: Mapping[str, str]) -> Iterator[Result]:
    """The probe `overlap` over plain Isend, Irecv and Waitall."""
    words = (
        *("overlap", "--transport", "mpi-two-sided", "--operation", "send", "--progress", "none"),
        *("--side", "both", "--ratio", "1", "--sizes", _SIZES),
    )
    plain = derive_results(pair.probe("two-sided-plain", *words)).rows
    with_library = derive_results(pair.probe("two-sided-progress", *words, env=library)).rows
    cells, checks = [], []
    for row in with_library:
        if row.metric != "eta":
            continue
        size, direction = int(row.axes["size_bytes"]), str(row.axes["direction"])
        eta, without = _estimate(row), _like(plain, row, "eta")
        kappa = _like(with_library, row, "kappa")
        time, plain_time = (_like(rows, row, "time", "T_c") for rows in (with_library, plain))
        ratio = quotient(time, plain_time) if time and plain_time else None
        figures = (without, eta, ratio, kappa)
        cells.append((direction, _mebibytes(size), *(_text(figure) for figure in figures)))
        what = f"{direction}, {_mebibytes(size)}"
        target = 0.90 if direction == "one-way" else 0.85
        checks += [
            Check(f"eta, {what}", f"plain {_text(without)}", eta, target, True),
            Check(f"T_c, {what}", "plain", ratio, 1.03),
            Check(f"kappa, {what}", "computation alone", kappa, 1.10),
        ]
    columns = ("direction", "size", "eta, plain", "eta", "T_c over plain", "kappa")
    yield Table(f"Isend, Irecv, computation, Waitall: {_name(pair.mpi)}, 500 Mbit/s", columns, cells)
    yield Checks(f"Unmodified two-sided communication: {_name(pair.mpi)}", checks)


def _collectives(pair: EmulatedPair, library: Mapping[str, str]) -> Iterator[Result]:
    found = {}
    for name, env in (("plain", {}), ("progress", library)):
        arguments = (str(pair.file(f"collectives-{name}")), str(_ROUNDS), *_COLLECTIVES)
        pair.file(f"collectives-{name}").unlink(missing_ok=True)
        found[name] = pair.run("overlapped_calls", f"collectives-{name}", arguments, env).rows
    cells, checks = [], []
    for call in _COLLECTIVES:
        operation, _, size = call.partition(":")
        plain, eta = (_eta(found[name], operation, int(size)) for name in ("plain", "progress"))
        what = f"I{operation}, {_mebibytes(int(size))}"
        cells.append((what, _text(plain), _text(eta)))
        target = 0.7 if plain.value < _PLAIN_OVERLAPS else None
        checks.append(Check(f"eta, {what}", f"plain {_text(plain)}", eta, target, True))
    yield Table(
        f"Nonblocking collectives: {_name(pair.mpi)}, 500 Mbit/s", ("call", "eta, plain", "eta"), cells
    )
    yield Checks(f"Nonblocking collectives: {_name(pair.mpi)}", checks)


def _on_node(context: Context, mpi: MpiLibrary, library: Mapping[str, str]) -> Iterator[Result]:
    """Ranks that share memory, where there is nothing to gain: the library must not cost."""
    programs = build(context.build, "overlapped_calls", "plain_ping_pong")
    overlapped, ping_pong = programs / "overlapped_calls", programs / "plain_ping_pong"
    first = context.output / "node-first.jsonl"
    balanced = _rows(mpi, overlapped, first, (str(first), str(_ROUNDS), *_ON_NODE), {})
    same_work = [f"{call}:{_work_count(balanced, call)}" for call in _ON_NODE]
    turns = context.repetitions(_TURNS)

    def alternating(runs: int, kind: str, program: Path, *arguments: str) -> dict[str, list[pl.DataFrame]]:
        """The samples of the program's runs without and with the library."""
        variables: Mapping[str, Mapping[str, str]] = {"plain": {}, "progress": library}
        found: dict[str, list[pl.DataFrame]] = {name: [] for name in variables}
        for run in range(runs):
            for name in sorted(variables, reverse=run % 2 == 1):
                file = context.output / f"{kind}-{name}-{run}.jsonl"
                found[name].append(_rows(mpi, program, file, (str(file), *arguments), variables[name]))
        return found

    idle = alternating(turns, "idle", overlapped, str(_ROUNDS), f"idle:{_IDLE_ITERATIONS}")
    latencies = alternating(
        _RUNS_PER_TURN * turns, "latency", ping_pong, str(_PING_PONGS), str(_SMALL), str(_MIDDLE)
    )
    calls = alternating(_RUNS_PER_TURN * turns, "node", overlapped, str(_ON_NODE_ROUNDS), *same_work)
    checks = [
        _between("8-byte latency", latencies, "T_c", 1.10, size_bytes=_SMALL),
        _between("64 KiB latency", latencies, "T_c", 1.03, size_bytes=_MIDDLE),
        _between("computation with an idle thread (kappa)", idle, "T_w", 1.01, size_bytes=_IDLE_ITERATIONS),
    ]
    for call in _ON_NODE:
        operation, _, size = call.partition(":")
        what = f"{operation} with computation, {_mebibytes(int(size))}"
        checks.append(_between(what, calls, "T_t", 1.02, operation=operation, size_bytes=int(size)))
    yield Checks(f"Two ranks of one node, times over plain: {_name(mpi)}", checks)


def _rows(
    mpi: MpiLibrary, program: Path, file: Path, arguments: Sequence[str], env: Mapping[str, str]
) -> pl.DataFrame:
    file.unlink(missing_ok=True)
    ended = run_local(mpi, Job(program, tuple(arguments), 2, env))
    if ended.status != "done":
        raise RunError(f"{program.name} {ended.status}:\n{ended.stderr_tail[-2000:]}")
    return read_samples(file).rows


def _work_count(rows: pl.DataFrame, call: str) -> int:
    """The iterations of computation that took as long as this call."""
    operation, _, size = call.partition(":")
    found = rows.filter((pl.col("operation") == operation) & (pl.col("size_bytes") == int(size)))
    return int(found["work_count"][0])


def _between(
    what: str,
    runs: Mapping[str, Sequence[pl.DataFrame]],
    quantity: str,
    target: float,
    **axes: str | int,
) -> Check:
    """A ratio of the medians of alternating runs."""
    medians = {
        name: [float(np.median(_times_s(rows, quantity, axes))) for rows in found]
        for name, found in runs.items()
    }
    return Check(what, "plain", ratio_of_medians(medians["progress"], medians["plain"]), target)


def _times_s(rows: pl.DataFrame, quantity: str, axes: Mapping[str, str | int]) -> np.ndarray:
    chosen = pl.col("quantity") == quantity
    for name, value in axes.items():
        chosen &= pl.col(name) == value
    return rows.filter(chosen).sort("round")["time_s"].to_numpy()


def _eta(rows: pl.DataFrame, operation: str, size: int) -> Estimate:
    """(T_c + T_w - T_t) / min(T_c, T_w) of paired rounds."""
    axes: dict[str, str | int] = {"operation": operation, "size_bytes": size}
    times = np.array([_times_s(rows, quantity, axes) for quantity in ("T_c", "T_w", "T_t")])
    found = bootstrap_medians(times, DEFAULT_SEED)
    smaller = int(found.value[1] < found.value[0])

    def eta(one: np.ndarray) -> np.ndarray:
        return np.asarray((one[0] + one[1] - one[2]) / one[smaller])

    return interval(float(eta(found.value)), eta(found.replicates), found.n)


def _like(rows: Sequence[ResultRow], row: ResultRow, metric: str, quantity: str = "") -> Estimate | None:
    """The estimate of another metric, or of another run, at the same point."""
    for other in rows:
        same = all(other.axes.get(name) == row.axes[name] for name in ("size_bytes", "direction"))
        if other.metric == metric and same and other.axes.get("quantity", "") == quantity:
            return _estimate(other)
    return None


def _estimate(row: ResultRow) -> Estimate | None:
    if row.value is None or row.ci95_low is None or row.ci95_high is None:
        return None
    return Estimate(row.value, row.ci95_low, row.ci95_high, row.n)


def _text(found: Estimate | None) -> str:
    return f"{found.value:.3f} ({found.ci95_low:.3f} to {found.ci95_high:.3f})" if found else "-"


def _mebibytes(size: int) -> str:
    return f"{size >> 20} MiB"


def _name(mpi: MpiLibrary) -> str:
    return f"{mpi.family} {mpi.version}"
