# SPDX-License-Identifier: BSD-3-Clause
"""Runs a native program that prints one JSON document."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from stretto.errors import CheckError, RunError, UserError
from stretto.native.child import run_bound
from stretto.native.programs import native_program

_CHECK = 3


@dataclass(frozen=True)
class Launched:
    """A command that starts a native program as several processes, which divide its work."""

    program: str
    argv: Sequence[str]
    environment: Mapping[str, str]


_launched: ContextVar[Launched | None] = ContextVar("launched", default=None)


@contextmanager
def launched(one: Launched | None) -> Iterator[None]:
    """Within it `document_of` starts that program so; None: nothing is different."""
    token = _launched.set(one)
    try:
        yield
    finally:
        _launched.reset(token)


def request_text(request: Mapping[str, Any]) -> str:
    """The text of a request to a native program.

    Raises:
        UserError: a file's name in it is not UTF-8, as JSON is.
    """
    try:
        json.dumps(request, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        begin = error.object.rfind('"', 0, error.start) + 1
        name = error.object[begin : error.object.find('"', error.end)]
        raise UserError(f"{name}: is not UTF-8; name another file, or rename it") from None
    return json.dumps(request, separators=(",", ":"), allow_nan=False)


def document_of(program: str, arguments: Sequence[str] = (), text: str = "") -> dict[str, Any]:
    """The document that the program prints, with `text` as its standard input.

    Raises:
        UserError: the program refused its input, or is not built.
        CheckError: a check of the program did not hold.
        RunError: the program failed.
    """
    command = [str(native_program(program, "none")), *arguments]
    env: Mapping[str, str] | None = None
    several = _launched.get()
    if several is not None and several.program == program:
        command, env = [*several.argv, *arguments], several.environment
    done = run_bound(command, text, env)
    if done.returncode == 0:
        document: dict[str, Any] = json.loads(done.stdout)
        return document
    message = done.stderr.strip().removeprefix(f"{program}: ")
    failures = {UserError.status: UserError, _CHECK: CheckError}
    raise failures.get(done.returncode, RunError)(message or f"{program} ended with {done.returncode}")
