# SPDX-License-Identifier: BSD-3-Clause
"""Advice on collectives: for each operation and size flat, a grid, or undecided, with the gain to expect."""

from __future__ import annotations

from stretto.data.profile import Profile
from stretto.model.collective.choice import Choice, choices
from stretto.model.collective.functions import Functions
from stretto.model.collective.of_profile import max_members, own_sizes


def collective_choices(profile: Profile, ranks: int | None) -> list[Choice]:
    """One choice per operation and size; none where the profile has no functions of library collectives.

    Args:
        profile: The profile with the runtime functions.
        ranks: p; None: the profile's number of ranks or, without one, the largest p of its functions.
    """
    functions = Functions.of(profile)
    operations = functions.operations()
    if not operations:
        return []
    members = ranks or profile.machine.ranks or max_members(functions)
    sizes = own_sizes(functions)
    return choices(functions, ((operation, members, size) for operation in operations for size in sizes))
