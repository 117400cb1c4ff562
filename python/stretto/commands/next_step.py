# SPDX-License-Identifier: BSD-3-Clause
"""The command to type next, which a command names when it has succeeded."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any

Function = Callable[[Any], int | None]

# By subcommand: what follows from its request. Commands without an entry name the step in their own view.
STEPS: Mapping[str, Callable[[Any], str]] = {
    "fit": lambda request: f"stretto advise --profile {request.output or 'profile.json'}",
    "verify": lambda request: f"stretto report {request.run}",
    "report": lambda request: _after_report(request.sources),
    "dump": lambda request: f"stretto report {request.file.parent}",
    "list": lambda request: "stretto probe",
    "predict ft": lambda request: f"stretto run ft --variant auto --profile {request.profile}",
    "predict spmv": lambda request: f"stretto run spmv --variant auto --profile {request.profile}",
    "predict collective": lambda request: "stretto preload collectives -- mpiexec -n N ./app",
    "predict jacobi": lambda request: f"stretto run jacobi --variant auto --profile {request.profile}",
    "advise": lambda request: f"stretto predict ft --profile {request.profile}",
    "run": lambda request: _after_run(getattr(request, "kernel", None)),
    "trace": lambda request: f"stretto potential {request.output or 'DIR'}",
    "potential": lambda request: f"stretto whatif {request.directory}",
    "whatif": lambda request: f"stretto report {request.directory}",
    "replay": lambda request: (
        f"stretto whatif {request.file}" if request.file.is_dir() else "stretto probe loggp"
    ),
    "preload": lambda request: "stretto trace -o TRACE -- COMMAND, and stretto potential TRACE",
}
_OUTPUT_IS_DATA = ("report", "dump", "trace", "preload")
"""Their standard output belongs to a program or an application; the step goes to standard error."""


def with_next_step(name: str, function: Function) -> Function:
    """The command, which names the next step when it has succeeded and prints for people."""
    if name not in STEPS:
        return function

    @wraps(function)
    def command(request: Any) -> int | None:
        status = function(request)
        if (
            not status
            and not getattr(request, "as_json", False)
            and (name != "preload" or sys.stderr.isatty())
        ):
            print(f"next: {STEPS[name](request)}", file=sys.stderr if name in _OUTPUT_IS_DATA else sys.stdout)
        return status

    return command


def _after_run(kernel: str | None) -> str:
    if not kernel:
        return "stretto gain -- COMMAND"
    return f"stretto run {kernel} --json > {kernel}.json, and stretto report {kernel}.json"


def _after_report(sources: tuple[Path, ...]) -> str:
    if len(sources) == 2:
        return f"stretto compare {sources[0]} {sources[1]}"
    trace = next((source for source in sources if any(source.glob("rank-*.trace"))), None)
    return f"stretto whatif {trace}" if trace else "stretto trace -o TRACE -- mpiexec -n 4 ./app"
