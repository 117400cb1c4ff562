# SPDX-License-Identifier: BSD-3-Clause
"""Counts of this rank's operations, by the path that the runtime chose."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PathCounters:
    """Operations that took one path, their bytes of data, the messages that they became, and the bytes that
    were copied into buffers of the runtime or out of them.
    """

    operations: int
    bytes: int
    messages: int
    copied_bytes: int


@dataclass(frozen=True)
class Counters:
    """Operations of this rank by path, and requests that only query remote completion."""

    direct: PathCounters
    rma: PathCounters
    message: PathCounters
    fences: int
