# SPDX-License-Identifier: BSD-3-Clause
"""Programs that end with this process, whatever ends it: they would go on for minutes for nobody."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from functools import partial

_PR_SET_PDEATHSIG = 1

_libc = ctypes.CDLL(None, use_errno=True)


def end_with_parent(signum: signal.Signals, parent: int) -> None:
    """Requests `signum` from the kernel for the parent thread's end; immediate if `parent` has ended."""
    if _libc.prctl(_PR_SET_PDEATHSIG, ctypes.c_ulong(signum), 0, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"prctl: {os.strerror(number)}")
    if os.getppid() != parent:
        os.kill(os.getpid(), signum)


def bound() -> Callable[[], None]:
    """What a child of this process calls before it becomes another program, which then ends with this one."""
    return partial(end_with_parent, signal.SIGTERM, os.getpid())


def run_bound(
    command: Sequence[str], text: str | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs a program to its end, with `text` as its input; its output is in the result."""
    return subprocess.run(
        command,
        input=text,
        env=env,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        preexec_fn=bound(),
    )
