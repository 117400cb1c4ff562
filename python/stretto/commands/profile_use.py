# SPDX-License-Identifier: BSD-3-Clause
"""`stretto profile use`: chooses among installed profiles."""

from __future__ import annotations

from dataclasses import replace

from stretto.data.installed_profile import find_installed, machine_keys, use_profile
from stretto.data.profile_file import read_profile
from stretto.errors import UserError
from stretto.options.profile import ProfileUseRequest
from stretto.report.views.installed_profiles import place


def profile_use(request: ProfileUseRequest) -> None:
    """Make an installed profile the one in use: on its own machine, or on another cluster or partition."""
    one = find_installed(request.name)
    if not one.path.parent.name == "named":
        raise UserError(
            f"{request.name}: is in use on its hosts; `stretto profile install {one.path}` names it"
        )
    machine = read_profile(one.path).machine
    if request.cluster is not None:
        cluster, partition = request.cluster
        machine = replace(machine, cluster=cluster, partition=partition or None)
    if request.ranks_per_node is not None:
        machine = replace(machine, ranks_per_node=request.ranks_per_node)
    use_profile(request.name, machine_keys(machine))
    print(f"{request.name} is the profile of {place(machine)}")
