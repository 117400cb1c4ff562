# SPDX-License-Identifier: BSD-3-Clause
"""`stretto profile show`: what a profile says of its machine."""

from __future__ import annotations

from stretto.data.installed_profile import read_installed
from stretto.options.profile import ProfileShowRequest
from stretto.report.screen import show
from stretto.report.views.installed_profiles import machine_view
from stretto.report.views.parameters import parameters_view


def profile_show(request: ProfileShowRequest) -> None:
    """Show the machine of a profile, and its LogGP parameters."""
    profile = read_installed(request.profile)
    show(machine_view(profile))
    show(parameters_view(profile))
