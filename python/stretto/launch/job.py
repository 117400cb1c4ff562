# SPDX-License-Identifier: BSD-3-Clause
"""A job for the ranks, and its outcome."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

OnTick = Callable[[], None]
"""Called about five times a second while a job runs, from the thread that waits for it."""


@dataclass(frozen=True)
class Job:
    """A native program to run on `ranks` ranks.

    `env` is added to the caller's environment on every rank. After `timeout_s` seconds the job is ended.
    """

    program: Path
    arguments: tuple[str, ...] = ()
    ranks: int = 2
    env: Mapping[str, str] = field(default_factory=dict)
    timeout_s: float | None = None

    def preloading(self, library: Path) -> Job:
        """The same job with another library preloaded into its ranks, after those that it has."""
        before = self.env.get("LD_PRELOAD") or os.environ.get("LD_PRELOAD")
        paths = f"{before}:{library}" if before else str(library)
        return replace(self, env={**self.env, "LD_PRELOAD": paths})


@dataclass(frozen=True)
class Outcome:
    """The end of a job.

    `exit_code` is the launcher's, or 128 + N when signal N ended it (or stretto, for `interrupted`).
    `stdout` and `stderr_tail` are the last part of the ranks' output.
    """

    status: Literal["done", "failed", "timeout", "interrupted"]
    exit_code: int
    stdout: str
    stderr_tail: str
    seconds: float
