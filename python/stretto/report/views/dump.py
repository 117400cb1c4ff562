# SPDX-License-Identifier: BSD-3-Clause
"""Artefacts as text, one fact per line, in an order that depends on the file's content only."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from typing import Any

from stretto.data.profile import Figure, Profile
from stretto.data.results import Results, row_members
from stretto.data.samples import Samples
from stretto.data.trace import TraceFile
from stretto.data.trace_records import NO_CONTEXT, Event


def results_lines(results: Results) -> Iterator[str]:
    """The provenance of the results, then their rows."""
    for index, header in enumerate(results.provenance):
        yield from _tree(f"provenance[{index}]", header)
    for row in results.rows:
        yield f"row {_members(row_members(row))}"


def profile_lines(profile: Profile) -> Iterator[str]:
    """A line a member that is set."""
    return _tree("profile", asdict(profile))


def trace_lines(trace: TraceFile) -> Iterator[str]:
    """Header, records in the order of the file, then what they refer to by number."""
    yield from _tree("header", asdict(replace(trace.header, calls=())))
    for block in trace.blocks():
        for event in trace.events(block.records):
            yield f"{event.begin_s:.9f} {event.name} thread={block.thread} {_members(_event_members(event))}"
    known = trace.definitions
    for number, context in sorted(known.contexts.items()):
        what = "window" if context.window else "communicator"
        remote = f" remote={list(context.remote)}" if context.remote else ""
        members = f"members={list(context.members)}{remote}"
        yield f"{what} {number} key={context.key:016x} rank={context.rank} {members}"
    for number, site in sorted(known.sites.items()):
        yield f"site {number} {_printable(site.module)}+0x{site.address:x}"
    for number, runs in sorted(known.groups.items()):
        ranks = [first + stride * step for first, stride, count in runs for step in range(count)]
        yield f"group {number} ranks={ranks}"
    for number, one in sorted(known.peer_bytes.items()):
        yield f"peer_bytes {number} sent={dict(one.sent)} received={dict(one.received)}"
    yield f"lost {trace.lost}"
    if trace.heads.cut:
        yield f"cut off within a block of {trace.heads.cut.records} records"
    yield "complete" if trace.complete else "incomplete"


def _event_members(event: Event) -> Mapping[str, Any]:
    """The members of a record that are not zero."""
    return {
        "duration_s": event.duration_s,
        "site": event.site or None,
        "size_bytes": event.size_bytes or None,
        "context": None if event.context == NO_CONTEXT else event.context,
        "peer": None if event.context == NO_CONTEXT else event.peer,
        "tag": event.tag or None,
        "request": event.request or None,
        "count": event.count or None,
        "extra": hex(event.extra) if event.extra else None,
    }


def samples_lines(samples: Samples) -> Iterator[str]:
    """Header, rows by kind, and whether the run has ended."""
    yield from _tree("header", samples.header.members)
    if samples.noise_floor:
        yield f"noise_floor {_members(asdict(samples.noise_floor))}"
    for rate in samples.work_rates:
        yield f"work_rate {_members(asdict(rate))}"
    for bound in samples.bounds:
        yield f"bound {_members(asdict(bound))}"
    for row in samples.rows.iter_rows(named=True):
        yield f"sample {_members(row)}"
    for row in samples.disturbed.iter_rows(named=True):
        yield f"disturbed {_members(row)}"
    for end in samples.case_ends:
        usual = {"visits": 1, "disturbed": 0}
        known = {name: value for name, value in asdict(end).items() if usual.get(name) != value}
        yield f"case_end {_members(known)}"
    for kind, rows in (
        ("load", samples.loads),
        ("checked", samples.checked),
        ("traffic", samples.traffic),
        ("skipped", samples.skipped),
    ):
        for one in rows:
            yield f"{kind} {_members(asdict(one))}"
    yield "complete" if samples.complete else "incomplete"


def _members(members: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={_value(value)}" for name, value in members.items() if value is not None)


def _tree(name: str, value: Any) -> Iterator[str]:
    """A line a leaf, named by its path; a figure is a leaf."""
    if isinstance(value, Mapping):
        if set(value) == set(Figure.__dataclass_fields__):
            yield f"{name} = {_figure(value)}"
            return
        for key, inner in value.items():
            yield from _tree(f"{name}.{_printable(str(key))}", inner)
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from _tree(f"{name}[{index}]", inner)
    elif value is not None:
        yield f"{name} = {_value(value)}"


def _figure(figure: Mapping[str, Any]) -> str:
    value = "unresolved" if figure["value"] is None else _value(figure["value"])
    return " ".join(
        (value, *(f"{k}={_value(v)}" for k, v in figure.items() if k != "value" and v not in (None, 0)))
    )


def _value(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.9g}"
    text = str(value)
    return (
        repr(text) if isinstance(value, str) and (not text.isprintable() or " " in text or not text) else text
    )


def _printable(text: str) -> str:
    return text if text.isprintable() else repr(text)
