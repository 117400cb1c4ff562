# SPDX-License-Identifier: BSD-3-Clause
"""The command to type next, which a command names when it has succeeded."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any

from rich.cells import cell_len

Function = Callable[[Any], int | None]

# By subcommand: what follows from its request. Commands without an entry name the step in their own view.
STEPS: Mapping[str, Callable[[Any], str]] = {
    "fit": lambda request: f"stretto advise --profile {_name(request.output or 'profile.json')}",
    "verify": lambda request: f"stretto report {_name(request.run)}",
    "report": lambda request: _after_report(request.sources),
    "dump": lambda request: f"stretto report {_name(request.file.parent)}",
    "list": lambda request: "stretto probe",
    "batch": lambda request: "sbatch job.sh, or qsub job.sh",
    "predict ft": lambda request: f"stretto run ft --variant auto --profile {_name(request.profile)}",
    "predict spmv": lambda request: f"stretto run spmv --variant auto --profile {_name(request.profile)}",
    "predict collective": lambda request: "stretto preload collectives -- mpiexec -n N ./app",
    "predict jacobi": lambda request: f"stretto run jacobi --variant auto --profile {_name(request.profile)}",
    "advise": lambda request: f"stretto predict ft --profile {_name(request.profile)}",
    "run": lambda request: _after_run(getattr(request, "kernel", None)),
    "trace": lambda request: f"stretto potential {_name(request.output or 'DIR')}",
    "potential": lambda request: f"stretto whatif {_name(request.directory)}",
    "whatif": lambda request: f"stretto report {_name(request.directory)}",
    "replay": lambda request: (
        f"stretto whatif {_name(request.file)}" if request.file.is_dir() else "stretto probe loggp"
    ),
    "reproduce": lambda request: _after_reproduce(request),
    "preload": lambda request: "stretto trace -o TRACE -- COMMAND, and stretto potential TRACE",
}
_LONGEST = 28  # cells of a path
_OUTPUT_IS_DATA = ("report", "dump", "trace", "batch")
"""Programs read their standard output; the step goes to standard error."""


def with_next_step(name: str, function: Function) -> Function:
    """The command, which names the next step when it has succeeded and prints for people."""
    if name not in STEPS:
        return function

    @wraps(function)
    def command(request: Any) -> int | None:
        status = function(request)
        # The output of an application stays as it is; its user reads the step on a terminal.
        application = name == "preload" or (name == "run" and not getattr(request, "kernel", None))
        silent = getattr(request, "as_json", False) or (application and not sys.stderr.isatty())
        if not status and not silent:
            stream = sys.stderr if application or name in _OUTPUT_IS_DATA else sys.stdout
            print(f"next: {STEPS[name](request)}", file=stream)
        return status

    return command


def _name(path: Path | str, placeholder: str = "DIR") -> str:
    """The path where it fits on the line."""
    return str(path) if cell_len(str(path)) <= _LONGEST else placeholder


def _after_reproduce(request: Any) -> str:
    if request.figure:
        return f"stretto reproduce {request.paper}"
    return f"stretto reproduce {request.paper or 'probes'} figure-4" if request.only_list else "stretto probe"


def _after_run(kernel: str | None) -> str:
    if not kernel:
        return "stretto gain -- COMMAND"
    return f"stretto run {kernel} --json > {kernel}.json, and stretto report {kernel}.json"


def _after_report(sources: tuple[Path, ...]) -> str:
    if len(sources) == 2:
        return f"stretto compare {_name(sources[0], 'A')} {_name(sources[1], 'B')}"
    trace = next((source for source in sources if any(source.glob("rank-*.trace"))), None)
    return f"stretto whatif {_name(trace)}" if trace else "stretto trace -o TRACE -- mpiexec -n 4 ./app"
