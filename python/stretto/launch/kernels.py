# SPDX-License-Identifier: BSD-3-Clause
"""One run of a kernel by the native `stretto-run`, and the document that it prints."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from stretto.errors import RunError, RunInterrupted, UserError
from stretto.launch.job import Outcome
from stretto.launch.substrate import Substrate
from stretto.options.native import request_arguments

PROGRAM = "stretto-run"


@dataclass(frozen=True)
class KernelRun:
    """A kernel to run; an empty member means the kernel's default. `settings`: the kernel's own options."""

    kernel: str
    class_name: str = ""
    variant: str = ""
    transport: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)

    def with_variant(
        self,
        variant: str,
        transport: str = "",
        settings: Mapping[str, str] | None = None,
    ) -> KernelRun:
        """A copy with this variant and transport, and with these settings in addition."""
        return KernelRun(
            self.kernel, self.class_name, variant, transport, {**self.settings, **(settings or {})}
        )

    def arguments(self) -> tuple[str, ...]:
        """The arguments of the native program."""
        return request_arguments(
            {
                "kernel": self.kernel,
                "class": self.class_name,
                "variant": self.variant,
                "transport": self.transport,
                "settings": dict(self.settings),
            }
        )


def run_kernel(substrate: Substrate, run: KernelRun) -> dict[str, Any]:
    """Runs the kernel to its end, and returns the document that it printed.

    Raises:
        UserError: the program refused the request.
        RunError: the program failed, or ran out of time.
    """
    return document_of(substrate.run(PROGRAM, run.arguments()), substrate.timeout_s)


def document_of(outcome: Outcome, timeout_s: float | None = None) -> dict[str, Any]:
    """The document that the native program printed, or the error that its exit status means.

    Raises:
        UserError: the program refused the request.
        RunError: the program failed, or ran out of time.
    """
    if outcome.status == "timeout":
        raise RunError(f"the run was ended after --timeout {timeout_s or 0:g} s")
    if outcome.status == "interrupted":
        raise RunInterrupted("interrupted", outcome.exit_code - 128)
    lines = [line.removeprefix(f"{PROGRAM}: ") for line in outcome.stderr_tail.splitlines() if line.strip()]
    if outcome.exit_code == UserError.status:
        own = [line for line in outcome.stderr_tail.splitlines() if line.startswith(f"{PROGRAM}: ")]
        raise UserError(own[0].removeprefix(f"{PROGRAM}: ") if own else "the kernel refused its input")
    for line in reversed(outcome.stdout.splitlines()):
        if line.startswith('{"kernel"'):
            document: dict[str, Any] = json.loads(line)
            return document
    raise RunError("\n".join([f"the run failed with exit status {outcome.exit_code}", *lines]))
