# SPDX-License-Identifier: BSD-3-Clause
"""What preloaded libraries gain for one program: measured, predicted, and the reason where it is nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from stretto.data.loads import Load
from stretto.data.sizes import said_share
from stretto.model.load import load_sentence
from stretto.model.paired_runs import NOTHING_BELOW, PairedRuns
from stretto.native.library_rules import no_thread_prefix
from stretto.potential.core_shortage import Busy
from stretto.potential.progress_gain import Calls, ReplayedTimes

_LITTLE = 0.02
"""A part of the time that no library could turn into a gain that matters."""
_MEANINGLESS = 0.25
"""Overlap at best halves a time: an error of a quarter either way covers every saving that there may be."""

_FLAT = "the profile chooses flat calls for all its collectives"
_OF_ONE_HOST = re.compile(r"(\d+) ranks and their threads need ")
"""The reason of ranks that are all on one host."""
_CERTAIN = 0.05
"""A part of the time by which a few runs must differ."""

GainVerdict = Literal["saves", "costs", "nothing", "undecided", "too busy"]


@dataclass(frozen=True)
class Prediction:
    """What the trace says; members are None where they are not known.

    Attributes:
        missing: Why nothing is predicted.
        no_thread: Why the library starts no progress thread here, so that nothing is gained.
        ranks: Of a program on one host; None where that is not known, or there are several hosts.
        eager_bytes: Messages up to this size move without calls on the measured network.
        chosen_saves_s: Of collectives: what the forms that the profile chooses save over flat calls.
        wrong_by: By which part of the time the prediction may be wrong: the replay of the program as it is
            misses its recorded time, or a rank waited for a core.
        why_wrong: Why it may be wrong by much; empty where the replay holds and no rank waited.
        network: Where the network comes from; empty where options name it.
        setting_saves_s: What the settings of MPI that the library makes save without its thread; negative
            where they cost. `times` are those of the program with the settings.
    """

    missing: str = ""
    no_thread: str = ""
    ranks: int | None = None
    calls: Calls | None = None
    times: ReplayedTimes | None = None
    eager_bytes: int | None = None
    chosen_saves_s: float | None = None
    wrong_by: float = 0.0
    why_wrong: str = ""
    network: str = ""
    setting_saves_s: float = 0.0

    def saved_s(self) -> float | None:
        """The time that is saved."""
        if self.no_thread:
            return 0.0
        if self.times is not None:
            return self.times.saved_s() + self.setting_saves_s
        return self.chosen_saves_s


def prediction_of(
    calls: Calls | None, times: ReplayedTimes, eager_bytes: int, busy: Busy | None = None
) -> Prediction:
    """The prediction of replays, with how wrong it may be; none where it would say nothing. `busy`: the rank
    that others kept from its core while it was recorded.
    """
    waited = busy.share if busy is not None else 0.0
    wrong_by = abs(times.deviation()) + waited
    why = []
    if busy is not None:
        why.append(f"{busy.fact} when it was recorded")
    if not times.holds():
        why.append(
            f"the replay of the program as it is takes {times.inside_calls_s:.3g} s "
            f"instead of {times.recorded_s:.3g} s"
        )
    if wrong_by >= _MEANINGLESS:
        return Prediction(missing=" and ".join(why), calls=calls, wrong_by=wrong_by)
    return Prediction(
        calls=calls, times=times, eager_bytes=eager_bytes, wrong_by=wrong_by, why_wrong=" and ".join(why)
    )


def without_thread(prediction: Prediction, written: Iterable[str]) -> Prediction:
    """The prediction where a run with the library wrote to stderr that it has no progress thread."""
    prefix = no_thread_prefix()
    lines = [line for text in written for line in text.splitlines() if line.startswith(prefix)]
    if not lines or prediction.no_thread:
        return prediction
    reason = f"the library starts no thread: {lines[0].removeprefix(prefix)}"
    here = _OF_ONE_HOST.search(reason)
    ranks = int(here[1]) if here else prediction.ranks
    return Prediction(no_thread=reason, ranks=ranks, calls=prediction.calls)


def with_setting_alone(prediction: Prediction, runs: PairedRuns) -> Prediction:
    """The prediction with what the settings save without the thread, or cost: `runs` has a few pairs without
    and with them. Nothing where the times of both overlap, or hardly differ.
    """
    saved_s = runs.plain() - runs.changed()
    apart = max(runs.changed_s) < min(runs.plain_s) or min(runs.changed_s) > max(runs.plain_s)
    is_sure = apart and abs(saved_s) >= _CERTAIN * runs.plain()
    return replace(prediction, setting_saves_s=saved_s) if is_sure else prediction


@dataclass(frozen=True)
class Gain:
    """The answer of `stretto gain`.

    Attributes:
        libraries: What was preloaded.
        program: What was run, without its launcher.
        line: The command line that collects the gain.
        crowded: Whether ranks shared cores.
        setting: What the library sets besides its thread: `NAME=VALUE`, or nothing.
        load: What other programs took of the machine between the runs; None where that is not known.
    """

    libraries: tuple[str, ...]
    program: str
    line: str
    runs: PairedRuns
    prediction: Prediction
    crowded: bool = False
    setting: str = ""
    load: Load | None = None

    def predicted(self) -> float | None:
        """The predicted part of the time of the whole command that is saved."""
        saved_s = self.prediction.saved_s()
        return saved_s / self.runs.plain() if saved_s is not None else None

    def note(self) -> str:
        """What a setting of the library saves or costs alone; empty where that is not known, or nothing."""
        if self.prediction.setting_saves_s == 0:
            return ""
        percent = 100 * self.prediction.setting_saves_s / self.runs.plain()
        verb = "saves" if percent > 0 else "costs"
        return (
            f"{self.setting}, which the library sets, {verb} {abs(percent):.0f} % alone; "
            "`stretto tune --knobs transport` measures that"
        )

    def busy(self) -> str:
        """What kept the machine busy between the runs; empty where nothing did."""
        return load_sentence(self.load)

    def verdict(self) -> GainVerdict:
        """The answer: of the runs, unless both sides of the pairs are known to do the same, or nothing can be
        gained.
        """
        found = self.runs.verdict()
        if self._nothing_differs():
            return "nothing"
        if found == "undecided" and self._nothing_to_gain():
            return "nothing"
        return "too busy" if found == "undecided" and self.busy() else found

    def reason(self) -> str:
        """Why nothing is gained; empty where the program gains, where it loses for a reason that is not
        known, and where it is not known whether it gains.
        """
        verdict = self.verdict()
        if self._nothing_differs():
            noise = "" if self.runs.verdict() in ("nothing", "undecided") else "; what differs is noise"
            return f"{self.prediction.no_thread or _FLAT}{noise}"
        if verdict not in ("costs", "nothing"):
            return ""
        if known := self.prediction.no_thread or self._nothing_to_gain():
            return known
        if self.crowded:
            return "its ranks share cores, and a progress thread needs time of its own"
        return "" if verdict == "costs" else f"it saves less than {said_share(NOTHING_BELOW)} of the time"

    def _nothing_differs(self) -> bool:
        """Whether the program does the same with the library as without it. What the library sets besides its
        thread matters between hosts.
        """
        same = not self.setting or self.prediction.ranks is not None
        return (bool(self.prediction.no_thread) and same) or self.prediction.chosen_saves_s == 0

    def _nothing_to_gain(self) -> str:
        """Why the library can save nothing in this program, whatever the runs say; empty where it might."""
        return self._reason_of_trace() if self.libraries == ("progress",) else ""

    def _reason_of_trace(self) -> str:
        calls, times, eager = self.prediction.calls, self.prediction.times, self.prediction.eager_bytes
        if calls is not None and calls.operations == 0:
            return "it sends no messages"
        if calls is not None and calls.nonblocking == 0:
            return "all its calls block: no request is outstanding while it computes"
        if calls is not None and calls.blocked_s < _LITTLE * self.runs.plain():
            return f"only {said_share(calls.blocked_s / self.runs.plain(), 1)} of its time is spent in MPI"
        if times is None or self.prediction.why_wrong:
            return ""
        hidden = (times.inside_calls_s - times.offload_s) / times.inside_calls_s
        if hidden >= _LITTLE:
            return ""
        if calls is not None and eager is not None and calls.mean_bytes <= eager:
            return "MPI moves messages of this size by itself here"
        return "its own calls move its messages, or no computation lies between start and wait"
