# SPDX-License-Identifier: BSD-3-Clause
"""The request file of a native program (docs/formats.md), from the options that have a member there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from stretto.options.declare import Request, declared

SCHEMA = "stretto.request/1.0"


def native_members(request: Request) -> dict[str, Any]:
    """What the declarations of a request say to the native program."""
    members: dict[str, Any] = {}
    for one in declared(type(request)):
        if one.option.native:
            members |= one.option.kind.native(one.option.native, getattr(request, one.field))
    return members


def request_arguments(members: Mapping[str, Any]) -> tuple[str, ...]:
    """The words that hand a request to a native program.

    They carry its text: ranks on other nodes need no file that all of them see.
    """
    document = {"schema": SCHEMA, **members}
    return ("--request", json.dumps(document, separators=(",", ":"), allow_nan=False))
