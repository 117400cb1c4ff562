# SPDX-License-Identifier: BSD-3-Clause
"""Runs an application in two variants, interleaved, so that both run under the same load."""

from __future__ import annotations

from collections.abc import Callable

from stretto.errors import RunError
from stretto.launch.application import Place
from stretto.launch.mpiexec import Launch
from stretto.launch.session import Ended
from stretto.model.paired_runs import PairedRuns

_SHOWN_LINES = 10  # of the output of a program that failed

OnRun = Callable[[Ended], None]
"""Called after each run."""


def run_pairs(
    place: Place, plain: Launch, changed: Launch, pairs: int, on_run: OnRun = lambda _: None
) -> PairedRuns:
    """The times in seconds of `pairs` runs of each variant. A pair is two consecutive runs; their order
    alternates.

    Raises:
        RunError: a run failed; the error has the last lines of its output.
    """
    plain_s: list[float] = []
    changed_s: list[float] = []
    variants = [(plain, plain_s), (changed, changed_s)]
    for pair in range(pairs):
        for launch, times_s in variants if pair % 2 == 0 else reversed(variants):
            ended = checked_run(place, launch)
            times_s.append(ended.seconds)
            on_run(ended)
    return PairedRuns(tuple(plain_s), tuple(changed_s))


def checked_run(place: Place, launch: Launch) -> Ended:
    """One run.

    Raises:
        RunError: it failed; the error has the last lines of its output.
    """
    ended = place.run(launch)
    if ended.status != 0:
        tail = (ended.stdout + ended.stderr).splitlines()[-_SHOWN_LINES:]
        status = ended.status if ended.status > 0 else 128 - ended.status
        program = place.application.command[0]
        raise RunError("\n".join([f"{program} ended with {status}; a gain needs runs that succeed", *tail]))
    return ended
