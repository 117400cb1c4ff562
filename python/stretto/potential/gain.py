# SPDX-License-Identifier: BSD-3-Clause
"""What preloaded libraries gain for one program: measured, predicted, and the reason where it is nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from stretto.model.paired_runs import LEAST_SAVED, PairedRuns
from stretto.potential.progress_gain import Calls, ReplayedTimes

_LITTLE = 0.02
"""A part of the time that no library could turn into a gain that matters."""
_TRUSTED = 0.1
"""A replay that misses the program's own time by more predicts nothing."""

_WITHOUT_THREAD = "stretto: no progress thread: "
"""The progress library begins its reason so (src/progress/session.cpp)."""
_CERTAIN = 0.05
"""A part of the time by which a few runs must differ."""


@dataclass(frozen=True)
class Prediction:
    """What the trace says; members are None where they are not known.

    Attributes:
        missing: Why nothing is predicted.
        no_thread: Why the library starts no progress thread here, so that nothing is gained.
        eager_bytes: Messages up to this size move without calls on the measured network.
        chosen_saves_s: Of collectives: what the forms that the profile chooses save over flat calls.
        setting_saves_s: What the settings of MPI that the library makes save without its thread; negative
            where they cost. `times` are those of the program with the settings.
    """

    missing: str = ""
    no_thread: str = ""
    calls: Calls | None = None
    times: ReplayedTimes | None = None
    eager_bytes: int | None = None
    chosen_saves_s: float | None = None
    setting_saves_s: float = 0.0

    def saved_s(self) -> float | None:
        """The time that is saved."""
        if self.no_thread:
            return 0.0
        if self.times is not None:
            return self.times.saved_s() + self.setting_saves_s
        return self.chosen_saves_s


def prediction_of(calls: Calls | None, times: ReplayedTimes, eager_bytes: int) -> Prediction:
    """The prediction of replays, unless they miss the time of the program as it is."""
    if abs(times.deviation()) <= _TRUSTED:
        return Prediction(calls=calls, times=times, eager_bytes=eager_bytes)
    found = f"{times.inside_calls_s:.3g} s instead of {times.recorded_s:.3g} s"
    return Prediction(missing=f"the replay of the program as it is takes {found}", calls=calls)


def without_thread(prediction: Prediction, written: Iterable[str]) -> Prediction:
    """The prediction where a run with the library wrote to stderr that it has no progress thread."""
    lines = [line for text in written for line in text.splitlines() if line.startswith(_WITHOUT_THREAD)]
    if not lines or prediction.no_thread:
        return prediction
    reason = f"the library starts no thread: {lines[0].removeprefix(_WITHOUT_THREAD)}"
    return Prediction(no_thread=reason, calls=prediction.calls)


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
    """

    libraries: tuple[str, ...]
    program: str
    line: str
    runs: PairedRuns
    prediction: Prediction
    crowded: bool = False
    setting: str = ""

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

    def saves(self) -> bool:
        """Whether the runs with the libraries certainly take less time, and something in them can save it."""
        return self.runs.saves() and not self.prediction.no_thread

    def reason(self) -> str:
        """Why nothing is gained; empty where the program gains, or loses for a reason that is not known."""
        if self.saves():
            return ""
        if self.prediction.no_thread:
            noise = "; what differs is noise" if self.runs.saves() else ""
            return f"{self.prediction.no_thread}{noise}"
        if self.libraries == ("progress",) and (known := self._reason_of_trace()):
            return known
        if self.prediction.chosen_saves_s == 0:
            return "the profile chooses flat calls for all its collectives"
        if self.crowded:
            return "its ranks share cores, and a progress thread needs time of its own"
        if self.runs.costs():
            return ""
        return f"less than {LEAST_SAVED:.0%} differs, or it is within the noise of {self.runs.pairs} pairs"

    def _reason_of_trace(self) -> str:
        calls, times, eager = self.prediction.calls, self.prediction.times, self.prediction.eager_bytes
        if calls is not None and calls.operations == 0:
            return "it sends no messages"
        if calls is not None and calls.nonblocking == 0:
            return "all its calls block: no request is outstanding while it computes"
        if calls is not None and calls.blocked_s < _LITTLE * self.runs.plain():
            return f"only {calls.blocked_s / self.runs.plain():.1%} of its time is spent in MPI"
        if times is None:
            return ""
        hidden = (times.inside_calls_s - times.offload_s) / times.inside_calls_s
        if hidden >= _LITTLE:
            return ""
        if calls is not None and eager is not None and calls.mean_bytes <= eager:
            return "MPI moves messages of this size by itself here"
        return "its own calls move its messages, or no computation lies between start and wait"
