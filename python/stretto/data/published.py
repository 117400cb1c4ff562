# SPDX-License-Identifier: BSD-3-Clause
"""Profiles that come with stretto, found by name: the runtime functions of the two-phase paper."""

from pathlib import Path

_DIRECTORY = Path(__file__).resolve().parents[1] / "profiles"


def published_profiles() -> tuple[str, ...]:
    """The names, such as `clic`."""
    return tuple(sorted(file.stem for file in _DIRECTORY.glob("*.json")))


def profile_path(profile: Path) -> Path:
    """The file that `--profile` means: the path itself, or a published one where it only names that."""
    if str(profile) in published_profiles() and not profile.exists():
        return _DIRECTORY / f"{profile}.json"
    return profile
