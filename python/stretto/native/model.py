# SPDX-License-Identifier: BSD-3-Clause
"""Runs `stretto-model`, which evaluates the network model: a batch of requests, one answer per request.

Starting the program takes milliseconds, so callers put all their requests into one batch. The head of
`src/network/request_KIND.cpp` documents each kind of request and its answer.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from stretto.errors import RunError, UserError
from stretto.native.child import run_bound
from stretto.native.document import document_of
from stretto.native.programs import native_program

_PROGRAM = "stretto-model"
_REFUSED = re.compile(r"requests\[(\d+)\](?:\.([^:]*))?: (.*)", re.DOTALL)

Run = Callable[[str], "subprocess.CompletedProcess[str]"]
"""Runs the program on a document."""

_runs: list[Run] = []
"""What runs it instead of a process of its own for each document, if anything does."""

Request = Mapping[str, object]
Answer = Mapping[str, Any]


class InvalidRequest(UserError):
    """An invalid request to `stretto-model`.

    Attributes:
        index: The request's index in the batch.
        member: The invalid member, such as `rows` or `path.ranges[0].latency_s`.
        what: What is wrong with the member, and how to fix it.
    """

    def __init__(self, index: int, member: str, what: str) -> None:
        super().__init__(f"{member}: {what}" if member else what)
        self.index = index
        self.member = member
        self.what = what


def query_protocols(segment_bytes: int | None) -> Answer:
    """The protocols of the one-sided runtime, with reasons, for a length of segments or the default.

    Raises:
        UserError: The program is not built.
        RunError: The program failed.
    """
    return document_of(_PROGRAM, ["--protocols", str(segment_bytes or 0)])


@contextmanager
def run_by(run: Run) -> Iterator[None]:
    """Lets `run` run the program on the documents inside."""
    _runs.append(run)
    try:
        yield
    finally:
        _runs.remove(run)


def query_model(requests: Sequence[Request]) -> list[Answer]:
    """The answers of `stretto-model`, in the order of the requests.

    Args:
        requests: Each has a member `kind`. Numbers are finite.

    Raises:
        InvalidRequest: A request is invalid; the exception names the first one.
        UserError: The program is not built.
        RunError: The program failed.
    """
    if not requests:
        return []
    document = json.dumps({"requests": list(requests)}, allow_nan=False)
    done = _runs[-1](document) if _runs else run_bound(_command(), document)
    if done.returncode == 0:
        answers: list[Answer] = json.loads(done.stdout)["answers"]
        return answers
    message = done.stderr.strip().removeprefix(f"{_PROGRAM}: ")
    refused = _REFUSED.fullmatch(message)
    if done.returncode == UserError.status and refused is not None:
        raise InvalidRequest(int(refused[1]), refused[2] or "", refused[3])
    raise RunError(message or f"{_PROGRAM} ended with {done.returncode}")


def _command() -> list[str]:
    return [str(native_program(_PROGRAM, "none"))]
