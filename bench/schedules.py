# SPDX-License-Identifier: BSD-3-Clause
"""The findings of the architectural probes, section 6, on the paper's machines, simulated: named checks.

`no-computation` calibrates (gap_queue_s of the platform); what follows is out of sample. Smaller than in the
paper (N = 1024, where it has 8192): SMPI's cost grows with the square of the messages under way. A check that
does not hold is told with its figure, and the exit status is 3. Usage: `schedules.py [jacquard|bassi]...`
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from stretto.data.results import ResultRow, read_results

RANKS = 32
RANKS_PER_NODE = {"jacquard": 2, "bassi": 8}
PENCILS_SLOWER = {"jacquard": 1.10, "bassi": 1.40}
SAME = 0.02  # what the paper's figures can be read to


@dataclass(frozen=True)
class Check:
    """A finding, whether it holds here, and the figures that say so."""

    name: str
    holds: bool
    figures: str


def measure(platform: str, probe: str, *options: str) -> Sequence[ResultRow]:
    """The results of a probe on 32 simulated ranks, over one-sided puts and gets."""
    with TemporaryDirectory() as directory:
        output = Path(directory) / "run"
        command = [sys.executable, "-c", "from stretto.commands import main; main()", "probe", probe]
        command += ["-n", str(RANKS), "--on", "simulated", "--platform", platform, "--rounds", "1"]
        command += ["--ranks-per-node", str(RANKS_PER_NODE[platform]), "--transport", "mpi-rma"]
        command += ["--progress", "none", "-o", str(output), *options]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return read_results(output / "results.json").rows


def figure(rows: Sequence[ResultRow], metric: str, **axes: object) -> float:
    """The one value with these axes; infinite scales and the like do not occur."""
    found = [
        row.value
        for row in rows
        if row.metric == metric and all(row.axes.get(name) == value for name, value in axes.items())
    ]
    if len(found) != 1 or found[0] is None:
        raise SystemExit(f"{metric} with {axes}: {len(found)} rows")
    return found[0]


def many_small(platform: str) -> Iterator[Check]:
    """Sections 6.2, 6.3 and 6.5: without computation, and with as much as the rows' transforms are."""
    rows = measure(platform, "ft", "--rows", "1024", "--row-length", "512", "--scale", "0,1,4")
    times = {
        (schedule, scale): figure(rows, "time", schedule=schedule, scale=scale)
        for schedule in ("exchange", "slabs", "pencils")
        for scale in (0.0, 1.0, 4.0)
    }
    slabs, pencils = (times[name, 0.0] / times["exchange", 0.0] for name in ("slabs", "pencils"))
    yield Check("no-computation: exchange = slabs", abs(slabs - 1) <= SAME, f"{slabs:.3f}")
    wanted = PENCILS_SLOWER[platform]
    close = abs(pencils - wanted) <= 0.1
    yield Check(f"no-computation: pencils {wanted:.2f} (calibrates)", close, f"{pencils:.3f}")
    for scale in (1.0, 4.0):
        exchange, slabs, pencils = (times[name, scale] for name in ("exchange", "slabs", "pencils"))
        said = f"exchange {exchange * 1e3:.1f} ms, slabs {slabs * 1e3:.1f}, pencils {pencils * 1e3:.1f}"
        yield Check(f"scale {scale:g}: slabs < exchange", slabs < exchange, said)
        yield Check(f"scale {scale:g}: pencils < exchange", pencils < exchange, said)
        yield Check(f"scale {scale:g}: slabs <= pencils", slabs <= pencils * (1 + SAME), said)


def few_large(platform: str) -> Iterator[Check]:
    """Section 6.4: N = P; slabs and pencils are the same messages, flat until computation outgrows them."""
    rows = measure(platform, "ft", "--rows", "32", "--row-length", "16384", "--scale", "0,0.5,balance")
    scales = sorted({float(row.axes["scale"]) for row in rows if row.metric == "gain_bound"})
    for scale in scales:
        slabs, pencils = (figure(rows, "time", schedule=s, scale=scale) for s in ("slabs", "pencils"))
        yield Check(
            f"few-large, scale {scale:.2g}: slabs = pencils",
            abs(slabs / pencils - 1) <= SAME,
            f"{slabs / pencils:.3f}",
        )
    flat = figure(rows, "time", schedule="slabs", scale=scales[0]) / figure(
        rows, "time", schedule="slabs", scale=0.0
    )
    yield Check("few-large: flat while computation is less", flat <= 1.1, f"{flat:.3f} of no computation")
    gain = figure(rows, "gain", schedule="slabs", scale=scales[-1])
    bound = figure(rows, "gain_bound", scale=scales[-1])
    yield Check("few-large, balance: slabs 1.8 times exchange", gain >= 1.8, f"{gain:.2f} of {bound:.2f}")


def sparse(platform: str) -> Iterator[Check]:
    """Sections 6.2 to 6.4: what prefetch does to gather and scatter, and that bulk is worst."""
    rows = measure(platform, "spmv", "--nonzeros", "4e-5", "--prefetch", "1,2,4,8,31")
    bulk = figure(rows, "time", schedule="bulk")
    times = {
        name: [figure(rows, "time", schedule=name, prefetch=depth) for depth in (1, 2, 4, 8, 31)]
        for name in ("gather", "scatter")
    }
    near = times["gather"][0] / min(times["gather"])
    yield Check("spmv: gather with prefetch 1 near best", near <= 1.05, f"{near:.3f} of its best")
    spread = {name: max(t[:4]) / min(t[:4]) for name, t in times.items()}
    said = ", ".join(f"{name} {value:.3f}" for name, value in spread.items())
    yield Check("spmv: scatter more variable at low prefetch", spread["scatter"] > spread["gather"], said)
    worst = bulk >= max(times["gather"])
    yield Check(
        "spmv: bulk worst",
        worst,
        f"bulk {bulk * 1e3:.2f} ms, gather at most {max(times['gather']) * 1e3:.2f}",
    )


def main() -> int:
    """Prints a line a check."""
    failed = 0
    for platform in sys.argv[1:] or list(RANKS_PER_NODE):
        for part in (many_small, few_large, sparse):
            for check in part(platform):
                failed += not check.holds
                print(
                    f"{platform:9} {'holds' if check.holds else 'FAILS':6} {check.name}: {check.figures}",
                    flush=True,
                )
    return 3 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
