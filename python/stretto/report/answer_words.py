# SPDX-License-Identifier: BSD-3-Clause
"""The words of an answer: where it was measured, what helps and costs, and what that means for a program."""

from __future__ import annotations

from collections.abc import Sequence

from stretto.data.groups import grouped
from stretto.report.answer import Answer, Stretch, saving, sizes_in_words
from stretto.report.origin import origin
from stretto.report.prose import capital, percent_words, subject
from stretto.report.select import OverlapPoint, Series
from stretto.report.units import percent, ratio, size_label

_PROGRAM = "a program with 30 % of its time in halo exchange"
_MAX_STRETCHES = 3  # that a sentence names
_SAME = 0.005  # of a program's time: less is no difference


def place_name(answer: Answer) -> str:
    """`one node`, `emulated network`, `2 nodes`."""
    header = answer.header
    on, locality = header.get("on"), header.get("locality")
    if on == "emulated":
        return "emulated network"
    if on == "simulated":
        return f"simulated {origin(header).network or 'machine'}"
    if on == "virtual":
        return "virtual machine"
    if locality == "same-node":
        return "one node"
    hosts = header.get("hosts")
    count = len(set(map(str, hosts))) if isinstance(hosts, list) else 0
    return f"{count} nodes" if count > 1 else "several nodes"


def within(answer: Answer) -> str:
    name = place_name(answer)
    if name == "one node":
        return "on one node"
    return f"between {name}" if name.endswith("nodes") else f"over the {name}"


def other_name(series: Series | None) -> str:
    """What the alternative is, as a thing to do."""
    if series is None:
        return "nothing else"
    if series.get("transport") == "mpi-two-sided" and series.get("progress") == "poll":
        return "calling MPI_Test while computing"
    return subject(series)


def short_name(series: Series | None) -> str:
    if series is None:
        return ""
    if series.get("transport") == "mpi-two-sided" and series.get("progress") == "poll":
        return "MPI_Test"
    return str(series.get("transport")) + (f" {series.get('progress')}" if series.get("progress") else "")


def verdict_text(stretches: Sequence[Stretch]) -> str:
    """The verdict on all sizes: `yes at 64 KiB (95 % hidden), no from 1 MiB on (2 % hidden)`."""
    if not stretches:
        return "unresolved (no figure)"
    if all(stretch.verdict == "too busy" for stretch in stretches):
        return "it is too busy to say"
    if len(stretches) > _MAX_STRETCHES:
        return f"it varies with size: {_judged(stretches, stretches[-1])}"
    return ", ".join(_judged(stretches, stretch) for stretch in stretches)


def _judged(stretches: Sequence[Stretch], stretch: Stretch) -> str:
    where = sizes_in_words(stretches, stretch)
    if stretch.verdict == "too busy":
        said = "too busy to say"
    elif stretch.least is None or stretch.most is None:
        reason = next((r.reason for p in stretch.points if (r := p.row("eta")) is not None and r.reason), "")
        said = f"unresolved ({reason})" if reason else "unresolved"
    else:
        about = "about " if stretch.is_rough else ""
        said = f"{stretch.verdict} ({about}{_span(stretch.least, stretch.most)} % hidden)"
    return f"{where} {said}".lstrip()


def _span(low: float, high: float) -> str:
    first, last = percent_words(low), percent_words(high)
    return first if first == last else f"{first} to {last}"


def help_text(answers: Sequence[Answer]) -> str:
    """What hides more than plain MPI, and what it costs; places with the same answer together."""
    places = grouped(answers, _help_at)
    return " ".join(f"{capital(' and '.join(map(within, at)))} {what}." for what, at in places.items())


def _help_at(answer: Answer) -> str:
    name = other_name(answer.series)
    helped = answer.helped()
    if not helped:
        return _no_help(answer, name)
    plain, other = helped[-1]
    values = [percent_words(point.value("eta") or 0.0) for point in (other, plain)]
    said = f"{name} hides {values[0]} % instead of {values[1]} % at {size_label(plain.size_bytes)}"
    return f"{said}{_costs(plain, other)}"


def _no_help(answer: Answer, name: str) -> str:
    if answer.stretches and answer.stretches[-1].verdict == "too busy":
        return "it is too busy to say"
    if answer.stretches and all(stretch.verdict == "yes" for stretch in answer.stretches):
        return "nothing is needed"
    if answer.series is None:
        return "no alternative was measured"
    known, unknown = answer.unhelped()
    if not known:
        return f"it is not known whether {name} hides more"
    said = f"{name} hides little or no more"
    if unknown:
        return f"{said} at {_sizes(known)}; at {_sizes(unknown)} that is not known"
    if answer.header.get("locality") == "same-node":
        return f"{said}: the ranks' own cores copy the data"
    return said


def _sizes(points: Sequence[OverlapPoint]) -> str:
    *first, last = (size_label(point.size_bytes) for point in points)
    return f"{', '.join(first)} and {last}" if first else last


def _costs(plain: OverlapPoint, other: OverlapPoint) -> str:
    kappa, own_s, plain_s = other.value("kappa"), other.value("T_c"), plain.value("T_c")
    said = []
    if kappa is not None:
        said.append(f"computation {ratio(kappa)} (kappa)")
    if own_s and plain_s:
        said.append(f"the exchange {ratio(own_s / plain_s)} (T_c)")
    return f"; {', '.join(said)} times as long" if said else ""


def meaning_text(answers: Sequence[Answer]) -> str:
    """What a program gains that spends 30 % of its time in halo exchange."""
    said: list[tuple[str, str]] = []  # of each place, with the size
    for answer in answers:
        plain = next((p for p in reversed(answer.plain) if p.value("eta") is not None), None)
        gain = saving(plain, plain) if plain is not None else None
        if plain is None or gain is None:
            continue
        text = f"{_change(gain)} {within(answer)}"
        other = answer.other_at(plain.size_bytes)
        if other is not None and any(one is other for _, one in answer.helped()):
            more = saving(other, plain)
            text += "" if more is None else f" ({_change(more)} with {short_name(answer.series)})"
        said.append((text, f"at {size_label(plain.size_bytes)}"))
    if not said:
        return f"No figure says what {_PROGRAM} would gain."
    sizes = {size for _, size in said}
    if len(sizes) == 1:
        program, times = f"{_PROGRAM}, {sizes.pop()},", [text for text, _ in said]
    else:
        program, times = _PROGRAM, [f"{text} {size}" for text, size in said]
    return f"{capital(program)} would take {', '.join(times)} if it computed at the same time."


def _change(gain: float) -> str:
    if abs(gain) < _SAME:
        return "as long as before"
    return f"{percent(abs(gain))} % {'less' if gain >= 0 else 'more'} time"
