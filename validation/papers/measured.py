# SPDX-License-Identifier: BSD-3-Clause
"""What this product measured on real processes, or simulated, of what a figure shows: quotations of
`docs/results/`, and a run of the user's cluster.
"""

from __future__ import annotations

import json
import tarfile
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath

from stretto.data.results import ResultRow, Results
from stretto.errors import UserError
from stretto.launch.papers_job import DIRECTORY
from stretto.model.run_files import load_results
from stretto.report.origin import Origin, origin

_FILE = Path(__file__).with_name("measured.json")


@dataclass(frozen=True)
class Measured:
    """A measurement next to a figure.

    Attributes:
        figures: The figures, `PAPER/FIGURE`.
        text: What was measured, and where.
        page: The page of `docs/results/` that has it; empty for a run of the user.
        quotes: Numbers as the page has them.
        contradicts: How it contradicts the paper or the model; empty where it does not.
        source: The trace of an original program and the command, instead of a page. The traces are no part of
            stretto; these numbers are what is kept of them.
        simulated: It was no measurement, but another simulation.
    """

    figures: tuple[str, ...]
    text: str
    page: str = ""
    quotes: tuple[str, ...] = ()
    contradicts: str = ""
    source: str = ""
    simulated: bool = False

    @property
    def kind(self) -> str:
        """How it came about, for the begin of a line."""
        return "Simulated here" if self.simulated else "Measured here"


@cache
def quoted() -> Sequence[Measured]:
    """The quotations."""
    document = json.loads(_FILE.read_text(encoding="utf-8"))
    return [Measured(**one) for one in document["measured"]]


def waits_for_a_run(figure: str) -> bool:
    """Whether a run of the user's cluster can show something of a figure, `PAPER/FIGURE`."""
    return any(figure in one.figures for one in _OF_RUN)


def of_figure(name: str, run: Sequence[Measured] = ()) -> list[Measured]:
    """What was measured of a figure, `PAPER/FIGURE`. A run without parts may say the same of two of them."""
    return list({one.text: one for one in (*run, *quoted()) if name in one.figures}.values())


@dataclass(frozen=True)
class _Shown:
    """Rows of a run that belong to figures: those of a probe, a metric and axes. `part`: of a run of
    `stretto batch papers` only this part's.
    """

    figures: tuple[str, ...]
    part: str
    probe: str
    metric: str
    axes: Mapping[str, object] = field(default_factory=dict)


def _figures(*names: str) -> tuple[str, ...]:
    return tuple(f"probes/{name}" for name in names)


_TWO_PHASE = {
    "broadcast": ("figure-2-top", "figure-2-bottom"),
    "gather": ("figure-3-top", "figure-3-bottom"),
    "scatter": ("figure-4-top", "figure-4-bottom"),
    "reduce": ("section-3-reduce",),
    "allreduce": ("figure-5-top",),
    "allgather": ("figure-5-bottom",),
}
"""The figures of an operation."""
_OVERALL = ("section-6.7", "section-9")
_OF_RUN: Sequence[_Shown] = (
    _Shown(("ft-slides/page-7",), "transfers", "latency", "latency", {"size_bytes": 8}),
    _Shown(("ft-slides/page-9",), "transfers", "bandwidth", "bandwidth"),
    _Shown(("armci/figure-6", "armci/figure-6-buffered"), "transfers", "overlap", "eta",
           {"operation": "get"}),
    _Shown(("armci/figure-7",), "transfers", "aggregation", "time"),
    _Shown(_figures("figure-4", "figure-5"), "ft-pure-communication", "ft", "gain"),
    _Shown(_figures("section-6.2-initiation"), "ft-pure-communication", "ft", "init"),
    _Shown(_figures("figure-8", "figure-9", "section-6.3-solution"), "ft-constant-flops", "ft", "gain"),
    _Shown(_figures("figure-12", "figure-13", *_OVERALL), "ft-few-large", "ft", "gain"),
    _Shown(_figures("figure-16", "figure-17", "section-6.5-machines", *_OVERALL), "ft-many-small", "ft",
           "gain"),
    _Shown(_figures("section-6.4-computation"), "transfers", "overlap", "kappa"),
    _Shown(_figures("section-6.4-computation"), "ft-contention", "ft", "kappa"),
    _Shown(_figures("figure-6-gather", "figure-7-gather"), "spmv-pure-communication", "spmv", "gain",
           {"schedule": "gather"}),
    _Shown(_figures("figure-6-scatter", "figure-7-scatter"), "spmv-pure-communication", "spmv", "gain",
           {"schedule": "scatter"}),
    _Shown(_figures("figure-10-gather", "figure-11-gather"), "spmv-constant-flops", "spmv", "gain",
           {"schedule": "gather"}),
    _Shown(_figures("figure-10-scatter", "figure-11-scatter"), "spmv-constant-flops", "spmv", "gain",
           {"schedule": "scatter"}),
    _Shown(_figures("figure-14", "section-6.4-shares"), "spmv-few-large", "spmv", "gain"),
    _Shown(_figures("figure-15-gather", "section-6.4-machines"), "spmv-few-large", "spmv", "gain",
           {"schedule": "gather"}),
    _Shown(_figures("figure-15-scatter"), "spmv-few-large", "spmv", "gain", {"schedule": "scatter"}),
    _Shown(_figures("figure-18", "figure-19"), "spmv-contention", "spmv", "kappa"),
    _Shown(_figures("figure-18", "figure-19"), "transfers", "overlap", "kappa"),
    *(_Shown(tuple(f"two-phase/{name}" for name in names), "collective", "collective", "time",
             {"operation": operation}) for operation, names in _TWO_PHASE.items()),
)  # fmt: skip
_GROUPED_BY = ("transport", "progress", "operation", "method", "collective", "algorithm", "schedule")
"""Axes that name what was compared. Over the others a range is shown."""


