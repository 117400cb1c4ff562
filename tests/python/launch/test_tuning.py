# SPDX-License-Identifier: BSD-3-Clause
"""The search of `stretto tune`, over a place whose times are known."""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from stretto.errors import RunError, UserError
from stretto.launch.application import Place
from stretto.launch.knobs import Setting, combined, settings_for
from stretto.launch.mpi import MpiLibrary
from stretto.launch.mpiexec import Launch
from stretto.launch.tuning import Tuner
from stretto.options.choices import KNOBS

MPICH = MpiLibrary("mpich", "5.0.2", Path("/m/bin/mpiexec"))
OPEN_MPI_5 = MpiLibrary("openmpi", "5.0.11", Path("/o/bin/mpiexec"))
OPEN_MPI_4 = MpiLibrary("openmpi", "4.1.4", Path("/d/bin/mpiexec"))


class KnownPlace:
    """A place whose program takes 10 s less what its variables save."""

    def __init__(self, saved: Mapping[str, float], noise: float = 0.002, seed: int = 3) -> None:
        self.saved, self.noise = saved, noise
        self.random = random.Random(seed)
        self.runs: list[tuple[str, ...]] = []
        self.now_s = 0.0

    def launch(self, libraries: Sequence[str] = (), variables: Mapping[str, str] | None = None) -> Launch:
        return Launch((), dict(variables or {}))

    def measure(self, _: Place, launch: Launch) -> float:
        self.runs.append(tuple(launch.env))
        if "BROKEN" in launch.env:
            raise RunError("ended with 1\nmore")
        left = 1.0
        for name in launch.env:
            left *= 1 - self.saved[name]
        time_s = 10 * left * self.random.gauss(1, self.noise)
        self.now_s += time_s
        return time_s


def tuned(
    saved: Mapping[str, float], budget_s: float = 1e6, noise: float = 0.002, seed: int = 3, **knobs: str
) -> Any:
    place = KnownPlace(saved, noise, seed)
    settings = [Setting(knobs.get(name, name), name, {name: "1"}) for name in saved]
    tuner = Tuner(cast(Place, place), place.measure, budget_s, 7, clock=lambda: place.now_s)
    return tuner.search(settings), place


def test_good_settings_of_different_knobs_are_combined_and_measured_together() -> None:
    found, place = tuned({"A": 0.2, "B": 0.15, "C": 0.0, "D": -0.3})
    assert set(found.chosen.variables) == {"A", "B"}
    assert found.confirmed.saved().value == pytest.approx(1 - 0.8 * 0.85, abs=0.02)
    assert place.runs.count(("A", "B")) == found.confirmed.pairs == 7
    assert found.race.left["D D"] == "slower"


def test_of_one_knob_only_the_best_value_is_taken() -> None:
    found, _ = tuned({"A": 0.2, "B": 0.19}, A="eager", B="eager")
    assert set(found.chosen.variables) == {"A"}


def test_where_nothing_helps_nothing_is_suggested() -> None:
    found, _ = tuned({"A": 0.0, "B": -0.01})
    assert found.chosen is None and found.confirmed is None


def test_what_is_best_by_chance_is_not_suggested() -> None:
    """The best of twelve equal settings seems to save; new pairs seldom say so for certain."""
    results = [tuned({f"S{n}": 0.0 for n in range(12)}, noise=0.05, seed=seed)[0] for seed in range(100)]
    tested = [found for found in results if found.tested is not None]
    assert len(tested) >= 50
    assert sum(found.chosen is not None for found in results) <= 8, "2.5 %, and three standard errors"
    flattered = [found.race.saved(found.race.promising()[0]).value for found in tested]
    again = [found.tested.runs.saved().value for found in tested]
    assert sum(flattered) / len(flattered) > 0.03
    assert abs(sum(again) / len(again)) < 0.015


@pytest.mark.parametrize("budget_s", [140.0, 190.0])
def test_where_the_budget_ends_before_the_new_pairs_it_says_so_and_which_budget_decides(
    budget_s: float,
) -> None:
    saved = {"A": 0.28, "B": 0.0, "C": 0.0}
    found, place = tuned(saved, budget_s, noise=0.1)
    assert found.tested.setting.variables == {"A": "1"}
    assert found.chosen is None and found.tested.runs.pairs < 7
    assert found.deciding_budget_s > place.now_s > budget_s
    enough, _ = tuned(saved, found.deciding_budget_s * 1.1, noise=0.1)
    assert enough.chosen is not None and enough.deciding_budget_s is None


def test_a_budget_that_is_enough_is_not_enlarged() -> None:
    found, _ = tuned({"A": 0.0, "B": 0.2})
    assert found.deciding_budget_s is None


def test_a_setting_that_fails_leaves_the_race() -> None:
    found, _ = tuned({"BROKEN": 0.0, "A": 0.1})
    assert found.race.left["BROKEN BROKEN"] == "failed: ended with 1"
    assert set(found.chosen.variables) == {"A"}


def test_a_program_that_fails_as_it_is_ends_the_search() -> None:
    place = KnownPlace({})

    def fails(_: Place, launch: Launch) -> float:
        raise RunError("ended with 1")

    with pytest.raises(RunError):
        Tuner(cast(Place, place), fails, 1e6, 7).search([Setting("A", "a", {"A": "1"})])


def test_what_the_budget_does_not_allow_is_named() -> None:
    found, _ = tuned({"A": 0.1, "B": 0.1}, budget_s=0.0)
    assert found.skipped == ("B B",)


@pytest.mark.parametrize("mpi", [MPICH, OPEN_MPI_5, OPEN_MPI_4])
def test_every_setting_has_a_known_knob_and_a_name_of_its_own(mpi: MpiLibrary) -> None:
    settings = settings_for(mpi)
    assert {one.knob for one in settings} <= set(KNOBS)
    assert len({one.name for one in settings}) == len(settings)
    assert all(one.variables or one.libraries for one in settings)
    assert [one.knob for one in settings] == sorted((one.knob for one in settings), key=list(KNOBS).index)


def test_knobs_can_be_named() -> None:
    assert {one.knob for one in settings_for(MPICH, ("eager",))} == {"eager"}
    with pytest.raises(UserError, match="own-progress"):
        settings_for(OPEN_MPI_5, ("own-progress",))


def test_settings_combine_to_all_their_variables_and_libraries() -> None:
    first, second = settings_for(MPICH, ("progress",))[1], settings_for(MPICH, ("eager",))[0]
    both = combined((first, second))
    assert both.variables == {**first.variables, **second.variables}
    assert both.libraries == ("progress",)
