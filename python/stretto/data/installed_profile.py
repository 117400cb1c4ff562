# SPDX-License-Identifier: BSD-3-Clause
"""The path of a machine's installed profile, which native programs read (docs/formats.md)."""

from __future__ import annotations

import os
from pathlib import Path

from stretto.data.profile import Profile
from stretto.errors import UserError

_FNV_OFFSET, _FNV_PRIME = 0xCBF29CE484222325, 0x100000001B3


def profile_key(library: str, hosts: tuple[str, ...], network: str) -> str:
    """The key of a machine's installed profile: 16 hexadecimal digits (docs/formats.md)."""
    lines = "\n".join((library, *sorted(set(hosts)), network))
    return f"{fnv_1a(lines.encode()):016x}"


def fnv_1a(data: bytes) -> int:
    """The 64-bit hash of Fowler, Noll and Vo, which C++ can compute without a library."""
    key = _FNV_OFFSET
    for byte in data:
        key = ((key ^ byte) * _FNV_PRIME) % 2**64
    return key


def profiles_directory() -> Path:
    """Where profiles are installed. UserError without a home directory."""
    data = os.environ.get("XDG_DATA_HOME", "")
    try:
        home = Path(data) if data.startswith("/") else Path.home() / ".local" / "share"
    except RuntimeError:
        raise UserError("no home directory to install into; set XDG_DATA_HOME, or use -o") from None
    return home / "stretto" / "profiles"


def installed_path(profile: Profile) -> Path:
    """The path of a machine's installed profile. UserError without a home directory."""
    machine = profile.machine
    library = machine.mpi.library if machine.mpi else ""
    return profiles_directory() / f"{profile_key(library, machine.hosts, machine.network)}.json"


def installed_profiles() -> list[Path]:
    """The installed profiles, the newest first; none without a home directory."""
    try:
        files = list(profiles_directory().glob("*.json"))
    except UserError:
        return []
    return sorted(files, key=lambda one: (-one.stat().st_mtime, one.name))
