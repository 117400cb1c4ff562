# SPDX-License-Identifier: BSD-3-Clause
"""The published profiles with the runtime functions of the two-phase paper, by name."""

from pathlib import Path

from stretto.data.installed_profile import installed_profiles
from stretto.data.profile import Profile
from stretto.data.profile_file import read_profile

_DIRECTORY = Path(__file__).resolve().parents[1] / "profiles"


def published_profiles() -> tuple[str, ...]:
    """The names of the published profiles, such as `clic`."""
    return tuple(sorted(file.stem for file in _DIRECTORY.glob("*.json")))


def profile_path(profile: Path) -> Path:
    """The file for `--profile`: the path itself, or the published or installed profile of that name."""
    if profile.exists() or len(profile.parts) != 1:
        return profile
    if str(profile) in published_profiles():
        return _DIRECTORY / f"{profile}.json"
    return next((one.path for one in installed_profiles() if one.name == str(profile)), profile)


def read_named(profile: Path) -> Profile:
    """The profile that `--profile` names. Raises UserError where there is none, or it is invalid."""
    return read_profile(profile_path(profile))
