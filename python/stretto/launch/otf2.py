# SPDX-License-Identifier: BSD-3-Clause
"""Reads OTF2 archives as traces in a separate process, because the native library may crash."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys
from pathlib import Path

from stretto.data.foreign_calls import NOT_UNDERSTOOD
from stretto.errors import UserError

_MAX_BYTES = 4 << 30  # memory limit: a damaged archive may request any amount
_MAX_CPU_S = 3600


def convert_otf2(archive: Path, directory: Path) -> None:
    """Writes the traces of an archive (its anchor file, *.otf2) to `directory`, which exists.

    A warning counts what the traces leave out.

    Raises:
        UserError: the archive cannot be read, or the package `otf2` is missing.
    """
    if not archive.is_file():
        raise UserError(f"{archive}: is no file; name the anchor file of an OTF2 archive, traces.otf2")
    command = [sys.executable, "-m", "stretto.data.otf2_conversion", str(archive), str(directory)]
    done = subprocess.run(
        command, capture_output=True, text=True, errors="replace", check=False, preexec_fn=_limited
    )
    if done.returncode == UserError.status and done.stderr.strip():
        raise UserError(done.stderr.strip().splitlines()[-1])
    if done.returncode != 0:
        ended = f"ended with {done.returncode}"
        if done.returncode < 0:
            ended = f"died of {signal.Signals(-done.returncode).name}"
        raise UserError(
            f"{archive}: is no OTF2 archive that can be read (its reader {ended}); write it again"
        )

    for line in done.stderr.splitlines():
        if line.startswith(NOT_UNDERSTOOD):
            print(f"stretto: warning: {archive}: {line}; what follows is without it", file=sys.stderr)


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_MAX_BYTES, _MAX_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (_MAX_CPU_S, _MAX_CPU_S))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
