# SPDX-License-Identifier: BSD-3-Clause
"""What `stretto gain` predicts from recorded runs, and when it predicts nothing. Only the runs themselves are made up:
a place whose program writes traces as the recorder does, and takes known times.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import pytest
from trace_bytes import block, trace

from stretto.commands.gain_prediction import including_settings, predicted
from stretto.errors import RunError
from stretto.launch.application import Application, Place
from stretto.launch.mpiexec import Launch
from stretto.launch.session import Ended
from stretto.options.gain import GainRequest
from stretto.potential.gain import Prediction
from stretto.potential.progress_gain import ReplayedTimes

COMMAND = ("mpiexec", "-n", "2", "./app")
QUIET, BUSY = 0, 500
"""Milliseconds that rank 1 waits for a core, of two seconds."""
BUSY_WORDS = "node was busy: rank 1 waited 25 % of its time for a core when it was recorded"
NO_PROFILE = Path("/no/such/profile.json")
"""The first thing that is read once the trace has shown that something may be gained."""


class RecordedPlace:
    """A place of two ranks on one host. Each run takes the next time, and a recorded one waits so long.

    Attributes:
        launched: The libraries and variables of each run, in their order.
    """

    def __init__(self, runs: Sequence[tuple[float, int]], cores: int = 4, status: int = 0) -> None:
        self.application = Application(COMMAND)
        self.launched: list[tuple[tuple[str, ...], Mapping[str, str]]] = []
        self._runs, self._cores, self._status = list(runs), cores, status

    def launch(self, libraries: Sequence[str] = (), variables: Mapping[str, str] | None = None) -> Launch:
        self.launched.append((tuple(libraries), dict(variables or {})))
        return Launch(COMMAND, dict(variables or {}))

    def run(self, launch: Launch) -> Ended:
        seconds, waited_ms = self._runs.pop(0)
        if (directory := launch.env.get("STRETTO_TRACE_DIR")) is not None:
            for rank, waited in enumerate((0, waited_ms)):
                blocks = [block(b"", waited_ms=(0, 1000)), block(b"", waited_ms=(waited, 2000))]
                file = Path(directory) / f"rank-00000{rank}.trace"
                file.write_bytes(trace(rank, 2, blocks, cores=self._cores))
        return Ended(self._status, False, "", "out of luck\n" if self._status else "", seconds)


def prediction(
    place: RecordedPlace, settings: Mapping[str, str] | None = None, **options: object
) -> Prediction:
    request = GainRequest(command=COMMAND, profile=NO_PROFILE, **options)  # type: ignore[arg-type]
    return predicted(request, cast(Place, place), settings or {})


@pytest.mark.parametrize(
    ("runs", "missing"),
    [
        (((3.0, BUSY), (2.0, QUIET)), str(NO_PROFILE)),
        (((2.0, QUIET), (3.0, BUSY)), str(NO_PROFILE)),
        (((3.0, QUIET), (2.0, BUSY)), BUSY_WORDS),
        (((2.0, BUSY), (3.0, QUIET)), BUSY_WORDS),
    ],
)
def test_the_faster_of_two_recorded_runs_counts_and_a_busy_one_predicts_nothing(
    runs: Sequence[tuple[float, int]], missing: str
) -> None:
    place = RecordedPlace(runs)
    found = prediction(place)
    assert found.missing.startswith(missing)
    assert found.saved_s() is None and found.calls is not None and found.ranks == 2
    assert [libraries for libraries, _ in place.launched] == [("trace",), ("trace",)]


def test_both_runs_are_recorded_with_what_the_library_sets() -> None:
    place = RecordedPlace([(2.0, QUIET)] * 2)
    prediction(place, {"UCX_TCP_PUT_ENABLE": "n"})
    assert [variables["UCX_TCP_PUT_ENABLE"] for _, variables in place.launched] == ["n", "n"]
    directories = {variables["STRETTO_TRACE_DIR"] for _, variables in place.launched}
    assert len(directories) == 2 and not any(Path(one).exists() for one in directories)


def test_a_run_that_fails_ends_it_with_its_output() -> None:
    with pytest.raises(RunError, match=r"(?s)ended with 3; .*out of luck"):
        prediction(RecordedPlace([(2.0, QUIET)] * 2, status=3))


@pytest.mark.parametrize(("cores", "interval", "starts"), [(3, "", False), (4, "", True), (3, "0.001", True)])
def test_where_the_library_starts_no_thread_nothing_is_gained(
    cores: int, interval: str, starts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STRETTO_POLL_INTERVAL_S", interval)
    found = prediction(RecordedPlace([(2.0, QUIET)] * 2, cores=cores))
    if starts:
        assert found.missing.startswith(str(NO_PROFILE)) and found.saved_s() is None
    else:
        assert found.no_thread.startswith("2 ranks on one host of 3 cores leave none for progress threads")
        assert found.saved_s() == 0.0


def test_two_libraries_together_are_not_predicted() -> None:
    found = prediction(RecordedPlace([(2.0, QUIET)] * 2), libraries=("progress", "collectives"))
    assert found.missing == "two libraries together are not predicted"


class TimedPlace(RecordedPlace):
    """Runs take the time of their variables."""

    def __init__(self, seconds: Mapping[str, float]) -> None:
        super().__init__([])
        self._seconds = seconds

    def run(self, launch: Launch) -> Ended:
        return Ended(0, False, "", "", self._seconds["set" if launch.env else "plain"])


TIMES = ReplayedTimes(9.5, 9.4, 7.5, 7.4)
SETTINGS = {"UCX_TCP_PUT_ENABLE": "n"}


@pytest.mark.parametrize(("with_setting_s", "saves_s"), [(8.0, 2.0), (9.9, 0.0), (12.0, -2.0)])
def test_settings_are_measured_alone_and_count_where_they_matter(
    with_setting_s: float, saves_s: float
) -> None:
    place = TimedPlace({"plain": 10.0, "set": with_setting_s})
    found = including_settings(Prediction(times=TIMES), cast(Place, place), SETTINGS)
    assert found.setting_saves_s == pytest.approx(saves_s)
    assert found.saved_s() == pytest.approx(TIMES.saved_s() + saves_s)
    assert [variables for _, variables in place.launched] == [{}, SETTINGS]


@pytest.mark.parametrize(("times", "settings"), [(TIMES, {}), (None, SETTINGS), (None, {})])
def test_settings_are_not_measured_where_there_is_nothing_to_add_them_to(
    times: ReplayedTimes | None, settings: Mapping[str, str]
) -> None:
    place = TimedPlace({})
    given = Prediction(times=times)
    assert including_settings(given, cast(Place, place), settings) == given
    assert place.launched == []
