# SPDX-License-Identifier: BSD-3-Clause
"""The document that `stretto run --json` prints, as typed data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stretto.data.fields import LONGEST_TIME_S, Members, Place
from stretto.data.files import read_json_object

_MAX_MOPS = 1e15


@dataclass(frozen=True)
class KernelResult:
    """One run of a kernel: `timers_s` are the largest of a rank, by name.

    `transport` is that which carried the data: the requested one, except where the variant decides it.
    """

    source: str
    kernel: str
    class_name: str
    variant: str
    transport: str
    ranks: int
    time_s: float
    mops: float
    verified: bool
    messages: int
    timers_s: Mapping[str, float]

    @property
    def problem(self) -> str:
        """`ft class A, 4 ranks`: what runs have in common that can be compared."""
        size = f" class {self.class_name}" if self.class_name else ""
        return f"{self.kernel}{size}, {self.ranks} ranks"

    @property
    def way(self) -> str:
        """`pencils over stretto`: how this run did it."""
        return f"{self.variant} over {self.transport}"


def is_kernel_run(document: Mapping[str, Any]) -> bool:
    """Whether a JSON object is such a document."""
    return "kernel" in document and "time_s" in document


def read_kernel_run(path: Path) -> KernelResult:
    """Reads the document.

    Raises:
        UserError: it is none, or a member is wrong.
    """
    document = read_json_object(path)
    if not is_kernel_run(document):
        raise Place(path).error("is no output of `stretto run KERNEL --json`; name one")
    members = Members.of(document, Place(path))
    timers = members.object("timers")
    verified = document.get("verified")
    if not isinstance(verified, bool):
        raise Place(path).member("verified").error("is neither true nor false; correct it")
    return KernelResult(
        source=path.name,
        kernel=members.text("kernel"),
        class_name=members.text("class", ""),
        variant=members.text("variant", ""),
        transport=members.text("moved_by", members.text("transport", "")),
        ranks=members.integer("ranks", 1),
        time_s=members.number("time_s", 0.0, LONGEST_TIME_S),
        mops=members.number("mops", 0.0, _MAX_MOPS, 0.0),
        verified=verified,
        messages=members.integer("messages", 0, default=0),
        timers_s={name: timers.number(name, 0.0, LONGEST_TIME_S) for name in timers.members},
    )
