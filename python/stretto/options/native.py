# SPDX-License-Identifier: BSD-3-Clause
"""Makes the request file of a native program (docs/formats.md) from the options that have a member in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stretto.native.document import request_text
from stretto.options.declare import Request, declared

SCHEMA = "stretto.request/1.0"


def native_members(request: Request) -> dict[str, Any]:
    """The members of the native program's request, from the declarations of `request`'s options."""
    members: dict[str, Any] = {}
    for one in declared(type(request)):
        if one.option.native:
            members |= one.option.kind.native(one.option.native, getattr(request, one.field))
    return members


def request_arguments(members: Mapping[str, Any]) -> tuple[str, ...]:
    """The command-line arguments that pass a request to a native program.

    They contain the request's text, so that ranks on other nodes need no shared file.

    Raises:
        UserError: as for `request_text`.
    """
    document = {"schema": SCHEMA, **members}
    return ("--request", request_text(document))
