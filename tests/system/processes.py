# SPDX-License-Identifier: BSD-3-Clause
"""Commands that tests run to their end."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from typing import Any

import pytest


def completed(
    command: Sequence[object], check: bool = False, **more: Any
) -> subprocess.CompletedProcess[str]:
    """The ended process of a command with what it wrote; `more` as `subprocess.run` takes it."""
    return subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=check, **more
    )


def needs_built(built: object, what: str, not_done: str = "nothing here is tested") -> pytest.MarkDecorator:
    """Skips tests, and says so, where what they need is not built."""
    reason = f"{what} IS NOT BUILT: {not_done}; scripts/native mpich tests builds it"
    return pytest.mark.skipif(not built, reason=reason)
