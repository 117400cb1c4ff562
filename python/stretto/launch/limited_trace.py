# SPDX-License-Identifier: BSD-3-Clause
"""Traces with a limit of size: of such a run the recorder keeps the newest records, of which the native
`stretto-analyse` makes an ordinary trace when the program has ended.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

from stretto.data.sizes import format_size
from stretto.data.trace_names import traces_in, unfinished_in
from stretto.data.traced_part import KeptPart
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
    least = document_of("stretto-analyse", [f"--min-limit={ranks or 1}"])["min_limit_bytes"]
    if limit_bytes < least:
        of = "1 rank" if (ranks or 1) == 1 else f"{ranks} ranks"
        raise UserError(f"--limit {format_size(limit_bytes)}: give at least {least // 1024}KiB for {of}")


def check_kept(directory: Path, limit_bytes: int) -> None:
    """Raises UserError where the limit was too small for the ranks that there were: their files have nothing,
    and are removed.
    """
    files = traces_in(directory)
    try:
        check_limit(limit_bytes, len(files) or None)
    except UserError:
        for one in files:
            one.unlink()
        with suppress(OSError):  # not empty: it holds other files
            directory.rmdir()
        raise


def remove_unfinished(directory: Path) -> None:
    """Removes the file that a cut was writing when it was interrupted."""
    for one in unfinished_in(directory):
        one.unlink()


def warn_of_size(directory: Path, limit_bytes: int) -> None:
    """Says where files are larger than the limit, because of what records refer to and is never dropped."""
    size_bytes = sum(one.stat().st_size for one in traces_in(directory))
    if size_bytes > limit_bytes:
        print(
            f"stretto: warning: the files have {size_bytes / 1024:.0f}KiB, more than --limit "
            f"{format_size(limit_bytes)}: communicators, windows and call sites alone need that",
            file=sys.stderr,
        )


def cut(directory: Path) -> None:
    """Makes an ordinary trace of what was kept, and says on stderr what it has. A trace that cannot be cut
    remains as it is, after a warning.
    """
    if not traces_in(directory):
        return
    try:
        found = document_of("stretto-analyse", [f"--cut={directory}"])
    except (RunError, UserError) as error:
        print(f"stretto: warning: {error}", file=sys.stderr)
        return
    finally:
        remove_unfinished(directory)
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
