# SPDX-License-Identifier: BSD-3-Clause
"""The probe nbc against loops as IMB-NBC and OSU describe theirs, and against IMB-NBC itself where it is.

The loops are part of this repository. IMB-NBC (`--imb FILE`) is a program of the Intel MPI Benchmarks. The
one in Intel's Python package impi-rt runs over any MPI with MPICH's binary interface.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

from bench.harness.builds import build, cached, launcher
from bench.harness.checks import Check, Checks, Result, Table, exactly
from bench.harness.runner import Context
from stretto.data.results import ResultRow
from stretto.data.samples import read_samples
from stretto.data.sizes import format_size
from stretto.launch.probing import probe_arguments
from stretto.model.derive import derive_results

SIZES = (16384, 262144, 1048576, 4194304)
OPERATIONS = ("broadcast", "allreduce", "alltoall", "allgather", "reduce-scatter")
_IMB_NAMES = {
    "Ibcast": "broadcast",
    "Iallreduce": "allreduce",
    "Ialltoall": "alltoall",
    "Iallgather": "allgather",
    "Ireduce_scatter": "reduce-scatter",
}
ROUNDS = 15
REPEATS = 30
TURNS = 3
# Of two measurements of one overlap by one formula, both of which are shares of a short time.
_WITHIN = 0.2

Key = tuple[str, int]
Overlaps = dict[Key, float]


def run(context: Context) -> Iterator[Result]:
    """Yields a table of all definitions and programs, and whether they say the same."""
    ranks = context.options.ranks
    programs = build(context.build, "nbc_loops", "stretto-probe")
    start = launcher(context.build, ranks)
    imb = shutil.which(context.options.imb)
    turns: dict[str, list[Overlaps]] = {}
    for turn in range(context.repetitions(TURNS)):
        loops = [str(programs / "nbc_loops"), str(REPEATS), *map(str, SIZES)]
        found = dict(_of_loops(_output([*start, *loops])))
        found |= _of_probe(programs, start, context.output / f"stretto-{turn}.jsonl")
        if imb is not None:
            found["IMB-NBC"] = _of_imb(context, start, imb, ranks)
        for name, overlaps in found.items():
            turns.setdefault(name, []).append(overlaps)
    medians = {name: _medians(all_turns) for name, all_turns in turns.items()}
    names = [name for name in ("eta", "osu", "imb", "OSU loop", "IMB loop", "IMB-NBC") if name in medians]
    heads = ("operation", "size", *({"osu": "OSU formula", "imb": "IMB formula"}.get(n, n) for n in names))
    rows = [
        (operation, format_size(size), *(_percent(medians[name].get((operation, size))) for name in names))
        for operation in OPERATIONS
        for size in SIZES
    ]
    title = f"Overlap in %, {ranks} ranks, medians of {context.repetitions(TURNS)} turns"
    if imb is None:
        title += f"; no {context.options.imb} here"
    yield Table(title, heads, rows)
    peers = [("IMB loop", "imb"), ("OSU loop", "osu"), *([("IMB-NBC", "imb")] if imb else [])]
    yield Checks(
        "By one formula, the distance of the probe from the peer",
        [check for peer, own in peers for check in _distances(medians, peer, own)],
    )


def _distances(medians: Mapping[str, Overlaps], peer: str, own: str) -> Iterator[Check]:
    for key in ((operation, size) for operation in OPERATIONS for size in SIZES):
        ours, theirs = medians[own].get(key), medians[peer].get(key)
        away = None if ours is None or theirs is None else exactly(abs(ours - theirs))
        yield Check(f"{key[0]}, {format_size(key[1])}", peer, away, _WITHIN)


def _percent(overlap: float | None) -> str:
    return "-" if overlap is None else f"{100 * overlap:.0f}"


def _medians(turns: Sequence[Overlaps]) -> Overlaps:
    keys = dict.fromkeys(key for one in turns for key in one)
    return {key: median(one[key] for one in turns if key in one) for key in keys}


def _output(command: Sequence[str], env: Mapping[str, str] | None = None) -> str:
    ended = subprocess.run(command, check=True, capture_output=True, text=True, env=env)
    return ended.stdout


def _of_loops(text: str) -> Iterator[tuple[str, Overlaps]]:
    rows = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    for benchmark, name in (("imb", "IMB loop"), ("osu", "OSU loop")):
        yield (
            name,
            {
                (row["operation"], row["size_bytes"]): row["overlap"]
                for row in rows
                if row["benchmark"] == benchmark
            },
        )


def _of_probe(programs: Path, start: Sequence[str], file: Path) -> dict[str, Overlaps]:
    """Our overlap, and the same rounds by the formulas of both benchmarks."""
    metrics = {"eta": "eta", "overlap_osu": "osu", "overlap_imb": "imb"}
    found: dict[str, Overlaps] = {name: {} for name in metrics.values()}
    for size in SIZES:
        file.unlink(missing_ok=True)
        words = ["nbc", "--sizes", f"{size}:{size}", "--progress", "none", "--rounds", str(ROUNDS)]
        _output([*start, str(programs / "stretto-probe"), *probe_arguments(words, file)])
        for row in derive_results(read_samples(file)).rows:
            if row.metric in metrics and row.value is not None:
                found[metrics[row.metric]][_key(row)] = row.value
    return found


def _key(row: ResultRow) -> Key:
    return str(row.axes["operation"]), int(row.axes["size_bytes"])


def _of_imb(context: Context, start: Sequence[str], imb: str, ranks: int) -> Overlaps:
    """The last column of IMB-NBC's tables. A size of its reduce-scatter is that of all ranks' blocks."""
    sizes = sorted({*SIZES, *(size * ranks for size in SIZES)})
    lengths = context.output / "sizes.txt"
    lengths.write_text("".join(f"{size}\n" for size in sizes), encoding="utf-8")
    libraries = Path(cached(context.build, "STRETTO_MPIEXEC")).parent.parent / "lib"
    paths = os.pathsep.join(filter(None, [str(libraries), os.environ.get("LD_LIBRARY_PATH", "")]))
    command = [*start, imb, *_IMB_NAMES, "-npmin", str(ranks), "-msglen", str(lengths), "-iter", str(REPEATS)]
    return imb_overlaps(_output(command, {**os.environ, "LD_LIBRARY_PATH": paths}), ranks)


def imb_overlaps(text: str, ranks: int) -> Overlaps:
    """Overlaps by operation and size, from what IMB-NBC prints."""
    found: Overlaps = {}
    operation = None
    for line in text.splitlines():
        if heading := re.match(r"# Benchmarking (\w+)", line):
            operation = _IMB_NAMES.get(heading[1])
        cells = line.split()
        if operation is None or len(cells) != 6 or not cells[0].isdigit():
            continue
        size = int(cells[0]) // (ranks if operation == "reduce-scatter" else 1)
        if size in SIZES:
            found[operation, size] = float(cells[5]) / 100
    return found
