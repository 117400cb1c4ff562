# SPDX-License-Identifier: BSD-3-Clause
"""Selects the function that chooses a kernel's variant from a profile, if the request needs one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from stretto.options.choices import CHOSEN
from stretto.options.run import RunRequest

if TYPE_CHECKING:
    from stretto.launch.auto_variant import Chosen, RunOnce


def choice_function(request: RunRequest) -> Callable[[RunOnce], Chosen] | None:
    """The function that chooses from a profile; None: the request leaves no choice open.

    Raises:
        UserError: the request leaves something open that no profile can choose.
    """
    grid = dict(request.settings).get("grid")
    if request.profile is None and request.variant not in CHOSEN and grid not in CHOSEN:
        return None
    # Imported on use: the models take longer to import than everything else that a run needs.
    from stretto.launch.auto_jacobi import JacobiChoice
    from stretto.launch.auto_variant import VariantChoice

    result: JacobiChoice | VariantChoice | None
    if request.kernel == "jacobi":
        result = JacobiChoice.of(request.variant, request.profile, dict(request.settings), request.ranks)
    else:
        result = VariantChoice.of(
            request.kernel,
            request.class_name,
            request.variant,
            request.transport,
            request.profile,
            request.ranks,
        )
    return None if result is None else result.decide
