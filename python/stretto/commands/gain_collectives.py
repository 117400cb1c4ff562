# SPDX-License-Identifier: BSD-3-Clause
"""The prediction of `stretto gain --preload collectives`: calls of one run, and the profile's functions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from stretto.data.collective_calls import CollectiveCalls, read_collective_calls
from stretto.data.published import profile_path
from stretto.errors import UserError
from stretto.launch.application import Place
from stretto.launch.pairs import checked_run
from stretto.model.collective.choice import choices
from stretto.model.collective.functions import Functions
from stretto.model.collective.of_profile import functions_of
from stretto.options.gain import GainRequest
from stretto.potential.gain import Prediction

_PROFILE = "STRETTO_PROFILE"


def collectives_variables(request: GainRequest) -> dict[str, str]:
    """What the two-phase collectives choose by; nothing where no profile is named."""
    if request.profile is None or "collectives" not in request.libraries:
        return {}
    return {_PROFILE: str(profile_path(request.profile).absolute())}


def predicted_of_collectives(request: GainRequest, place: Place) -> Prediction:
    """Counts the program's calls in a run with the library, and predicts each as it is and as it was chosen.

    Raises:
        UserError: the library is not built for the program's MPI.
        RunError: the program failed.
    """
    named = request.profile or Path(os.environ.get(_PROFILE, ""))
    if named == Path():
        return Prediction(
            missing=f"give --profile or {_PROFILE}: a profile with runtime functions of this place"
        )
    try:
        functions = functions_of(named, "library")
    except UserError as error:
        return Prediction(missing=str(error))
    with place.temporary() as made:
        file = made / "statistics"
        variables = {**collectives_variables(request), "STRETTO_STATISTICS": str(file)}
        checked_run(place, place.launch(("collectives",), variables))
        if not file.exists():
            return Prediction(missing="it calls no collective operation that has two phases")
        return Prediction(chosen_saves_s=_saved_s(functions, read_collective_calls(file)))


def _saved_s(functions: Functions, calls: Sequence[CollectiveCalls]) -> float:
    """Seconds that the grids of these calls save over flat calls."""
    grids = [one for one in calls if one.grid and one.predicted_s is not None]
    flat = choices(functions, ((one.operation, one.members, one.size_bytes) for one in grids))
    return sum(
        one.calls * (choice.flat.time_s - (one.predicted_s or 0.0))
        for one, choice in zip(grids, flat, strict=True)
        if choice.flat.time_s is not None
    )
