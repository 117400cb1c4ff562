# SPDX-License-Identifier: BSD-3-Clause
"""Programs into which the system's loader preloads nothing."""

from __future__ import annotations

import os
import stat
import struct
from pathlib import Path

_PT_INTERP = 3
_ELF = struct.Struct("<4sBB26xQ14xHH")
"""The magic, the class, the byte order, and the place, size and number of program headers, of 64 bits."""


def why_not_preloaded(program: Path) -> str | None:
    """Why the loader preloads nothing into a program: the end of a sentence.

    None: it does, or the file is a script, whose interpreter is not looked at.
    """
    try:
        with program.open("rb") as file:
            header = file.read(_ELF.size)
            if not header.startswith(b"\x7fELF") or len(header) < _ELF.size:
                return None
            _, size, order, place, length, number = _ELF.unpack(header)
            if (size, order) != (2, 1):
                return "is not of 64 bits, as stretto's libraries are"
            file.seek(place)
            headers = file.read(length * number)
        mode = program.stat()
    except OSError:
        return None
    kinds = [struct.unpack_from("<I", headers, at)[0] for at in range(0, len(headers) - 3, max(length, 4))]
    if _PT_INTERP not in kinds:
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
