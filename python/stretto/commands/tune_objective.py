# SPDX-License-Identifier: BSD-3-Clause
"""What `stretto tune` makes small: the time of a program, or what the probe `overlap` cannot hide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from stretto.data.samples import read_samples
from stretto.errors import RunError
from stretto.launch.application import Application, Place
from stretto.launch.job_line import job_line
from stretto.launch.layout import HERE
from stretto.launch.mpi import find_mpi
from stretto.launch.mpiexec import Launch
from stretto.launch.pairs import checked_run
from stretto.launch.probing import probe_arguments
from stretto.launch.tuning import Measure
from stretto.model.derive import derive_results
from stretto.native.programs import native_program
from stretto.options.tune import TuneRequest

_PROBE = (
    *("overlap", "--sizes", "64KiB:4MiB", "--rounds", "7", "--ratio", "1", "--side", "both"),
    *("--transport", "mpi-two-sided", "--operation", "send", "--progress", "none"),
)
_RANKS = 2


@contextmanager
def objective(request: TuneRequest) -> Iterator[tuple[Application, Measure]]:
    """The program to run, and how a run of it is measured."""
    if request.command:
        yield Application.of(request), lambda place, launch: checked_run(place, launch).seconds
        return
    mpi = find_mpi(request.mpi)
    program = native_program("stretto-probe", mpi.family, mpi.mpiexec)
    with TemporaryDirectory(prefix="stretto-tune-") as made:
        samples = Path(made) / "samples.jsonl"
        words = (*_PROBE, "--on", request.on)
        probe = Application.of(request).running((str(program), *probe_arguments(words, samples)), _RANKS)
        yield probe, lambda place, launch: _exposed_s(place, launch, samples)


def _exposed_s(place: Place, launch: Launch, samples: Path) -> float:
    """The communication that computation does not hide, over all sizes; at least a little of each."""
    samples.unlink(missing_ok=True)
    checked_run(place, launch)
    rows = [row for row in derive_results(read_samples(samples)).rows if row.value is not None]
    exposed = [row.value for row in rows if row.metric == "exposed" and row.value is not None]
    communication = [
        row.value
        for row in rows
        if row.metric == "time" and row.axes.get("quantity") == "T_c" and row.value is not None
    ]
    if not exposed:
        raise RunError("the probe measured no overlap")
    return max(sum(exposed), 0.01 * sum(communication))


def line_of(
    request: TuneRequest, place: Place, variables: Mapping[str, str], libraries: Sequence[str]
) -> str:
    """The command that uses the settings, after the environment file was read; of any program where the probe
    was tuned.
    """
    application = place.application
    if not request.command:
        application = replace(application, command=("./app",), layout=HERE)
    return job_line(application, place.mpi, libraries, variables, exported=True)
