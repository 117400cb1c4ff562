# SPDX-License-Identifier: BSD-3-Clause
"""Checks the findings in section 6 of the probes' paper on its simulated machines.

Pencils without computation calibrate gap_queue_s of the platform; the other findings are out of sample.
Problems are smaller than in the paper (N = 1024 instead of 8192), because SMPI's cost grows with the square
of the messages in flight. The graphs of the schedules are compared with the simulator at this size, and then
evaluated at the paper's.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.harness.checks import Check, Checks, Result, Table, exactly
from bench.harness.runner import Context
from stretto.data.profile import Figure, Profile
from stretto.data.profile_file import write_profile
from stretto.data.samples import Samples
from stretto.launch.platforms import find_platform
from stretto.model.derive import derive_results
from stretto.model.fit import fit_profile
from validation.commands import document
from validation.papers.probe_machine import RANKS, RANKS_PER_NODE, simulated_rows, simulated_samples
from validation.papers.simulation import row_value

PENCILS_SLOWER = {"jacquard": 1.10, "bassi": 1.40}
SAME = 0.02  # reading accuracy of the paper's figures
HIDES = {"jacquard"}  # at the largest scale, its network is as fast as the transforms
AGREE = 0.05
SCHEDULES = ("exchange", "slabs", "pencils")
SIMULATED_ROWS, PAPERS_ROWS, ROW_LENGTH = 1024, 8192, 512
SCALES = (0.0, 1.0, 4.0, 8.0)  # the last one is the paper's "constant flops"
Times = Mapping[tuple[str, float], float]  # seconds, by schedule and scale


@dataclasses.dataclass(frozen=True)
class Finding:
    """A statement of the paper, whether it holds here, and the figures."""

    name: str
    holds: bool
    figures: str


def run(context: Context) -> Iterator[Result]:
    """Yields one row per finding."""
    for platform in context.options.machines or list(RANKS_PER_NODE):
        result = [one for part in (many_small, few_large, sparse) for one in part(platform)]
        rows = [(one.name, "holds" if one.holds else "fails", one.figures) for one in result]
        yield Table(f"{platform}, {RANKS} simulated ranks", ("finding", "here", "figures"), rows)
        holding = exactly(sum(one.holds for one in result))
        yield Checks(
            platform, [Check(f"{platform}: findings that hold", "the paper", holding, len(result), True)]
        )


def many_small(platform: str) -> Iterator[Finding]:
    """Sections 6.2, 6.3 and 6.5: without computation, and with that of the transforms."""
    size = ("--rows", str(SIMULATED_ROWS), "--row-length", str(ROW_LENGTH))
    samples = simulated_samples(platform, "ft", *size, "--scale", ",".join(f"{one:g}" for one in SCALES))
    simulated = derive_results(samples).rows
    times = {
        (schedule, scale): row_value(simulated, "time", schedule=schedule, scale=scale)
        for schedule in SCHEDULES
        for scale in SCALES
    }
    with TemporaryDirectory() as directory:
        profile = Path(directory) / "profile.json"
        write_profile(profile_of_graphs(platform, samples), profile)
        graphs = {rows: graph_times(profile, rows) for rows in (SIMULATED_ROWS, PAPERS_ROWS)}
    yield from ordered(platform, f"N = {SIMULATED_ROWS}", times)
    off = {key: graphs[SIMULATED_ROWS][key] / time_s - 1 for key, time_s in times.items()}
    mean = sum(map(abs, off.values())) / len(off)
    worst = ", ".join(f"{name} {max((off[name, s] for s in SCALES), key=abs):+.1%}" for name in SCHEDULES)
    name = f"N = {SIMULATED_ROWS}: graphs take what was simulated"
    yield Finding(name, mean <= AGREE, f"{mean:.1%} in the mean; at worst {worst}")
    yield from ordered(platform, f"N = {PAPERS_ROWS}, graph", graphs[PAPERS_ROWS])


def ordered(platform: str, where: str, times: Times) -> Iterator[Finding]:
    """Exchange, slabs and pencils with many messages: sections 6.2, 6.3 and 6.5."""

    def ratios(one: str, other: str, scales: Sequence[float] = SCALES) -> list[float]:
        return [times[one, scale] / times[other, scale] for scale in scales]

    slabs, pencils = ratios("slabs", "exchange"), ratios("pencils", "exchange")
    yield Finding(f"{where}, no computation: exchange = slabs", abs(slabs[0] - 1) <= SAME, f"{slabs[0]:.3f}")
    calibrated = PENCILS_SLOWER[platform]
    close = abs(pencils[0] - calibrated) <= 0.1
    yield Finding(
        f"{where}, no computation: pencils {calibrated:.2f} (calibrates)", close, f"{pencils[0]:.3f}"
    )
    text = "of exchange " + ", ".join(f"{one:.2f}" for one in slabs[1:])
    yield Finding(f"{where}: slabs beat exchange with any computation", max(slabs[1:]) < 1, text)
    text = "of exchange " + ", ".join(f"{one:.2f}" for one in pencils)
    crosses = pencils[0] > 1 > pencils[-1]
    yield Finding(f"{where}: pencils beat exchange as computation grows", crosses, text)
    for name in ("slabs", "pencils"):
        balanced = [times[name, scale] for scale in SCALES[:-1]]
        change = max(balanced) / min(balanced)
        yield Finding(f"{where}: {name} constant up to scale {SCALES[-2]:g}", change <= 1.1, f"{change:.3f}")
    (last,) = ratios("pencils", "slabs", SCALES[-1:])
    if platform in HIDES:
        yield Finding(f"{where}, constant flops: slabs = pencils", abs(last - 1) <= SAME, f"{last:.3f}")
    else:
        yield Finding(f"{where}, constant flops: slabs < pencils", last > 1 + SAME, f"{last:.3f}")
    yield Finding(f"{where}, constant flops: pencils < exchange", pencils[-1] < 1, f"{pencils[-1]:.3f}")


def profile_of_graphs(platform: str, samples: Samples) -> Profile:
    """A profile with LogGP from the probe, compute rates from `samples` of `ft`, and the platform's injection
    queue, which only `ft` and `spmv` simulate.
    """
    fitted = fit_profile([simulated_samples(platform, "loggp", "--operation", "put"), samples])
    return with_injection_queue(fitted, find_platform(platform).figure("gap_queue_s", 0.0))


def with_injection_queue(profile: Profile, gap_queue_s: float) -> Profile:
    """The profile with the same g of the injection queue for all sizes."""
    queue = Figure(gap_queue_s)
    loggp = tuple(
        dataclasses.replace(
            entry, ranges=tuple(dataclasses.replace(r, gap_queue_s=queue) for r in entry.ranges)
        )
        for entry in profile.loggp
    )
    return dataclasses.replace(profile, loggp=loggp)


def graph_times(profile: Path, rows: int) -> Times:
    """The times of the schedules' graphs with G of all ranks at once (bar E)."""
    result: dict[tuple[str, float], float] = {}
    for scale in SCALES:
        size = ("--rows", str(rows), "--row-length", str(ROW_LENGTH), "--scale", str(scale))
        where = ("--profile", str(profile), "--ranks", str(RANKS), "--bar", "E")
        answer = document("predict ft", *where, *size)
        result |= {(row["schedule"], scale): row["time_s"]["value"] for row in answer["rows"]}
    return result


