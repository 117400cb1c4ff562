# SPDX-License-Identifier: BSD-3-Clause
"""The command to type next, which a command names when it has succeeded."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any

from stretto.data.run_directory import RESULTS, samples_in
from stretto.data.shell import command_line
from stretto.data.trace_names import traces_in
from stretto.options.declare import Request, again

Function = Callable[[Any], int | None]

# By subcommand: what follows from its request. Commands without an entry, and those whose step is empty, name
# it in their own view.
STEPS: Mapping[str, Callable[[Any], str]] = {
    "report": lambda request: _after_report(request.sources),
    "show": lambda request: "" if request.is_run else _after_file(request.shown),
    "list": lambda request: "stretto probe",
    "batch": lambda request: "sbatch job.sh, or qsub job.sh",
    "predict ft": lambda request: _run_auto("ft", request),
    "predict spmv": lambda request: _run_auto("spmv", request),
    "predict collective": lambda request: (
        _stretto("report", request.against)
        if request.against
        else "stretto preload collectives -- mpiexec -n 4 ./app"
    ),
    "run": lambda request: _after_run(request),
    "potential": lambda request: "" if request.patch else _stretto("whatif", request.directory),
    "whatif": lambda request: _after_whatif(request),
    "replay": lambda request: _after_replay(request),
    "preload": lambda request: " && ".join(recording(request)),
}
_OUTPUT_IS_DATA = ("report", "show", "batch")
"""Programs read their standard output; the step goes to standard error."""


def with_next_step(name: str, function: Function) -> Function:
    """The command, which names the next step when it has succeeded and prints for people."""
    if name not in STEPS:
        return function

    @wraps(function)
    def command(request: Any) -> int | None:
        status = function(request)
        # The output of an application stays as it is; its user reads the step on a terminal.
        application = name == "preload" or (name == "run" and not request.kernel)
        silent = getattr(request, "as_json", False) or (application and not sys.stderr.isatty())
        if not status and not silent and (step := STEPS[name](request)):
            stream = sys.stderr if application or name in _OUTPUT_IS_DATA else sys.stdout
            print(f"next: {step}", file=stream)
        return status

    return command


def recording(request: Request) -> tuple[str, str]:
    """The two commands that record the program of a request, and show what limits it."""
    from stretto.options.traces import TraceRequest  # on use, here and below: the start of a command is short

    trace, count = Path("TRACE"), 2
    while trace.exists():
        trace, count = Path(f"TRACE-{count}"), count + 1
    leave = ("libraries", "output", "force", "timeout")
    line = again(request, TraceRequest, leave, ("-o", str(trace)))
    return line, _stretto("potential", trace)


def _stretto(*words: object) -> str:
    return command_line(("stretto", *words))


def _after_whatif(request: Any) -> str:
    """A trace without the times of calls has no report."""
    return "stretto probe loggp" if request.flops_rate else _stretto("report", request.directory)


def _after_replay(request: Any) -> str:
    from stretto.launch.trace_source import is_trace_file

    if request.flops_rate:
        return _stretto("whatif", request.file, "--flops-rate", f"{request.flops_rate:g}")
    is_trace = request.file.is_dir() or is_trace_file(request.file)
    return _stretto("whatif", request.file) if is_trace else "stretto probe loggp"


def _run_auto(kernel: str, request: Any) -> str:
    if request.against:
        return _stretto("report", request.against)
    return _stretto("run", kernel, "--variant", "auto")


def _after_run(request: Any) -> str:
    from stretto.options.gain import GainRequest
    from stretto.options.run import RunRequest

    if not request.kernel:
        return again(request, GainRequest, ("libraries",))
    file = f"{request.kernel}.json"
    line = again(request, RunRequest, ("as_json",), ("--json",))
    return f"{line} > {file}, and stretto report {file}"


def _after_file(file: Path) -> str:
    directory = file.parent
    if samples_in(directory) or traces_in(directory) or (directory / RESULTS).exists():
        return _stretto("report", directory)
    return "stretto list"


def _after_report(sources: tuple[Path, ...]) -> str:
    from stretto.launch.trace_source import is_trace_file

    runs = [source for source in sources if source.is_dir() and samples_in(source)]
    if len(sources) == len(runs) == 2:
        return _stretto("compare", *runs)
    trace = next((one for one in sources if is_trace_file(one) or traces_in(one)), None)
    return _stretto("whatif", trace) if trace else "stretto trace -o TRACE -- mpiexec -n 4 ./app"
