# SPDX-License-Identifier: BSD-3-Clause
"""Traces with a limit of size: of such a run the recorder keeps the newest records, of which the native
`stretto-analyse` makes an ordinary trace when the program has ended.
"""

from __future__ import annotations

import sys
from pathlib import Path

from stretto.data.kept_part import KeptPart
from stretto.data.sizes import format_size
from stretto.errors import RunError, UserError
from stretto.native.document import document_of

LIMIT_VARIABLE = "STRETTO_TRACE_LIMIT"
_LEFT_OUT = {
    "messages": "of messages",
    "completions": "of waits",
    "collectives": "of collectives",
    "epochs": "of one-sided epochs",
}


def check_limit(limit_bytes: int, ranks: int | None) -> None:
    """Raises UserError where the limit is too small for so many ranks; None: they are not known yet."""
    least = document_of("stretto-analyse", [f"--least-limit={ranks or 1}"])["least_limit_bytes"]
    if limit_bytes < least:
        of = "1 rank" if (ranks or 1) == 1 else f"{ranks} ranks"
        raise UserError(f"--limit {format_size(limit_bytes)}: give at least {least // 1024}KiB for {of}")


def cut(directory: Path) -> None:
    """Makes an ordinary trace of what was kept, and says on stderr what it has. A trace that cannot be cut
    remains as it is, after a warning.

    Raises:
        UserError: the limit was too small to record anything.
    """
    if not any(directory.glob("rank-*.trace")):
        return
    try:
        found = document_of("stretto-analyse", [f"--cut={directory}"])
    except RunError as error:
        print(f"stretto: warning: {error}", file=sys.stderr)
        return
    if found["whole"]:
        return
    part = KeptPart(found["kept_s"], found["run_s"], found["limit_bytes"])
    print(f"stretto: {part.fact}", file=sys.stderr)
    left_out = [
        f"{found['left_out'][kind]} {text}" for kind, text in _LEFT_OUT.items() if found["left_out"][kind]
    ]
    if left_out:
        print(
            f"stretto: left out, because their other side is before that: {', '.join(left_out)}",
            file=sys.stderr,
        )
