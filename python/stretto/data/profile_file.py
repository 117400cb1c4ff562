# SPDX-License-Identifier: BSD-3-Clause
"""Reads and writes `profile.json`. Refuses implausible figures with the name of the member."""

import dataclasses
import json
from pathlib import Path
from typing import Any

from stretto.data.fields import Members, Place
from stretto.data.files import minor_version, read_json_object, write_atomically
from stretto.data.profile import Profile
from stretto.data.typed import read_as

SCHEMA_MAJOR = 1
SCHEMA = f"stretto.profile/{SCHEMA_MAJOR}.1"


def read_profile(path: Path | str) -> Profile:
    """Reads and checks a profile; a figure may be a bare number.

    Raises:
        UserError: The file violates docs/formats.md, or a figure is negative, not finite or implausible.
    """
    path = Path(path)
    top = Members(read_json_object(path), Place(path))
    minor_version(top.members.get("schema"), "profile", SCHEMA_MAJOR, top.place)
    if not isinstance(top.members.get("loggp"), list):
        raise top.place.member("loggp").error("is missing or no list; a profile needs it, if only []")
    return read_as(Profile, top)


def write_profile(profile: Profile, path: Path | str) -> None:
    """Writes a profile atomically. UserError where that fails."""
    write_atomically(Path(path), profile_text(profile))


def profile_text(profile: Profile) -> str:
    """The JSON text of a profile, with members in the order of docs/formats.md."""
    members = _without_nones(dataclasses.asdict(profile))
    ordered = {
        "schema": SCHEMA,
        "machine": members.pop("machine"),
        "made_from": members.pop("made_from"),
        **members,
    }
    if not profile.torus:
        del ordered["torus"]
    return json.dumps(ordered, indent=1, allow_nan=False) + "\n"


def _without_nones(value: Any) -> Any:
    """Removes absent members, but keeps the value of an unresolved figure as null."""
    if isinstance(value, dict):
        return {k: _without_nones(v) for k, v in value.items() if v is not None or k == "value"}
    return [_without_nones(v) for v in value] if isinstance(value, list | tuple) else value
