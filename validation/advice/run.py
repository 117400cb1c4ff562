# SPDX-License-Identifier: BSD-3-Clause
"""Compares what `stretto potential` advises with the known best change of programs, about half of them traps.

Each naive form is recorded by byte on this machine; the advice is for that network and for a slow one, on
which the messages are worth hiding. Precision: no advice would break its program. Recall: the best change is
among the advice.

`advice-gain` runs the naive and the changed form between two emulated hosts, alternating (needs root, and a
quiet machine), the latter without and with a progress thread. The gain that the advice promises on their
network, with a thread where the advice says so, must be within 10 % of the run's time. `--turns` is the
number of runs of each. Messages have at least twice the size from which an emulated link shows its rate
(docs/decisions/emulated-network.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.harness.checks import Check, Checks, Result, Table, exactly, ratio_of_medians
from bench.harness.pair import EmulatedPair, emulated_pair
from bench.harness.runner import Context
from stretto.errors import RunError
from stretto.model.statistics import Estimate
from validation.advice.expectations import (
    Program,
    Said,
    found,
    judged,
    programs,
    reasons_of_misses,
    said,
)
from validation.advice.runs import Toolchain, compiled, recorded, result_of, seconds_between_hosts, toolchains
from validation.commands import document
from validation.whatif import measured_network

RATE = "500mbit"
NETWORK = ("--latency", "100us", "--bandwidth", "59.5MB/s")
"""About that of the hosts, so that the advice is the same without root."""
ROUNDS, TURNS = 11, 7
CLOSE = 0.1
"""Of the run's time, between the gain promised and the gain measured."""


@dataclass(frozen=True)
class Measured:
    """The gains of the changed form between the hosts, without and with a progress thread, and what was
    promised, for which of the two; None: nothing was.
    """

    promised: float | None
    with_thread: bool
    plain: Estimate
    threaded: Estimate

    @property
    def gained(self) -> Estimate:
        """The gain that was promised."""
        return self.threaded if self.with_thread else self.plain


def run(context: Context) -> Iterator[Result]:
    """Yields what was said of each program."""
    known = toolchains(context)
    chosen = [one for one in programs() if one.language in known]
    with TemporaryDirectory() as made:
        directory = Path(made)
        yield _forms(known, chosen, directory)
        advice = {}
        for one in chosen:
            (directory / one.name).mkdir()
            trace = recorded(known[one.language], one, directory / one.name)
            advice[one.name] = _advice_of(trace)
        yield from _answers(chosen, advice)


def run_gain(context: Context) -> Iterator[Result]:
    """Yields the gains between two hosts, of the changes that are not "nothing".

    Raises:
        RunError: The machine is too busy for an emulated network.
    """
    known = toolchains(context)
    chosen = [one for one in programs() if one.language in known and one.best.kind != "nothing"]
    with TemporaryDirectory() as made, emulated_pair(context, RATE, ROUNDS) as pair:
        directory = Path(made)
        for one in chosen:
            (directory / one.name).mkdir()
            recorded(known[one.language], one, directory / one.name)
        yield from _gains(context, pair, known, chosen, directory)


def _forms(known: Mapping[str, Toolchain], chosen: Sequence[Program], directory: Path) -> Checks:
    """Whether the right changes keep the results, and the tempting ones do not."""
    kept: dict[str, bool] = {}
    tempting: dict[str, bool] = {}
    for one in chosen:
        tools = known[one.language]
        naive = result_of(tools, one, "NAIVE", directory)
        if one.best.kind != "nothing":
            kept[one.name] = result_of(tools, one, "CHANGED", directory) == naive
        if one.trap:
            tempting[one.name] = result_of(tools, one, "TEMPTING", directory) != naive
    checks = [_all_of("changed: the same result", kept), _all_of("tempting: another result", tempting)]
    return Checks("The programs' own results", checks)


def _all_of(what: str, holds: Mapping[str, bool]) -> Check:
    """That something holds for all programs; those for which it does not are named."""
    failing = ", ".join(name for name, one in holds.items() if not one)
    against = "naive" + (f", not {failing}" if failing else "")
    return Check(f"{what}, of {len(holds)}", against, exactly(sum(holds.values())), len(holds), at_least=True)


