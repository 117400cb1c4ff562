# SPDX-License-Identifier: BSD-3-Clause
"""Predicts the times of programs on other networks from traces at one rate, and measures them there.

Every program runs between two emulated hosts with the recorder. A trace at the recorded rate is replayed on
the measured network of each rate; the time there is that of a run that was recorded, too. Each network is
measured once for a rate and an MPI, and kept as `stretto gain` keeps it. Each finished program is kept.
A run whose ranks waited for cores is made again, whatever its time.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from bench.harness.builds import mpiexec_of
from bench.harness.checks import Check, Checks, Result, Table, exactly
from bench.harness.runner import Context
from stretto.data.trace_directory import open_trace
from stretto.data.trace_names import traces_in
from stretto.errors import RunError, UserError
from stretto.launch.application import Application, Place, placed
from stretto.launch.cluster import EmulatedNetwork
from stretto.launch.kept_network import KeptNetwork
from stretto.launch.mpi import MpiLibrary, find_mpi
from stretto.launch.mpi_command import mpi_program
from stretto.launch.network_probe import ProbedNetwork, probe_network
from stretto.launch.others_load import OthersLoad
from stretto.launch.pairs import checked_run
from stretto.launch.preload import preload_variables
from stretto.launch.recording import recorder_variables
from stretto.potential.progress_gain import Calls, calls_of, replay_with_progress
from stretto.potential.sites import Cost
from validation.network_misses import TOLERANCE, Prediction, TracedRun, reason, traced_run
from validation.network_programs import programs_of

RECORDED, ELSEWHERE = "500mbit", ("100mbit", "1gbit")
RATES = (RECORDED, *ELSEWHERE)
RANKS, TURNS = 2, 3
_PROGRAMS = 10  # that must be predicted
_ATTEMPTS = 4  # a busy moment of the machine fails the self-test of an emulated network, and spoils a run
_WAITED = 0.05  # of a rank's time, for a core: such a run says nothing about its network


@dataclass(frozen=True)
class Predicted:
    """A program's predictions by rate; `error`: why there are none."""

    rates: Mapping[str, Prediction]
    error: str = ""


def run(context: Context) -> Iterator[Result]:
    """Runs each program at the rates, interleaved, and replays its traces.

    Raises:
        RunError: an emulated network failed its self-test, or a network could not be measured.
    """
    mpi = find_mpi(mpiexec_of(context.build))
    directory = context.output / f"{mpi.family}-{mpi.version}"
    directory.mkdir(parents=True, exist_ok=True)
    prefixes = tuple(context.options.only.split(",")) if context.options.only else ("",)
    programs = {
        name: words for name, words in programs_of(context, directory).items() if name.startswith(prefixes)
    }
    if not programs:
        raise UserError(f"--only {context.options.only}: no program's name begins so")
    others = OthersLoad()
    found: dict[str, Predicted] = {}
    with ExitStack() as stack:
        places: dict[str, _Rate] = {}
        for name, words in programs.items():
            file = directory / f"{name.replace(' ', '-').replace(',', '')}.json"
            if context.options.keep and (kept := _read(file)) is not None:
                found[name] = kept
                continue
            if not places:
                places = {rate: _rate(stack, mpi, context.build, rate) for rate in RATES}
            others.look()
            found[name] = _predicted(places, words, directory / "traces", context.repetitions(TURNS))
            others.look()
            if not found[name].error:
                _write(file, found[name])
            print(f"# {name}: {_progress(found[name])}", flush=True)
    yield _table(mpi, found)
    load = others.load(RANKS)
    if load is not None:
        cells = [(f"{load.others_cores:.2f}", f"{load.stolen_cores:.2f}", str(load.cores))]
        yield Table("Between the runs", ("cores of other programs", "of the hypervisor", "cores"), cells)
    least = min(_PROGRAMS, len(programs))
    checks = []
    for rate in ELSEWHERE:
        holding = sum(
            rate in one.rates and abs(one.rates[rate].error()) <= TOLERANCE for one in found.values()
        )
        what = f"programs of {len(programs)} predicted within {TOLERANCE:.0%} at {rate}"
        checks.append(Check(what, f"recorded at {RECORDED}", exactly(holding), least, at_least=True))
    yield Checks(f"Predictions across networks, {mpi.family} {mpi.version}", checks)


@dataclass(frozen=True)
class _Rate:
    """Two hosts at a rate, and what is known of their network."""

    place: Place
    network: KeptNetwork


def _rate(stack: ExitStack, mpi: MpiLibrary, directory: Path, rate: str) -> _Rate:
    """Two hosts at a rate, until the stack ends."""
    probe = str(directory / "bin" / "stretto-probe")
    application = Application((probe,), RANKS, EmulatedNetwork(2, rate), mpi=str(mpi.mpiexec))
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            place = stack.enter_context(placed(application))
            return _Rate(place, KeptNetwork.of(place, {}))
        except RunError:
            if attempt == _ATTEMPTS:
                raise
    raise AssertionError  # the last attempt has returned or raised


