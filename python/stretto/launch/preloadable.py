# SPDX-License-Identifier: BSD-3-Clause
"""Programs into which the system's loader preloads nothing."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from stretto.binaries.elf import HEAD_BYTES, INTERPRETER, MAGIC, OF_64_BITS, segments


def why_not_preloaded(program: Path) -> str | None:
    """Why the loader preloads nothing into a program: the end of a sentence.

    None: it does, or the file is a script, whose interpreter is not looked at.
    """
    try:
        with program.open("rb") as file:
            head = file.read(HEAD_BYTES)
            if len(head) < HEAD_BYTES or not head.startswith(MAGIC):
                return None
            if not head.startswith(OF_64_BITS):
                return "is not of 64 bits, as stretto's libraries are"
            kinds = {one.kind for one in segments(file, head)}
        mode = program.stat()
    except (OSError, ValueError, OverflowError):
        return None
    if INTERPRETER not in kinds:
        return "is statically linked"
    other_user = bool(mode.st_mode & stat.S_ISUID) and mode.st_uid != os.geteuid()
    other_group = bool(mode.st_mode & stat.S_ISGID) and mode.st_gid != os.getegid()
    if other_user or other_group or _has_capabilities(program):
        return "runs with other rights than yours (setuid, setgid or capabilities)"
    return None


def _has_capabilities(program: Path) -> bool:
    """Whether a file gives its process rights that the user does not have."""
    try:
        return os.geteuid() != 0 and bool(os.getxattr(program, "security.capability"))
    except OSError:
        return False
