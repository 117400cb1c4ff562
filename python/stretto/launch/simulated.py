# SPDX-License-Identifier: BSD-3-Clause
"""Runs a job on a simulated machine: a program compiled with SMPI, under SimGrid, on a platform file.

It starts `smpimain` directly. The script `smpirun` splits arguments at blanks, and reports success after a
deadlock or MPI_Abort. `docs/decisions/simulated-machines.md` describes the effect of each setting.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import signal
from dataclasses import dataclass, replace
from pathlib import Path

from stretto.errors import Interrupted, UserError
from stretto.launch.job import Job, OnTick, Outcome
from stretto.launch.local import check_job, interrupted_outcome, outcome
from stretto.launch.platforms import Platform, place_ranks
from stretto.launch.session import Session, interruptible

_SETTINGS = {
    "network/model": "CM02",  # latency and bandwidth as stated, without factors fitted on another machine
    "network/crosstraffic": "no",  # no share of the bandwidth is taken for acknowledgements
    "network/TCP-gamma": "0",  # no TCP window over a long path
    "network/optim": "Full",  # the same times as Lazy in two thirds of the processor time
    "surf/precision": "1e-10",  # s; shorter than a small message on a fast link
    "smpi/simulate-computation": "no",  # only the probes' computation takes simulated time
    "smpi/host-speed": "1Gf",  # no effect without simulated computation; SimGrid warns if it is unset
    "smpi/wtime": "1e-8",  # s; cost of reading the clock, and therefore its resolution
    "smpi/test": "1e-7",  # s; cost of MPI_Test. The default is 100 us and grows
    "smpi/iprobe": "1e-7",
    "smpi/grow-injected-times": "no",
    "smpi/privatization": "dlopen",
}
_LOG = re.compile(r"^\[(?P<when>.*?\d+\.\d+)\] (?:\S+:\d+: )?\[[\w/]+/(?P<level>[A-Z]+)\] (?P<text>.*)$")
_BEFORE_ANY_RANK = re.compile(r"0\.0+")  # lines of a rank begin with its host
_NOISE = re.compile(r"^\s*->\s+\d+#|^Backtrace \(displayed|^Error: Did you compile")
_PARSE_ERROR = re.compile(r"Parse error at .*?:(?P<line>\d+): (?:Invalid XML \([^)]*\): )?(?P<reason>.*)")
_NO_ROUTE = re.compile(r"from (\S+) to (\S+) but there is no connecting path")
_EXCEPTION = re.compile(r"^Uncaught exception (?:\S+ by maestro/0|\S+): ")
_NOT_SMPI = re.compile(r"dlopen failed|Cannot read from|Could not resolve entry point")
_ABORTED = 128 + signal.SIGABRT  # SimGrid aborts when it cannot continue
_FAILURES = (
    (re.compile(r"Deadlock detected"), "the ranks wait for each other for ever (deadlock in the simulation)"),
    (re.compile(r"MPI_Abort was called"), "a rank called MPI_Abort"),
)


@dataclass(frozen=True)
class SimulatorOutput:
    """The simulator's output: its errors, the worst first, and the program's own lines.

    `at_start` has the errors from before any rank ran, which concern the platform.
    """

    errors: tuple[str, ...]
    at_start: tuple[str, ...]
    program: str


def simulation_settings(platform: Platform) -> dict[str, str]:
    """All SimGrid settings of a run on `platform`, by option name; results show them."""
    return {**_SETTINGS, **platform.smpi_options()}


def run_simulated(
    job: Job, platform: Platform, on_tick: OnTick | None = None, ranks_per_node: int | None = None
) -> Outcome:
    """Runs `job` to its end on `platform`; `place_ranks` decides the host of each rank.

    Args:
        job: The program, its arguments, ranks, environment and time limit.
        platform: The simulated machine.
        on_tick: Called from time to time during the run.
        ranks_per_node: The ranks on one node; None: as few as possible.

    Raises:
        UserError: the program is not built for the simulator, SimGrid is missing, the platform is too small,
            or SimGrid refuses it.
        RunError: the process that guards the run was killed.
    """
    check_job(job)
    hosts = place_ranks(platform, job.ranks, ranks_per_node)
    smpimain = _find_smpimain()
    try:
        with interruptible(), Session("none") as session:
            argv = _command(job, platform, hosts, smpimain, session.directory)
            paths = {"LD_LIBRARY_PATH": _library_path(smpimain), "TMPDIR": str(session.directory)}
            env = {**paths, **platform.environment(), **job.env}
            ended = session.wait(session.start(argv, env), job.timeout_s, on_tick)
    except Interrupted as interrupted:
        return interrupted_outcome(interrupted)
    return _judge(outcome(ended), job, platform)


def _command(job: Job, platform: Platform, hosts: list[str], smpimain: Path, directory: Path) -> list[str]:
    (directory / "platform.xml").write_bytes(platform.xml)
    (directory / "hosts").write_text("".join(f"{host}\n" for host in hosts), encoding="utf-8")
    settings = {
        **simulation_settings(platform),
        "smpi/np": str(job.ranks),
        "smpi/hostfile": str(directory / "hosts"),
        "smpi/tmpdir": str(directory),  # holds a copy of the program per rank; removed with the session
    }
    return [
        str(smpimain),
        str(job.program.absolute()),
        "--log=xbt_cfg.threshold:warning",
        *(f"--cfg={name}:{value}" for name, value in settings.items()),
        str(directory / "platform.xml"),
        "--",  # the program's arguments follow, even where SimGrid has an option of that name
        *job.arguments,
    ]


def _find_smpimain() -> Path:
    smpirun = shutil.which("smpirun")
    if smpirun is None:
        raise UserError("--on simulated: no smpirun on the PATH; get SimGrid: apt-get install libsimgrid-dev")
    script = Path(smpirun).read_text(encoding="utf-8", errors="replace")
    match = re.search(r'"(/[^"\n]*/smpimain)"', script)
    if match is None or not os.access(match[1], os.X_OK):
        raise UserError(f"{smpirun}: names no smpimain that can be run; install SimGrid 3.32 or later again")
    return Path(match[1])


def _library_path(smpimain: Path) -> str:
    given = os.environ.get("LD_LIBRARY_PATH")
    return f"{smpimain.parent.parent}:{given}" if given else str(smpimain.parent.parent)


def separate_output(stderr: str) -> SimulatorOutput:
    """Separates SimGrid's log from the program's own output on stderr."""
    errors: dict[str, list[str]] = {level: [] for level in ("CRITICAL", "ERROR", "WARNING")}
    at_start = []
    program = []
    for line in stderr.splitlines():
        match = _LOG.match(line)
        if match is None:
            if line.strip() and not _NOISE.match(line):
                program.append(f"{line}\n")
            continue
        text = _EXCEPTION.sub("", match["text"])
        errors.get(match["level"], []).append(text)
        if match["level"] in ("CRITICAL", "ERROR") and _BEFORE_ANY_RANK.fullmatch(match["when"]):
            at_start.append(text)
    return SimulatorOutput(tuple(itertools.chain(*errors.values())), tuple(at_start), "".join(program))


def _judge(ended: Outcome, job: Job, platform: Platform) -> Outcome:
    """The outcome with SimGrid's errors in place of its log.

    Raises:
        UserError: the error concerns the platform or the kind of program.
    """
    output = separate_output(ended.stderr_tail)
    _raise_user_error(output, ended, job, platform)
    if ended.status in ("done", "failed"):
        for pattern, meaning in _FAILURES:
            if any(map(pattern.search, output.errors)):
                tail = f"{meaning}\n{output.program}"
                return replace(ended, status="failed", exit_code=ended.exit_code or 1, stderr_tail=tail)
    message = "" if ended.status == "done" else "".join(f"{text}\n" for text in output.errors[:1])
    return replace(ended, stderr_tail=message + output.program)


def _raise_user_error(output: SimulatorOutput, ended: Outcome, job: Job, platform: Platform) -> None:
    for message in output.errors:
        refused = _PARSE_ERROR.search(message)
        if refused:
            raise UserError(f"{platform.path}:{refused['line']}: {refused['reason']}")
        separate = _NO_ROUTE.search(message)
        if separate:
            raise UserError(f"{platform.path}: no route from {separate[1]} to {separate[2]}; add a <route>")
        if _NOT_SMPI.search(message):
            raise UserError(f"{job.program}: not built for the simulator; build the preset `simulated`")
    if ended.exit_code == _ABORTED and output.at_start:
        raise UserError(f"{platform.path}: SimGrid refuses it: {output.at_start[0]}")
