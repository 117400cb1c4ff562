# SPDX-License-Identifier: BSD-3-Clause
"""The errors of a command, with the exit status of each; a request to stop is one of them."""

import signal
from types import FrameType
from typing import NoReturn


class UserError(Exception):
    """The user's input was wrong: one line that names the file, line or option and the correction."""

    status = 2


class RunError(Exception):
    """The run failed: a rank died, time ran out, or a self-test failed. Further lines are its output."""

    status = 1


class RunInterrupted(RunError):
    """Somebody stopped the run; `signum` is the signal. The exit status is the shell's, 130 for Ctrl-C."""

    def __init__(self, message: str, signum: int) -> None:
        super().__init__(message)
        self.status = 128 + signum


class ProgramError(RunError):
    """A program that stretto ran for the user failed; its exit status is stretto's."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class CheckError(Exception):
    """A check that was asked for did not hold."""

    status = 3


class Interrupted(BaseException):
    """Somebody asked stretto to stop, with the signal `signum`.

    No Exception, for nobody may take it for his own; no KeyboardInterrupt, which the library of the command
    line does take. The exit status is the shell's, 130 for Ctrl-C.
    """

    def __init__(self, signum: int) -> None:
        super().__init__(signal.Signals(signum).name)
        self.signum = signum
        self.status = 128 + signum


INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def interrupt(signum: int, _: FrameType | None) -> NoReturn:
    """What these signals do.

    Raises:
        Interrupted: always, and only once: what follows is tidying up.
    """
    for other in INTERRUPTS:
        signal.signal(other, signal.SIG_IGN)
    raise Interrupted(signum)
