# SPDX-License-Identifier: BSD-3-Clause
"""Which part of its run a trace has that was recorded with a limit of size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from stretto.data.sizes import format_size
from stretto.data.trace import TraceFile
from stretto.errors import UserError


@dataclass(frozen=True)
class KeptPart:
    """The end of a run, and the limit of all its files."""

    kept_s: float
    run_s: float
    limit_bytes: int

    @property
    def fact(self) -> str:
        """How much was kept."""
        limit = format_size(self.limit_bytes)
        return f"The last {self.kept_s:.3g} of {self.run_s:.4g} s were kept (limit {limit})"

    def __str__(self) -> str:
        return f"{self.fact}: all figures are of that part of the run"


def kept_of(traces: Sequence[TraceFile]) -> KeptPart | None:
    """The part that the traces of all ranks have; None: they have the whole run."""
    kept = traces[0].header.kept_ns if traces else None
    if kept is None:
        return None
    from_ns, end_ns = kept
    return KeptPart(1e-9 * (end_ns - from_ns), 1e-9 * end_ns, traces[0].header.limit_bytes or 0)


def kept_in(directory: Path) -> KeptPart | None:
    """That of a trace's directory; None of anything else, and of a trace that cannot be read."""
    if not directory.is_dir():
        return None
    try:
        return kept_of([TraceFile(path) for path in sorted(directory.glob("rank-*.trace"))[:1]])
    except UserError:
        return None


def kept_document(part: KeptPart | None) -> dict[str, Any]:
    """The member `kept` of documents."""
    return {"kept": part and asdict(part)}
