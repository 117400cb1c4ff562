# SPDX-License-Identifier: BSD-3-Clause
"""Selects the function that chooses a kernel's variant before the ranks start, if the request needs one.

Jacobi's layout and grid are predicted from a profile. The other kernels measure their variants themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from stretto.data.published import read_named
from stretto.errors import UserError
from stretto.options.choices import AUTO, CHOSEN
from stretto.options.run import RunRequest

if TYPE_CHECKING:
    from stretto.launch.auto_jacobi import Chosen, RunOnce


def choice_function(request: RunRequest) -> Callable[[RunOnce], Chosen] | None:
    """The function that chooses from a profile; None: nothing is left to choose before the ranks start.

    Raises:
        UserError: the request leaves something open that no profile can choose, or its profile is wrong.
    """
    settings = dict(request.settings)
    if request.kernel != "jacobi":
        _check_profile(request)
        return None
    if request.profile is None and request.variant not in CHOSEN and settings.get("grid") not in CHOSEN:
        return None
    # Imported on use: the models take longer to import than everything else that a run needs.
    from stretto.launch.auto_jacobi import JacobiChoice

    choice = JacobiChoice.of(request.variant, request.profile, settings, request.ranks)
    return None if choice is None else choice.decide


def profile_note(request: RunRequest) -> str | None:
    """What to tell where a kernel does not use its profile."""
    if request.profile is None or request.kernel == "jacobi":
        return None
    return f"--profile {request.profile}: not used, because {request.kernel} measures its variants"


def _check_profile(request: RunRequest) -> None:
    if request.profile is None:
        return
    if request.variant != AUTO:
        raise UserError(f"--profile {request.profile}: is for --variant {AUTO}; leave it out, or choose that")
    read_named(request.profile)
