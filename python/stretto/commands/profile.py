# SPDX-License-Identifier: BSD-3-Clause
"""`stretto profile`: lists, shows, chooses and installs the profiles that the runtime finds."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

from stretto.commands.profile_changes import install, use
from stretto.data.installed_profile import installed_profiles, read_installed
from stretto.data.profile_file import read_profile
from stretto.errors import UserError
from stretto.native.library_rules import cluster_of_job
from stretto.options.profile import ProfileRequest
from stretto.report.screen import show, show_json
from stretto.report.views.installed_profiles import ListedProfile, installed_view, machine_view
from stretto.report.views.parameters import parameters_view


def profile(request: ProfileRequest) -> None:
    """List, show, install and choose the profiles that the runtime finds.

    `list` names the installed ones: of which cluster, MPI and ranks per node, and which are in use. `show`
    prints the machine of one, and its LogGP parameters. `use` makes an installed one the profile of its own
    machine, or of another cluster or partition. `install` puts one where the runtime and the preloaded
    libraries find it: jobs on any nodes of its cluster and partition do; without a cluster's name, only its
    hosts.
    """
    actions = {"show": _show, "use": use, "install": install}
    if request.profile is None:
        _list(request.as_json)
    else:
        actions[request.action](request.profile, request)


def _list(as_json: bool) -> None:
    listed = []
    for one in installed_profiles():
        try:
            read = read_profile(one.path)
        except UserError as error:
            print(f"stretto: warning: {error}", file=sys.stderr)
            continue
        listed.append(ListedProfile(one.name, read.machine, read.made_from, bool(one.keys)))
    if as_json:
        show_json({"profiles": [asdict(one) for one in listed]})
    else:
        show(installed_view(listed, cluster_of_job()))


def _show(named: Path, _: ProfileRequest) -> None:
    shown = read_installed(named)
    show(machine_view(shown))
    show(parameters_view(shown))