def few_large(platform: str) -> Iterator[Finding]:
    """Section 6.4: with N = P, slabs and pencils have the same messages; times are flat up to balance."""
    rows = simulated_rows(platform, "ft", "--rows", "32", "--row-length", "16384", "--scale", "0,0.5,balance")
    scales = sorted({float(row.axes["scale"]) for row in rows if row.metric == "gain_bound"})
    for scale in scales:
        slabs, pencils = (row_value(rows, "time", schedule=s, scale=scale) for s in ("slabs", "pencils"))
        yield Finding(
            f"few-large, scale {scale:.2g}: slabs = pencils",
            abs(slabs / pencils - 1) <= SAME,
            f"{slabs / pencils:.3f}",
        )
    flat = row_value(rows, "time", schedule="slabs", scale=scales[0]) / row_value(
        rows, "time", schedule="slabs", scale=0.0
    )
    yield Finding("few-large: flat while computation is less", flat <= 1.1, f"{flat:.3f} of no computation")
    gain = row_value(rows, "gain", schedule="slabs", scale=scales[-1])
    bound = row_value(rows, "gain_bound", scale=scales[-1])
    yield Finding("few-large, balance: slabs 1.8 times exchange", gain >= 1.8, f"{gain:.2f} of {bound:.2f}")


def sparse(platform: str) -> Iterator[Finding]:
    """Sections 6.2 to 6.4: the effect of prefetch on gather and scatter, and that bulk is slowest."""
    rows = simulated_rows(platform, "spmv", "--nonzeros", "4e-5", "--prefetch", "1,2,4,8,31")
    bulk = row_value(rows, "time", schedule="bulk")
    times = {
        name: [row_value(rows, "time", schedule=name, prefetch=depth) for depth in (1, 2, 4, 8, 31)]
        for name in ("gather", "scatter")
    }
    near = times["gather"][0] / min(times["gather"])
    yield Finding("spmv: gather with prefetch 1 near best", near <= 1.05, f"{near:.3f} of its best")
    spread = {name: max(t[:4]) / min(t[:4]) for name, t in times.items()}
    text = ", ".join(f"{name} {value:.3f}" for name, value in spread.items())
    yield Finding("spmv: scatter more variable at low prefetch", spread["scatter"] > spread["gather"], text)
    worst = bulk >= max(times["gather"])
    yield Finding(
        "spmv: bulk worst",
        worst,
        f"bulk {bulk * 1e3:.2f} ms, gather at most {max(times['gather']) * 1e3:.2f}",
    )
