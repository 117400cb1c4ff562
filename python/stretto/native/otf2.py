# SPDX-License-Identifier: BSD-3-Clause
"""Runs `stretto-otf2`, which writes an OTF2 archive (Score-P, Extrae, ...) as a trace of stretto."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from stretto.errors import UserError
from stretto.native.document import document_of


def convert_otf2(archive: Path, directory: Path) -> Counter[str]:
    """Writes the trace of an archive (its anchor file, *.otf2) to `directory`, which exists; counts what the
    trace leaves out.

    Raises:
        UserError: the archive cannot be read, or the program is not built.
        RunError: the trace cannot be written.
    """
    if not archive.is_file():
        raise UserError(f"{archive}: is no file; name the anchor file of an OTF2 archive, traces.otf2")
    left_out: dict[str, int] = document_of("stretto-otf2", [str(archive), str(directory)])["left_out"]
    return Counter(left_out)
