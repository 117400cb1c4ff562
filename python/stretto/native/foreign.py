# SPDX-License-Identifier: BSD-3-Clause
"""Runs `stretto-foreign`, which writes traces of other tools as traces of stretto.

Each conversion writes to a directory that exists, and counts what the trace leaves out.
"""

from __future__ import annotations

import gzip
import shutil
import zlib
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from stretto.errors import RunError, UserError
from stretto.native.document import document_of


def convert_otf2(archive: Path, directory: Path) -> Counter[str]:
    """Converts an archive (Score-P, Extrae, ...) by its anchor file, *.otf2.

    Raises:
        UserError: the archive cannot be read, or the program is not built.
        RunError: the trace cannot be written.
    """
    if not archive.is_file():
        raise UserError(f"{archive}: is no file; name the anchor file of an OTF2 archive, traces.otf2")
    return _converted("otf2", archive, directory)


def convert_paraver(trace: Path, directory: Path) -> Counter[str]:
    """Converts a Paraver trace, `.prv` or `.prv.gz`.

    Raises:
        UserError: as `convert_otf2`.
        RunError: as `convert_otf2`.
    """
    if trace.suffix != ".gz":
        return _converted("paraver", trace, directory)
    with TemporaryDirectory(prefix="stretto-unpacked-") as temporary:
        unpacked = Path(temporary) / "records"
        _unpack(trace, unpacked)
        return _converted("paraver", trace, directory, f"--unpacked={unpacked}")


def convert_time_independent(source: Path, directory: Path, flops_rate: float) -> Counter[str]:
    """Converts a time-independent trace of SimGrid, of hosts with `flops_rate` flops a second.

    Raises:
        UserError: as `convert_otf2`.
        RunError: as `convert_otf2`.
    """
    return _converted("time-independent", source, directory, f"--flops-rate={flops_rate!r}")


def is_time_independent(source: Path) -> bool:
    """Whether a path is such a trace: a file of actions, an index of them, or a directory of them."""
    words = ["time-independent", str(source), "--recognise"]
    found: bool = document_of("stretto-foreign", words)["recognised"]
    return found


def _converted(kind: str, source: Path, directory: Path, *options: str) -> Counter[str]:
    words = [kind, *options, str(source), str(directory)]
    left_out: dict[str, int] = document_of("stretto-foreign", words)["left_out"]
    return Counter(left_out)


def _unpack(trace: Path, unpacked: Path) -> None:
    """Writes what a compressed file holds: the program reads it twice."""
    try:
        with gzip.open(trace) as packed, unpacked.open("wb") as plain:
            shutil.copyfileobj(packed, plain, 1 << 20)
    except (FileNotFoundError, gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise UserError(f"{trace}: is no Paraver trace that can be read ({error}); write it again") from None
    except OSError as error:
        raise RunError(f"{trace}: cannot be unpacked to {unpacked.parent} ({error.strerror})") from None
