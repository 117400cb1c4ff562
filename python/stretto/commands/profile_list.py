# SPDX-License-Identifier: BSD-3-Clause
"""`stretto profile list`: the installed profiles."""

from __future__ import annotations

import sys
from dataclasses import asdict

from stretto.data.installed_profile import cluster_of_job, installed_profiles
from stretto.data.profile_file import read_profile
from stretto.errors import UserError
from stretto.options.profile import ProfileListRequest
from stretto.report.screen import show, show_json
from stretto.report.views.installed_profiles import ListedProfile, installed_view


def profile_list(request: ProfileListRequest) -> None:
    """List the installed profiles: of which cluster, MPI and ranks per node, and which are in use."""
    listed = []
    for one in installed_profiles():
        try:
            profile = read_profile(one.path)
        except UserError as error:
            print(f"stretto: warning: {error}", file=sys.stderr)
            continue
        listed.append(ListedProfile(one.name, profile.machine, profile.made_from, bool(one.keys)))
    if request.as_json:
        show_json({"profiles": [asdict(one) for one in listed]})
    else:
        show(installed_view(listed, cluster_of_job()))
