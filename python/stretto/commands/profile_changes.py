# SPDX-License-Identifier: BSD-3-Clause
"""The actions of `stretto profile` that change which profile a machine has: use and install."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from stretto.data.installed_profile import find_installed, install_profile, machine_keys, use_profile
from stretto.data.profile import Machine
from stretto.data.profile_file import read_profile
from stretto.errors import UserError
from stretto.options.profile import ProfileRequest
from stretto.report.views.installed_profiles import place


def use(named: Path, request: ProfileRequest) -> None:
    """Makes an installed profile that of its own machine, or of the one that the command line names."""
    one = find_installed(str(named))
    if not one.path.parent.name == "named":
        raise UserError(f"{named}: is in use on its hosts; `stretto profile install {one.path}` names it")
    machine = _on_cluster(read_profile(one.path).machine, request)
    if request.ranks_per_node is not None:
        machine = replace(machine, ranks_per_node=request.ranks_per_node)
    use_profile(one.name, machine_keys(machine))
    print(f"{named} is the profile of {place(machine)}")


def install(file: Path, request: ProfileRequest) -> None:
    """Puts a profile where the runtime and the preloaded libraries find it."""
    profile = read_profile(file)
    if profile.machine.on not in (None, "local"):
        raise UserError(f"{file}: is {profile.machine.on}; only a profile of a real machine is installed")
    machine = _on_cluster(profile.machine, request)
    path = install_profile(replace(profile, machine=machine), request.name)
    print(f"{path.stem} is the profile of {place(machine)}")
    print(path)


def _on_cluster(machine: Machine, request: ProfileRequest) -> Machine:
    """The machine, as one of the cluster that the command line names."""
    if request.cluster is None:
        return machine
    cluster, partition = request.cluster
    return replace(machine, cluster=cluster, partition=partition or None)