def _predicted(places: Mapping[str, _Rate], words: Sequence[str], into: Path, turns: int) -> Predicted:
    """The predictions of a program; its traces are removed."""
    replayed: dict[str, list[float]] = {rate: [] for rate in RATES}
    runs: dict[str, list[TracedRun]] = {rate: [] for rate in RATES}
    try:
        for _ in range(turns):
            for rate, place in places.items():
                trace = into / rate
                runs[rate].append(_steady_run(place, words, trace))
                if rate == RECORDED:
                    calls = calls_of(open_trace(trace))
                    for other in RATES:
                        replayed[other].append(_replay(places[other], trace, calls)["makespan_s"])
    except (RunError, UserError) as error:
        return Predicted({}, str(error).splitlines()[0])
    finally:
        shutil.rmtree(into, ignore_errors=True)
    return Predicted({rate: Prediction(rate, replayed[rate], runs[rate], runs[RECORDED]) for rate in RATES})


def _steady_run(rate: _Rate, words: Sequence[str], trace: Path) -> TracedRun:
    """A run whose ranks hardly waited for cores, or the last of some; leaves its trace."""
    for _ in range(_ATTEMPTS):
        shutil.rmtree(trace, ignore_errors=True)
        trace.mkdir(parents=True)
        _record(rate.place, words, trace)
        calls = calls_of(open_trace(trace))
        span_s = float(_replay(rate, trace, calls)["trace"]["span_s"])
        run = traced_run(trace, span_s, _cost(_network(rate, calls)))
        if run.waited <= _WAITED:
            break
    return run


def _record(place: Place, words: Sequence[str], trace: Path) -> None:
    # The library that the program is linked with may have another binary interface than the launcher's.
    mpi = mpi_program(tuple(words), str(place.mpi.mpiexec)).mpi
    variables = {**recorder_variables(trace, "off"), **preload_variables(["trace"], mpi)}
    program = Path(shutil.which(words[0]) or words[0])
    checked_run(place, place.launch_pair(program, words[1:], variables))
    if not traces_in(trace):
        raise RunError(f"{words[0]}: left no trace")


def _network(rate: _Rate, calls: Calls) -> ProbedNetwork:
    """The network of a rate for a program's messages, in two attempts: a moment that spoils one passes."""
    try:
        return probe_network(rate.place, calls.mean_bytes, {}, rate.network)
    except RunError:
        return probe_network(rate.place, calls.mean_bytes, {}, rate.network)


def _cost(network: ProbedNetwork) -> Cost:
    """What one message alone costs."""
    return Cost(network.latency_s, 0.0, times=((0, network.latency_s), *network.times))


def _replay(rate: _Rate, trace: Path, calls: Calls) -> dict[str, Any]:
    """The replay of a trace with these calls on the network of a rate, with progress inside calls."""
    network = _network(rate, calls).text(calls.overhead_s)
    return replay_with_progress(trace, network, "inside-calls")


def _table(mpi: MpiLibrary, found: Mapping[str, Predicted]) -> Table:
    rows = []
    for name, one in found.items():
        if one.error:
            rows.append((name, *["-"] * 6, one.error))
            continue
        here = one.rates[RECORDED]
        recorded_s = median(run.span_s for run in here.measured)
        cells = [f"{recorded_s:.2f}", f"{100 * here.error():+.1f}"]
        for rate in ELSEWHERE:
            there = one.rates[rate]
            times = median(there.predicted_s), median(run.span_s for run in there.measured)
            cells += ["{:.2f} of {:.2f}".format(*times), f"{100 * there.error():+.1f}"]
        rows.append((name, *cells, _why(one.rates)))
    columns = ["program", "recorded (s)", "replay (%)"]
    for rate in ELSEWHERE:
        columns += [f"{rate} (s)", "error (%)"]
    title = f"Recorded at {RECORDED}, {mpi.family} {mpi.version}; predicted of measured seconds elsewhere"
    return Table(title, (*columns, "why"), rows)


def _why(rates: Mapping[str, Prediction]) -> str:
    """The reasons of all misses, each with its rates."""
    of: dict[str, list[str]] = {}
    for rate, found in rates.items():
        if text := reason(found, rates[RECORDED]):
            of.setdefault(text, []).append(rate)
    return "; ".join(f"{', '.join(at)}: {text}" for text, at in of.items())


def _progress(one: Predicted) -> str:
    if one.error:
        return one.error
    return ", ".join(f"{rate} {100 * found.error():+.1f} %" for rate, found in one.rates.items())


def _write(file: Path, one: Predicted) -> None:
    file.write_text(json.dumps({rate: asdict(found) for rate, found in one.rates.items()}), encoding="utf-8")


def _read(file: Path) -> Predicted | None:
    """What an earlier run has finished; None where it has not."""
    if not file.is_file():
        return None
    rates = {}
    for rate, members in json.loads(file.read_text(encoding="utf-8")).items():
        for runs in ("measured", "recorded"):
            members[runs] = [TracedRun(**one) for one in members[runs]]
        rates[rate] = Prediction(**members)
    return Predicted(rates)
