# SPDX-License-Identifier: BSD-3-Clause
"""Runs an application in two variants, interleaved, so that both run under the same load."""

from __future__ import annotations

import random
from collections.abc import Callable

from stretto.data.loads import Load
from stretto.errors import RunError
from stretto.launch.application import Place
from stretto.launch.mpiexec import Launch
from stretto.launch.others_load import OthersLoad
from stretto.launch.session import Ended
from stretto.model.paired_runs import PairedRuns

_SEED = 1
_SHOWN_LINES = 10  # of the output of a program that failed

OnRun = Callable[[Ended], None]
"""Called after each run."""


class Watched:
    """What runs wrote to stderr, and what other programs took of this machine after each."""

    def __init__(self, on_run: Callable[[], None]) -> None:
        self.written: list[str] = []
        self._others = OthersLoad()
        self._on_run = on_run

    def __call__(self, ended: Ended) -> None:
        """Looks after a run."""
        self.written.append(ended.stderr)
        self._others.look()
        self._on_run()

    def load(self, ranks: int) -> Load | None:
        """What others took, next to so many ranks; None where it is not known."""
        return self._others.load(ranks)


def run_pairs(
    place: Place, plain: Launch, changed: Launch, pairs: int, on_run: OnRun = lambda _: None
) -> PairedRuns:
    """The times in seconds of `pairs` runs of each variant. A pair is two consecutive runs. Of every two
    pairs one begins with the plain run, by lot which: a machine that gets slower favours neither variant, nor
    does one that is slower at every fourth run.

    Raises:
        RunError: a run failed; the error has the last lines of its output.
    """
    plain_s: list[float] = []
    changed_s: list[float] = []
    variants = [(plain, plain_s), (changed, changed_s)]
    lot = random.Random(_SEED)
    for pair in range(pairs):
        if pair % 2 == 0:
            plain_first = lot.random() < 0.5
        for launch, times_s in variants if plain_first == (pair % 2 == 0) else reversed(variants):
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
