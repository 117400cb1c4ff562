# SPDX-License-Identifier: BSD-3-Clause
"""`stretto profile install`: makes a profile that of its cluster or host."""

from __future__ import annotations

from dataclasses import replace

from stretto.data.installed_profile import install_profile
from stretto.data.profile_file import read_profile
from stretto.errors import UserError
from stretto.options.profile import ProfileInstallRequest
from stretto.report.views.installed_profiles import place


def profile_install(request: ProfileInstallRequest) -> None:
    """Install a profile where the runtime and the preloaded libraries find it.

    Jobs on any nodes of its cluster and partition find it; without a cluster's name, only its hosts do.
    """
    profile = read_profile(request.file)
    if profile.machine.on not in (None, "local"):
        raise UserError(
            f"{request.file}: is {profile.machine.on}; only a profile of a real machine is installed"
        )
    if request.cluster is not None:
        cluster, partition = request.cluster
        machine = replace(profile.machine, cluster=cluster, partition=partition or None)
        profile = replace(profile, machine=machine)
    path = install_profile(profile, request.name)
    print(f"{path.stem} is the profile of {place(profile.machine)}")
    print(path)
