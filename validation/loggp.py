# SPDX-License-Identifier: BSD-3-Clause
"""LogGP parameters of every simulated machine: those that went in against those that came out.

Nothing is noisy there, so that what remains is the method's own error. SMPI sends 16 bytes more with each
message (its envelope), which LogGP counts to L together with the first byte. It charges o_r only to eager
messages, and has no g: one that is shorter than the overheads cannot be had from any range.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.harness.checks import Check, Checks, Result, Table, exactly
from bench.harness.runner import Context
from stretto.data.profile import Figure, LogGPEntry, LogGPRange, Profile
from stretto.data.profile_file import read_profile
from stretto.data.sizes import format_size
from stretto.launch.platforms import Platform, list_platforms
from validation.commands import stretto

TOLERANCE = 0.02
ENVELOPE_BYTES = 16 + 1  # of SMPI, and the first byte, which LogGP does not count to G
METHODS = ("spaced-trains", "pencils")
COLUMNS = ("sizes", "parameter", "stated", "spaced trains", "off", "paper's method", "off")
_PARAMETERS = {
    "L (us)": ("latency_s", 1e6),
    "o_s (us)": ("overhead_send_s", 1e6),
    "o_r (us)": ("overhead_receive_s", 1e6),
    "g (us)": ("gap_s", 1e6),
    "G (ns/B)": ("gap_s_per_byte", 1e9),
}


@dataclass(frozen=True)
class Line:
    """A parameter in a range: what was stated, and what each method found; None: it does not have it."""

    sizes: str
    name: str
    stated: tuple[float | None, float | None]  # by method: G of the paper's method is that of both ways
    found: tuple[Figure | None, Figure | None]

    @property
    def deviations(self) -> tuple[float | None, float | None]:
        """Relative, of the methods that have a value and a stated one."""
        first, second = (
            found.value / stated - 1 if stated and found is not None and found.value is not None else None
            for stated, found in zip(self.stated, self.found, strict=True)
        )
        return first, second

    @property
    def cells(self) -> tuple[str, ...]:
        """A row of the table, in the parameter's unit."""
        factor = _PARAMETERS[self.name][1] if self.name in _PARAMETERS else 1.0
        stated = " / ".join(
            dict.fromkeys(f"{factor * value:.6g}" for value in self.stated if value is not None)
        )
        shown = [self.sizes, self.name, stated or "-"]
        for found, deviation in zip(self.found, self.deviations, strict=True):
            shown.append("-" if found is None else _shown(found, factor))
            shown.append("-" if deviation is None else f"{100 * deviation:+.1f} %")
        return tuple(shown)


def _shown(figure: Figure, factor: float) -> str:
    return "not to be had" if figure.value is None else f"{factor * figure.value:.6g}"


def run(context: Context) -> Iterator[Result]:
    """A table per platform, and the largest deviation of each as a check."""
    checks = []
    for platform in list_platforms():
        if context.options.machines and platform.name not in context.options.machines:
            continue
        lines = _lines(platform, _measured(platform, context.output))
        yield Table(f"{platform.name}, two simulated ranks", COLUMNS, [line.cells for line in lines])
        found = [abs(one) for line in lines for one in line.deviations if one is not None]
        checks.append(Check(platform.name, "stated", exactly(max(found)), TOLERANCE))
    yield Checks("Largest deviation of each platform", checks)


def _measured(platform: Platform, output: Path) -> Profile:
    """The profile of a run of the probe without noise."""
    directory = output / platform.name
    place = ("--on", "simulated", "--platform", platform.name, "-n", "2", "--ranks-per-node", "1")
    stretto("probe", "loggp", *place, "--transport", "mpi-two-sided", "-o", str(directory), "--force")
    return read_profile(directory / "profile.json")


def _lines(platform: Platform, profile: Profile) -> list[Line]:
    entries = [
        next((one for one in profile.loggp if one.operation == "send" and one.method == method), None)
        for method in METHODS
    ]
    limit = next(one.eager_bytes for one in profile.transfer_times if one.operation == "send")
    stated = platform.figure("eager_limit_bytes", 0)
    # A platform states from which size on sends wait; the profile has the largest size that does not.
    first = None if limit is None or limit.value is None else Figure(limit.value + 1)
    lines = [Line("", "eager limit (B)", (stated, None), (first, None))]
    for fitted in entries[0].ranges if entries[0] else ():
        eager = fitted.size_min_bytes < stated
        lines += _range_lines(platform, fitted, _same_range(entries[1], fitted), eager)
    return lines


def _same_range(entry: LogGPEntry | None, fitted: LogGPRange) -> LogGPRange | None:
    ranges = entry.ranges if entry else ()
    return next((one for one in ranges if one.size_min_bytes == fitted.size_min_bytes), None)


def _range_lines(
    platform: Platform, trains: LogGPRange, pencils: LogGPRange | None, eager: bool
) -> Iterator[Line]:
    sizes = f"{format_size(trains.size_min_bytes)}..{format_size(trains.size_max_bytes)}"
    for name, (member, _) in _PARAMETERS.items():
        found: list[Figure | None] = [getattr(trains, member), getattr(pencils, member, None)]
        if member == "gap_s" and found[0] is None:
            found = [Figure(None), None]
        one_way, both_ways = _stated(platform, member, eager)
        yield Line(sizes, name, (one_way, both_ways if found[1] is not None else None), (found[0], found[1]))


def _stated(platform: Platform, member: str, eager: bool) -> tuple[float | None, float | None]:
    """What the simulator was given, by method."""
    per_byte = 1 / platform.figure("bandwidth_bytes_per_s", 1.0)
    bus = platform.figure("bus_bandwidth_bytes_per_s", 0.0)
    stated = {
        "latency_s": platform.figure("wire_latency_s", 0.0) + ENVELOPE_BYTES * per_byte,
        "overhead_send_s": platform.figure("overhead_send_s", 0.0),
        "overhead_receive_s": platform.figure("overhead_receive_s", 0.0) if eager else 0.0,
        "gap_s_per_byte": per_byte,
    }
    both_ways = {**stated, "gap_s_per_byte": max(per_byte, 2 / bus) if bus else per_byte}
    return stated.get(member), both_ways.get(member)
