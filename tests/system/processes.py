# SPDX-License-Identifier: BSD-3-Clause
"""Commands that tests run to their end."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from typing import Any


def completed(
    command: Sequence[object], check: bool = False, **more: Any
) -> subprocess.CompletedProcess[str]:
    """The ended process of a command with what it wrote; `more` as `subprocess.run` takes it."""
    return subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=check, **more
    )