def _answers(chosen: Sequence[Program], advice: Mapping[str, Sequence[Said]]) -> Iterator[Result]:
    rows: list[tuple[str, ...]] = []
    missed: list[tuple[str, ...]] = []
    reasons = reasons_of_misses("advice")
    breaking = hits = 0
    for one in chosen:
        of_it = advice[one.name]
        verdicts = [judged(one, each) for each in of_it]
        breaking += verdicts.count("would break")
        hit = found(one, of_it)
        hits += hit
        misses = (["would break"] if "would break" in verdicts else []) + ([] if hit else ["not found"])
        if one.name in reasons and not misses:
            misses = ["found after a mend"]
        missed += [(one.name, what, reasons.get(one.name, "not known")) for what in misses]
        best = one.best.kind + (f" at {one.best.sites[0]}" if one.best.sites else "")
        rows.append((one.name, one.language, one.trap or "-", best, "yes" if hit else "no", ""))
        said_once = dict.fromkeys(
            (f"{each.kind} at {each.site}", verdict, each.text) for each, verdict in zip(of_it, verdicts)
        )
        rows += [("", "", "", *row) for row in said_once]
    columns = ("program", "language", "trap", "best, and what was said", "found", "text")
    yield Table("What potential says of the naive forms", columns, rows)
    if missed:
        yield Table("Misses, and why", ("program", "what", "why"), missed)
    yield Checks(
        f"Advice for {len(chosen)} programs",
        [
            Check("advice that would break its program", "none", exactly(breaking), 0),
            Check("best changes found", "all programs", exactly(hits), len(chosen), at_least=True),
        ],
    )


def _gains(
    context: Context,
    pair: EmulatedPair,
    known: Mapping[str, Toolchain],
    chosen: Sequence[Program],
    directory: Path,
) -> Iterator[Result]:
    network = _options(measured_network(pair, directory / "profile.json"))
    rows, checks = [], []
    missed: list[tuple[str, str]] = []
    reasons = reasons_of_misses("advice-gain")
    for one in chosen:
        measured = _gain(context, pair, known[one.language], one, directory, network)
        promised = "-" if measured.promised is None else f"{100 * measured.promised:.1f}"
        promised += ", with thread" if measured.with_thread else ""
        rows.append((one.name, one.best.kind, promised, _said(measured.plain), _said(measured.threaded)))
        if measured.promised is not None:
            off = _off(measured)
            checks.append(Check(f"{one.name}, promised", "measured", off, CLOSE))
            if off.value > CLOSE:
                missed.append((one.name, reasons.get(one.name, "not known")))
    columns = ("program", "change", "promised (%)", "measured (%)", "with thread (%)")
    yield Table(f"Gains between two hosts at {RATE}, of the run's time", columns, rows)
    if missed:
        yield Table("Misses, and why", ("program", "why"), missed)
    yield Checks("Difference of the gains, as a part of the run's time", checks)


def _gain(
    context: Context,
    pair: EmulatedPair,
    tools: Toolchain,
    program: Program,
    directory: Path,
    network: Sequence[str],
) -> Measured:
    trace = directory / program.name / f"{program.name}-trace"
    advice = said(document("potential", str(trace), *network))
    best = [one for one in advice if judged(program, one) == "best"]
    naive, changed = (compiled(tools, program, form, directory) for form in ("NAIVE", "CHANGED"))
    ways = ((naive, False), (changed, False), (changed, True))
    times: list[list[float]] = [[] for _ in ways]
    for _ in range(context.repetitions(TURNS)):
        for (target, thread), taken in zip(ways, times):
            taken.append(seconds_between_hosts(pair, tools, program, target, thread))
    plain, threaded = (_gained(times[0], taken) for taken in times[1:])
    promised = max((one.gain for one in best), default=None)
    return Measured(promised, any(one.with_thread for one in best), plain, threaded)


def _gained(naive_s: Sequence[float], changed_s: Sequence[float]) -> Estimate:
    ratio = ratio_of_medians(changed_s, naive_s)
    return Estimate(1 - ratio.value, 1 - ratio.ci95_high, 1 - ratio.ci95_low, ratio.n)


def _said(gained: Estimate) -> str:
    return f"{100 * gained.value:.1f} ({100 * gained.ci95_low:.1f} to {100 * gained.ci95_high:.1f})"


def _advice_of(trace: Path) -> list[Said]:
    """What `potential` says of a trace: on the network of its recording, and on a slow one."""
    return [*said(document("potential", str(trace))), *said(document("potential", str(trace), *NETWORK))]


def _options(network: Sequence[str]) -> Sequence[str]:
    """The options of `potential` for a network as `replay` takes it."""
    if network[0] != "--loggp":
        return network
    latency, gap = (float(part.partition("=")[2]) for part in network[1].split(","))
    return "--latency", f"{latency * 1e9:.0f}ns", "--bandwidth", f"{1 / gap:.0f}B/s"


def _off(measured: Measured) -> Estimate:
    """The distance of the promise from the measured gain; the interval is that of the measurement."""
    if measured.promised is None:
        raise RunError("no gain was promised")
    ends = [abs(measured.promised - end) for end in (measured.gained.ci95_low, measured.gained.ci95_high)]
    inside = measured.gained.ci95_low <= measured.promised <= measured.gained.ci95_high
    value = abs(measured.promised - measured.gained.value)
    return Estimate(value, 0.0 if inside else min(ends), max(ends), measured.gained.n)
