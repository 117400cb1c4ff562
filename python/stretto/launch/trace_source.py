# SPDX-License-Identifier: BSD-3-Clause
"""The input of commands on traces: a directory that `stretto trace` wrote, or an OTF2 archive."""

from __future__ import annotations

import atexit
from pathlib import Path
from tempfile import TemporaryDirectory

from stretto.launch.otf2 import convert_otf2


def trace_directory(source: Path) -> Path:
    """The directory of the trace; for an archive (*.otf2) a temporary directory that is removed at exit.

    Raises:
        UserError: the archive cannot be read.
    """
    if source.suffix != ".otf2" or source.is_dir():
        return source
    made = TemporaryDirectory(prefix="stretto-otf2-")
    atexit.register(made.cleanup)
    convert_otf2(source, Path(made.name))
    return Path(made.name)
