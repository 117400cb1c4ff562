# SPDX-License-Identifier: BSD-3-Clause
"""The effective settings as pairs of name and text, for the last part of both views."""

from collections.abc import Iterator

from stretto.report.document import Document
from stretto.report.origin import Origin, origin
from stretto.report.units import microseconds, printable

_ENDED = {
    "noise": "intervals within the requested noise",
    "budget": "time budget over",
    "rounds": "requested rounds done",
}


def settings(document: Document) -> list[tuple[str, str]]:
    """Machine, model, settings, end of sampling and noise floor for each samples file."""
    result = [pair for header in document.results.provenance for pair in of_origin(origin(header))]
    return [*result, *of_model(document), *of_sampling(document)]


def of_origin(run: Origin) -> Iterator[tuple[str, str]]:
    network = f", network {run.network}" if run.network else ""
    yield "machine", f"{run.cpu}, hosts {run.hosts}"
    yield "ranks", f"{run.ranks}, {run.locality}, on {run.substrate}{network}"
    yield "MPI", run.mpi
    yield "clock", run.clock
    yield "settings", ", ".join(f"{name} {value}" for name, value in run.settings) or "none recorded"
    yield "command", run.command
    yield "made", f"{run.created_utc}, revision {run.revision}, {run.schema}"


def of_model(document: Document) -> Iterator[tuple[str, str]]:
    """The fitted model and its range."""
    if document.profile is None:
        return
    for entry in document.profile.loggp:
        sizes = f"{len(entry.ranges)} range{'s' if len(entry.ranges) > 1 else ''} of sizes"
        yield "model", printable(f"LogGP by {entry.method or 'hand'}: {entry.path}, {sizes}")


def of_sampling(document: Document) -> Iterator[tuple[str, str]]:
    """The end of sampling, discarded rounds, and skipped measurements."""
    ended = document.endings()
    cases = max(document.planned_cases, ended.total())
    for by, count in ended.most_common():
        yield "ended by", f"{by} ({_ENDED.get(by, 'unknown rule')}): {count} of {cases} cases"
    if cases > ended.total():
        yield "not ended", f"{cases - ended.total()} of {cases} cases: the run was cut short"
    discarded = sum(case.discarded for case in document.case_ends)
    if discarded:
        yield "discarded", f"{discarded} rounds in which a rank started late or lost its processor"
    for load in document.loads:
        yield (
            f"load {load.when}",
            printable(
                f"others used {load.others_cores:.2f} of {load.cores} cores of {load.host or 'the host'}, "
                f"the hypervisor withheld {load.stolen_cores:.2f}, tasks waited "
                f"{load.waiting_share * 100:.0f} % of the time"
            ),
        )
    if document.disturbed:
        yield "disturbed", f"{document.disturbed * 100:.1f} % of the samples, measured again or left out"
    for floor in document.noise_floors:
        yield (
            "noise floor",
            f"{microseconds(floor.value_s)} µs (n {floor.n}); a sample shorter than ten of it is unresolved, "
            "and short steps are repeated within a sample",
        )
    if document.checked:
        wrong = sum(check.wrong for check in document.checked)
        yield (
            "checked",
            f"{sum(check.transfers for check in document.checked)} transfers, {wrong} arrived wrong",
        )
    for skipped in document.skipped:
        path = " ".join(word for word in (skipped.probe, skipped.transport, skipped.operation) if word)
        yield "skipped", printable(f"{path}: {skipped.reason}")
    for warning in document.warnings:
        yield "warning", printable(warning)
