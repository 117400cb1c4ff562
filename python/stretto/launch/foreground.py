# SPDX-License-Identifier: BSD-3-Clause
"""Waits for a program that shares this process's terminal: an interrupt is the program's to answer."""

from __future__ import annotations

import os
import signal
import subprocess
import time

_LONGEST_WAIT_S = 1.0  # a signal that another thread of this process received wakes nobody


def wait_passing_interrupts(process: subprocess.Popen[bytes], timeout_s: float | None = None) -> int:
    """Waits for the end of a program that decides itself how an interrupt ends it.

    A terminal sends Ctrl-C to the program, too. An interrupt that another process sent to this one alone is
    passed on. Where this process ignores interrupts, the program does, too.

    Returns:
        The exit status; 128 + N when signal N ended the program.

    Raises:
        subprocess.TimeoutExpired: it took longer than `timeout_s`.
    """
    ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    awaited = {signal.SIGCHLD} if ignored else {signal.SIGCHLD, signal.SIGINT}
    deadline = time.monotonic() + (float("inf") if timeout_s is None else timeout_s)
    interrupted = False
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, awaited)
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN if ignored else lambda *_: None)
    try:
        while process.poll() is None:
            left = deadline - time.monotonic()
            if left <= 0:
                raise subprocess.TimeoutExpired(process.args, timeout_s or 0)
            received = signal.sigtimedwait(awaited, min(left, _LONGEST_WAIT_S))
            if received is not None and received.si_signo == signal.SIGINT:
                interrupted = True
                if _for_this_process_alone(received):
                    process.send_signal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, handler)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    status = process.returncode
    if interrupted and status == signal.SIGINT:  # MPICH's mpiexec ends with the signal that ended its ranks
        return 128 + signal.SIGINT
    return status if status >= 0 else 128 - status


def _for_this_process_alone(received: signal.struct_siginfo) -> bool:
    """Whether a process outside of this process group sent it. A terminal's comes from the kernel."""
    if received.si_code > 0:
        return False
    try:
        return os.getpgid(received.si_pid) != os.getpgrp()
    except ProcessLookupError:
        return True
