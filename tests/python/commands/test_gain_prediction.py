# SPDX-License-Identifier: BSD-3-Clause
"""What `stretto gain` predicts from recorded runs, and when it predicts nothing. Only the runs themselves are made up:
a place whose program writes traces as the recorder does, and takes known times.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import pytest
from trace_bytes import block, trace

from stretto.commands import gain_prediction
from stretto.commands.gain_prediction import including_settings, predicted
from stretto.data.results import ResultRow
from stretto.errors import RunError
from stretto.launch.application import Application, Place
from stretto.launch.command_line import read_command
from stretto.launch.kept_network import KeptNetwork
from stretto.launch.mpi import MpiLibrary
from stretto.launch.mpiexec import Launch
from stretto.launch.network_probe import ProbedNetwork
from stretto.launch.session import Ended
from stretto.options.gain import GainRequest
from stretto.potential.gain import Prediction
from stretto.potential.progress_gain import ReplayedTimes

COMMAND = ("mpiexec", "-n", "2", "./app")
QUIET, BUSY = 0, 400
"""Milliseconds that rank 1 waits for a core, of two seconds."""
BUSY_WORDS = "node was busy: rank 1 waited 20 % of its time for a core when it was recorded"
TIMES = ReplayedTimes(9.5, 9.4, 7.5, 7.4)
NO_PROFILE = Path("/no/such/profile.json")
"""The first thing that is read once the trace has shown that something may be gained."""


class TemporaryPath(TemporaryDirectory[str]):
    """A temporary directory as a path."""

    def __enter__(self) -> Path:  # type: ignore[override]
        return Path(super().__enter__())


class RecordedPlace:
    """A place of two ranks on one host. Each run takes the next time, and a recorded one waits so long.

    Attributes:
        launched: The libraries and variables of each run, in their order.
    """

    def __init__(self, runs: Sequence[tuple[float, int]], cores: int = 4, status: int = 0) -> None:
        self.application = Application(COMMAND)
        self.mpi = MpiLibrary("mpich", "5.0.2", Path("/opt/mpich/bin/mpiexec"))
        self.line = read_command(COMMAND, self.mpi)
        self.launched: list[tuple[tuple[str, ...], Mapping[str, str]]] = []
        self._runs, self._cores, self._status = list(runs), cores, status

    def launch(self, libraries: Sequence[str] = (), variables: Mapping[str, str] | None = None) -> Launch:
        self.launched.append((tuple(libraries), dict(variables or {})))
        return Launch(COMMAND, dict(variables or {}))

    def temporary(self) -> TemporaryPath:
        return TemporaryPath()

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


class Networks:
    """The networks of a place: a probe measures the next one; the replay on each takes its time."""

    def __init__(self, inside_calls_s: Sequence[float]) -> None:
        self.inside_calls_s = list(inside_calls_s)
        self.probed = 0

    def probe(
        self,
        place: object,
        largest_bytes: int,
        variables: object,
        kept: KeptNetwork,
        before: Callable[[], None],
    ) -> ProbedNetwork:
        rows = kept.rows(("overlap",))
        if rows is None:
            before()
            self.probed += 1
            rows = (ResultRow("time", "s", self.inside_calls_s.pop(0)),)
            kept.keep(("overlap",), rows)
        latency_s = rows[0].value or 0.0
        return ProbedNetwork(latency_s, ((1 << 10, 2 * latency_s), (1 << 20, 9 * latency_s)), 1 << 14)

    @staticmethod
    def replay(directory: Path, network: str, interval_s: float) -> ReplayedTimes:
        inside_calls_s = float(network.partition(",")[0].removeprefix("L="))
        return replace(TIMES, inside_calls_s=inside_calls_s)


@pytest.fixture(name="networks")
def _networks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Networks:
    made = Networks([TIMES.inside_calls_s] * 2)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(gain_prediction, "probe_network", made.probe)
    monkeypatch.setattr(gain_prediction, "replayed_times", made.replay)
    return made


def measured_prediction(place: RecordedPlace | None = None, **options: object) -> Prediction:
    place = place or RecordedPlace([(2.0, QUIET)] * 2)
    return predicted(GainRequest(command=COMMAND, **options), cast(Place, place), {})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("runs", "share"),
    [
        (((3.0, BUSY), (2.0, QUIET)), 0.0),
        (((2.0, QUIET), (3.0, BUSY)), 0.0),
        (((3.0, QUIET), (2.0, BUSY)), 0.2),
        (((2.0, BUSY), (3.0, QUIET)), 0.2),
    ],
)
def test_the_faster_of_two_recorded_runs_counts_and_its_waits_for_cores_widen_the_prediction(
    runs: Sequence[tuple[float, int]], share: float, networks: Networks
) -> None:
    place = RecordedPlace(runs)
    found = measured_prediction(place)
    assert found.times == TIMES and found.calls is not None and found.ranks == 2
    assert found.wrong_by == pytest.approx(abs(TIMES.deviation()) + share)
    assert found.why_wrong == (BUSY_WORDS if share else "")
    assert [libraries for libraries, _ in place.launched] == [("trace",), ("trace",)]


def test_a_places_network_is_measured_once(networks: Networks, capsys: pytest.CaptureFixture[str]) -> None:
    first = measured_prediction()
    assert first.network == "network: measured now, and kept for the predictions of a week"
    assert capsys.readouterr().err == (
        "stretto: measuring the network of this place takes about 20 s, but only once a week\n"
    )
    second = measured_prediction()
    assert second.network.startswith("network: measured 1 minute ago; --measure-network")
    assert networks.probed == 1 and first.times == second.times and capsys.readouterr().err == ""
    assert measured_prediction(measure_network=True).network == first.network and networks.probed == 2


def test_a_kept_network_with_which_the_replay_fails_is_measured_again(networks: Networks) -> None:
    networks.inside_calls_s = [TIMES.inside_calls_s / 2, TIMES.inside_calls_s]
    assert measured_prediction().times is None, "of a network that a busy moment spoiled"
    again = measured_prediction()
    assert again.times == TIMES and networks.probed == 2
    assert again.network == "network: measured now, and kept for the predictions of a week"


def test_a_network_that_was_just_measured_is_not_measured_again(networks: Networks) -> None:
    networks.inside_calls_s = [TIMES.inside_calls_s / 2]
    assert measured_prediction().missing.startswith("the replay of the program as it is takes")
    assert networks.probed == 1


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
