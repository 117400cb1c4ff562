# SPDX-License-Identifier: BSD-3-Clause
"""The installed profiles, which native programs find by a key (docs/formats.md).

A profile lies in `named/NAME.json`. A link `KEY.json` makes it the profile of a machine, so that several
profiles of one machine can stand next to each other.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from stretto.data.profile import Machine, Profile
from stretto.data.profile_file import read_profile, write_profile
from stretto.errors import UserError
from stretto.native.library_rules import profile_keys

_NAMED = "named"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}")
_KEY = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True)
class Installed:
    """An installed profile; `keys` are those of the machines that use it."""

    name: str
    path: Path
    keys: tuple[str, ...]


def machine_keys(machine: Machine) -> tuple[str, ...]:
    """The keys under which a machine's profile is found."""
    return profile_keys(
        machine.mpi.library if machine.mpi else "",
        (machine.cluster or "", machine.partition or ""),
        machine.ranks_per_node or 0,
        machine.hosts,
        machine.network,
    )


def install_profile(profile: Profile, name: str | None = None) -> Path:
    """Writes the profile as `name`, makes it that of its machine, and returns the file.

    Raises:
        UserError: the name is no file name, or the directory cannot be written.
    """
    name = name or default_name(profile.machine)
    if _NAME.fullmatch(name) is None:
        raise UserError(
            f"--name {name}: takes letters, digits and . _ + -, and begins with one of the first two"
        )
    path = profiles_directory() / _NAMED / f"{name}.json"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            f"{path.parent}: cannot be made ({error.strerror}); set XDG_DATA_HOME, or use -o"
        ) from None
    write_profile(profile, path)
    use_profile(name, machine_keys(profile.machine))
    return path


def use_profile(name: str, keys: tuple[str, ...]) -> None:
    """Makes the installed profile `name` that of the machines with these keys."""
    directory = profiles_directory()
    for key in keys:
        link, new = directory / f"{key}.json", directory / f"{key}.json.new"
        new.unlink(missing_ok=True)
        new.symlink_to(Path(_NAMED) / f"{name}.json")
        os.replace(new, link)


def installed_profiles() -> list[Installed]:
    """The installed profiles by name; none without a home directory.

    One that an earlier version has installed has its key as name.
    """
    try:
        directory = profiles_directory()
    except UserError:
        return []
    keys: dict[str, list[str]] = {}
    result = []
    for file in sorted(directory.glob("*.json")):
        if _KEY.fullmatch(file.stem) is None:
            continue
        if file.is_symlink():
            keys.setdefault(Path(os.readlink(file)).stem, []).append(file.stem)
        else:
            result.append(Installed(file.stem, file, (file.stem,)))
    named = sorted((directory / _NAMED).glob("*.json"))
    return result + [Installed(file.stem, file, tuple(keys.get(file.stem, ()))) for file in named]


def newest_installed() -> list[Path]:
    """The files of the installed profiles, the newest first."""
    files = [one.path for one in installed_profiles()]
    return sorted(files, key=lambda one: (-one.stat().st_mtime, one.name))


def find_installed(name: str) -> Installed:
    """The installed profile of that name. UserError with the known names if there is none."""
    known = installed_profiles()
    for one in known:
        if one.name == name:
            return one
    names = ", ".join(one.name for one in known) or "none; `stretto profile install FILE` installs one"
    raise UserError(f"{name}: no such installed profile; there is {names}")


def default_name(machine: Machine) -> str:
    """The name of a machine's profile where none is given."""
    mpi = machine.mpi.family if machine.mpi else ""
    where = [machine.cluster, machine.partition] if machine.cluster else list(machine.hosts[:2])
    each = f"{machine.ranks_per_node}-per-node" if machine.cluster and machine.ranks_per_node else ""
    text = "-".join(part for part in (*where, mpi, each) if part)
    return re.sub(r"[^A-Za-z0-9._+-]+", "-", text).strip("-._+")[:100] or "profile"


def read_installed(name_or_file: Path) -> Profile:
    """The profile of a file, or else the installed one of that name."""
    if name_or_file.exists() or len(name_or_file.parts) > 1:
        return read_profile(name_or_file)
    return read_profile(find_installed(str(name_or_file)).path)


def profiles_directory() -> Path:
    """Where profiles are installed. UserError without a home directory."""
    data = os.environ.get("XDG_DATA_HOME", "")
    try:
        home = Path(data) if data.startswith("/") else Path.home() / ".local" / "share"
    except RuntimeError:
        raise UserError("no home directory to install into; set XDG_DATA_HOME, or use -o") from None
    return home / "stretto" / "profiles"