def of_run(path: Path) -> list[Measured]:
    """What a run on the user's machine says of the figures.

    Args:
        path: What `stretto probe` wrote, or the job of `stretto batch papers`: its directory or its archive.

    Raises:
        UserError: There are no results, none that belong to a figure, or the archive is damaged.
    """
    with _unpacked(path) as directory:
        parts = {one.parent.name: load_results(one.parent) for one in directory.glob("*/results.json")}
        if not parts:
            parts = {"": load_results(directory)}
    result = []
    for shown in _OF_RUN:
        run = parts.get("" if "" in parts else shown.part, Results(()))
        mine = [one for one in run.rows if _belongs(one, shown)]
        if any(one.value is not None for one in mine):
            simulated = any(one.axes.get("on") == "simulated" for one in mine)
            text = f"{path.name}{_where(run)}, {shown.metric}: {_ranges(mine)}"
            result.append(Measured(shown.figures, text, simulated=simulated))
    if not result:
        raise UserError(f"MEASURED={path}: no row belongs to a figure; `stretto batch papers` writes the job")
    return result


@contextmanager
def _unpacked(path: Path) -> Iterator[Path]:
    """The directory of a run; of an archive its results alone are unpacked."""
    if path.is_dir():
        yield path
        return
    with tempfile.TemporaryDirectory() as name:
        try:
            with tarfile.open(path) as archive:
                for member in archive:
                    place = PurePosixPath(member.name).parts
                    file = archive.extractfile(member) if place[-1:] == ("results.json",) else None
                    if file is None or place[0] != DIRECTORY or place[1:2] == ("..",) or len(place) != 3:
                        continue
                    part = Path(name) / place[1]
                    part.mkdir(exist_ok=True)
                    (part / "results.json").write_bytes(file.read())
        except (OSError, EOFError, KeyError, tarfile.TarError, zlib.error) as error:
            raise UserError(f"MEASURED={path}: no archive of a run: {error}") from None
        yield Path(name)


def _where(run: Results) -> str:
    """On what and when a run was made, in brackets; empty where its file does not say."""
    if not run.provenance:
        return ""
    here = origin(run.provenance[0])
    facts = (f"{here.ranks} ranks on {_hosts(here)}", here.network, here.mpi, here.created_utc[:10])
    return f" ({', '.join(one for one in facts if one)})"


def _hosts(here: Origin) -> str:
    """Real hosts by their number and processor; emulated and simulated ones are called that."""
    count = len(here.name.split(", "))
    real = f"{count} host{'s' if count > 1 else ''}, {here.cpu}"
    return {"emulated": "an emulated network", "simulated": "a simulated machine"}.get(here.substrate, real)


def _belongs(row: ResultRow, shown: _Shown) -> bool:
    return (
        row.axes.get("probe") == shown.probe
        and row.metric == shown.metric
        and all(row.axes.get(name) == value for name, value in shown.axes.items())
    )


def _ranges(rows: Sequence[ResultRow]) -> str:
    """The least and the greatest value of each variant. A case whose samples are disturbed has no value."""
    found: dict[str, list[float | None]] = {}
    for one in rows:
        variant = " ".join(
            str(one.axes[name]) for name in _GROUPED_BY if one.axes.get(name) not in (None, "")
        )
        found.setdefault(variant, []).append(one.value)
    unit = "" if rows[0].unit == "1" else f" {rows[0].unit}"
    return "; ".join(f"{variant} {_range(values, unit)}" for variant, values in found.items())


def _range(values: Sequence[float | None], unit: str) -> str:
    there = [one for one in values if one is not None]
    cases = "1 case" if len(values) == 1 else f"{len(values)} cases"
    if not there:
        return f"without a value ({cases})"
    of = "" if len(there) == len(values) else f"{len(there)} of "
    span = f"{there[0]:.4g}" if len(there) == 1 else f"{min(there):.4g} to {max(there):.4g}"
    return f"{span}{unit} ({of}{cases})"
