# SPDX-License-Identifier: BSD-3-Clause
"""The errors of the runtime; each code of stretto.h is an exception."""

from __future__ import annotations

import builtins


class Error(RuntimeError):
    """The base of all of them."""


class ArgumentError(Error, ValueError):
    """An invalid argument. The message begins with its name in C; no byte has moved."""


class HandleError(Error):
    """A handle or an aggregate that the call does not take."""


class RegionInUseError(Error):
    """A region was freed while operations on it were pending."""


class FinalizedError(Error):
    """A runtime was used after its end, or a region after free()."""


class TimeoutError(Error, builtins.TimeoutError):
    """No rank answered for `timeout_s` seconds."""


class MpiError(Error):
    """A call of MPI failed."""


class NoMemoryError(Error, MemoryError):
    """There is not enough memory."""


# By the codes of stretto.h, from 1.
BY_CODE: tuple[type[Error], ...] = (
    ArgumentError,
    HandleError,
    RegionInUseError,
    FinalizedError,
    TimeoutError,
    MpiError,
    NoMemoryError,
    Error,
)
