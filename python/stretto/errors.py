# SPDX-License-Identifier: BSD-3-Clause
"""What may go wrong, and the exit status that it means."""


class UserError(Exception):
    """The user's input was wrong: one line that names the file, line or option and the mend."""

    status = 2


class RunError(Exception):
    """The run failed: a rank died, time ran out, a self-test did not hold. Further lines: what it said."""

    status = 1


class CheckError(Exception):
    """A check that was asked for did not hold."""

    status = 3


class Stopped(BaseException):
    """Somebody asked stretto to stop, where it runs no program that would have to be stopped first.

    No Exception, and no KeyboardInterrupt, which the library of the command line takes for itself.
    """

    status = 1
