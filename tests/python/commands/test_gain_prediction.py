# SPDX-License-Identifier: BSD-3-Clause
"""What `stretto gain` predicts from a recorded run, and when it predicts nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from trace_bytes import block, trace

from stretto.commands import gain_prediction
from stretto.errors import UserError
from stretto.launch.application import Place
from stretto.model.paired_runs import PairedRuns
from stretto.options.gain import GainRequest
from stretto.potential.gain import Prediction
from stretto.potential.progress_gain import ReplayedTimes


class Request:
    """The members that a prediction reads before it measures a network."""

    libraries = ("progress",)


def test_a_run_recorded_on_a_busy_machine_predicts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def recorded(place: object, directory: Path, settings: Mapping[str, str]) -> float:
        for rank, waited_ms in enumerate((0, 500)):
            blocks = [block(b"", waited_ms=(0, 1000)), block(b"", waited_ms=(waited_ms, 2000))]
            (directory / f"rank-00000{rank}.trace").write_bytes(trace(rank, 2, blocks, cores=4))
        return 2.0

    def no_network(*_: Any) -> None:
        raise AssertionError("a network is measured for nothing")

    monkeypatch.setattr(gain_prediction, "_record", recorded)
    monkeypatch.setattr(gain_prediction, "_network", no_network)
    found = gain_prediction.predicted(cast(GainRequest, Request()), cast(Place, None), {})
    assert found.missing == "node was busy: rank 1 waited 25 % of its time for a core when it was recorded"
    assert found.saved_s() is None and found.calls is not None


def test_the_faster_of_two_recorded_runs_is_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = [3.0, 2.0]
    made = []

    def recorded(place: object, directory: Path, settings: Mapping[str, str]) -> float:
        made.append(directory)
        (directory / "rank-000000.trace").write_bytes(trace(0, 1, [block(b"", waited_ms=(0, 1000))]))
        return seconds[len(made) - 1]

    def opened(directory: Path) -> None:
        raise UserError(f"{directory} is opened")

    monkeypatch.setattr(gain_prediction, "_record", recorded)
    monkeypatch.setattr(gain_prediction, "open_trace", opened)
    with pytest.raises(UserError) as refused:
        gain_prediction.predicted(cast(GainRequest, Request()), cast(Place, None), {})
    assert str(refused.value) == f"{made[1]} is opened"


@pytest.mark.parametrize(("cores", "interval", "starts"), [(3, "", False), (4, "", True), (3, "0.001", True)])
def test_where_the_library_starts_no_thread_nothing_is_gained(
    cores: int, interval: str, starts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def recorded(place: object, directory: Path, settings: Mapping[str, str]) -> float:
        for rank in (0, 1):
            blocks = [block(b"", waited_ms=(0, 1000)), block(b"", waited_ms=(0, 2000))]
            (directory / f"rank-00000{rank}.trace").write_bytes(trace(rank, 2, blocks, cores=cores))
        return 2.0

    def no_network(*_: Any) -> None:
        raise UserError("a network is measured")

    monkeypatch.setattr(gain_prediction, "_record", recorded)
    monkeypatch.setattr(gain_prediction, "_network", no_network)
    monkeypatch.setenv("STRETTO_POLL_INTERVAL_S", interval)
    found = gain_prediction.predicted(cast(GainRequest, Request()), cast(Place, None), {})
    if starts:
        assert found.missing == "a network is measured" and found.saved_s() is None
    else:
        assert found.no_thread.startswith("2 ranks on one host of 3 cores leave none for progress threads")
        assert found.saved_s() == 0.0


@pytest.mark.parametrize("settings", [{}, {"UCX_TCP_PUT_ENABLE": "n"}])
@pytest.mark.parametrize("times", [None, ReplayedTimes(9.5, 9.4, 7.5, 7.4)])
def test_settings_are_measured_alone_where_there_is_a_prediction_to_add_them_to(
    settings: dict[str, str], times: ReplayedTimes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    launched: list[Mapping[str, str]] = []

    class Here:
        def launch(self, libraries: tuple[str, ...] = (), variables: Mapping[str, str] | None = None) -> None:
            launched.append(variables or {})

    runs = PairedRuns((10.0, 10.1, 10.0, 10.2), (8.0, 8.1, 8.0, 8.1))
    monkeypatch.setattr(gain_prediction, "run_pairs", lambda *_: runs)
    found = gain_prediction.including_settings(Prediction(times=times), cast(Place, Here()), settings)
    measured = bool(settings) and times is not None
    assert launched == ([{}, settings] if measured else [])
    assert found.setting_saves_s == pytest.approx(2.0 if measured else 0.0)
